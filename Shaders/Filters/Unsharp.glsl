// Four pixels with more of what a blurred picture lacks in luma.
// own, blurred: nonlinear R'G'B' with white at 1, straight. amount: -1 to 10. threshold: 0 to 1.
Pixels Unsharp(Pixels own, Pixels blurred, float amount, float threshold) {
  vec4 difference = 0.299 * (own.r - blurred.r) + 0.587 * (own.g - blurred.g) + 0.114 * (own.b - blurred.b);
  vec4 added = mix(vec4(0.0), amount * difference, greaterThanEqual(abs(difference), vec4(threshold)));
  own.r += added;
  own.g += added;
  own.b += added;
  return own;
}
