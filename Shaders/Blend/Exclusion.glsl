// Difference with less contrast, of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
// Written as a sum of two products, so that no rounding makes it negative.
vec4 Exclusion(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  return b * (1.0 - s) + s * (1.0 - b);
}
