// Lightness of four pixels: the mean of the largest and the least channel, cut to 0 … 1.
// In: nonlinear R'G'B' with white at 1, straight.
vec4 Lightness(vec4 r, vec4 g, vec4 b) {
  r = clamp(r, 0.0, 1.0);
  g = clamp(g, 0.0, 1.0);
  b = clamp(b, 0.0, 1.0);
  return 0.5 * (max(max(r, g), b) + min(min(r, g), b));
}
