// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of draws: to descriptors, attachments, vertex, index and argument buffers, and transform feedback buffers.

#include <bit>
#include <concepts>

#include "syncval/accesses/attachments.h"
#include "syncval/accesses/copy_footprint.h"
#include "syncval/accesses/draw_arguments.h"
#include "syncval/accesses/draw_coverage.h"
#include "syncval/commands/check.h"
#include "syncval/commands/draw_calls.h"
#include "syncval/commands/shader_accesses.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using state::BoundBuffer;
using state::DeviceState;

template <class C>
constexpr VkDeviceSize kArgumentSize =
    OneOf<C, vk::CmdDrawIndexedIndirect, vk::CmdDrawIndexedIndirectCount> ? sizeof(VkDrawIndexedIndirectCommand)
    : OneOf<C, vk::CmdDrawMeshTasksIndirectEXT, vk::CmdDrawMeshTasksIndirectCountEXT>
        ? sizeof(VkDrawMeshTasksIndirectCommandEXT)
    : OneOf<C, vk::CmdDrawMeshTasksIndirectNV, vk::CmdDrawMeshTasksIndirectCountNV>
        ? sizeof(VkDrawMeshTasksIndirectCommandNV)
    // Three words, like a dispatch.
    : OneOf<C, vk::CmdDrawClusterIndirectHUAWEI> ? sizeof(VkDispatchIndirectCommand)
                                                 : sizeof(VkDrawIndirectCommand);

// With more draws than this whose arguments have gaps between them, only the first draw's arguments are certainly read.
constexpr uint32_t kMaxSeparateRanges = 16;

// The arguments in a buffer.
template <class C>
void CollectArgumentBuffers(AccessCollector& collector, const C& call) {
  constexpr vk::SyncAccessIndex kRead = vk::kSyncDrawIndirectIndirectCommandRead;
  constexpr VkDeviceSize kSize = kArgumentSize<C>;
  if constexpr (requires { call.counterBuffer; }) {
    collector.AddBuffer(DeviceState::Get<state::Buffer>(call.counterBuffer), call.counterBufferOffset, 4,
                        vk::kSyncDrawIndirectTransformFeedbackCounterRead, {"counterBuffer", kNoIndex});
  } else if constexpr (DrawsCount<C>) {
    collector.AddBuffer(DeviceState::Get<state::Buffer>(call.countBuffer), call.countBufferOffset, 4, kRead,
                        {"countBuffer", kNoIndex});
    collector.AddPossibleRead(DeviceState::Get<state::Buffer>(call.buffer), call.offset,
                              VkDeviceSize{call.maxDrawCount - 1} * call.stride + kSize, kRead, {"buffer", kNoIndex});
  } else if constexpr (requires { call.buffer; }) {
    const auto* buffer = DeviceState::Get<state::Buffer>(call.buffer);
    uint64_t count = 1;
    VkDeviceSize stride = kSize;
    if constexpr (requires { call.drawCount; }) {
      stride = call.stride;
      count = call.drawCount <= kMaxSeparateRanges || stride == kSize ? call.drawCount : 1;
      if (count != call.drawCount) {
        collector.AddPossibleRead(DeviceState::Get<state::Buffer>(call.buffer), call.offset,
                                  VkDeviceSize{call.drawCount - 1} * stride + kSize, kRead, {"buffer", kNoIndex});
      }
    }
    const Footprint footprint = {.offset = call.offset, .length = kSize, .count = count, .stride = stride};
    if (buffer == nullptr) return;
    footprint.ForEach(buffer->size, [&](VkDeviceSize offset, VkDeviceSize length) {
      collector.AddBuffer(buffer, offset, length, kRead, {"buffer", kNoIndex});
    });
  }
}

class DrawCollector {
 public:
  DrawCollector(AccessCollector& collector, SyncRecording& recording)
      : collector_(collector),
        recording_(recording),
        buffer_(recording.buffer()),
        stages_(buffer_),
        resolved_(stages_.graphics, buffer_.draw) {
    if (!stages_.is_known) collector_.AddUnknown();
  }

