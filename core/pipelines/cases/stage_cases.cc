// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr PipelineCase kCases[] = {
    {"VUID-VkGraphicsPipelineCreateInfo-stage-02096", [](Setup& w) { w.stages = {VK_SHADER_STAGE_FRAGMENT_BIT}; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00729",
     [](Setup& w) {
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00730",
     [](Setup& w) {
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-02095",
     [](Setup& w) { w.UseMeshShader(), w.AddStage(VK_SHADER_STAGE_GEOMETRY_BIT); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-06896", [](Setup& w) { w.AddStage(VK_SHADER_STAGE_COMPUTE_BIT); }},
    {"VUID-VkGraphicsPipelineCreateInfo-stage-06897", [](Setup& w) { w.AddStage(VK_SHADER_STAGE_VERTEX_BIT); }},
    {"VUID-VkGraphicsPipelineCreateInfo-stageCount-09530", [](Setup& w) { w.stages.clear(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-02097", [](Setup& w) { w.info.pVertexInputState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-dynamicPrimitiveTopologyUnrestricted-09031",
     [](Setup& w) { w.info.pInputAssemblyState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pRasterizationState-06601",
     [](Setup& w) { w.info.pRasterizationState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-rasterizerDiscardEnable-09024",
     [](Setup& w) { w.info.pViewportState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-09026", [](Setup& w) { w.info.pMultisampleState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09037", [](Setup& w) { w.info.pColorBlendState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-09022",
     [](Setup& w) {
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
       w.info.pTessellationState = nullptr;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09030",
     [](Setup& w) { w.UseRenderPass(), w.info.pColorBlendState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09028",
     [](Setup& w) { w.UseRenderPass(), w.UseDepth(), w.info.pDepthStencilState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09033",
     [](Setup& w) { w.UseDepth(), w.info.pDepthStencilState = nullptr; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06047",
     [](Setup& w) {
       w.Disable("multiviewTessellationShader");
       w.UseRenderPass();
       w.subpass_view_mask = 3;
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06057",
     [](Setup& w) {
       w.Disable("multiviewTessellationShader");
       w.rendering.viewMask = 1;
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
       w.AddStage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06048",
     [](Setup& w) {
       w.Disable("multiviewGeometryShader");
       w.AddStage(VK_SHADER_STAGE_GEOMETRY_BIT);
       w.UseRenderPass();
       w.subpass_view_mask = 3;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06058",
     [](Setup& w) {
       w.Disable("multiviewGeometryShader");
       w.AddStage(VK_SHADER_STAGE_GEOMETRY_BIT);
       w.rendering.viewMask = 1;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-07064",
     [](Setup& w) { w.UseMeshShader(), w.Disable("multiviewMeshShader"), w.UseRenderPass(), w.subpass_view_mask = 3; }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-07720",
     [](Setup& w) { w.UseMeshShader(), w.Disable("multiviewMeshShader"), w.rendering.viewMask = 1; }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-00764",
     [](Setup& w) { w.info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE; }},
    {nullptr,
     [](Setup& w) {
       auto& s = w.Chain<VkPipelineCreationFeedbackCreateInfo>(w.info, {});
       static VkPipelineCreationFeedback feedback[3];
       s.pPipelineCreationFeedback = feedback;
       s.pPipelineStageCreationFeedbacks = feedback;
       s.pipelineStageCreationFeedbackCount = 2;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pipelineStageCreationFeedbackCount-06594",
     [](Setup& w) {
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
