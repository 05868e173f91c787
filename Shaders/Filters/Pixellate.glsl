// Where four pixels come from in a picture of large squares: the centres of theirs.
// In and out: positions in pixels. width, height: of a square, at least 1.
void Pixellate(inout vec4 x, inout vec4 y, float width, float height) {
  x = (floor(x / width) + 0.5) * width;
  y = (floor(y / height) + 0.5) * height;
}