  bool is_known() const { return stages_.is_known; }
  AttachmentAccesses attachment_accesses() const { return attachment_accesses_; }

  // Whether a vkCmdDraw with these arguments covers the render area.
  bool Covers(const DrawArguments& arguments) const {
    return CoversRenderArea(stages_, resolved_, arguments, buffer_.rendering, recording_.takes_uncertain_accesses());
  }

  // The accesses that do not depend on the command's parameters, but for whether it covers the render area.
  void CollectState(bool covers) {
    CollectAttachments();
    CollectTransformFeedback();
    const state::BindPointState& bindings = buffer_.At(VK_PIPELINE_BIND_POINT_GRAPHICS);
    const InputAttachments inputs{buffer_.rendering, recording_.attachments, AreInRasterizationOrder(), covers,
                                  recording_.context.version()};
    for (size_t i = 0; i < stages_.count; ++i) CollectStage(collector_, bindings, *stages_.stages[i], &inputs);
  }

  // Whether the application allows what is a feedback loop.
  bool allows_feedback_loops() const { return resolved_.functions.feedback_loop_aspects != 0; }

  void CollectBuffers(const DrawArguments& arguments) {
    if (!arguments.has_vertices) return;
    if (arguments.is_indexed) CollectIndices(arguments);
    const state::PipelineStage* vertex = stages_.Find(VK_SHADER_STAGE_VERTEX_BIT);
    if (vertex == nullptr || vertex->interface->input_locations == 0) return;
    ForEachVertexRange(resolved_, vertex->interface->input_locations, arguments,
                       [&](const VertexRange& range) { AddVertices(range); });
  }

 private:
  bool AreInRasterizationOrder() const {
    const state::PipelineStage* fragment = stages_.Find(VK_SHADER_STAGE_FRAGMENT_BIT);
    if (fragment != nullptr && fragment->interface->has_fragment_interlock) return true;
    if (stages_.graphics != nullptr && stages_.graphics->has_rasterization_order_access) return true;
    constexpr VkSubpassDescriptionFlags kOrdered =
        VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_COLOR_ACCESS_BIT_EXT |
        VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT |
        VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT;
    const state::Subpass* subpass = buffer_.rendering.subpass();
    return subpass != nullptr && (subpass->flags & kOrdered) != 0;
  }

  void CollectAttachments() {
    const Attachments& attachments = recording_.attachments;
    attachment_accesses_ =
        AttachmentAccessesOfDraw(stages_, resolved_.functions, buffer_.rendering, attachments.slots());
    // Only the primary knows their ranges.
    if (buffer_.rendering.is_inherited()) return collector_.AddInherited(attachment_accesses_);
    collector_.AddAttachmentAccesses(attachments, attachments.New(attachment_accesses_, recording_.context.version()));
  }

  void CollectTransformFeedback() {
    if (!buffer_.draw.transform_feedback_is_active()) return;
    for (size_t i = 0; i < stages_.count; ++i) {
      for (uint32_t rest = stages_.stages[i]->interface->transform_feedback_buffers; rest != 0; rest &= rest - 1) {
        const auto number = static_cast<uint32_t>(std::countr_zero(rest));
        if (number >= state::kMaxTransformFeedbackBuffers) return;
        const BoundBuffer& bound = buffer_.draw.transform_feedback_buffer(number);
        collector_.AddBuffer(DeviceState::Get<state::Buffer>(bound.buffer), bound.offset, bound.size,
                             vk::kSyncTransformFeedbackTransformFeedbackWrite,
                             {nullptr, number, Role::kTransformFeedbackBuffer});
      }
    }
  }

