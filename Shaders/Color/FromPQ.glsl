// Light of four pixels, as a part of reference white (203 cd/m², ITU-R BT.2408-7 section 2.1), from a PQ signal.
// In: nonlinear R'G'B' 0 … 1 of 10,000 cd/m², straight. Rec. ITU-R BT.2100-2, table 4.
vec4 PQLIGHT(vec4 c) {
  vec4 e = pow(clamp(c, 0.0, 1.0), vec4(1.0 / 78.84375));
  return pow(max(e - 0.8359375, 0.0) / (18.8515625 - 18.6875 * e), vec4(1.0 / 0.1593017578125)) * (10000.0 / 203.0);
}
void FromPQ(inout vec4 r, inout vec4 g, inout vec4 b) {
  r = PQLIGHT(r);
  g = PQLIGHT(g);
  b = PQLIGHT(b);
}
