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

namespace {

// Rules with something in common. Most pipelines have nothing that the rarer ones are about.
struct Table {
  absl::Span<const PipelineRule> (*rules)();
  // Whether a rule of the table can be broken. Null for true.
  bool (*applies)(const GraphicsView& view) = nullptr;
  // Whether a rule reads the code of shaders.
  bool reads_code = false;
};

bool HasShadingRate(const GraphicsView& view) {
  return view.Chained<VkPipelineFragmentShadingRateStateCreateInfoKHR>() != nullptr ||
         view.Chained<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>() != nullptr;
}
bool HasLibraries(const GraphicsView& view) { return view.library_info != nullptr || !view.libraries.empty(); }
bool MayHaveExternalFormat(const GraphicsView& view) { return view.Has(vk::FeatureId::kExternalFormatResolve); }
bool HasLocalRead(const GraphicsView& view) {
  return view.Chained<VkRenderingAttachmentLocationInfo>() != nullptr ||
         view.Chained<VkRenderingInputAttachmentIndexInfo>() != nullptr;
}
bool HasDynamicStates(const GraphicsView& view) { return !view.dynamic_states.empty(); }
bool HasCode(const GraphicsView& view) { return view.has_code; }

constexpr Table kTables[] = {
    {StageRules},
    {VertexInputRules},
    {ViewportRules},
    {RasterizationRules},
    {MultisampleRules},
    {DepthStencilRules},
    {BlendRules},
    {DynamicStateRules, HasDynamicStates},
    {ShadingRateRules, HasShadingRate},
    {TargetRules},
    {PartRules},
    {LibraryRules, HasLibraries},
    {ExternalFormatRules, MayHaveExternalFormat},
    {LocalReadRules, HasLocalRead},
    {ExternalFormatShaderRules, MayHaveExternalFormat, true},
    {ShaderRules, HasCode, true},
    {FragmentShaderRules, HasCode, true},
    {PointerRules},
    {FlagRules},
};

}  // namespace

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
  return {device_, info, std::move(libraries), layouts_.Find(info.layout).value_or(nullptr),
          checks_shaders_ ? &code_ : nullptr};
}

void PipelineRules::CheckTables(const GraphicsView& view, const Location& where, Report& report) const {
  StatesKey key;
  const bool has_key = WriteStatesKey(view, key);
  const bool is_checked = has_key && checked_.Contains(key);
  bool all_hold = true;
  for (const Table& table : kTables) {
    if (is_checked && !table.reads_code) continue;
    if (table.applies != nullptr && !table.applies(view)) continue;
    all_hold &= Check(table.rules(), view, where, report);
  }
  if (has_key && !is_checked && all_hold) checked_.Insert(key);
}

void PipelineRules::PreCallValidate(const vk::CreateGraphicsPipelines& call, Report& report) const {
  if (!vk::IsAddress(call.pCreateInfos)) return;
  CheckCall(call, device_, report);
  const Location command = report.location();
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    const GraphicsView view = ViewOf(call.pCreateInfos[i]);
    const Location where = command.Dot("pCreateInfos", i);
    CheckTables(view, where, report);
    CheckLinks(view, where, report);
    CheckShaderGroups(view, group_counts_, checks_shaders_ ? &code_ : nullptr, where, report);
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
    const auto* groups = vk::FindInChain<VkGraphicsPipelineShaderGroupsCreateInfoNV>(info.pNext);
    if (groups != nullptr && call.pPipelines[i] != VK_NULL_HANDLE)
      group_counts_.Set(call.pPipelines[i], groups->groupCount);
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
void PipelineRules::PreCallRecord(const vk::DestroyPipeline& call) {
  libraries_.Erase(call.pipeline);
  group_counts_.Erase(call.pipeline);
}

void PipelineRules::PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result) {
  if (result == VK_SUCCESS) layouts_.Set(*call.pPipelineLayout, std::make_shared<const LayoutFacts>(*call.pCreateInfo));
}
void PipelineRules::PreCallRecord(const vk::DestroyPipelineLayout& call) {
  layouts_.Erase(call.pipelineLayout);
  checked_.Clear();
}
void PipelineRules::PreCallRecord(const vk::DestroyRenderPass&) { checked_.Clear(); }

}  // namespace assay::core
