// Power of the luma of four pixels.
// In and out: the luma as an 8-bit limited-range code value divided by 255; cut to 0 from below before
// and to 65504 after the power, so that it stays a finite number. exponent: > 0.
vec4 Gamma(vec4 luma, float exponent) {
  return min(pow(max(luma, 0.0), vec4(exponent)), 65504.0);
}
