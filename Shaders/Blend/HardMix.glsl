// 0 or 1, as the sum of backdrop and source is below or above 1, of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
// 0.5 where it is 1, up to 5e-7: rounding would otherwise decide for complementary code values,
// differently from device to device. Neighboring 16-bit codes are 1.5e-5 apart.
vec4 HardMix(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  vec4 excess = b + s - 1.0;
  return mix(step(0.0, excess), vec4(0.5), lessThan(abs(excess), vec4(5e-7)));
}
