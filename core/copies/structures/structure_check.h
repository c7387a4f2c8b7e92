// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_CHECK_H_
#define ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_CHECK_H_

#include <cstdint>
#include <string>
#include <utility>

#include "core/recording/recording_scope.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: what the commands on acceleration structures and micromaps have in common. Both are called
// structures here, since they have the same rules.
namespace assay::core {

// A structure as a parameter of a command.
struct StructureOperand {
  explicit StructureOperand(VkAccelerationStructureKHR handle);
  explicit StructureOperand(VkAccelerationStructureNV handle);
  explicit StructureOperand(VkMicromapEXT handle);

  messages::ObjectRef object;
  // Of an unknown structure, the other members say nothing.
  bool is_known = false;
  bool is_bound = false;
  bool is_host_visible = false;
  // In the address space of state; 0 if it is not bound.
  uint64_t begin = 0;
  // Bytes; 0 if it is not known.
  VkDeviceSize size = 0;

 private:
  void Take(const state::BufferRange* range);
};

// Where the structure must be bound to. A rule that the command does not have is kNoVuid.
struct StructureMemoryIds {
  vk::VuidIndex bound = vk::kNoVuid;
  vk::VuidIndex host_visible = vk::kNoVuid;
};

// What the structure must have been constructed by.
struct StructureContentIds {
  vk::VuidIndex constructed = vk::kNoVuid;
  vk::VuidIndex compactable = vk::kNoVuid;
};

// A command that is checked: recorded, or one that the host executes at once. On the stack for the duration of the
// checks.
class StructureCheck {
 public:
  // The command buffer is null for the host.
  StructureCheck(const state::DeviceState& state, const state::CommandBuffer* buffer, messages::Report& report)
      : state_(state), buffer_(buffer), report_(report) {}

  // Reports that a rule does not hold, if the command has the rule. `text` makes the message.
  template <class Text>
  void Require(bool holds, vk::VuidIndex rule, messages::ObjectRef object, const messages::Location& where,
               Text&& text) const {
    if (holds || rule == vk::kNoVuid) [[likely]]
      return;
    std::string words(text());
    if (buffer_ == nullptr) return report_.Error(rule, {object}, where, std::move(words));
    report_.Error(rule, {messages::ObjectRef{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer_->handle()}, object}, where,
                  std::move(words));
  }

  void CheckMemory(const StructureOperand& structure, const StructureMemoryIds& ids,
                   const messages::Location& where) const;
  // Of a command of the host. Recorded commands have needs (AddContentNeeds).
  void CheckContents(const StructureOperand& structure, const StructureContentIds& ids,
                     const messages::Location& where) const;

  const state::DeviceState& state() const { return state_; }
  const messages::Reporter& reporter() const { return report_.reporter(); }

 private:
  const state::DeviceState& state_;
  const state::CommandBuffer* buffer_;
  messages::Report& report_;
};

// Of a recorded command.
void AddContentNeeds(messages::ObjectRef structure, const StructureContentIds& ids, vk::CommandId command,
                     const dispatch::Slot& slot);

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_STRUCTURES_STRUCTURE_CHECK_H_
