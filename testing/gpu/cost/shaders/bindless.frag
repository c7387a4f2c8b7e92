#version 460
#extension GL_EXT_nonuniform_qualifier : require
// Four textures of a material, which changes from one square of 8 * 8 fragments to the next.
layout(set = 0, binding = 0) uniform sampler2D textures[64];
layout(location = 0) out vec4 color;
void main() {
  uvec2 square = uvec2(gl_FragCoord.xy) >> 3;
  uint material = (square.x * 2654435761u ^ square.y * 2246822519u) >> 8;
  vec2 place = gl_FragCoord.xy / 256.0;
  vec4 albedo = texture(textures[nonuniformEXT(material & 63)], place);
  vec4 normal = texture(textures[nonuniformEXT((material + 1) & 63)], place);
  vec4 rough = texture(textures[nonuniformEXT((material + 2) & 63)], place);
  vec4 light = texture(textures[nonuniformEXT((material + 3) & 63)], place);
  color = albedo * max(dot(normal.xyz, vec3(0.3, 0.5, 0.8)), 0.0) * (1.0 - rough.x) + light;
}
