// Light of four pixels, as a part of reference white (203 cd/m², ITU-R BT.2408-7 section 2.1), from an HLG signal
// as a display of 1,000 cd/m² shows it.
// In: nonlinear R'G'B' 0 … 1, straight. Rec. ITU-R BT.2100-2, table 5: inverse OETF, then the OOTF with gamma 1.2.
vec4 HLGSCENE(vec4 c) {
  vec4 x = clamp(c, 0.0, 1.0);
  return mix((exp((x - 0.55991073) / 0.17883277) + 0.28466892) / 12.0, x * x / 3.0, lessThanEqual(x, vec4(0.5)));
}
void FromHLG(inout vec4 r, inout vec4 g, inout vec4 b) {
  r = HLGSCENE(r);
  g = HLGSCENE(g);
  b = HLGSCENE(b);
  vec4 gain = pow(max(0.2627 * r + 0.6780 * g + 0.0593 * b, 1e-6), vec4(0.2)) * (1000.0 / 203.0);
  r *= gain;
  g *= gain;
  b *= gain;
}
