// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_COPY_CHECK_H_
#define ASSAY_CORE_COPIES_COPY_CHECK_H_

#include <string>
#include <string_view>
#include <utility>

#include "core/copies/copy_facts.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: what the checks of one recorded copy have in common.
namespace assay::core {

// A command that is checked: recorded, or one that the host executes at once. On the stack for the duration of the
// checks.
class CopyCheck {
 public:
  CopyCheck(const state::CommandBuffer& buffer, const CopyFacts& facts, messages::Report& report)
      : buffer_(&buffer), facts_(facts), report_(report) {}
  CopyCheck(const CopyFacts& facts, messages::Report& report) : buffer_(nullptr), facts_(facts), report_(report) {}

  // Reports that a rule does not hold, if the command has the rule. `text` makes the message and, of a pair, the fix.
  template <class Text>
  void Require(bool holds, vk::VuidIndex rule, messages::ObjectRef object, const messages::Location& where,
               Text&& text) const {
    if (holds || rule == vk::kNoVuid) [[likely]]
      return;
    std::pair<std::string, std::string> words(text());
    if (buffer_ == nullptr)
      return report_.Error(rule, {object}, where, std::move(words.first), std::move(words.second));
    report_.Error(rule, {messages::ObjectRef{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer_->handle()}, object}, where,
                  std::move(words.first), std::move(words.second));
  }

  messages::Report& report() const { return report_; }
  // Of the command pool's queue family. The host does what any queue does.
  VkQueueFlags queue_flags() const { return buffer_ != nullptr ? buffer_->pool.queue_flags : ~VkQueueFlags{0}; }
  bool is_protected() const {
    return buffer_ != nullptr && (buffer_->pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0;
  }
  const CopyFacts& facts() const { return facts_; }
  // Of recorded commands.
  const state::RenderPassInstance& rendering() const { return buffer_->rendering; }
  messages::ObjectRef command_buffer() const { return {VK_OBJECT_TYPE_COMMAND_BUFFER, buffer_->handle()}; }
  // Of the queue family. Nothing restricts the host, nor transfers where the driver does not know the family.
  VkExtent3D granularity() const {
    if (buffer_ == nullptr) return {1, 1, 1};
    const auto& families = facts_.device.physical_device->queue_families;
    const uint32_t family = buffer_->pool.queue_family;
    return family < families.size() ? families[family].minImageTransferGranularity : VkExtent3D{1, 1, 1};
  }

 private:
  // Null for the host.
  const state::CommandBuffer* buffer_;
  const CopyFacts& facts_;
  messages::Report& report_;
};

// The rules of a resource that a command reads or writes.
struct ResourceIds {
  // It was created with the usage that the command needs.
  vk::VuidIndex usage = vk::kNoVuid;
  // It is bound to memory.
  vk::VuidIndex bound = vk::kNoVuid;
  // It is not protected, in an unprotected command buffer.
  vk::VuidIndex is_protected = vk::kNoVuid;
  // It is protected, in a protected command buffer.
  vk::VuidIndex is_unprotected = vk::kNoVuid;
};

// A resource as a parameter of a command.
struct ResourceOperand {
  messages::ObjectRef object;
  // "srcBuffer".
  std::string_view name;
  bool has_usage;
  // "VK_BUFFER_USAGE_TRANSFER_SRC_BIT".
  std::string_view usage;
  bool is_bound;
  bool is_protected;
};
void CheckResource(const CopyCheck& check, const ResourceIds& ids, const ResourceOperand& resource,
                   const messages::Location& command);

// Depth that an image or an attachment is cleared to.
void CheckClearedDepth(const CopyCheck& check, messages::ObjectRef object, const VkClearDepthStencilValue& value,
                       const messages::Location& where);

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_COPY_CHECK_H_
