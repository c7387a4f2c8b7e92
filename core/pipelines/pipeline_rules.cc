// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_rules.h"

#include <utility>
#include <vector>

#include "core/pipelines/graphics_view.h"
#include "core/pipelines/pipeline_rule.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;

std::vector<LinkedLibrary> LibrariesOf(const VkGraphicsPipelineCreateInfo& info) {
  std::vector<LinkedLibrary> libraries;
  const auto* linked = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(info.pNext);
  if (linked == nullptr || !vk::IsAddress(linked->pLibraries)) return libraries;
  libraries.reserve(linked->libraryCount);
  for (uint32_t i = 0; i < linked->libraryCount; ++i) {
    const auto* library = state::DeviceState::Get<state::Pipeline>(linked->pLibraries[i]);
    if (library != nullptr && library->graphics != nullptr) libraries.push_back({library, i});
  }
  return libraries;
}

// What a pipeline is derived from.
void CheckBase(const vk::CreateGraphicsPipelines& call, uint32_t index, const GraphicsView& view, const Location& where,
               Report& report) {
  if (!view.HasFlag(VK_PIPELINE_CREATE_2_DERIVATIVE_BIT)) return;
  const VkPipeline handle = view.info.basePipelineHandle;
  const int32_t base = view.info.basePipelineIndex;
  const auto error = [&](vk::VuidIndex id, std::string_view member, std::string text) {
    report.Error(id, {messages::Object(call.device)}, where.Dot(member), std::move(text));
  };
  if (base == -1 && handle == VK_NULL_HANDLE) {
    return error(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-07984"), "basePipelineHandle",
                 "is VK_NULL_HANDLE, and basePipelineIndex is -1.");
  }
  if (base != -1 && handle != VK_NULL_HANDLE) {
    return error(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-07986"), "basePipelineIndex",
                 absl::StrCat("(", base, ") is not -1, and basePipelineHandle is not VK_NULL_HANDLE."));
  }
  if (handle != VK_NULL_HANDLE) {
    const auto* pipeline = state::DeviceState::Get<state::Pipeline>(handle);
    if (pipeline == nullptr || (pipeline->flags & VK_PIPELINE_CREATE_2_ALLOW_DERIVATIVES_BIT) != 0) return;
    return error(vk::Vuid("VUID-vkCreateGraphicsPipelines-flags-00721"), "basePipelineHandle",
                 "was created without VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT.");
  }
  if (base < 0 || static_cast<uint32_t>(base) >= call.createInfoCount) {
    return error(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-07985"), "basePipelineIndex",
                 absl::StrCat("(", base, ") is not less than createInfoCount (", call.createInfoCount, ")."));
  }
  if (static_cast<uint32_t>(base) >= index) {
    return error(vk::Vuid("VUID-vkCreateGraphicsPipelines-flags-00720"), "basePipelineIndex",
                 absl::StrCat("(", base, ") is not less than the index of this element (", index, ")."));
  }
  if ((PipelineFlags(call.pCreateInfos[base]) & VK_PIPELINE_CREATE_2_ALLOW_DERIVATIVES_BIT) != 0) return;
  error(vk::Vuid("VUID-vkCreateGraphicsPipelines-flags-00721"), "basePipelineIndex",
        absl::StrCat("(", base, ") is of a create info without VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT."));
}

// Pipelines that are made from binaries, or whose data is captured.
void CheckBinaries(const vk::CreateGraphicsPipelines& call, const GraphicsView& view, const Location& where,
                   Report& report) {
  const auto* binaries = view.Chained<VkPipelineBinaryInfoKHR>();
  const bool has_binaries = binaries != nullptr && binaries->binaryCount != 0;
  const bool has_cache = call.pipelineCache != VK_NULL_HANDLE;
  const auto error = [&](vk::VuidIndex id, std::string text) {
    report.Error(id, {messages::Object(call.device)}, where, std::move(text));
  };
  if (has_binaries && has_cache) {
    error(vk::Vuid("VUID-vkCreateGraphicsPipelines-pNext-09616"),
          absl::StrCat("has binaryCount (", binaries->binaryCount, "), but pipelineCache is not VK_NULL_HANDLE."));
  }
  if (view.HasFlag(VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR) && has_cache) {
    error(vk::Vuid("VUID-vkCreateGraphicsPipelines-pNext-09617"),
          "has VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR, but pipelineCache is not VK_NULL_HANDLE.");
  }
  if (has_binaries && view.HasFlag(VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT)) {
    error(vk::Vuid("VUID-vkCreateGraphicsPipelines-binaryCount-09622"),
          absl::StrCat("has binaryCount (", binaries->binaryCount,
                       ") and VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT."));
  }
}

}  // namespace

void PipelineRules::PreCallValidate(const vk::CreateGraphicsPipelines& call, Report& report) const {
  if (!vk::IsAddress(call.pCreateInfos)) return;
  const Location command = report.location();
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    const VkGraphicsPipelineCreateInfo& info = call.pCreateInfos[i];
    const GraphicsView view(device_, info, LibrariesOf(info));
    const Location where = command.Dot("pCreateInfos", i);
    CheckBase(call, i, view, where, report);
    CheckBinaries(call, view, where, report);
    for (const auto& rules :
         {StageRules(), VertexInputRules(), ViewportRules(), RasterizationRules(), MultisampleRules(),
          DepthStencilRules(), BlendRules(), DynamicStateRules(), ShadingRateRules(), TargetRules(), LinkingRules()}) {
      Check(rules, view, where, report);
    }
  }
}

}  // namespace assay::core
