// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DESCRIPTORS_BOUND_DESCRIPTOR_RULES_H_
#define ASSAY_CORE_DESCRIPTORS_BOUND_DESCRIPTOR_RULES_H_

// What the descriptors that a draw, dispatch or trace uses must be.
//
// A shader says how it accesses a descriptor: as an image of a dimension and type, as an acceleration structure that it
// traverses. When a pipeline or shader object is made, core/interfaces notes the accesses that each invocation makes
// (ResourceAccesses). Here they are compared with what is bound:
//
//   images                   when the command is recorded: the type of the view, the numbers of its format and whether
//                            these can be accessed atomically, the samples and flags of the image
//   acceleration structures  when the command is executed (core/contents): how they were built
//
// Nothing is reported of a descriptor that may be another when the command is executed (update after bind), of arrays,
// which a shader may index as it likes, and of accesses behind a branch. Whether a mismatch matters there is known only
// while the shader runs. A command that certainly draws nothing accesses nothing; otherwise all stages of a pipeline
// count as running, but for fragment shaders while rasterization is discarded. Acceleration structures are looked at
// for direct dispatches and traces alone.
//
// The same pipeline with the same sets is only compared with what was checked last.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/draw/action_rules.h"
#include "core/formats/format_features.h"
#include "core/recording/recording_scope.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"

namespace assay::core {

// The rules that each action command has under its own name.
enum class DescriptorRule : uint8_t {
  kViewType,
  kNumericType,
  kHas64Bits,
  kHas32Bits,
  kSparseAtomics,
  kAtomicFormat,
  kUnprotected
};
inline constexpr std::array<std::string_view, 7> kDescriptorRules = {
    "viewType-07752", "format-07753",       "SampledType-04470", "SampledType-04471", "sparseImageInt64Atomics-04474",
    "None-02691",     "commandBuffer-02707"};
using DescriptorRuleIds = std::array<vk::VuidIndex, kDescriptorRules.size()>;
DescriptorRuleIds FindDescriptorRuleIds(std::string_view command);

template <ActionCommand C>
const DescriptorRuleIds& DescriptorRuleIdsOf() {
  static const DescriptorRuleIds ids = FindDescriptorRuleIds(C::kName);
  return ids;
}

// The ids of all commands for these, for //tools/coverage.
std::vector<vk::VuidIndex> DescriptorIds();

// The validator.
class BoundDescriptorRules {
 public:
  explicit BoundDescriptorRules(const dispatch::Device& device);

  template <ActionCommand C>
  void PreCallValidate(const C& call, dispatch::Slot& slot, messages::Report& report) const {
    const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
    RecordingScope* const scope = ScopeOf(buffer);
    if (scope == nullptr) return;
    const UsedDescriptors used = UsedBy<C>(*buffer, *scope);
    if (scope->checked_descriptors[BindPointOf<C>()] == used || IsEmpty(call)) return;
    CheckImages(DescriptorRuleIdsOf<C>(), BindPointOf<C>(), *buffer, *scope, used, report);
  }
  template <ActionCommand C>
    requires(BindPointOf<C>() != DrawRecording::kGraphics)
  void PostCallRecord(const C& call, dispatch::Slot& slot) const {
    if constexpr (requires { call.groupCountX; } || requires { call.width; }) {
      const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
      RecordingScope* const scope = ScopeOf(buffer);
      if (scope == nullptr) return;
      const UsedDescriptors used = UsedBy<C>(*buffer, *scope);
      UsedDescriptors& noted = scope->noted_descriptors[BindPointOf<C>()];
      if (noted == used || IsEmpty(call)) return;
      noted = used;
      AddNeeds(C::kId, BindPointOf<C>(), *buffer, *scope);
    }
  }

 private:
  RecordingScope* ScopeOf(const state::CommandBuffer* buffer) const {
    RecordingScope* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
    const bool is_known = scope != nullptr && !inherits_ && !scope->draw.has_executed() &&
                          buffer->recording_state == state::RecordingState::kRecording;
    return is_known ? scope : nullptr;
  }

  static constexpr VkPipelineBindPoint PointOf(DrawRecording::BindPoint point) {
    constexpr VkPipelineBindPoint kPoints[] = {VK_PIPELINE_BIND_POINT_GRAPHICS, VK_PIPELINE_BIND_POINT_COMPUTE,
                                               VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR};
    return kPoints[point];
  }
  template <ActionCommand C>
  static UsedDescriptors UsedBy(const state::CommandBuffer& buffer, const RecordingScope& scope) {
    const state::BindPointState& bound = buffer.At(PointOf(BindPointOf<C>()));
    // The key of draws changes with each shader object that is bound.
    const uint64_t shaders =
        scope.draw.HasPipeline(BindPointOf<C>()) ? reinterpret_cast<uint64_t>(bound.pipeline) : buffer.draw.key();
    return {shaders, bound.sets_key};
  }

  // Whether the command certainly runs no shader.
  template <ActionCommand C>
  static bool IsEmpty(const C& call) {
    if constexpr (requires { call.groupCountX; }) {
      return call.groupCountX == 0 || call.groupCountY == 0 || call.groupCountZ == 0;
    } else if constexpr (requires { call.width; }) {
      return call.width == 0 || call.height == 0 || call.depth == 0;
    } else if constexpr (requires { call.vertexCount; }) {
      return call.vertexCount == 0 || call.instanceCount == 0;
    } else if constexpr (requires { call.indexCount; }) {
      return call.indexCount == 0 || call.instanceCount == 0;
    } else if constexpr (requires { call.taskCount; }) {
      return call.taskCount == 0;
    } else if constexpr (requires { call.drawCount; }) {
      return call.drawCount == 0;
    }
    return false;
  }

  void CheckImages(const DescriptorRuleIds& ids, DrawRecording::BindPoint point, const state::CommandBuffer& buffer,
                   RecordingScope& scope, const UsedDescriptors& used, messages::Report& report) const;
  void AddNeeds(vk::CommandId command, DrawRecording::BindPoint point, const state::CommandBuffer& buffer,
                RecordingScope& scope) const;

  const bool inherits_;
  // Which atomics may access sparse images, and whether images may have other samples than their attachments.
  const bool has_sparse_int64_atomics_;
  const bool has_sparse_float_atomics_;
  const bool renders_to_single_sampled_;
  // VkPhysicalDeviceProtectedMemoryProperties::protectedNoFault.
  const bool protected_no_fault_;
  const FormatFeatures features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DESCRIPTORS_BOUND_DESCRIPTOR_RULES_H_
