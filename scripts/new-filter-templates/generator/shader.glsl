// Gray that rises to the right, for four pixels. x, y: positions in pixels.
// slope: nonlinear R', G' and B' (white at 1) for each pixel. Opaque.
Pixels $Name(vec4 x, vec4 y, float slope) {
  vec4 gray = x * slope;
  return Pixels(gray, gray, gray, vec4(1.0));
}
