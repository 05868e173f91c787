// Power of the luma of four pixels.
// In and out: Y' with black at 0 and white at 1. The power is taken of the 8-bit limited-range code
// (16 + 219 Y') / 255, which is clamped to 0 from below. exponent: > 0.
vec4 Gamma(vec4 luma, float exponent) {
  vec4 code = max((219.0 * luma + 16.0) / 255.0, 0.0);
  return (255.0 * pow(code, vec4(exponent)) - 16.0) / 219.0;
}
