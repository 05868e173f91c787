// Four pixels, each mixed with the mean of the four beside, above and below it; alpha stays.
// INPUT: nonlinear R'G'B' with white at 1, straight. x, y: columns and rows.
// amount: 0 (unchanged) to 1.
Pixels $Name(ivec4 x, ivec4 y, float amount) {
  Pixels own = INPUT(x, y);
  Pixels a = INPUT(x - 1, y), b = INPUT(x + 1, y), c = INPUT(x, y - 1), d = INPUT(x, y + 1);
  own.r = mix(own.r, 0.25 * (a.r + b.r + c.r + d.r), amount);
  own.g = mix(own.g, 0.25 * (a.g + b.g + c.g + d.g), amount);
  own.b = mix(own.b, 0.25 * (a.b + b.b + c.b + d.b), amount);
  return own;
}
