#version 460
// Reads a texel buffer, at an index that comes from a uniform buffer, and an image.
layout(set = 0, binding = 0) uniform Where { uint index; } where;
layout(set = 0, binding = 1) uniform usamplerBuffer texels;
layout(set = 0, binding = 2, r32ui) uniform readonly uimage2D picture;
layout(set = 0, binding = 3) buffer Out { uint value; } result;
void main() {
  result.value = texelFetch(texels, int(where.index)).x + imageLoad(picture, ivec2(0)).x;
}
