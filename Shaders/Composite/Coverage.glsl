// How much of four pixels a rectangle with round corners covers, as alpha of white.
// x, y: positions in pixels of the canvas. h0 … h8: the map from there to the rectangle's own pixels, row by
// row. width, height: of the rectangle. r0 … r3: radii of the corners from the top left clockwise, in its
// pixels, 0 for none. continuous: 1 for corners whose curvature has no jump, 0 for circles. inverted: 1 for what
// lies outside. red … alpha: the color, straight, whose alpha is multiplied.
// Corners: MetalPetal's mask, by the slope of the corner's function over a pixel; edges: the part of a pixel
// that a straight edge leaves.
vec4 CoverageCorner(vec4 dx, vec4 dy, vec4 sx, vec4 sy, float radius, float continuous) {
  float r = max(radius * mix(1.0, 1.528665, continuous), 1e-3);
  vec4 px = clamp(1.0 - dx / r, 0.0, 1.0), py = clamp(1.0 - dy / r, 0.0, 1.0);
  vec4 qx = px + sx / r, qy = py + sy / r;
  vec4 d, ex, ey;
  if (continuous > 0.5) {
    vec4 fx = pow(max(1.199 * px - 0.199, 0.0), vec4(2.68)), fy = pow(max(1.199 * py - 0.199, 0.0), vec4(2.68));
    d = fx + fy;
    ex = pow(max(1.199 * qx - 0.199, 0.0), vec4(2.68)) + fy;
    ey = fx + pow(max(1.199 * qy - 0.199, 0.0), vec4(2.68));
  } else {
    d = sqrt(px * px + py * py);
    ex = sqrt(qx * qx + py * py);
    ey = sqrt(px * px + qy * qy);
  }
  vec4 w = max(abs(ex - d) + abs(ey - d), 1e-4);
  vec4 mask = clamp((0.5 * w + 1.0 - d) / w, 0.0, 1.0);
  bvec4 isBeside = lessThanEqual(min(px, py), vec4(0.0));
  return radius > 0.0 ? mix(mask, vec4(1.0), isBeside) : vec4(1.0);
}

Pixels Coverage(vec4 x, vec4 y, float h0, float h1, float h2, float h3, float h4, float h5, float h6, float h7,
                float h8, float width, float height, float r0, float r1, float r2, float r3, float continuous,
                float inverted, float red, float green, float blue, float alpha) {
  vec4 w = h6 * x + h7 * y + h8;
  vec4 i = 1.0 / max(w, 1e-6);
  vec4 u = (h0 * x + h1 * y + h2) * i, v = (h3 * x + h4 * y + h5) * i;
  vec4 ux = (h0 - u * h6) * i, uy = (h1 - u * h7) * i, vx = (h3 - v * h6) * i, vy = (h4 - v * h7) * i;
  vec4 sx = max(sqrt(ux * ux + uy * uy), 1e-6), sy = max(sqrt(vx * vx + vy * vy), 1e-6);
  vec4 a = clamp(u / sx + 0.5, 0.0, 1.0) * clamp((width - u) / sx + 0.5, 0.0, 1.0) *
           clamp(v / sy + 0.5, 0.0, 1.0) * clamp((height - v) / sy + 0.5, 0.0, 1.0);
  vec4 c = CoverageCorner(u, v, sx, sy, r0, continuous);
  c = min(c, CoverageCorner(width - u, v, sx, sy, r1, continuous));
  c = min(c, CoverageCorner(width - u, height - v, sx, sy, r2, continuous));
  c = min(c, CoverageCorner(u, height - v, sx, sy, r3, continuous));
  a = mix(a * c, vec4(0.0), lessThan(w, vec4(1e-6)));
  a = mix(a, 1.0 - a, inverted);
  return Pixels(vec4(red), vec4(green), vec4(blue), a * alpha);
}
