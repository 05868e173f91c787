// The darker of backdrop and source, for each channel of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
vec4 Darken(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  return min(b, s);
}
