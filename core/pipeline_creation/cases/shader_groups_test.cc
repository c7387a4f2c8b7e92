// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which stages shader groups name.

#include "core/pipeline_creation/cases/creation_test.h"

namespace assay::core {
namespace {

constexpr VkRayTracingShaderGroupTypeKHR kGeneral = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR;
constexpr VkRayTracingShaderGroupTypeKHR kTriangles = VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR;
constexpr VkRayTracingShaderGroupTypeKHR kProcedural = VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
constexpr VkShaderStageFlagBits kClosestHit = VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR;
constexpr VkShaderStageFlagBits kAnyHit = VK_SHADER_STAGE_ANY_HIT_BIT_KHR;
constexpr VkShaderStageFlagBits kIntersection = VK_SHADER_STAGE_INTERSECTION_BIT_KHR;

struct GroupCase {
  // Of the structures for shader groups; empty for a correct pipeline.
  std::string_view khr;
  std::string_view nv;
  Change change;
};
constexpr GroupCase kGroupCases[] = {
    {"type-03474", "type-02413", [](Setup& w) { w.AddGroup(kGeneral, 1); }},
    {"type-03474", "type-02413", [](Setup& w) { w.AddGroup(kGeneral, w.AddStage(kClosestHit)); }},
    {"type-03475", "type-02414", [](Setup& w) { w.groups[0].closestHitShader = w.AddStage(kClosestHit); }},
    {"type-03475", "type-02414", [](Setup& w) { w.groups[0].anyHitShader = w.AddStage(kAnyHit); }},
    {"type-03475", "type-02414", [](Setup& w) { w.groups[0].intersectionShader = w.AddStage(kIntersection); }},
    {"type-03476", "type-02415", [](Setup& w) { w.AddGroup(kProcedural); }},
    {"type-03476", "type-02415",
     [](Setup& w) { w.AddGroup(kProcedural).intersectionShader = w.AddStage(kClosestHit); }},
    {"type-03477", "type-02416",
     [](Setup& w) { w.AddGroup(kTriangles).intersectionShader = w.AddStage(kIntersection); }},
    {"closestHitShader-03478", "closestHitShader-02417",
     [](Setup& w) { w.AddGroup(kTriangles).closestHitShader = w.AddStage(kAnyHit); }},
    {"closestHitShader-03478", "closestHitShader-02417", [](Setup& w) { w.AddGroup(kTriangles).closestHitShader = 1; }},
    {"anyHitShader-03479", "anyHitShader-02418",
     [](Setup& w) { w.AddGroup(kTriangles).anyHitShader = w.AddStage(kClosestHit); }},
    {"", "", [](Setup& w) { w.AddGroup(kGeneral, w.AddStage(VK_SHADER_STAGE_MISS_BIT_KHR)); }},
    {"", "", [](Setup& w) { w.AddGroup(kGeneral, w.AddStage(VK_SHADER_STAGE_CALLABLE_BIT_KHR)); }},
    {"", "", By([](Setup& w) {
       auto& group = w.AddGroup(kProcedural);
       group.intersectionShader = w.AddStage(kIntersection);
       group.closestHitShader = w.AddStage(kClosestHit);
       group.anyHitShader = w.AddStage(kAnyHit);
     })},
    {"", "", [](Setup& w) { w.AddGroup(kTriangles).closestHitShader = w.AddStage(kClosestHit); }},
    {"", "", [](Setup& w) { w.AddGroup(kTriangles); }},
};

class ShaderGroupsTest : public CreationTest {
 protected:
  void RunAll(MadeKind kind, const std::string& owner, std::string_view GroupCase::* rule) {
    for (const GroupCase& row : kGroupCases) {
      const std::string_view id = row.*rule;
      Run(kind, id.empty() ? "" : owner + std::string(id), row.change);
    }
  }
};

TEST_F(ShaderGroupsTest, Khr) { RunAll(MadeKind::kRays, "VkRayTracingShaderGroupCreateInfoKHR-", &GroupCase::khr); }
TEST_F(ShaderGroupsTest, Nv) { RunAll(MadeKind::kRaysNv, "VkRayTracingShaderGroupCreateInfoNV-", &GroupCase::nv); }

}  // namespace
}  // namespace assay::core
