// Where four pixels come from in a picture that is swollen around a point.
// In and out: positions in pixels. centerX, centerY, radius: pixels. amount: -1 (pinched) to 1 (swollen).
void Bulge(inout vec4 x, inout vec4 y, float centerX, float centerY, float radius, float amount) {
  vec4 dx = x - centerX, dy = y - centerY;
  vec4 distance = sqrt(dx * dx + dy * dy);
  vec4 factor = 1.0 - amount * max(radius - distance, 0.0) / radius;
  x = centerX + dx * factor * factor;
  y = centerY + dy * factor * factor;
}
