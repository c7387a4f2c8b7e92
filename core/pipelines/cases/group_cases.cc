// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"
#include "core/pipelines/cases/shader_texts.h"

namespace assay::core {
namespace {

// Two groups like the pipeline. Returns the second one.
Setup::Group& UseGroups(Setup& w) {
  GenerateCommandsNv(w).AddGroup();
  return w.AddGroup();
}
Setup& LimitGroups(Setup& w, uint32_t most) {
  return Limit(w, &VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV::maxGraphicsShaderGroupCount, most);
}
// The groups of another pipeline, which has two, are added.
Setup& UseBase(Setup& w) {
  UseGroups(w);
  w.base = std::make_unique<Setup>();
  w.base->AddGroup();
  w.base->AddGroup();
  w.has_group = true;
  return *w.base;
}
constexpr VkPipelineTessellationStateCreateInfo kLargerPatches = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 4};
constexpr char kOtherGroup[] = "VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02881";
constexpr char kOtherBase[] = "VkGraphicsPipelineShaderGroupsCreateInfoNV-pPipelines-02886";

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { UseGroups(w); }),
    Correct([](Setup& w) { UseBase(LimitGroups(w, 4)); }),
    {"VkGraphicsPipelineShaderGroupsCreateInfoNV-groupCount-02879", [](Setup& w) { UseGroups(LimitGroups(w, 1)); }},
    {"VkGraphicsPipelineShaderGroupsCreateInfoNV-groupCount-02880", [](Setup& w) { UseBase(LimitGroups(w, 3)); }},
    {kOtherGroup, [](Setup& w) { UseGroups(w), w.stages = {kVertex}; }},
    {kOtherGroup, [](Setup& w) { UseGroups(w), w.groups[0].input = &w.no_input; }},
    {kOtherGroup, [](Setup& w) { Tessellate(w), UseGroups(w), w.groups[0].tessellation = &kLargerPatches; }},
    Correct([](Setup& w) { Tessellate(w), UseGroups(w).tessellation = &kLargerPatches; }),
    Correct([](Setup& w) { UseGroups(w).input = &w.no_input; }),
    {"VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02884", [](Setup& w) { UseGroups(w).stages = {kVertex}; }},
    {"VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02885", By([](Setup& w) {
       UseGroups(With(w, {"VK_EXT_mesh_shader"}, {"primitiveFragmentShadingRateMeshShader"})).stages = {kMesh,
                                                                                                        kFragment};
     })},
    Correct([](Setup& w) { w.UseMeshShader(), UseGroups(w); }),
    {"VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02882",
     [](Setup& w) { w.AddStage(kGeometry), UseGroups(w).texts[kGeometry] = GeometryText(kLineStrip); }},
    Correct([](Setup& w) { w.AddStage(kGeometry), UseGroups(w); }),
    // What the pipeline has wrong itself is reported there alone.
    {"pStages-00738", [](Setup& w) { w.AddStage(kGeometry, GeometryText(kLineStrip)), UseGroups(w); }},
    {kOtherBase, [](Setup& w) { UseBase(w).raster.cullMode = VK_CULL_MODE_BACK_BIT; }},
    {kOtherBase, [](Setup& w) { UseBase(w).SetDynamic(VK_DYNAMIC_STATE_CULL_MODE); }},
    {"VkGraphicsShaderGroupCreateInfoNV-pStages-02889",
     [](Setup& w) { UseGroups(w).stages = {kVertex, kVertex, kFragment}; }},
    {"VkGraphicsShaderGroupCreateInfoNV-pVertexInputState-02890", [](Setup& w) { UseGroups(w).input = nullptr; }},
    {"VkGraphicsShaderGroupCreateInfoNV-pTessellationState-02891",
     [](Setup& w) { Tessellate(w), UseGroups(w).tessellation = nullptr; }},
};

}  // namespace

absl::Span<const PipelineCase> GroupCases() { return kCases; }

}  // namespace assay::core
