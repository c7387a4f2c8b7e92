// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BINDING_BIND_CHECK_H_
#define ASSAY_CORE_BINDING_BIND_CHECK_H_

#include <string>
#include <string_view>

#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: what the checks of one command have in common.
namespace assay::core {

// A command that is being recorded. On the stack for the duration of the checks.
class BindCheck {
 public:
  BindCheck(const state::CommandBuffer& buffer, messages::Report& report) : buffer_(buffer), report_(report) {}

  // Reports that a rule does not hold, if the command has the rule. `text` makes the message. Returns `holds`.
  template <class Text>
  bool Require(bool holds, vk::VuidIndex rule, messages::ObjectRef object, const messages::Location& where,
               Text&& text) const {
    if (holds || rule == vk::kNoVuid) [[likely]]
      return holds;
    report_.Error(rule, {command_buffer(), object}, where, std::string(text()));
    return false;
  }
  // The same of no other object.
  template <class Text>
  bool Require(bool holds, vk::VuidIndex rule, const messages::Location& where, Text&& text) const {
    if (holds || rule == vk::kNoVuid) [[likely]]
      return holds;
    report_.Error(rule, {command_buffer()}, where, std::string(text()));
    return false;
  }

  // The queue family supports the bind point or the stages: graphics, or compute for those of dispatches and traces.
  void RequirePoint(VkPipelineBindPoint point, vk::VuidIndex rule, const messages::Location& where) const;
  void RequireStages(VkShaderStageFlags stages, vk::VuidIndex rule, const messages::Location& where) const;

  bool is_protected() const { return (buffer_.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0; }
  const state::CommandBuffer& buffer() const { return buffer_; }
  messages::ObjectRef command_buffer() const { return {VK_OBJECT_TYPE_COMMAND_BUFFER, buffer_.handle()}; }
  messages::ObjectRef pool() const { return {VK_OBJECT_TYPE_COMMAND_POOL, buffer_.pool.handle()}; }
  messages::Location command() const { return report_.location(); }

 private:
  // The queue family has none of the flags, which `what` needs.
  void ReportQueue(VkQueueFlags flags, vk::VuidIndex rule, const messages::Location& where,
                   std::string_view what) const;

  const state::CommandBuffer& buffer_;
  messages::Report& report_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_BINDING_BIND_CHECK_H_
