// Light of four pixels from their signal.
// In: nonlinear R'G'B' with white at 1, straight. threshold, slope, offset, exponent: the transfer function.
vec4 LIGHT(vec4 c, float threshold, float slope, float offset, float exponent) {
  vec4 power = pow(max((c + offset) / (1.0 + offset), 0.0), vec4(exponent));
  return mix(power, c / slope, lessThanEqual(c, vec4(threshold)));
}
void ToLight(inout vec4 r, inout vec4 g, inout vec4 b, float threshold, float slope, float offset,
             float exponent) {
  r = LIGHT(r, threshold, slope, offset, exponent);
  g = LIGHT(g, threshold, slope, offset, exponent);
  b = LIGHT(b, threshold, slope, offset, exponent);
}
