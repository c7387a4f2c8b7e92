// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of traces: shader binding tables, and how many rays there are. Of dispatches of execution graphs
// (VK_AMDX_shader_enqueue), as far as they are on the host: the scratch memory, and where the device reads the rest.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

struct TableRules {
  std::string_view name;
  // That the address is aligned; that the stride is, or equals the size; the limit of the stride, which ray generation
  // does not have.
  ActionRule address;
  ActionRule stride;
  ActionRule max_stride;
};
constexpr TableRules kTables[] = {
    {"pRaygenShaderBindingTable", "pRayGenShaderBindingTable-03682", "size-04023", "size-04023"},
    {"pMissShaderBindingTable", "pMissShaderBindingTable-03685", "stride-03686", "stride-04029"},
    {"pHitShaderBindingTable", "pHitShaderBindingTable-03689", "stride-03690", "stride-04035"},
    {"pCallableShaderBindingTable", "pCallableShaderBindingTable-03693", "stride-03694", "stride-04041"}};
constexpr size_t kHit = 2;

struct DimensionRule {
  std::string_view name;
  ActionRule rule;
};
constexpr DimensionRule kDimensions[] = {
    {"width", "width-03638"}, {"height", "height-03639"}, {"depth", "depth-03640"}};

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

bool DrawRules::IsInBuffer(VkDeviceAddress address, VkDeviceSize bytes) const {
  const auto buffers = state_.buffer_addresses().Find(address);
  if (buffers.empty()) return !state_.buffer_addresses().KnowsAll();
  return std::ranges::any_of(
      buffers, [&](const auto& buffer) { return buffer->Clamp(address - buffer->device_address, bytes) == bytes; });
}

void DrawRules::CheckTables(Action& action, const TraceCall& trace) const {
  const auto& limits = *trace_limits_;
  for (size_t i = 0; i < std::size(kTables); ++i) {
    if (trace.tables[i] == nullptr) continue;
    const VkStridedDeviceAddressRegionKHR& table = *trace.tables[i];
    const TableRules& rules = kTables[i];
    const auto say = [&](ActionRule rule, std::string_view member, VkDeviceSize value, std::string_view text,
                         uint64_t limit) {
      Report(action, rule, absl::StrCat(rules.name, "->", member, " (", value, ") ", text, " (", limit, ")."));
    };
    if (table.deviceAddress % std::max(limits.shaderGroupBaseAlignment, 1u) != 0) {
      say(rules.address, "deviceAddress", table.deviceAddress, "is not a multiple of shaderGroupBaseAlignment",
          limits.shaderGroupBaseAlignment);
    }
    if (i == 0) {
      if (table.size != table.stride) say(rules.stride, "size", table.size, "is not the stride", table.stride);
    } else if (table.stride % std::max(limits.shaderGroupHandleAlignment, 1u) != 0) {
      say(rules.stride, "stride", table.stride, "is not a multiple of shaderGroupHandleAlignment",
          limits.shaderGroupHandleAlignment);
    } else if (limits.maxShaderGroupStride != 0 && table.stride > limits.maxShaderGroupStride) {
      say(rules.max_stride, "stride", table.stride, "is larger than maxShaderGroupStride", limits.maxShaderGroupStride);
    }
    if (table.size != 0 && table.deviceAddress != 0 && !IsInBuffer(table.deviceAddress, table.size)) {
      Report(action, vk::Vuid("VUID-VkStridedDeviceAddressRegionKHR-size-04631"),
             absl::StrCat("The ", table.size, " bytes from ", rules.name, "->deviceAddress (0x",
                          absl::Hex(table.deviceAddress), ") on are not in one buffer."));
    }
  }
}

void DrawRules::CheckTrace(Action action, const TraceCall& trace) const {
  if (trace_limits_ == nullptr) return;
  CheckTables(action, trace);
  const VkPhysicalDeviceLimits& limits = device_.physical_device->limits;
  bool is_large = false;
  for (size_t i = 0; i < trace.size.size(); ++i) {
    const uint64_t most = uint64_t{limits.maxComputeWorkGroupCount[i]} * limits.maxComputeWorkGroupSize[i];
    if (trace.size[i] <= most || most == 0) continue;
    is_large = true;
    Report(action, kDimensions[i].rule,
           absl::StrCat(kDimensions[i].name, " (", trace.size[i], ") is larger than maxComputeWorkGroupCount[", i,
                        "] * maxComputeWorkGroupSize[", i, "] (", most, ")."));
  }
  const auto [width, height, depth] = trace.size;
  const uint64_t most_rays = trace_limits_->maxRayDispatchInvocationCount;
  if (!is_large && depth != 0 && most_rays != 0 && uint64_t{width} * height > most_rays / depth) {
    Report(action, "width-03641",
           absl::StrCat("width (", width, ") * height (", height, ") * depth (", depth,
                        ") is larger than maxRayDispatchInvocationCount (", most_rays, ")."));
  }
  if (trace.argument_bytes != 0 && !IsInBuffer(trace.arguments, trace.argument_bytes)) {
    Report(action, "indirectDeviceAddress-03636",
           OutsideText("indirectDeviceAddress", trace.arguments, trace.argument_bytes));
  }
  const auto* const pipeline =
      action.draw().HasPipeline(action.form.point)
          ? state::DeviceState::Get<state::Pipeline>(action.buffer.At(VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR).pipeline)
          : nullptr;
  if (pipeline == nullptr) return;
  const auto has = [&](VkPipelineCreateFlags2 flag) { return (pipeline->flags & flag) != 0; };
  if (trace.tables[kHit] != nullptr && trace.tables[kHit]->deviceAddress == 0) {
    const bool needs_closest = has(VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR);
    if (needs_closest || has(VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR)) {
      Report(action, needs_closest ? ActionRule("flags-03696") : ActionRule("flags-03697"),
             absl::StrCat("pHitShaderBindingTable->deviceAddress is 0, but ", PipelineText(action),
                          " is created with VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_",
                          needs_closest ? "CLOSEST_HIT" : "INTERSECTION", "_SHADERS_BIT_KHR."));
    }
  }
  if (trace.argument_bytes != 0 && has(VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_MOTION_BIT_NV) &&
      !device_.HasFeature(vk::FeatureId::kRayTracingMotionBlurPipelineTraceRaysIndirect)) {
    Report(action, "rayTracingMotionBlurPipelineTraceRaysIndirect-04951",
           absl::StrCat(PipelineText(action), " is created with VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV."));
  }
}

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
