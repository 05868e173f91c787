// Darken with a dark source, lighten with a light one, of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
// Of its two bounds the upper one is without effect for s >= 0.5, the lower one for s <= 0.5.
vec4 PinLight(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  return clamp(b, 2.0 * s - 1.0, 2.0 * s);
}
