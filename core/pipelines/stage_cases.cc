// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_world.h"

namespace assay::core {
namespace {

using World = PipelineWorld;

constexpr PipelineCase kCases[] = {
    {"VUID-VkGraphicsPipelineCreateInfo-stage-02096", [](World& w) { w.stages = {VK_SHADER_STAGE_FRAGMENT_BIT}; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00729",
     [](World& w) {
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00730",
     [](World& w) {
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-02095",
     [](World& w) {
       w.Enable("VK_EXT_mesh_shader");
       w.Disable("primitiveFragmentShadingRateMeshShader");
       w.stages = {VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT};
       w.info.pVertexInputState = nullptr;
       w.info.pInputAssemblyState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-06896", [](World& w) { w.AddStage(VK_SHADER_STAGE_COMPUTE_BIT); }},
    {"VUID-VkGraphicsPipelineCreateInfo-stage-06897", [](World& w) { w.AddStage(VK_SHADER_STAGE_VERTEX_BIT); }},
    {"VUID-VkGraphicsPipelineCreateInfo-stageCount-09530", [](World& w) { w.stages.clear(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-02097", [](World& w) { w.info.pVertexInputState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-dynamicPrimitiveTopologyUnrestricted-09031",
     [](World& w) { w.info.pInputAssemblyState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pRasterizationState-06601",
     [](World& w) { w.info.pRasterizationState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-rasterizerDiscardEnable-09024",
     [](World& w) { w.info.pViewportState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-09026", [](World& w) { w.info.pMultisampleState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09037", [](World& w) { w.info.pColorBlendState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-09022",
     [](World& w) {
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
       w.info.pTessellationState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09030",
     [](World& w) {
       w.UseRenderPass();
       w.info.pColorBlendState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09028",
     [](World& w) {
       w.UseRenderPass();
       w.UseDepth();
       w.info.pDepthStencilState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09033",
     [](World& w) {
       w.UseDepth();
       w.info.pDepthStencilState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06047",
     [](World& w) {
       w.Disable("multiviewTessellationShader");
       w.UseRenderPass();
       w.subpass_view_mask = 3;
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06057",
     [](World& w) {
       w.Disable("multiviewTessellationShader");
       w.rendering.viewMask = 1;
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06048",
     [](World& w) {
       w.Disable("multiviewGeometryShader");
       w.AddStage(VK_SHADER_STAGE_GEOMETRY_BIT);
       w.UseRenderPass();
       w.subpass_view_mask = 3;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06058",
     [](World& w) {
       w.Disable("multiviewGeometryShader");
       w.AddStage(VK_SHADER_STAGE_GEOMETRY_BIT);
       w.rendering.viewMask = 1;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-07064",
     [](World& w) {
       w.Enable("VK_EXT_mesh_shader");
       w.Disable("primitiveFragmentShadingRateMeshShader");
       w.stages = {VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT};
       w.info.pVertexInputState = nullptr;
       w.info.pInputAssemblyState = nullptr;
       w.Disable("multiviewMeshShader");
       w.UseRenderPass();
       w.subpass_view_mask = 3;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-07720",
     [](World& w) {
       w.Enable("VK_EXT_mesh_shader");
       w.Disable("primitiveFragmentShadingRateMeshShader");
       w.stages = {VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT};
       w.info.pVertexInputState = nullptr;
       w.info.pInputAssemblyState = nullptr;
       w.Disable("multiviewMeshShader");
       w.rendering.viewMask = 1;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-00764",
     [](World& w) { w.info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE; }},
    {nullptr,
     [](World& w) {
       auto& s = w.Chain<VkPipelineCreationFeedbackCreateInfo>(w.info, {});
       static VkPipelineCreationFeedback feedback[3];
       s.pPipelineCreationFeedback = feedback;
       s.pPipelineStageCreationFeedbacks = feedback;
       s.pipelineStageCreationFeedbackCount = 2;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pipelineStageCreationFeedbackCount-06594",
     [](World& w) {
       auto& s = w.Chain<VkPipelineCreationFeedbackCreateInfo>(w.info, {});
       static VkPipelineCreationFeedback feedback[3];
       s.pPipelineCreationFeedback = feedback;
       s.pPipelineStageCreationFeedbacks = feedback;
       s.pipelineStageCreationFeedbackCount = 3;
     }},
};

}  // namespace

absl::Span<const PipelineCase> StageCases() { return kCases; }

}  // namespace assay::core
