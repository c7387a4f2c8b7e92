// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which stages shader groups name.

#include "core/pipeline_creation/cases/creation_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using Setup = CreationSetup;

struct GroupCase {
  // Null for a correct pipeline.
  const char* khr;
  const char* nv;
  void (*change)(Setup&);
};
constexpr GroupCase kGroupCases[] = {
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03474", "VUID-VkRayTracingShaderGroupCreateInfoNV-type-02413",
     [](Setup& w) { w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, 1); }},
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03474", "VUID-VkRayTracingShaderGroupCreateInfoNV-type-02413",
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
       w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, stage);
     }},
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03475", "VUID-VkRayTracingShaderGroupCreateInfoNV-type-02414",
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
       w.groups[0].closestHitShader = stage;
     }},
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03475", "VUID-VkRayTracingShaderGroupCreateInfoNV-type-02414",
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_ANY_HIT_BIT_KHR);
       w.groups[0].anyHitShader = stage;
     }},
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03475", "VUID-VkRayTracingShaderGroupCreateInfoNV-type-02414",
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_INTERSECTION_BIT_KHR);
       w.groups[0].intersectionShader = stage;
     }},
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03476", "VUID-VkRayTracingShaderGroupCreateInfoNV-type-02415",
     [](Setup& w) { w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR); }},
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03476", "VUID-VkRayTracingShaderGroupCreateInfoNV-type-02415",
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
       w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR).intersectionShader = stage;
     }},
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03477", "VUID-VkRayTracingShaderGroupCreateInfoNV-type-02416",
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_INTERSECTION_BIT_KHR);
       w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR).intersectionShader = stage;
     }},
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-closestHitShader-03478",
     "VUID-VkRayTracingShaderGroupCreateInfoNV-closestHitShader-02417",
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_ANY_HIT_BIT_KHR);
       w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR).closestHitShader = stage;
     }},
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-closestHitShader-03478",
     "VUID-VkRayTracingShaderGroupCreateInfoNV-closestHitShader-02417",
     [](Setup& w) { w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR).closestHitShader = 1; }},
    {"VUID-VkRayTracingShaderGroupCreateInfoKHR-anyHitShader-03479",
     "VUID-VkRayTracingShaderGroupCreateInfoNV-anyHitShader-02418",
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
       w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR).anyHitShader = stage;
     }},
    {nullptr, nullptr,
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_MISS_BIT_KHR);
       w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, stage);
     }},
    {nullptr, nullptr,
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_CALLABLE_BIT_KHR);
       w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, stage);
     }},
    {nullptr, nullptr,
     [](Setup& w) {
       auto& group = w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR);
       group.intersectionShader = w.AddStage(VK_SHADER_STAGE_INTERSECTION_BIT_KHR);
       group.closestHitShader = w.AddStage(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
       group.anyHitShader = w.AddStage(VK_SHADER_STAGE_ANY_HIT_BIT_KHR);
     }},
    {nullptr, nullptr,
     [](Setup& w) {
       const uint32_t stage = w.AddStage(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
       w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR).closestHitShader = stage;
     }},
    {nullptr, nullptr, [](Setup& w) { w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR); }},
};

class ShaderGroupsTest : public CreationTest {};

TEST_F(ShaderGroupsTest, Khr) {
  for (const GroupCase& row : kGroupCases) Run(MadeKind::kRays, row.khr, row.change);
}
TEST_F(ShaderGroupsTest, Nv) {
  for (const GroupCase& row : kGroupCases) Run(MadeKind::kRaysNv, row.nv, row.change);
}

}  // namespace
}  // namespace assay::core
