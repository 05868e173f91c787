// Signal of four pixels from their light.
// In: linear RGB with white at 1, straight. threshold, slope, offset, exponent: the transfer function.
vec4 SIGNAL(vec4 c, float threshold, float slope, float offset, float exponent) {
  vec4 power = (1.0 + offset) * pow(max(c, 0.0), vec4(1.0 / exponent)) - offset;
  return mix(power, c * slope, lessThanEqual(c, vec4(threshold / slope)));
}
void FromLight(inout vec4 r, inout vec4 g, inout vec4 b, float threshold, float slope, float offset,
               float exponent) {
  r = SIGNAL(r, threshold, slope, offset, exponent);
  g = SIGNAL(g, threshold, slope, offset, exponent);
  b = SIGNAL(b, threshold, slope, offset, exponent);
}
