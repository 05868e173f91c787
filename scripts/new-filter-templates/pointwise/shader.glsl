// R'G'B' of four pixels times the amount.
// In and out: nonlinear R'G'B' with white at 1, straight.
// amount: 0 (black) to 2; 1 changes nothing.
void $Name(inout vec4 r, inout vec4 g, inout vec4 b, float amount) {
  r *= amount;
  g *= amount;
  b *= amount;
}
