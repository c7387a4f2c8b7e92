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

inline constexpr vk::VuidIndex kNoRule{0xffffffff};

// What one recorded command asks of its command buffer; kNoRule where the registry has no id for it.
struct CommandRow {
  vk::VuidIndex recording = kNoRule;
  vk::VuidIndex command_pool = kNoRule;
  vk::VuidIndex buffer_level = kNoRule;
  vk::VuidIndex render_pass = kNoRule;
  vk::VuidIndex video_coding = kNoRule;
  // Of the queue, for commands of queues.
  vk::VuidIndex queue_type = kNoRule;
  // One of them has to be supported; ~0 when it does not matter.
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
  // With every rule; made when first asked for.
  static const CommandTable& All();

  const CommandRow& operator[](vk::CommandId id) const { return rows_[static_cast<size_t>(id)]; }

 private:
  std::array<CommandRow, vk::kCommandCount> rows_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COMMANDS_COMMAND_TABLE_H_
