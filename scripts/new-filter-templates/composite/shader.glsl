// Four pixels mixed with those of another picture; alpha stays.
// first, second: nonlinear R'G'B' with white at 1, straight. amount: 0 (unchanged) to 1.
Pixels $Name(Pixels first, Pixels second, float amount) {
  first.r = mix(first.r, second.r, amount);
  first.g = mix(first.g, second.g, amount);
  first.b = mix(first.b, second.b, amount);
  return first;
}