  void CollectIndices(const DrawArguments& arguments) {
    constexpr vk::SyncAccessIndex kRead = vk::kSyncIndexInputIndexRead;
    const BoundBuffer& bound = buffer_.draw.index_buffer();
    const auto* buffer = DeviceState::Get<state::Buffer>(bound.buffer);
    const Origin origin{nullptr, kNoIndex, Role::kIndexBuffer};
    if (!arguments.is_known) return collector_.AddPossibleRead(buffer, bound.offset, bound.size, kRead, origin);
    const VkDeviceSize index = IndexSize(buffer_.draw.index_type());
    const VertexRange range = RangeOf(arguments.elements, {0, index}, index, bound.size);
    collector_.AddBuffer(buffer, bound.offset + range.offset, range.size, kRead, origin);
  }

  void AddVertices(const VertexRange& range) {
    const BoundBuffer& bound = buffer_.draw.vertex_buffer(range.binding);
    const auto* buffer = DeviceState::Get<state::Buffer>(bound.buffer);
    const VkDeviceSize offset = bound.offset + range.offset;
    constexpr vk::SyncAccessIndex kRead = vk::kSyncVertexAttributeInputVertexAttributeRead;
    const Origin origin{nullptr, range.binding, Role::kVertexBuffer};
    if (range.is_exact) {
      collector_.AddBuffer(buffer, offset, range.size, kRead, origin);
    } else {
      collector_.AddPossibleRead(buffer, offset, range.size, kRead, origin);
    }
  }

  AccessCollector& collector_;
  SyncRecording& recording_;
  const state::CommandBuffer& buffer_;
  const DrawStages stages_;
  const state::ResolvedDrawState resolved_;
  AttachmentAccesses attachment_accesses_ = 0;
};

// An element of an array with a stride in bytes.
template <class T>
const T& ElementAt(const T* first, uint32_t i, uint32_t stride) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(first) + size_t{i} * stride);
}

template <class C>
void CollectDrawn(DrawCollector& draw, AccessCollector&, const C&, const DrawArguments& arguments) {
  draw.CollectBuffers(arguments);
}
template <class Get>
void CollectMultiDraw(DrawCollector& draw, uint32_t count, bool is_indexed, Get&& get) {
  for (uint32_t i = 0; i < std::min(count, kMaxSeparateRanges); ++i) {
    const DrawArguments arguments = get(i);
    if (!arguments.IsEmpty()) draw.CollectBuffers(arguments);
  }
  if (count > kMaxSeparateRanges) draw.CollectBuffers(DrawArguments::Unknown(is_indexed));
}
void CollectDrawn(DrawCollector& draw, AccessCollector&, const vk::CmdDrawMultiEXT& call, const DrawArguments& all) {
  if (call.pVertexInfo == nullptr) return;
  CollectMultiDraw(draw, call.drawCount, false, [&](uint32_t i) -> DrawArguments {
    const VkMultiDrawInfoEXT& info = ElementAt(call.pVertexInfo, i, call.stride);
    return {{info.firstVertex, info.vertexCount}, all.instances};
  });
}
void CollectDrawn(DrawCollector& draw, AccessCollector&, const vk::CmdDrawMultiIndexedEXT& call,
                  const DrawArguments& all) {
  if (call.pIndexInfo == nullptr) return;
  CollectMultiDraw(draw, call.drawCount, true, [&](uint32_t i) -> DrawArguments {
    const VkMultiDrawIndexedInfoEXT& info = ElementAt(call.pIndexInfo, i, call.stride);
    const int32_t offset = call.pVertexOffset != nullptr ? *call.pVertexOffset : info.vertexOffset;
    return {{info.firstIndex, info.indexCount}, all.instances, offset, true};
  });
}

}  // namespace

