// Curves through equally spaced points, with linear steps between them.
// In and out: R'G'B', straight, any value; beyond the domain the curves are level.
// TABLE: the points of all curves, red, green and blue of the first, then of the second.
// intensity: 0 (unchanged) to 1. size: points of a curve, at least 2. Scales and offsets map the domain
// of a channel to 0 … size - 1.
vec4 LUT_POINTS(ivec4 i) { return vec4(TABLE[i.x], TABLE[i.y], TABLE[i.z], TABLE[i.w]); }
vec4 LUT_CURVE(vec4 position, int last, int channel) {
  position = clamp(position, 0.0, float(last));
  // The limits of the index hold whatever a NaN becomes as an integer.
  ivec4 index = clamp(truncated(position), 0, last - 1);
  vec4 low = LUT_POINTS(3 * index + channel);
  return mix(low, LUT_POINTS(3 * index + channel + 3), position - vec4(index));
}
void LutCurve(inout vec4 r, inout vec4 g, inout vec4 b, float intensity, float size, float redScale,
              float redOffset, float greenScale, float greenOffset, float blueScale,
              float blueOffset) {
  int last = int(size) - 1;
  r = mix(r, LUT_CURVE(r * redScale + redOffset, last, 0), intensity);
  g = mix(g, LUT_CURVE(g * greenScale + greenOffset, last, 1), intensity);
  b = mix(b, LUT_CURVE(b * blueScale + blueOffset, last, 2), intensity);
}
