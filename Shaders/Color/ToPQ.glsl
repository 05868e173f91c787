// A PQ signal from the light of four pixels, as a part of reference white (203 cd/m², ITU-R BT.2408-7 section 2.1).
// In: light with reference white at 1, straight. Rec. ITU-R BT.2100-2, table 4.
vec4 PQSIGNAL(vec4 c) {
  vec4 y = pow(clamp(c * (203.0 / 10000.0), 0.0, 1.0), vec4(0.1593017578125));
  return pow((0.8359375 + 18.8515625 * y) / (1.0 + 18.6875 * y), vec4(78.84375));
}
void ToPQ(inout vec4 r, inout vec4 g, inout vec4 b) {
  r = PQSIGNAL(r);
  g = PQSIGNAL(g);
  b = PQSIGNAL(b);
}
