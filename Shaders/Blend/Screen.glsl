// Complement of the product of the complements of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight; both are cut to
// 0 … 1, where the mode is defined. Out: 0 … 1.
// Written so that no rounding leaves the range: the second term is at most 1 - b.
vec4 Screen(vec4 b, vec4 s) {
  b = clamp(b, 0.0, 1.0);
  s = clamp(s, 0.0, 1.0);
  return b + s * (1.0 - b);
}
