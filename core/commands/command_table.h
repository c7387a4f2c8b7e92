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

// What one recorded command asks of its command buffer; vk::kNoVuid where the registry has no id for it.
struct CommandRow {
  vk::VuidIndex recording = vk::kNoVuid;
  vk::VuidIndex command_pool = vk::kNoVuid;
  vk::VuidIndex buffer_level = vk::kNoVuid;
  vk::VuidIndex render_pass = vk::kNoVuid;
  vk::VuidIndex video_coding = vk::kNoVuid;
  // Of the queue, for commands of queues.
  vk::VuidIndex queue_type = vk::kNoVuid;
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
