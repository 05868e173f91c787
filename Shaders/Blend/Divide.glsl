// Backdrop divided by source of four pixels, at most 1; 1 where the source is 0.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
vec4 Divide(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  return mix(min(b / max(s, 1e-30), 1.0), vec4(1.0), equal(s, vec4(0.0)));
}
