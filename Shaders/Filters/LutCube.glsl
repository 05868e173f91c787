// A cube of colors, with linear steps along all three edges of its cells (LutTrilinear), or with cells that
// are six tetrahedra around the diagonal of grays, linear in each (LutTetrahedral).
// In and out: R'G'B', straight, any value; colors beyond the domain take the value at its border.
// TABLE: the points of the shaper, red, green and blue of the first, then of the second; then those of the
// cube in the same way, red fastest and blue slowest. A color in one place is one stretch of memory.
// intensity: 0 (unchanged) to 1. size: points of an edge, at least 2. Scales and offsets map the domain of
// a channel to 0 … size - 1. shaperSize, shaperScale, shaperOffset: the same for the curves before the
// cube; shaperSize 0 leaves them out.
vec4 LUT_POINTS(ivec4 i) { return vec4(TABLE[i.x], TABLE[i.y], TABLE[i.z], TABLE[i.w]); }
vec4 LUT_SHAPER(vec4 position, int last, int channel) {
  position = clamp(position, 0.0, float(last));
  ivec4 index = clamp(truncated(position), 0, last - 1);
  vec4 low = LUT_POINTS(3 * index + channel);
  return mix(low, LUT_POINTS(3 * index + channel + 3), position - vec4(index));
}
// Finds the cell of four colors: places of its first corner for red, and fractions within it.
ivec4 LUT_FIND(vec4 r, vec4 g, vec4 b, float size, vec3 scale, vec3 offset, vec3 shaper, out vec4 x,
               out vec4 y, out vec4 z) {
  x = r;
  y = g;
  z = b;
  if (shaper.x > 0.0) {
    int end = int(shaper.x) - 1;
    x = LUT_SHAPER(r * shaper.y + shaper.z, end, 0);
    y = LUT_SHAPER(g * shaper.y + shaper.z, end, 1);
    z = LUT_SHAPER(b * shaper.y + shaper.z, end, 2);
  }
  int last = int(size) - 1;
  x = clamp(x * scale.r + offset.r, 0.0, float(last));
  y = clamp(y * scale.g + offset.g, 0.0, float(last));
  z = clamp(z * scale.b + offset.b, 0.0, float(last));
  // The limits of the indices hold whatever a NaN becomes as an integer.
  ivec4 i = clamp(truncated(x), 0, last - 1);
  ivec4 j = clamp(truncated(y), 0, last - 1);
  ivec4 k = clamp(truncated(z), 0, last - 1);
  x -= vec4(i);
  y -= vec4(j);
  z -= vec4(k);
  return 3 * int(shaper.x) + 3 * (i + (j + k * (last + 1)) * (last + 1));
}
vec4 LUT_EDGE(ivec4 i, vec4 x) { return mix(LUT_POINTS(i), LUT_POINTS(i + 3), x); }
vec4 LUT_CELL(ivec4 i, int row, int slice, vec4 x, vec4 y, vec4 z) {
  vec4 front = mix(LUT_EDGE(i, x), LUT_EDGE(i + row, x), y);
  vec4 back = mix(LUT_EDGE(i + slice, x), LUT_EDGE(i + row + slice, x), y);
  return mix(front, back, z);
}
void LutTrilinear(inout vec4 r, inout vec4 g, inout vec4 b, float intensity, float size,
                  float redScale, float redOffset, float greenScale, float greenOffset,
                  float blueScale, float blueOffset, float shaperSize, float shaperScale,
                  float shaperOffset) {
  vec4 x, y, z;
  ivec4 first = LUT_FIND(r, g, b, size, vec3(redScale, greenScale, blueScale),
                         vec3(redOffset, greenOffset, blueOffset),
                         vec3(shaperSize, shaperScale, shaperOffset), x, y, z);
  int row = 3 * int(size), slice = row * int(size);
  r = mix(r, LUT_CELL(first, row, slice, x, y, z), intensity);
  g = mix(g, LUT_CELL(first + 1, row, slice, x, y, z), intensity);
  b = mix(b, LUT_CELL(first + 2, row, slice, x, y, z), intensity);
}
void LutTetrahedral(inout vec4 r, inout vec4 g, inout vec4 b, float intensity, float size,
                    float redScale, float redOffset, float greenScale, float greenOffset,
                    float blueScale, float blueOffset, float shaperSize, float shaperScale,
                    float shaperOffset) {
  vec4 x, y, z;
  ivec4 first = LUT_FIND(r, g, b, size, vec3(redScale, greenScale, blueScale),
                         vec3(redOffset, greenOffset, blueOffset),
                         vec3(shaperSize, shaperScale, shaperOffset), x, y, z);
  int row = 3 * int(size), slice = row * int(size);
  // The way from the first to the last corner of the cell takes the edge with the largest fraction
  // first. Between equal fractions either order gives the same sum.
  ivec4 edgeY = ivec4(row), edgeZ = ivec4(slice), edgeX = ivec4(3);
  ivec4 second = first + mix(mix(edgeZ, edgeY, greaterThanEqual(y, z)), edgeX,
                             greaterThanEqual(x, max(y, z)));
  ivec4 fourth = first + 3 + row + slice;
  ivec4 third = fourth - mix(mix(edgeZ, edgeY, lessThan(y, z)), edgeX, lessThan(x, min(y, z)));
  vec4 high = max(x, max(y, z));
  vec4 low = min(x, min(y, z));
  vec4 middle = max(min(x, y), min(max(x, y), z));
  vec4 w1 = 1.0 - high, w2 = high - middle, w3 = middle - low;
  r = mix(r, w1 * LUT_POINTS(first) + w2 * LUT_POINTS(second) + w3 * LUT_POINTS(third) +
                 low * LUT_POINTS(fourth), intensity);
  g = mix(g, w1 * LUT_POINTS(first + 1) + w2 * LUT_POINTS(second + 1) +
                 w3 * LUT_POINTS(third + 1) + low * LUT_POINTS(fourth + 1), intensity);
  b = mix(b, w1 * LUT_POINTS(first + 2) + w2 * LUT_POINTS(second + 2) +
                 w3 * LUT_POINTS(third + 2) + low * LUT_POINTS(fourth + 2), intensity);
}
