#version 460
// Lights the pixels of a deferred renderer, from lists of lights by cluster. It is not run: pipelines are made of it,
// each with another number in the place of kVariant.
layout(local_size_x = 8, local_size_y = 8) in;

struct Light {
  vec4 position_and_range;
  vec4 color_and_kind;
  vec4 direction_and_angle;
  uvec4 shadow;
};
struct Material {
  vec4 base;
  vec4 emission;
  float roughness;
  float metallic;
  uint flags;
  uint texture_index;
};
struct Cluster {
  uint first;
  uint count;
};

layout(set = 0, binding = 0) uniform Camera {
  mat4 view;
  mat4 inverse_projection;
  vec4 eye;
  vec4 depth_scale;
  uvec4 cluster_size;
  uvec4 resolution;
} camera;
layout(set = 0, binding = 1) uniform Cascades {
  mat4 matrices[4];
  vec4 splits;
} cascades;
layout(set = 1, binding = 0, std430) readonly buffer Lights { Light lights[]; };
layout(set = 1, binding = 1, std430) readonly buffer Indices { uint indices[]; };
layout(set = 1, binding = 2, std430) readonly buffer Clusters { Cluster clusters[]; };
layout(set = 1, binding = 3, std430) readonly buffer Materials { Material materials[]; };
layout(set = 1, binding = 4, std430) buffer Histogram { uint bins[256]; } histogram;
layout(set = 2, binding = 0) uniform sampler2D depth_texture;
layout(set = 2, binding = 1) uniform sampler2D normal_texture;
layout(set = 2, binding = 2) uniform usampler2D material_texture;
layout(set = 2, binding = 3) uniform sampler2DShadow shadow_map;
layout(set = 2, binding = 4) uniform sampler2D base_textures[16];
layout(set = 2, binding = 5, rgba16f) uniform writeonly image2D result;

const uint kVariant = 0x5eed0001u;
const float kPi = 3.14159265;

shared uint local_bins[64];

float Distribution(float n_dot_h, float alpha) {
  float square = alpha * alpha;
  float d = n_dot_h * n_dot_h * (square - 1.0) + 1.0;
  return square / (kPi * d * d);
}

float Visibility(float n_dot_l, float n_dot_v, float alpha) {
  float k = alpha * 0.5;
  float v = n_dot_v * (1.0 - k) + k;
  float l = n_dot_l * (1.0 - k) + k;
  return 0.25 / max(v * l, 1e-4);
}

vec3 Fresnel(vec3 f0, float v_dot_h) { return f0 + (1.0 - f0) * pow(1.0 - v_dot_h, 5.0); }

float Shadow(vec3 position, uint first) {
  float sum = 0.0;
  for (uint cascade = 0; cascade < 4; ++cascade) {
    if (position.z > cascades.splits[cascade]) continue;
    vec4 place = cascades.matrices[cascade] * vec4(position, 1.0);
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) {
        vec2 corner = vec2(first + cascade, 0) / 16.0;
        sum += textureLod(shadow_map, vec3(corner + (place.xy + vec2(x, y) / 2048.0) / 16.0, place.z), 0.0);
      }
    }
    break;
  }
  return sum / 9.0;
}

vec3 Shade(Light light, Material material, vec3 base, vec3 position, vec3 normal, vec3 view) {
  vec3 to_light = light.position_and_range.xyz - position;
  float distance_square = dot(to_light, to_light);
  float range = light.position_and_range.w;
  if (distance_square > range * range) return vec3(0.0);
  vec3 l = to_light * inversesqrt(max(distance_square, 1e-6));
  float n_dot_l = max(dot(normal, l), 0.0);
  float attenuation = 1.0 / max(distance_square, 1e-2);
  if (light.color_and_kind.w > 0.5) {
    float cosine = dot(-l, light.direction_and_angle.xyz);
    attenuation *= smoothstep(light.direction_and_angle.w, 1.0, cosine);
  }
  if (light.shadow.x != 0) attenuation *= Shadow(position, light.shadow.y);
  vec3 h = normalize(l + view);
  float alpha = max(material.roughness * material.roughness, 1e-3);
  vec3 f0 = mix(vec3(0.04), base, material.metallic);
  vec3 f = Fresnel(f0, max(dot(view, h), 0.0));
  float specular = Distribution(max(dot(normal, h), 0.0), alpha) *
                   Visibility(n_dot_l, max(dot(normal, view), 1e-3), alpha);
  vec3 diffuse = (1.0 - f) * (1.0 - material.metallic) * base / kPi;
  return (diffuse + f * specular) * light.color_and_kind.rgb * (n_dot_l * attenuation);
}

void main() {
  uvec2 pixel = gl_GlobalInvocationID.xy;
  if (gl_LocalInvocationIndex < 64) local_bins[gl_LocalInvocationIndex] = 0;
  barrier();
  vec2 place = (vec2(pixel) + 0.5) / vec2(camera.resolution.xy);
  float depth = textureLod(depth_texture, place, 0.0).r;
  vec4 clip = camera.inverse_projection * vec4(place * 2.0 - 1.0, depth, 1.0);
  vec3 position = clip.xyz / clip.w;
  vec3 normal = normalize(textureLod(normal_texture, place, 0.0).xyz * 2.0 - 1.0);
  vec3 view = normalize(camera.eye.xyz - position);
  uint material_index = textureLod(material_texture, place, 0.0).r ^ (pixel.x & kVariant & 1u);
  Material material = materials[material_index];
  vec3 base = material.base.rgb;
  if ((material.flags & 1u) != 0) base *= textureLod(base_textures[material.texture_index & 15u], place, 0.0).rgb;
  uint slice = uint(log2(max(-position.z, 1e-3)) * camera.depth_scale.x + camera.depth_scale.y);
  uvec2 tile = pixel / camera.cluster_size.xy;
  Cluster cluster = clusters[(slice * camera.cluster_size.w + tile.y) * camera.cluster_size.z + tile.x];
  vec3 sum = material.emission.rgb;
  for (uint i = 0; i < cluster.count; ++i) {
    uint index = indices[cluster.first + i];
    sum += Shade(lights[index], material, base, position, normal, view);
  }
  float luminance = dot(sum, vec3(0.2126, 0.7152, 0.0722));
  atomicAdd(local_bins[clamp(uint(log2(max(luminance, 1e-4)) * 4.0 + 32.0), 0u, 63u)], 1u);
  imageStore(result, ivec2(pixel), vec4(sum, 1.0));
  barrier();
  if (gl_LocalInvocationIndex < 64 && local_bins[gl_LocalInvocationIndex] != 0) {
    atomicAdd(histogram.bins[(gl_LocalInvocationIndex * 4 + kVariant) & 255u], local_bins[gl_LocalInvocationIndex]);
  }
}
