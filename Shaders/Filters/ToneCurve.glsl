// Curves of four pixels.
// In and out: nonlinear R'G'B' with white at 1, straight; cut to 0 … 1 before the curve.
// TABLE: 1024 samples of the curve of R', then of G', then of B'. intensity: 0 (unchanged) to 1.
vec4 CURVE(vec4 value, int first) {
  vec4 position = clamp(value, 0.0, 1.0) * 1023.0;
  ivec4 index = clamp(truncated(position), 0, 1022);
  vec4 low = vec4(TABLE[first + index.x], TABLE[first + index.y], TABLE[first + index.z],
                  TABLE[first + index.w]);
  index += 1;
  vec4 high = vec4(TABLE[first + index.x], TABLE[first + index.y], TABLE[first + index.z],
                   TABLE[first + index.w]);
  return mix(low, high, position - vec4(index - 1));
}
void ToneCurve(inout vec4 r, inout vec4 g, inout vec4 b, float intensity) {
  r = mix(r, CURVE(r, 0), intensity);
  g = mix(g, CURVE(g, 1024), intensity);
  b = mix(b, CURVE(b, 2048), intensity);
}
