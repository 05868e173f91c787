// An HLG signal from the light of four pixels, as a part of reference white (203 cd/m², ITU-R BT.2408-7 section 2.1),
// for a display of 1,000 cd/m².
// In: light with reference white at 1, straight. Rec. ITU-R BT.2100-2, table 5: the OOTF with gamma 1.2 undone,
// then the OETF.
vec4 HLGSIGNAL(vec4 c) {
  vec4 x = clamp(c, 0.0, 1.0);
  return mix(0.17883277 * log(max(12.0 * x - 0.28466892, 1e-6)) + 0.55991073, sqrt(3.0 * x),
             lessThanEqual(x, vec4(1.0 / 12.0)));
}
void ToHLG(inout vec4 r, inout vec4 g, inout vec4 b) {
  vec4 y = max((0.2627 * r + 0.6780 * g + 0.0593 * b) * (203.0 / 1000.0), 1e-6);
  vec4 gain = pow(y, vec4(-0.2 / 1.2)) * (203.0 / 1000.0);
  r = HLGSIGNAL(r * gain);
  g = HLGSIGNAL(g * gain);
  b = HLGSIGNAL(b * gain);
}
