// Squares of two colors for four pixels. x, y: positions in pixels. size: of a square's side, at least 1.
// r0 … a1: nonlinear R'G'B' and alpha in 0 … 1, straight.
Pixels Checkerboard(vec4 x, vec4 y, float size, float r0, float g0, float b0, float a0, float r1, float g1,
                    float b1, float a1) {
  vec4 second = mod(floor(x / size) + floor(y / size), 2.0);
  return Pixels(mix(vec4(r0), vec4(r1), second), mix(vec4(g0), vec4(g1), second),
                mix(vec4(b0), vec4(b1), second), mix(vec4(a0), vec4(a1), second));
}
