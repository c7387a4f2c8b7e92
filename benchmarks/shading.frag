// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A fragment shader of the size that engines have: lights, shadows, textures, tone mapping.
#version 460

struct Light {
  vec4 position;
  vec4 color;
  mat4 shadow;
};

layout(set = 0, binding = 0) uniform Frame {
  mat4 view;
  vec4 eye;
  vec4 ambient;
  uint light_count;
} frame;
layout(set = 0, binding = 1, std430) readonly buffer Lights { Light lights[]; };
layout(set = 0, binding = 2) uniform sampler2DShadow shadows;
layout(set = 1, binding = 0) uniform sampler2D base_color;
layout(set = 1, binding = 1) uniform sampler2D normals;
layout(set = 1, binding = 2) uniform sampler2D roughness_and_metal;
layout(set = 1, binding = 3) uniform sampler2D emission;
layout(push_constant) uniform Object { vec4 tint; uint flags; } object;

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 coordinate;
layout(location = 0) out vec4 color;

const float kPi = 3.14159265;

float Distribution(float n_dot_h, float roughness) {
  float a = roughness * roughness;
  float d = n_dot_h * n_dot_h * (a * a - 1.0) + 1.0;
  return a * a / (kPi * d * d);
}

float Visibility(float n_dot_v, float n_dot_l, float roughness) {
  float k = (roughness + 1.0) * (roughness + 1.0) / 8.0;
  float view = n_dot_v / (n_dot_v * (1.0 - k) + k);
  float light = n_dot_l / (n_dot_l * (1.0 - k) + k);
  return view * light;
}

vec3 Fresnel(float v_dot_h, vec3 reflectance) {
  return reflectance + (1.0 - reflectance) * pow(clamp(1.0 - v_dot_h, 0.0, 1.0), 5.0);
}

float Shadow(Light light) {
  vec4 at = light.shadow * vec4(position, 1.0);
  vec3 projected = at.xyz / at.w;
  float sum = 0.0;
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      vec2 offset = vec2(x, y) / vec2(textureSize(shadows, 0));
      sum += texture(shadows, vec3(projected.xy * 0.5 + 0.5 + offset, projected.z));
    }
  }
  return sum / 9.0;
}

vec3 Normal() {
  vec3 sampled = texture(normals, coordinate).xyz * 2.0 - 1.0;
  vec3 n = normalize(normal);
  vec3 t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
  vec3 b = cross(n, t) * tangent.w;
  return normalize(mat3(t, b, n) * sampled);
}

vec3 Shade(Light light, vec3 n, vec3 v, vec3 albedo, float roughness, float metal) {
  vec3 to_light = light.position.xyz - position * light.position.w;
  float distance_squared = max(dot(to_light, to_light), 0.0001);
  vec3 l = to_light * inversesqrt(distance_squared);
  vec3 h = normalize(l + v);
  float n_dot_l = max(dot(n, l), 0.0);
  float n_dot_v = max(dot(n, v), 0.0001);
  vec3 reflectance = mix(vec3(0.04), albedo, metal);
  vec3 f = Fresnel(max(dot(v, h), 0.0), reflectance);
  vec3 specular = f * Distribution(max(dot(n, h), 0.0), roughness) * Visibility(n_dot_v, n_dot_l, roughness) /
                  max(4.0 * n_dot_v * n_dot_l, 0.0001);
  vec3 diffuse = (1.0 - f) * (1.0 - metal) * albedo / kPi;
  return (diffuse + specular) * light.color.rgb * n_dot_l / distance_squared;
}

vec3 ToneMap(vec3 x) {
  vec3 mapped = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
  return pow(clamp(mapped, 0.0, 1.0), vec3(1.0 / 2.2));
}

void main() {
  vec4 base = texture(base_color, coordinate) * object.tint;
  if ((object.flags & 1u) != 0u && base.a < 0.5) discard;
  vec2 surface = texture(roughness_and_metal, coordinate).gb;
  vec3 n = Normal();
  vec3 v = normalize(frame.eye.xyz - position);
  vec3 sum = frame.ambient.rgb * base.rgb;
  for (uint i = 0; i < frame.light_count; ++i) {
    vec3 light = Shade(lights[i], n, v, base.rgb, clamp(surface.x, 0.05, 1.0), surface.y);
    sum += (object.flags & 2u) != 0u ? light * Shadow(lights[i]) : light;
  }
  if ((object.flags & 4u) != 0u) sum += texture(emission, coordinate).rgb;
  switch (object.flags >> 3) {
    case 0u: color = vec4(ToneMap(sum), base.a); break;
    case 1u: color = vec4(n * 0.5 + 0.5, 1.0); break;
    case 2u: color = vec4(surface, 0.0, 1.0); break;
    default: color = vec4(sum, base.a); break;
  }
}
