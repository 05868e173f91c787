// Waves that run down the picture: kind=warp.
// height: how far pixels move to the side, in pixels. wave: from crest to crest, in pixels.
vec2 warp(vec2 position) {
  float phase = 6.2831853 * (position.y / wave - time);
  return position + vec2(height * sin(phase), 0.0);
}
