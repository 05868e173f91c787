// Lightness of four pixels through the curves of the nearest four tiles; hue and saturation of HSL stay.
// In and out: nonlinear R'G'B' with white at 1, straight. TABLE: 256 values of a curve for each tile, row by
// row. columns, rows: tiles; width, height: of the picture; intensity: 0 (unchanged) to 1.
vec4 CURVE(ivec4 column, ivec4 row, int columns, vec4 l) {
  ivec4 first = (row * columns + column) * 256;
  // The limits hold whatever a NaN becomes as an integer.
  ivec4 index = first + clamp(truncated(l * 255.0 + 0.5), 0, 255);
  return vec4(TABLE[index.x], TABLE[index.y], TABLE[index.z], TABLE[index.w]);
}
vec4 CHANNEL(vec4 h, float offset, vec4 low, vec4 high) {
  vec4 t = fract(h + offset) * 6.0;
  return low + (high - low) * clamp(min(t, 4.0 - t), 0.0, 1.0);
}
Pixels Equalize(Pixels q, ivec4 x, ivec4 y, float columns, float rows, float width, float height,
                float intensity) {
  vec4 r = clamp(q.r, 0.0, 1.0), g = clamp(q.g, 0.0, 1.0), b = clamp(q.b, 0.0, 1.0);
  vec4 high = max(max(r, g), b), low = min(min(r, g), b);
  vec4 l = 0.5 * (high + low), chroma = high - low;
  vec4 u = (vec4(x) + 0.5) / width * columns - 0.5, v = (vec4(y) + 0.5) / height * rows - 0.5;
  ivec4 left = truncated(clamp(u, 0.0, columns - 1.0)), top = truncated(clamp(v, 0.0, rows - 1.0));
  ivec4 right = min(left + 1, int(columns) - 1), bottom = min(top + 1, int(rows) - 1);
  vec4 across = clamp(u - vec4(left), 0.0, 1.0), down = clamp(v - vec4(top), 0.0, 1.0);
  int count = int(columns);
  vec4 above = mix(CURVE(left, top, count, l), CURVE(right, top, count, l), across);
  vec4 below = mix(CURVE(left, bottom, count, l), CURVE(right, bottom, count, l), across);
  vec4 wanted = mix(above, below, down);
  vec4 saturation = chroma / max(1.0 - abs(2.0 * l - 1.0), 1e-5);
  vec4 hue = mix(mix((r - g) / max(chroma, 1e-5) + 4.0, (b - r) / max(chroma, 1e-5) + 2.0,
                     vec4(equal(high, g))),
                 (g - b) / max(chroma, 1e-5), vec4(equal(high, r))) / 6.0;
  vec4 spread = 0.5 * saturation * (1.0 - abs(2.0 * wanted - 1.0));
  q.r = mix(q.r, CHANNEL(hue, 1.0 / 3.0, wanted - spread, wanted + spread), intensity);
  q.g = mix(q.g, CHANNEL(hue, 0.0, wanted - spread, wanted + spread), intensity);
  q.b = mix(q.b, CHANNEL(hue, -1.0 / 3.0, wanted - spread, wanted + spread), intensity);
  return q;
}
