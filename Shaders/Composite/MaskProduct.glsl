// What two masks let through together, as alpha of white. first: the user's, of which luma (weights of ITU-R
// BT.601) or alpha counts: byAlpha is 1 for that; inverted: 1 where it hides what is light or opaque.
// second: counts by its alpha.
Pixels MaskProduct(Pixels first, Pixels second, float byAlpha, float inverted) {
  vec4 luma = clamp(0.299 * first.r + 0.587 * first.g + 0.114 * first.b, 0.0, 1.0) * first.a;
  vec4 share = mix(luma, first.a, byAlpha);
  share = mix(share, 1.0 - share, inverted);
  return Pixels(vec4(1.0), vec4(1.0), vec4(1.0), share * second.a);
}
