// One color for four pixels. r, g, b, a: nonlinear R'G'B' and alpha in 0 … 1, straight.
Pixels SolidColor(vec4 x, vec4 y, float r, float g, float b, float a) {
  return Pixels(vec4(r), vec4(g), vec4(b), vec4(a));
}