template <DrawCommand C>
void SyncValidator::PreCallValidate(const C& call, dispatch::Slot& slot, messages::Report& report) {
  const DrawArguments arguments = ArgumentsOf(call);
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || arguments.IsEmpty()) return;
  const DrawAccessKey key = recording->CurrentDrawKey();
  const DrawParameters parameters = ParametersOf(call);
  RecordedDraw& recorded_draw = recording->RecordedDrawFor(key);
  if (recorded_draw.key == key && recorded_draw.parameters == parameters) [[likely]]
    return;

  const Tag tag = recording->Begin(C::kId);
  AccessCollector collector(*recording);
  DrawCollector draw(collector, *recording);
  const DrawStateAccessKey state_key = recording->CurrentDrawStateKey();
  DrawStateAccessKey& recorded_state = recording->RecordedDrawStateOf(state_key.pipeline);
  const bool is_same_state = recorded_state == state_key;
  const bool covers = draw.Covers(std::same_as<C, vk::CmdDraw> ? arguments : DrawArguments::Unknown(false));
  if (!is_same_state) {
    if (draw.allows_feedback_loops()) recording->attachments.AllowFeedbackLoops();
    draw.CollectState(covers);
  }
  CollectDrawn(draw, collector, call, arguments);
  CollectArgumentBuffers(collector, call);
  const CheckResult result = CheckLast(*recording, tag, report);
  if (result == CheckResult::kSkipped) return;
  if (collector.has_unknown()) recording->NoteUnknownAccess(tag);
  if (collector.inherited() != 0) recording->NoteInheritedAccesses(collector.inherited());
  const uint64_t version = recording->context.version();
  recording->attachments.NoteDrawn(draw.attachment_accesses(), covers, key.version, version);
  if (result == CheckResult::kHazard) {
    recorded_draw = {};
    recorded_state = {};
    return;
  }
  if (!is_same_state && recording->trace() == nullptr)
    recording->attachments.NoteRecorded(draw.attachment_accesses(), key.version, version);
  recorded_draw = {key, parameters};
  recorded_draw.key.version = version;
  recorded_state = state_key;
  recorded_state.version = version;
}

template void SyncValidator::PreCallValidate(const vk::CmdDraw&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawIndexed&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawMultiEXT&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawMultiIndexedEXT&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawIndirect&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawIndexedIndirect&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawIndirectCount&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawIndexedIndirectCount&, dispatch::Slot&,
                                             messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawIndirectByteCountEXT&, dispatch::Slot&,
                                             messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawMeshTasksEXT&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawMeshTasksIndirectEXT&, dispatch::Slot&,
                                             messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawMeshTasksIndirectCountEXT&, dispatch::Slot&,
                                             messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawMeshTasksNV&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawMeshTasksIndirectNV&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawMeshTasksIndirectCountNV&, dispatch::Slot&,
                                             messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawClusterHUAWEI&, dispatch::Slot&, messages::Report&);
template void SyncValidator::PreCallValidate(const vk::CmdDrawClusterIndirectHUAWEI&, dispatch::Slot&,
                                             messages::Report&);

void SyncValidator::PreCallValidate(const vk::CmdBeginConditionalRenderingEXT& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pConditionalRenderingBegin == nullptr) return;
  const VkConditionalRenderingBeginInfoEXT& info = *call.pConditionalRenderingBegin;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddBuffer(DeviceState::Get<state::Buffer>(info.buffer), info.offset, 4,
                vk::kSyncConditionalRenderingConditionalRenderingRead, {"pConditionalRenderingBegin.buffer", kNoIndex});
  });
}

namespace {

template <class C>
void CheckCounters(const C& call, const dispatch::Slot& slot, vk::SyncAccessIndex access, messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    const auto counters = state::Items(call.pCounterBuffers, call.counterBufferCount);
    for (uint32_t i = 0; i < counters.size(); ++i) {
      const VkDeviceSize offset = call.pCounterBufferOffsets != nullptr ? call.pCounterBufferOffsets[i] : 0;
      c.AddBuffer(DeviceState::Get<state::Buffer>(counters[i]), offset, 4, access, {"pCounterBuffers", i});
    }
  });
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdBeginTransformFeedbackEXT& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCounters(call, slot, vk::kSyncTransformFeedbackTransformFeedbackCounterRead, report);
}
void SyncValidator::PreCallValidate(const vk::CmdEndTransformFeedbackEXT& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCounters(call, slot, vk::kSyncTransformFeedbackTransformFeedbackCounterWrite, report);
}

}  // namespace assay::syncval
