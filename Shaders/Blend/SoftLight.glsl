// Backdrop darkened or lightened softly by the source, of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
vec4 SoftLight(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  vec4 dark = b - (1.0 - 2.0 * s) * b * (1.0 - b);
  vec4 root = mix(sqrt(b), ((16.0 * b - 12.0) * b + 4.0) * b, lessThanEqual(b, vec4(0.25)));
  return mix(dark, b + (2.0 * s - 1.0) * (root - b), greaterThan(s, vec4(0.5)));
}
