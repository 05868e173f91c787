import RasterGraph

// usage: raster-docs              prints docs/filters.md
//        raster-docs examples     prints each filter's name, a tab and the list of its picture

switch CommandLine.arguments.dropFirst() {
case []: print(FilterPage.text)
case ["examples"]:
  for type in FilterRegistry.all { print("\(type.name)\t\(type.exampleList)") }
default:
  print("usage: raster-docs [examples]")
}
