// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of dispatches of execution graphs (VK_AMDX_shader_enqueue), as far as they are on the host: the scratch
// memory, and where the device reads the rest.

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

// 0 if it is not known.
VkDeviceSize LeastScratch(const dispatch::Device& device, VkPipeline graph) {
  if (state::DeviceState::Get<state::Pipeline>(graph) == nullptr) return 0;
  VkExecutionGraphPipelineScratchSizeAMDX size = {VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_SCRATCH_SIZE_AMDX};
  const VkResult result = dispatch::CallNext(
      device, vk::GetExecutionGraphPipelineScratchSizeAMDX{device.handle, dispatch::DriverHandle(graph), &size});
  return result == VK_SUCCESS ? size.minSize : 0;
}

std::string OutsideText(std::string_view name, VkDeviceAddress address, VkDeviceSize bytes) {
  return absl::StrCat("The ", bytes, " bytes from ", name, " (0x", absl::Hex(address), ") on are not in one buffer.");
}
std::string SizeText(VkDeviceSize size, VkDeviceSize least) {
  return absl::StrCat("scratchSize (", size, ") is less than the minSize of the execution graph (", least, ").");
}

}  // namespace

void DrawRules::CheckGraph(Action action, const GraphCall& graph) const {
  const auto lacks_usage = [&](VkDeviceAddress address, VkBufferUsageFlags usage) {
    const auto buffers = state_.buffer_addresses().Find(address);
    return !buffers.empty() &&
           std::ranges::none_of(buffers, [=](const auto& buffer) { return (buffer->usage & usage) != 0; });
  };
  if (!IsInBuffer(graph.scratch, graph.scratch_size)) {
    Report(action, "scratch-10192", OutsideText("scratch", graph.scratch, graph.scratch_size));
  } else if (lacks_usage(graph.scratch, VK_BUFFER_USAGE_EXECUTION_GRAPH_SCRATCH_BIT_AMDX)) {
    Report(action, "scratch-09184",
           "The buffer of scratch is not created with VK_BUFFER_USAGE_EXECUTION_GRAPH_SCRATCH_BIT_AMDX.");
  }
  const VkDeviceSize least =
      action.draw().HasPipeline(DrawRecording::kExecutionGraph)
          ? LeastScratch(device_, action.buffer.At(VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX).pipeline)
          : 0;
  if (graph.scratch_size < least) Report(action, "scratchSize-10193", SizeText(graph.scratch_size, least));
  if (graph.read_bytes == 0) return;
  using Limits = VkPhysicalDeviceShaderEnqueuePropertiesAMDX;
  const auto* const limits = device_.physical_device->Find<Limits>();
  const uint32_t alignment = limits != nullptr ? limits->executionGraphDispatchAddressAlignment : 0;
  const bool reads_count = action.Has("countInfo-09160");
  const std::string_view name = reads_count ? "countInfo" : "pCountInfo->infos";
  if (alignment != 0 && graph.read % alignment != 0) {
    Report(action, reads_count ? ActionRule("countInfo-09161") : ActionRule("pCountInfo-09152"),
           absl::StrCat(name, " (0x", absl::Hex(graph.read),
                        ") is not a multiple of executionGraphDispatchAddressAlignment (", alignment, ")."));
  } else if (!IsInBuffer(graph.read, graph.read_bytes)) {
    Report(action, reads_count ? ActionRule("countInfo-09159") : ActionRule("pCountInfo-09150"),
           OutsideText(name, graph.read, graph.read_bytes));
  } else if (lacks_usage(graph.read, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT)) {
    Report(action, reads_count ? ActionRule("countInfo-09160") : ActionRule("pCountInfo-09151"),
           absl::StrCat("The buffer of ", name, " is not created with VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT."));
  }
}

void DrawRules::PreCallValidate(const vk::CmdInitializeGraphScratchMemoryAMDX& call, dispatch::Slot& slot,
                                messages::Report& report) const {
  const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  const auto error = [&](vk::VuidIndex id, std::string text) {
    report.Error(id, {{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer->handle()}}, report.location(), std::move(text));
  };
  if (!IsInBuffer(call.scratch, call.scratchSize)) {
    error(vk::Vuid("VUID-vkCmdInitializeGraphScratchMemoryAMDX-scratch-10185"),
          OutsideText("scratch", call.scratch, call.scratchSize));
  }
  const VkDeviceSize least = LeastScratch(device_, call.executionGraph);
  if (call.scratchSize < least) {
    error(vk::Vuid("VUID-vkCmdInitializeGraphScratchMemoryAMDX-scratchSize-10186"), SizeText(call.scratchSize, least));
  }
}

}  // namespace assay::core
