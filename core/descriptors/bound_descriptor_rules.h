// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DESCRIPTORS_BOUND_DESCRIPTOR_RULES_H_
#define ASSAY_CORE_DESCRIPTORS_BOUND_DESCRIPTOR_RULES_H_

// What the descriptors and push constants that a draw, dispatch or trace uses must be.
//
// A shader says which descriptors it statically uses and how it accesses them: as an image of a dimension and type,
// with a sampler, as an acceleration structure that it traverses. When a pipeline or shader object is made,
// core/interfaces notes this (ResourceAccesses). Here it is compared with what is bound:
//
//   sets, push constants     when the command is recorded: whether there are those that shaders statically use, bound
//                            and set with layouts that are compatible, and written (needed_sets.cc)
//   images, texel buffers    then, too: the type of the view, the numbers and features of its format, the samples and
//                            flags of the image (image_checks.cc, texel_buffer_checks.cc)
//   samplers with images     then, too: filters, reduction, coordinates (sampler_checks.cc)
//   attachments              then, too: whether input attachments are those of the subpass (input_attachments.cc), and
//                            whether attachments are accessed as other images (feedback_loops.cc)
//   acceleration structures  when the command is executed (core/contents): how they were built
//
// Of accesses, only those count that each invocation makes. Nothing is reported of a descriptor that may be another
// when the command is executed (update after bind), of elements of arrays, which a shader may index as it likes (but
// for a constant index that is too large), and of accesses behind a branch. Whether a mismatch matters there is known
// only while the shader runs. A command that certainly draws nothing accesses nothing; otherwise all stages of a
// pipeline count as running, but for fragment shaders while rasterization is discarded. Acceleration structures are
// looked at for direct dispatches and traces alone.
//
// The same pipeline with the same sets is only compared with what was checked last.

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "core/descriptors/bound_shaders.h"
#include "core/draw/action_rules.h"
#include "core/formats/format_features.h"
#include "core/recording/recording_scope.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/families/shared_rules.h"
#include "vk/vuid.h"

namespace assay::core {

// The rules that each action command has under its own name.
inline constexpr std::string_view kDescriptorRules[] = {
    // What must be bound and set.
    "None-08600",
    "None-08601",
    "maintenance4-08602",
    "None-08114",
    "None-08115",
    "None-08117",
    "None-10068",
    // Input attachments.
    "OpTypeImage-07468",
    "None-07469",
    "None-07748",
    "pDepthInputAttachmentIndex-09595",
    "pDepthInputAttachmentIndex-09596",
    "InputAttachmentIndex-09597",
    // Attachments that are accessed as other images, too.
    "None-06537",
    "None-06539",
    "None-09000",
    "None-09001",
    "None-09002",
    // Images.
    "viewType-07752",
    "format-07753",
    "SampledType-04470",
    "SampledType-04471",
    "sparseImageInt64Atomics-04474",
    "None-02691",
    "OpTypeImage-07028",
    "OpTypeImage-07027",
    "OpImageWrite-08795",
    "OpImageWrite-08796",
    "None-06479",
    "OpImageWeightedSampleQCOM-06971",
    "OpImageWeightedSampleQCOM-06972",
    "OpImageBoxFilterQCOM-06973",
    "OpImageBlockMatchSSDQCOM-06974",
    "OpImageBlockMatchSADQCOM-06975",
    "OpImageBlockMatchWindow-09215",
    "OpImageBlockMatchWindow-09216",
    "None-06550",
    "ConstOffset-06551",
    // Images and buffers.
    "commandBuffer-02707",
    "commandBuffer-02712",
    "commandBuffer-02713",
    // Texel buffers.
    "SampledType-04472",
    "SampledType-04473",
    "sparseImageInt64Atomics-04475",
    "None-07888",
    "OpTypeImage-07030",
    "OpTypeImage-07029",
    "OpImageWrite-04469",
    // Samplers with images.
    "magFilter-04553",
    "magFilter-09598",
    "mipmapMode-04770",
    "mipmapMode-09599",
    "unnormalizedCoordinates-09635",
    "None-08609",
    "None-08610",
    "None-08611",
    "None-02692",
    "None-02693",
    "filterCubic-02694",
    "filterCubicMinmax-02695",
    "cubicRangeClamp-09212",
    "reductionMode-09213",
    "selectableCubicWeights-09214",
    "flags-02696",
    "OpImageWeightedSampleQCOM-06977",
    "OpImageWeightedSampleQCOM-06978",
};
using DescriptorRule = vk::SharedRule<kDescriptorRules>;
using DescriptorRuleIds = vk::SharedRuleIds<kDescriptorRules>;

// Without the rules about push constants, if the command pushes them itself.
DescriptorRuleIds FindDescriptorRuleIds(std::string_view command, bool pushes_constants);
template <ActionCommand C>
const DescriptorRuleIds& DescriptorRuleIdsOf(bool pushes_constants) {
  static const DescriptorRuleIds ids = FindDescriptorRuleIds(C::kName, false);
  if constexpr (GeneratedCommands<C>) {
    static const DescriptorRuleIds pushing_ids = FindDescriptorRuleIds(C::kName, true);
    if (pushes_constants) return pushing_ids;
  }
  return ids;
}

// The ids of all commands for these, for //tools/coverage.
std::vector<vk::VuidIndex> DescriptorIds();

struct DescriptorAccess;

// What a device can do.
struct DescriptorFacts {
  explicit DescriptorFacts(const dispatch::Device& of);

