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

}  // namespace

void PipelineRules::PreCallValidate(const vk::CreateGraphicsPipelines& call, Report& report) const {
  if (!vk::IsAddress(call.pCreateInfos)) return;
  const Location command = report.location();
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    const VkGraphicsPipelineCreateInfo& info = call.pCreateInfos[i];
    const GraphicsView view(device_, info, LibrariesOf(info));
    const Location where = command.Dot("pCreateInfos", i);
    for (const auto& rules :
         {StageRules(), VertexInputRules(), ViewportRules(), RasterizationRules(), MultisampleRules(),
          DepthStencilRules(), BlendRules(), DynamicStateRules(), ShadingRateRules(), TargetRules(), LinkingRules()}) {
      Check(rules, view, where, report);
    }
  }
}

}  // namespace assay::core
