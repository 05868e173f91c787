// Burn with a dark source, dodge with a light one, of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
vec4 VividLight(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  vec4 dark = 1.0 - (1.0 - b) / max(2.0 * s, 1e-30);
  vec4 light = b / max(2.0 - 2.0 * s, 1e-30);
  vec4 value = clamp(mix(dark, light, greaterThan(s, vec4(0.5))), 0.0, 1.0);
  // A source of 0 or 1 decides alone, also where the quotients are of 0 and 0.
  return mix(value, s, equal(s, step(0.5, s)));
}