  const dispatch::Device& device;
  // Which atomics may access sparse images, and whether images may have other samples than their attachments.
  const bool has_sparse_int64_atomics;
  const bool has_sparse_float_atomics;
  const bool renders_to_single_sampled;
  // VkPhysicalDeviceProtectedMemoryProperties::protectedNoFault.
  const bool protected_no_fault;
  const bool maintenance4;
  const bool filters_cubic;
  const bool cubic_range_clamp;
  const bool selectable_cubic_weights;
  const FormatFeatures features;
};

// Each returns whether it found nothing.
bool CheckImage(const DescriptorFacts& facts, const DescriptorAccess& access, const state::ImageView& view);
// `view`: null where it is not known.
bool CheckInputAttachment(const DescriptorAccess& access, const state::ImageView* view);
// Notes accesses to the depth/stencil attachment, for CheckAttachmentWrites of later draws.
bool CheckFeedbackLoop(const DescriptorAccess& access, const state::ImageView& view, RecordingScope& scope);
bool CheckAttachmentWrites(const DescriptorRuleIds& ids, const BoundShaders& shaders, const RecordingScope& scope,
                           messages::Report& report);
bool CheckTexelBuffer(const DescriptorFacts& facts, const DescriptorAccess& access, const state::BufferView& view);
// `uses` are bits of SamplerUse. The access is that to the image.
bool CheckSampler(const DescriptorFacts& facts, const DescriptorAccess& access, const state::ImageView& view,
                  const state::Sampler& sampler, uint8_t uses);
// `has_other_sets_alone`: other sets are bound than for a command that was right, with the same shaders and layouts.
// Then all that may be wrong is that they were not written.
bool CheckNeeds(const DescriptorFacts& facts, const DescriptorRuleIds& ids, const BoundShaders& shaders,
                const RecordingScope& scope, bool has_other_sets_alone, messages::Report& report);

// The validator.
class BoundDescriptorRules {
 public:
  explicit BoundDescriptorRules(const dispatch::Device& device);

  template <ActionCommand C>
  void PreCallValidate(const C& call, dispatch::Slot& slot, messages::Report& report) const {
    const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
    RecordingScope* const scope = ScopeOf(buffer);
    const std::optional<ActionForm> form = FormOf(call);
    if (scope == nullptr || !form) return;
    const UsedDescriptors used = UsedAt(form->point, *buffer, *scope);
    if (scope->checked_descriptors[form->point] == used || RunsNothing(call)) return;
    const bool is_right =
        Check(DescriptorRuleIdsOf<C>(form->pushes_constants), form->point, *buffer, *scope, used, report);
    if (is_right && !form->pushes_constants) scope->checked_descriptors[form->point] = used;
  }
  // Notes what was pushed.
  void PostCallRecord(const vk::CmdPushConstants& call, dispatch::Slot& slot) const;
  void PostCallRecord(const vk::CmdPushConstants2& call, dispatch::Slot& slot) const;
  template <ActionCommand C>
    requires(!GeneratedCommands<C> && FormOf<C>().point != DrawRecording::kGraphics)
  void PostCallRecord(const C& call, dispatch::Slot& slot) const {
    if constexpr (requires { call.groupCountX; } || requires { call.width; }) {
      constexpr DrawRecording::BindPoint kPoint = FormOf<C>().point;
      const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
      RecordingScope* const scope = ScopeOf(buffer);
      if (scope == nullptr) return;
      const UsedDescriptors used = UsedAt(kPoint, *buffer, *scope);
      UsedDescriptors& noted = scope->noted_descriptors[kPoint];
      if (noted == used || RunsNothing(call)) return;
      noted = used;
      AddNeeds(C::kId, kPoint, *buffer, *scope);
    }
  }

 private:
  RecordingScope* ScopeOf(const state::CommandBuffer* buffer) const {
    RecordingScope* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
    const bool is_known = scope != nullptr && !inherits_ && !scope->draw.has_executed() &&
                          buffer->recording_state == state::RecordingState::kRecording;
    return is_known ? scope : nullptr;
  }

  // Returns whether all is right, so that it need not be checked again.
  bool Check(const DescriptorRuleIds& ids, DrawRecording::BindPoint point, const state::CommandBuffer& buffer,
             RecordingScope& scope, const UsedDescriptors& used, messages::Report& report) const;
  void AddNeeds(vk::CommandId command, DrawRecording::BindPoint point, const state::CommandBuffer& buffer,
                RecordingScope& scope) const;

  const bool inherits_;
  const DescriptorFacts facts_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DESCRIPTORS_BOUND_DESCRIPTOR_RULES_H_
