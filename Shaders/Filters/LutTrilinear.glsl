// A cube of colors with linear steps along all three edges of its cells.
// In and out: R'G'B', straight, any value; colors beyond the domain take the value at its border.
// TABLE: the points of the shaper, red, green and blue of the first, then of the second; then those of the
// cube in the same way, red fastest and blue slowest. A color in one place is one stretch of memory.
// intensity: 0 (unchanged) to 1. size: points of an edge, at least 2. Scales and offsets map the domain of
// a channel to 0 … size - 1. shaperSize, shaperScale, shaperOffset: the same for the curves before the
// cube; shaperSize 0 leaves them out.
vec4 LUT_POINTS(ivec4 i) { return vec4(TABLE[i.x], TABLE[i.y], TABLE[i.z], TABLE[i.w]); }
vec4 LUT_SHAPER(vec4 position, int last, int channel) {
  position = clamp(position, 0.0, float(last));
  ivec4 index = clamp(ivec4(position), 0, last - 1);
  vec4 low = LUT_POINTS(3 * index + channel);
  return mix(low, LUT_POINTS(3 * index + channel + 3), position - vec4(index));
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
  vec4 x = r, y = g, z = b;
  if (shaperSize > 0.0) {
    int end = int(shaperSize) - 1;
    x = LUT_SHAPER(r * shaperScale + shaperOffset, end, 0);
    y = LUT_SHAPER(g * shaperScale + shaperOffset, end, 1);
    z = LUT_SHAPER(b * shaperScale + shaperOffset, end, 2);
  }
  int last = int(size) - 1;
  x = clamp(x * redScale + redOffset, 0.0, float(last));
  y = clamp(y * greenScale + greenOffset, 0.0, float(last));
  z = clamp(z * blueScale + blueOffset, 0.0, float(last));
  // The limits of the indices hold whatever a NaN becomes as an integer.
  ivec4 i = clamp(ivec4(x), 0, last - 1);
  ivec4 j = clamp(ivec4(y), 0, last - 1);
  ivec4 k = clamp(ivec4(z), 0, last - 1);
  x -= vec4(i);
  y -= vec4(j);
  z -= vec4(k);
  int row = 3 * (last + 1);
  int slice = row * (last + 1);
  ivec4 first = 3 * int(shaperSize) + 3 * i + row * j + slice * k;
  r = mix(r, LUT_CELL(first, row, slice, x, y, z), intensity);
  g = mix(g, LUT_CELL(first + 1, row, slice, x, y, z), intensity);
  b = mix(b, LUT_CELL(first + 2, row, slice, x, y, z), intensity);
}
