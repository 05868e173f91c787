// Modes that take hue, saturation and luma of four pixels' colors apart.
// Of each mode r, g, b: the backdrop in, the result out; sr, sg, sb: the source. Nonlinear R'G'B'
// with white at 1, straight; both are cut to 0 … 1, where the modes are defined. Out: 0 … 1, up to
// rounding.
void CUT(inout vec4 r, inout vec4 g, inout vec4 b) {
  r = clamp(r, 0.0, 1.0);
  g = clamp(g, 0.0, 1.0);
  b = clamp(b, 0.0, 1.0);
}
// At most 1, whatever the rounding: the distance to white must not become negative.
vec4 LUMA(vec4 r, vec4 g, vec4 b) {
  return min(0.3 * r + 0.59 * g + 0.11 * b, 1.0);
}
vec4 LOWEST(vec4 r, vec4 g, vec4 b) {
  return min(min(r, g), b);
}
vec4 HIGHEST(vec4 r, vec4 g, vec4 b) {
  return max(max(r, g), b);
}
vec4 SPREAD(vec4 r, vec4 g, vec4 b) {
  return HIGHEST(r, g, b) - LOWEST(r, g, b);
}
// The color with another saturation. One linear map for all three channels gives what the
// definition says of the highest, middle and lowest one; a gray has only zeros in the numerators.
void SET_SPREAD(inout vec4 r, inout vec4 g, inout vec4 b, vec4 spread) {
  vec4 low = LOWEST(r, g, b);
  vec4 own = max(SPREAD(r, g, b), 1e-30);
  r = (r - low) / own * spread;
  g = (g - low) / own * spread;
  b = (b - low) / own * spread;
}
// The color with another luma; what leaves 0 … 1 by that is drawn towards the gray of that luma.
// At most one of the two factors is below 1, since the channels are at most 1 apart.
void SET_LUMA(inout vec4 r, inout vec4 g, inout vec4 b, vec4 luma) {
  vec4 shift = luma - LUMA(r, g, b);
  vec4 below = -(LOWEST(r, g, b) + shift - luma);
  vec4 above = HIGHEST(r, g, b) + shift - luma;
  vec4 factor = min(luma / max(below, 1e-30), (1.0 - luma) / max(above, 1e-30));
  factor = min(factor, 1.0);
  r = luma + (r + shift - luma) * factor;
  g = luma + (g + shift - luma) * factor;
  b = luma + (b + shift - luma) * factor;
}
void Hue(inout vec4 r, inout vec4 g, inout vec4 b, vec4 sr, vec4 sg, vec4 sb) {
  CUT(r, g, b);
  CUT(sr, sg, sb);
  vec4 luma = LUMA(r, g, b);
  SET_SPREAD(sr, sg, sb, SPREAD(r, g, b));
  SET_LUMA(sr, sg, sb, luma);
  r = sr;
  g = sg;
  b = sb;
}
void Saturation(inout vec4 r, inout vec4 g, inout vec4 b, vec4 sr, vec4 sg, vec4 sb) {
  CUT(r, g, b);
  CUT(sr, sg, sb);
  vec4 luma = LUMA(r, g, b);
  SET_SPREAD(r, g, b, SPREAD(sr, sg, sb));
  SET_LUMA(r, g, b, luma);
}
void Color(inout vec4 r, inout vec4 g, inout vec4 b, vec4 sr, vec4 sg, vec4 sb) {
  CUT(r, g, b);
  CUT(sr, sg, sb);
  SET_LUMA(sr, sg, sb, LUMA(r, g, b));
  r = sr;
  g = sg;
  b = sb;
}
void Luminosity(inout vec4 r, inout vec4 g, inout vec4 b, vec4 sr, vec4 sg, vec4 sb) {
  CUT(r, g, b);
  CUT(sr, sg, sb);
  SET_LUMA(r, g, b, LUMA(sr, sg, sb));
}
