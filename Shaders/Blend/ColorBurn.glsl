// Backdrop darkened to reflect the source, of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
// The bound of the divisor makes the definition's own exceptions: a backdrop of 1 stays 1, and
// any other becomes 0 where the source is 0.
vec4 ColorBurn(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  return 1.0 - min((1.0 - b) / max(s, 1e-30), 1.0);
}
