// Saturation of four pixels that spares vivid colors.
// In and out: nonlinear R'G'B' with white at 1, straight. amount: -1 (gray) to 1; 0 changes nothing.
void Vibrance(inout vec4 r, inout vec4 g, inout vec4 b, float amount) {
  vec4 gray = 0.299 * r + 0.587 * g + 0.114 * b;
  vec4 spread = max(max(r, g), b) - min(min(r, g), b);
  vec4 factor = amount > 0.0 ? 1.0 + amount * (1.0 - spread) : vec4(1.0 + amount);
  r = gray + (r - gray) * factor;
  g = gray + (g - gray) * factor;
  b = gray + (b - gray) * factor;
}
