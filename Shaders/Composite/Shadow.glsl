// The shadow of a rectangle with round corners for four pixels: its color, with alpha by the distance from the
// outline as a Gaussian spreads a straight edge.
// x, y: positions in pixels of the canvas. h0 … h8: the map from there to the rectangle's own pixels, row by
// row. width, height: of the rectangle. radius: of its corners. sigma: of the Gaussian, more than 0; all in its
// pixels. red … alpha: nonlinear R'G'B' and alpha, straight.
// Error function: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
Pixels Shadow(vec4 x, vec4 y, float h0, float h1, float h2, float h3, float h4, float h5, float h6, float h7,
              float h8, float width, float height, float radius, float sigma, float red, float green, float blue,
              float alpha) {
  vec4 w = h6 * x + h7 * y + h8;
  vec4 i = 1.0 / max(w, 1e-6);
  vec4 u = (h0 * x + h1 * y + h2) * i, v = (h3 * x + h4 * y + h5) * i;
  float r = min(radius, 0.5 * min(width, height));
  vec4 qx = abs(u - 0.5 * width) - (0.5 * width - r), qy = abs(v - 0.5 * height) - (0.5 * height - r);
  vec4 mx = max(qx, 0.0), my = max(qy, 0.0);
  vec4 d = (sqrt(mx * mx + my * my) + min(max(qx, qy), 0.0) - r) / (sigma * 1.41421356);
  vec4 t = 1.0 / (1.0 + 0.3275911 * abs(d));
  vec4 e = 1.0 - t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
                     exp(-d * d);
  vec4 a = 0.5 - 0.5 * sign(d) * e;
  a = mix(a, vec4(0.0), lessThan(w, vec4(1e-6)));
  return Pixels(vec4(red), vec4(green), vec4(blue), a * alpha);
}
