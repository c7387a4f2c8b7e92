// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

Setup& UseTwoViews(Setup& w) { return Set(UseRenderPass(w), w.subpass_view_mask, 3); }

constexpr PipelineCase kCases[] = {
    {"stage-02096", [](Setup& w) { w.stages = {kFragment}; }},
    {"pStages-00729", [](Setup& w) { UsePatches(w).AddStage(kControl); }},
    {"pStages-00730", [](Setup& w) { UsePatches(w).AddStage(kEvaluation); }},
    {"pStages-02095", [](Setup& w) { w.UseMeshShader(), w.AddStage(kGeometry); }},
    {"pStages-06896", [](Setup& w) { w.AddStage(VK_SHADER_STAGE_COMPUTE_BIT); }},
    {"stage-06897", [](Setup& w) { w.AddStage(kVertex); }},
    {"stageCount-09530", [](Setup& w) { w.stages.clear(); }},
    {"pStages-02097", [](Setup& w) { w.info.pVertexInputState = nullptr; }},
    {"dynamicPrimitiveTopologyUnrestricted-09031", [](Setup& w) { w.info.pInputAssemblyState = nullptr; }},
    {"pRasterizationState-06601", [](Setup& w) { w.info.pRasterizationState = nullptr; }},
    {"rasterizerDiscardEnable-09024", [](Setup& w) { w.info.pViewportState = nullptr; }},
    {"pMultisampleState-09026", [](Setup& w) { w.info.pMultisampleState = nullptr; }},
    {"renderPass-09037", [](Setup& w) { w.info.pColorBlendState = nullptr; }},
    {"pStages-09022", [](Setup& w) { Tessellate(w).info.pTessellationState = nullptr; }},
    {"renderPass-09030", [](Setup& w) { w.UseRenderPass(), w.info.pColorBlendState = nullptr; }},
    {"renderPass-09028", [](Setup& w) { w.UseRenderPass(), w.UseDepth(), w.info.pDepthStencilState = nullptr; }},
    {"renderPass-09033", [](Setup& w) { w.UseDepth(), w.info.pDepthStencilState = nullptr; }},
    {"renderPass-06047", [](Setup& w) { Tessellate(UseTwoViews(Without(w, {"multiviewTessellationShader"}))); }},
    {"renderPass-06057", [](Setup& w) { Tessellate(UseView(Without(w, {"multiviewTessellationShader"}))); }},
    {"renderPass-06048", [](Setup& w) { UseTwoViews(Without(w, {"multiviewGeometryShader"})).AddStage(kGeometry); }},
    {"renderPass-06058", [](Setup& w) { UseView(Without(w, {"multiviewGeometryShader"})).AddStage(kGeometry); }},
    {"renderPass-07064", [](Setup& w) { UseTwoViews(UseMeshShader(Without(w, {"multiviewMeshShader"}))); }},
    {"renderPass-07720", [](Setup& w) { UseView(UseMeshShader(Without(w, {"multiviewMeshShader"}))); }},
    {"flags-00764", [](Setup& w) { w.info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE; }},
};

}  // namespace

absl::Span<const PipelineCase> StageCases() { return kCases; }

}  // namespace assay::core
