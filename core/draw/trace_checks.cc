// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of traces: shader binding tables, and how many rays there are.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "vk/feature_info.h"

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
           absl::StrCat("The ", trace.argument_bytes, " bytes from indirectDeviceAddress (0x",
                        absl::Hex(trace.arguments), ") on are not in one buffer."));
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

}  // namespace assay::core
