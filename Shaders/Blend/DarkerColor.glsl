// The color with the lower luma of backdrop and source, of four pixels.
// r, g, b: the backdrop in, the result out; sr, sg, sb: the source. Nonlinear R'G'B' with white
// at 1, straight; both are cut to 0 … 1. The luma is that of BT.601.
// The backdrop where the lumas are equal, up to 5e-7: rounding would otherwise decide, differently
// from device to device. Lumas of 8-bit codes that differ are at least 3.9e-6 apart.
void DarkerColor(inout vec4 r, inout vec4 g, inout vec4 b, vec4 sr, vec4 sg, vec4 sb) {
  r = clamp(r, 0.0, 1.0);
  g = clamp(g, 0.0, 1.0);
  b = clamp(b, 0.0, 1.0);
  sr = clamp(sr, 0.0, 1.0);
  sg = clamp(sg, 0.0, 1.0);
  sb = clamp(sb, 0.0, 1.0);
  vec4 difference = 0.299 * (sr - r) + 0.587 * (sg - g) + 0.114 * (sb - b);
  bvec4 isSource = lessThan(difference, vec4(-5e-7));
  r = mix(r, sr, isSource);
  g = mix(g, sg, isSource);
  b = mix(b, sb, isSource);
}
