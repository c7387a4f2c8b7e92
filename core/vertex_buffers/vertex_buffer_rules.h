// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VERTEX_BUFFERS_VERTEX_BUFFER_RULES_H_
#define ASSAY_CORE_VERTEX_BUFFERS_VERTEX_BUFFER_RULES_H_

// The buffers that commands bind for draws, besides descriptors: which range of a vertex, index or transform feedback
// buffer, from where, and whether it may be VK_NULL_HANDLE. Also where transform feedback begins and ends.
//
// What shaders then read is in core/draw.

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class VertexBufferRules {
 public:
  explicit VertexBufferRules(const dispatch::Device& device);

  void PreCallValidate(const vk::CmdBindVertexBuffers& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindVertexBuffers2& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindIndexBuffer& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindIndexBuffer2& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBindTransformFeedbackBuffersEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginTransformFeedbackEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndTransformFeedbackEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;

 private:
  // Whether vertex buffers may be VK_NULL_HANDLE.
  const bool may_be_null_;
  const uint32_t max_stride_;
  // Bytes of a transform feedback buffer.
  VkDeviceSize max_feedback_size_ = VK_WHOLE_SIZE;
  // Whether a graphics pipeline certainly must be bound when transform feedback begins.
  const bool needs_pipeline_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_VERTEX_BUFFERS_VERTEX_BUFFER_RULES_H_
