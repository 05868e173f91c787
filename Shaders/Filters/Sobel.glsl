// How steep the luma is at four pixels, as gray; alpha stays.
// INPUT: nonlinear R'G'B' with white at 1, straight. amount: 0 to 10. inverted: 0, or 1 for dark edges.
vec4 LUMA(ivec4 x, ivec4 y) {
  Pixels q = INPUT(x, y);
  return 0.299 * q.r + 0.587 * q.g + 0.114 * q.b;
}
Pixels Sobel(ivec4 x, ivec4 y, float amount, float inverted) {
  vec4 a = LUMA(x - 1, y - 1), b = LUMA(x, y - 1), c = LUMA(x + 1, y - 1);
  vec4 d = LUMA(x - 1, y), f = LUMA(x + 1, y);
  vec4 g = LUMA(x - 1, y + 1), h = LUMA(x, y + 1), i = LUMA(x + 1, y + 1);
  vec4 across = c + 2.0 * f + i - a - 2.0 * d - g;
  vec4 down = g + 2.0 * h + i - a - 2.0 * b - c;
  vec4 steep = min(sqrt(across * across + down * down) * amount, 1.0);
  vec4 gray = mix(steep, 1.0 - steep, inverted);
  return Pixels(gray, gray, gray, INPUT(x, y).a);
}
