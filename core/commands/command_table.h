// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COMMANDS_COMMAND_TABLE_H_
#define ASSAY_CORE_COMMANDS_COMMAND_TABLE_H_

#include <array>
#include <cstdint>
#include <functional>

#include "vk/command_info.h"
#include "vk/vuid.h"

namespace assay::core {

// The rules of one recorded command; vk::kNoVuid where the registry does not have an id.
struct CommandRow {
  vk::VuidIndex recording = vk::kNoVuid;
  vk::VuidIndex command_pool = vk::kNoVuid;
  vk::VuidIndex buffer_level = vk::kNoVuid;
  vk::VuidIndex render_pass = vk::kNoVuid;
  vk::VuidIndex video_coding = vk::kNoVuid;
  // Of the queue, for commands of queues.
  vk::VuidIndex queue_type = vk::kNoVuid;
  // The queue family must support one of them; ~0 if any family will do.
  VkQueueFlags queues = ~VkQueueFlags{0};
  // Bits of RecordingScopeBit in which the command must not be recorded.
  uint8_t wrong_scopes = 0;
  bool primary_only = false;
  bool empty = true;
};

class CommandTable {
 public:
  // leave_out is for tests: rules for which it is true are not checked.
  explicit CommandTable(const std::function<bool(vk::VuidIndex)>& leave_out = {});
  // With every rule; made at the first call.
  static const CommandTable& All();

  const CommandRow& operator[](vk::CommandId id) const { return rows_[static_cast<size_t>(id)]; }

 private:
  std::array<CommandRow, vk::kCommandCount> rows_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COMMANDS_COMMAND_TABLE_H_
