// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_rules.h"

#include <utility>
#include <vector>

#include "core/pipelines/graphics_view.h"
#include "core/pipelines/pipeline_rule.h"
#include "state/pipelines/create_info.h"
#include "vk/walk/load_store.h"

namespace assay::core {

using messages::Location;
using messages::Report;

GraphicsView PipelineRules::ViewOf(const VkGraphicsPipelineCreateInfo& info) const {
  std::vector<LinkedLibrary> libraries;
  const auto* linked = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(info.pNext);
  const uint32_t count = linked != nullptr && vk::IsAddress(linked->pLibraries) ? linked->libraryCount : 0;
  libraries.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    const auto* library = state::DeviceState::Get<state::Pipeline>(linked->pLibraries[i]);
    if (library == nullptr || library->graphics == nullptr) continue;
    libraries.push_back({library, i, libraries_.Find(linked->pLibraries[i]).value_or(nullptr)});
  }
  return {device_, info, std::move(libraries), layouts_.Find(info.layout).value_or(nullptr), code_};
}

void PipelineRules::PreCallValidate(const vk::CreateGraphicsPipelines& call, Report& report) const {
  if (!vk::IsAddress(call.pCreateInfos)) return;
  CheckCall(call, device_, report);
  const Location command = report.location();
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    const GraphicsView view = ViewOf(call.pCreateInfos[i]);
    const Location where = command.Dot("pCreateInfos", i);
    for (const auto& rules : {StageRules(), VertexInputRules(), ViewportRules(), RasterizationRules(),
                              MultisampleRules(), DepthStencilRules(), BlendRules(), DynamicStateRules(),
                              ShadingRateRules(), TargetRules(), PartRules(), LibraryRules(), ExternalFormatRules(),
                              LocalReadRules(), ShaderRules(), FragmentShaderRules(), PointerRules(), FlagRules()}) {
      Check(rules, view, where, report);
    }
    CheckLinks(view, where, report);
    CheckSampleOrders(view, where, report);
    if (const auto* info = view.Chained<VkRenderingAttachmentLocationInfo>())
      CheckLocations(*info, device_, where.Next("VkRenderingAttachmentLocationInfo"), report);
    if (const auto* info = view.Chained<VkRenderingInputAttachmentIndexInfo>())
      CheckInputIndices(*info, device_, where.Next("VkRenderingInputAttachmentIndexInfo"), report);
  }
}

void PipelineRules::PreCallValidate(const vk::CmdSetRenderingAttachmentLocations& call, dispatch::Slot&,
                                    Report& report) const {
  if (!vk::IsAddress(call.pLocationInfo)) return;
  const Location command = report.location();
  CheckLocations(*call.pLocationInfo, device_, command.Dot("pLocationInfo"), report);
}
void PipelineRules::PreCallValidate(const vk::CmdSetRenderingInputAttachmentIndices& call, dispatch::Slot&,
                                    Report& report) const {
  if (!vk::IsAddress(call.pInputAttachmentIndexInfo)) return;
  const Location command = report.location();
  CheckInputIndices(*call.pInputAttachmentIndexInfo, device_, command.Dot("pInputAttachmentIndexInfo"), report);
}

void PipelineRules::PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult) {
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    const VkGraphicsPipelineCreateInfo& info = call.pCreateInfos[i];
    const bool is_library = (state::PipelineFlags(info) & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0;
    if (!is_library || call.pPipelines[i] == VK_NULL_HANDLE) continue;
    const GraphicsView view = ViewOf(info);
    PipelineFacts facts;
    if (view.parts != 0) facts.parts.emplace_back(view, view.layout);
    for (const LinkedLibrary& library : view.libraries) {
      if (library.facts == nullptr) continue;
      facts.parts.insert(facts.parts.end(), library.facts->parts.begin(), library.facts->parts.end());
    }
    libraries_.Set(call.pPipelines[i], std::make_shared<const PipelineFacts>(std::move(facts)));
  }
}
void PipelineRules::PreCallRecord(const vk::DestroyPipeline& call) { libraries_.Erase(call.pipeline); }

void PipelineRules::PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result) {
  if (result == VK_SUCCESS) layouts_.Set(*call.pPipelineLayout, std::make_shared<const LayoutFacts>(*call.pCreateInfo));
}
void PipelineRules::PreCallRecord(const vk::DestroyPipelineLayout& call) { layouts_.Erase(call.pipelineLayout); }

}  // namespace assay::core
