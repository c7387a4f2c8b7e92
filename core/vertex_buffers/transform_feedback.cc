// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Where transform feedback begins and ends.

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/recording/recording_scope.h"
#include "core/vertex_buffers/vertex_buffer_rules.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Object;
using messages::Report;
using vk::Vuid;

// The rules of both commands.
struct CounterIds {
  vk::VuidIndex size;
  vk::VuidIndex offsets;
};
constexpr CounterIds kBeginIds = {Vuid("VUID-vkCmdBeginTransformFeedbackEXT-pCounterBufferOffsets-02370"),
                                  Vuid("VUID-vkCmdBeginTransformFeedbackEXT-pCounterBuffer-02371")};
constexpr CounterIds kEndIds = {Vuid("VUID-vkCmdEndTransformFeedbackEXT-pCounterBufferOffsets-02378"),
                                Vuid("VUID-vkCmdEndTransformFeedbackEXT-pCounterBuffer-02379")};

template <class C>
void CheckCounters(const C& call, const CounterIds& ids, Report& report) {
  constexpr VkDeviceSize kCounterSize = 4;
  if (call.pCounterBufferOffsets == nullptr) return;
  const messages::Location command = report.location();
  if (call.pCounterBuffers == nullptr) {
    return report.Error(ids.offsets, {Object(call.commandBuffer)}, command.Dot("pCounterBufferOffsets"),
                        "is not NULL, but pCounterBuffers is.");
  }
  for (uint32_t i = 0; i < call.counterBufferCount; ++i) {
    const auto* const buffer = state::DeviceState::Get<state::Buffer>(call.pCounterBuffers[i]);
    const VkDeviceSize offset = call.pCounterBufferOffsets[i];
    if (buffer == nullptr || buffer->Clamp(offset, kCounterSize) == kCounterSize) continue;
    const messages::ObjectRef object = Object(call.pCounterBuffers[i]);
    report.Error(ids.size, {Object(call.commandBuffer), object}, command.Dot("pCounterBufferOffsets", i),
                 absl::StrCat("(", offset, ") leaves fewer than the 4 bytes of a counter in ",
                              report.reporter().Describe(object), " (", buffer->size, " bytes)."));
  }
}

}  // namespace

void VertexBufferRules::PreCallValidate(const vk::CmdBeginTransformFeedbackEXT& call, dispatch::Slot& slot,
                                        Report& report) const {
  CheckCounters(call, kBeginIds, report);
  const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
  const RecordingScope* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope == nullptr) return;
  const auto require = [&](bool holds, vk::VuidIndex id, std::string text) {
    if (!holds) report.Error(id, {Object(call.commandBuffer)}, report.location(), std::move(text));
  };
  require(!buffer->draw.transform_feedback_is_active(), Vuid("VUID-vkCmdBeginTransformFeedbackEXT-None-02367"),
          "Transform feedback is active already.");
  require(!needs_pipeline_ || scope->draw.HasPipeline(DrawRecording::kGraphics),
          Vuid("VUID-vkCmdBeginTransformFeedbackEXT-None-06233"), "No graphics pipeline is bound.");
  require(!buffer->rendering.is_active() || buffer->rendering.view_mask() == 0,
          Vuid("VUID-vkCmdBeginTransformFeedbackEXT-None-02373"), "The render pass instance has multiview.");
  uint64_t bound = 0;
  for (uint32_t i = 0; i < state::kMaxTransformFeedbackBuffers; ++i)
    bound += buffer->draw.transform_feedback_buffer(i).key != 0 ? 1 : 0;
  const uint64_t needed = uint64_t{call.firstCounterBuffer} + call.counterBufferCount;
  // More than that breaks the limit, too.
  require(call.counterBufferCount == 0 || needed <= bound || needed > state::kMaxTransformFeedbackBuffers,
          Vuid("VUID-vkCmdBeginTransformFeedbackEXT-firstCounterBuffer-09630"),
          absl::StrCat("firstCounterBuffer (", call.firstCounterBuffer, ") and counterBufferCount (",
                       call.counterBufferCount, ") are together more than the ", bound,
                       " buffers that vkCmdBindTransformFeedbackBuffersEXT has bound."));
}

void VertexBufferRules::PreCallValidate(const vk::CmdEndTransformFeedbackEXT& call, dispatch::Slot& slot,
                                        Report& report) const {
  CheckCounters(call, kEndIds, report);
  const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || buffer->draw.transform_feedback_is_active()) return;
  report.Error(Vuid("VUID-vkCmdEndTransformFeedbackEXT-None-02375"), {Object(call.commandBuffer)}, report.location(),
               "Transform feedback is not active.");
}

}  // namespace assay::core
