/// The natural cubic spline through points, level beyond its ends; without points, the identity.
///
/// Second derivatives solve the usual tridiagonal system with zero at both ends.
package struct Spline: Hashable, Sendable {
  private var x: [Double] = []
  private var y: [Double] = []
  private var second: [Double] = []

  package init() {}

  /// - Parameter text: points `x,y` in 0…1 apart by spaces, with rising x.
  /// - Returns: nil for fewer than two points or any other text; the identity for no text.
  package init?(parsing text: String) {
    let words = text.split { $0 == " " || $0 == "\n" || $0 == "\t" }
    for word in words {
      let numbers = word.split(separator: ",", omittingEmptySubsequences: false)
        .compactMap { Double($0) }
      guard numbers.count == 2, numbers.allSatisfy({ (0...1).contains($0) }),
        numbers[0] > (x.last ?? -1)
      else { return nil }
      x.append(numbers[0])
      y.append(numbers[1])
    }
    guard x.count != 1 else { return nil }
    second = Spline.secondDerivatives(x, y)
  }

  private static func secondDerivatives(_ x: [Double], _ y: [Double]) -> [Double] {
    var second = [Double](repeating: 0, count: x.count)
    guard x.count > 2 else { return second }
    var upper = second
    for index in 1..<(x.count - 1) {
      let (left, right) = (x[index] - x[index - 1], x[index + 1] - x[index])
      let slope = (y[index + 1] - y[index]) / right - (y[index] - y[index - 1]) / left
      let pivot = 2 * (left + right) - left * upper[index - 1]
      upper[index] = right / pivot
      second[index] = (6 * slope - left * second[index - 1]) / pivot
    }
    for index in stride(from: x.count - 2, through: 1, by: -1) {
      second[index] -= upper[index] * second[index + 1]
    }
    return second
  }

  package func callAsFunction(_ position: Double) -> Double {
    guard let first = x.first, let last = x.last else { return position }
    if position <= first { return y[0] }
    if position >= last { return y[y.count - 1] }
    let right = x.firstIndex { $0 > position } ?? x.count - 1
    let left = right - 1
    let width = x[right] - x[left]
    let (a, b) = ((x[right] - position) / width, (position - x[left]) / width)
    let bend = (a * a * a - a) * second[left] + (b * b * b - b) * second[right]
    return a * y[left] + b * y[right] + bend * width * width / 6
  }
}
