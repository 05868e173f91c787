// Backdrop brightened to reflect the source, of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
// The bound of the divisor makes the definition's own exceptions: a backdrop of 0 stays 0, and
// any other becomes 1 where the source is 1.
vec4 ColorDodge(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  return min(b / max(1.0 - s, 1e-30), 1.0);
}
