// One color that turns into another, for four pixels: by x × across + y × down + offset, cut to 0 … 1.
// x, y: positions in pixels. r0 … a1: nonlinear R'G'B' and alpha in 0 … 1, straight; mixed premultiplied.
Pixels LinearGradient(vec4 x, vec4 y, float across, float down, float offset, float r0, float g0, float b0,
                      float a0, float r1, float g1, float b1, float a1) {
  vec4 t = clamp(x * across + y * down + offset, 0.0, 1.0);
  vec4 a = mix(vec4(a0), vec4(a1), t);
  vec4 factor = mix(1.0 / max(a, 1e-6), vec4(0.0), lessThan(a, vec4(1e-6)));
  return Pixels(mix(vec4(r0 * a0), vec4(r1 * a1), t) * factor, mix(vec4(g0 * a0), vec4(g1 * a1), t) * factor,
                mix(vec4(b0 * a0), vec4(b1 * a1), t) * factor, a);
}
