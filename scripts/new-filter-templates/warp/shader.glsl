// Where four pixels come from: distances from the centre are multiplied by the amount.
// In and out: positions in pixels. centerX, centerY: pixels. amount: 0 to 2; 1 changes nothing.
void $Name(inout vec4 x, inout vec4 y, float centerX, float centerY, float amount) {
  x = centerX + (x - centerX) * amount;
  y = centerY + (y - centerY) * amount;
}
