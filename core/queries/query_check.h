// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUERIES_QUERY_CHECK_H_
#define ASSAY_CORE_QUERIES_QUERY_CHECK_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/recording/recording_scope.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: what the checks of one command on queries have in common.
namespace assay::core {

// Queries [first, first + count) of a pool, as parameters of a command.
struct QueryOperand {
  QueryOperand(VkQueryPool handle, uint32_t first_query, uint32_t query_count)
      : pool(state::DeviceState::Get<state::QueryPool>(handle)),
        object(messages::Object(handle)),
        first(first_query),
        count(query_count) {}

  // Null for a pool that is not known.
  const state::QueryPool* pool;
  messages::ObjectRef object;
  uint32_t first;
  uint32_t count;

  bool is_in_pool() const { return pool != nullptr && uint64_t{first} + count <= pool->query_count; }
};

// A command that is checked. On the stack for the duration of the checks.
class QueryCheck {
 public:
  // The slot of the command buffer; null for the host.
  QueryCheck(const dispatch::Device& device, const dispatch::Slot* slot, messages::Report& report)
      : device_(device),
        buffer_(slot != nullptr ? state::DeviceState::CommandBufferIn(*slot) : nullptr),
        report_(report) {}

  // Reports that a rule does not hold, if the command has the rule. `text` makes the message.
  template <class Text>
  void Require(bool holds, vk::VuidIndex rule, messages::ObjectRef object, std::string_view member, Text&& text) const {
    if (holds || rule == vk::kNoVuid) [[likely]]
      return;
    const messages::Location command = report_.location();
    std::string words(text());
    if (buffer_ == nullptr) return report_.Error(rule, {object}, command.Dot(member), std::move(words));
    report_.Error(rule, {messages::ObjectRef{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer_->handle()}, object},
                  command.Dot(member), std::move(words));
  }

  // Whether the pool has the query or queries: `first_rule` is that of the first one, `sum_rule` that of the last.
  bool CheckRange(const QueryOperand& queries, vk::VuidIndex first_rule, vk::VuidIndex sum_rule,
                  std::string_view member) const;
  // Of a command that writes one query for each view of the subpass. The pool has the query.
  void CheckViews(const QueryOperand& query, vk::VuidIndex rule) const;
  // Of a command buffer that must not be protected.
  void CheckProtected(const QueryOperand& queries, vk::VuidIndex rule) const;
  // None of the queries is active in the recording.
  void CheckInactive(const QueryOperand& queries, vk::VuidIndex rule) const;

  // "(VkQueryPool 0x…) was created with VK_QUERY_TYPE_TIMESTAMP", for texts about the pool.
  std::string PoolText(const QueryOperand& queries) const;

  const dispatch::Device& device() const { return device_; }
  const messages::Reporter& reporter() const { return report_.reporter(); }
  // Of recorded commands.
  const state::CommandBuffer& buffer() const { return *buffer_; }
  bool has_buffer() const { return buffer_ != nullptr; }
  // Null for the host.
  const RecordingScope* scope() const { return buffer_ != nullptr ? buffer_->Sub<RecordingScope>() : nullptr; }

 private:
  const dispatch::Device& device_;
  const state::CommandBuffer* buffer_;
  messages::Report& report_;
};

std::string TypeText(VkQueryType type);

// The place of an active query in the recording; null if the query is not active.
const ActiveQuery* FindActive(const RecordingScope& scope, VkQueryPool pool, uint32_t first, uint32_t count);

}  // namespace assay::core

#endif  // ASSAY_CORE_QUERIES_QUERY_CHECK_H_
