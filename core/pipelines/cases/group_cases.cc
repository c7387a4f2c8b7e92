// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "core/pipelines/cases/shader_texts.h"
#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr VkShaderStageFlagBits kVertex = VK_SHADER_STAGE_VERTEX_BIT;
constexpr VkShaderStageFlagBits kGeometry = VK_SHADER_STAGE_GEOMETRY_BIT;
constexpr VkShaderStageFlagBits kMesh = VK_SHADER_STAGE_MESH_BIT_EXT;
constexpr VkShaderStageFlagBits kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;

// Two groups like the pipeline. Returns the second one.
Setup::Group& UseGroups(Setup& w) {
  w.Enable("VK_NV_device_generated_commands");
  w.AddGroup();
  return w.AddGroup();
}
void LimitGroups(Setup& w, uint32_t most) {
  w.limits.emplace_back([most](VkBaseOutStructure* s) {
    if (s->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_NV) return;
    reinterpret_cast<VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV*>(s)->maxGraphicsShaderGroupCount = most;
  });
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
void Tessellate(Setup& w) {
  w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
  w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
  w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
}
constexpr VkPipelineTessellationStateCreateInfo kLargerPatches = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 4};
constexpr char kLines[] =
    "OpExecutionMode %main InputLines\nOpExecutionMode %main OutputLineStrip\n"
    "OpExecutionMode %main OutputVertices 2\n";

constexpr PipelineCase kCases[] = {
    {nullptr, [](Setup& w) { UseGroups(w); }},
    {nullptr, [](Setup& w) { LimitGroups(w, 4), UseBase(w); }},
    {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-groupCount-02879",
     [](Setup& w) { LimitGroups(w, 1), UseGroups(w); }},
    {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-groupCount-02880",
     [](Setup& w) { LimitGroups(w, 3), UseBase(w); }},
    {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02881",
     [](Setup& w) { UseGroups(w), w.stages = {kVertex}; }},
    {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02881",
     [](Setup& w) { UseGroups(w), w.groups[0].input = &w.no_input; }},
    {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02881",
     [](Setup& w) { Tessellate(w), UseGroups(w), w.groups[0].tessellation = &kLargerPatches; }},
    {nullptr, [](Setup& w) { Tessellate(w), UseGroups(w).tessellation = &kLargerPatches; }},
    {nullptr, [](Setup& w) { UseGroups(w).input = &w.no_input; }},
    {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02884",
     [](Setup& w) { UseGroups(w).stages = {kVertex}; }},
    {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02885",
     [](Setup& w) {
       w.Enable("VK_EXT_mesh_shader");
       w.Disable("primitiveFragmentShadingRateMeshShader");
       UseGroups(w).stages = {kMesh, kFragment};
     }},
    {nullptr, [](Setup& w) { w.UseMeshShader(), UseGroups(w); }},
    {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pGroups-02882",
     [](Setup& w) { w.AddStage(kGeometry), UseGroups(w).texts[kGeometry] = GeometryText(kLines); }},
    {nullptr, [](Setup& w) { w.AddStage(kGeometry), UseGroups(w); }},
    // What the pipeline has wrong itself is reported there alone.
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00738",
     [](Setup& w) { w.AddStage(kGeometry, GeometryText(kLines)), UseGroups(w); }},
    {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pPipelines-02886",
     [](Setup& w) { UseBase(w).raster.cullMode = VK_CULL_MODE_BACK_BIT; }},
    {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-pPipelines-02886",
     [](Setup& w) { UseBase(w).SetDynamic(VK_DYNAMIC_STATE_CULL_MODE); }},
    {"VUID-VkGraphicsShaderGroupCreateInfoNV-pStages-02889",
     [](Setup& w) { UseGroups(w).stages = {kVertex, kVertex, kFragment}; }},
    {"VUID-VkGraphicsShaderGroupCreateInfoNV-pVertexInputState-02890", [](Setup& w) { UseGroups(w).input = nullptr; }},
    {"VUID-VkGraphicsShaderGroupCreateInfoNV-pTessellationState-02891",
     [](Setup& w) { Tessellate(w), UseGroups(w).tessellation = nullptr; }},
};

}  // namespace

absl::Span<const PipelineCase> GroupCases() { return kCases; }

}  // namespace assay::core
