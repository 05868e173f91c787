// Multiply where the backdrop is dark, screen where it is light, of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
vec4 Overlay(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  return mix(2.0 * b * s, 1.0 - 2.0 * (1.0 - b) * (1.0 - s), greaterThan(b, vec4(0.5)));
}
