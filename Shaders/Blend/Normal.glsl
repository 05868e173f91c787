// The source alone, of four pixels.
// b, s: one channel of backdrop and source, nonlinear with white at 1, straight. Out: s as it is,
// also beyond 0 … 1, since the mode is defined there too.
vec4 Normal(vec4 b, vec4 s) {
  return s;
}
