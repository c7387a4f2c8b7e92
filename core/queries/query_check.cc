// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queries/query_check.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "vk/enum_info.h"

namespace assay::core {

std::string TypeText(VkQueryType type) {
  return std::string(vk::EnumName(vk::EnumId::kQueryType, static_cast<int64_t>(type)));
}

const ActiveQuery* FindActive(const RecordingScope& scope, VkQueryPool pool, uint32_t first, uint32_t count) {
  const auto found = std::ranges::find_if(scope.active_queries, [&](const ActiveQuery& active) {
    return active.pool == pool && active.query >= first && active.query - first < count;
  });
  return found != scope.active_queries.end() ? &*found : nullptr;
}

bool QueryCheck::CheckRange(const QueryOperand& queries, vk::VuidIndex first_rule, vk::VuidIndex sum_rule,
                            std::string_view member) const {
  if (queries.is_in_pool()) [[likely]]
    return true;
  if (queries.pool == nullptr) return false;
  const uint32_t size = queries.pool->query_count;
  const bool has_first = queries.first < size;
  Require(has_first, first_rule, queries.object, member, [&] {
    return absl::StrCat("(", queries.first, ") is not less than the number of queries of ",
                        reporter().Describe(queries.object), " (", size, ").");
  });
  Require(!has_first && first_rule != vk::kNoVuid, sum_rule, queries.object, member, [&] {
    return absl::StrCat("(", queries.first, ") and the number of queries that the command uses (", queries.count,
                        ") are together more than the number of queries of ", reporter().Describe(queries.object), " (",
                        size, ").");
  });
  return false;
}

void QueryCheck::CheckViews(const QueryOperand& query, vk::VuidIndex rule) const {
  const uint32_t mask = buffer_ != nullptr ? buffer_->rendering.view_mask() : 0;
  if (mask == 0) [[likely]]
    return;
  const auto views = static_cast<uint32_t>(std::popcount(mask));
  const uint32_t size = query.pool->query_count;
  Require(views <= size - query.first, rule, query.object, "query", [&] {
    return absl::StrCat("(", query.first, ") and the number of views of the subpass (", views,
                        ") are together more than the number of queries of ", reporter().Describe(query.object), " (",
                        size, ").");
  });
}

void QueryCheck::CheckProtected(const QueryOperand& queries, vk::VuidIndex rule) const {
  const bool is_protected = buffer_ != nullptr && (buffer_->pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0;
  Require(!is_protected, rule, queries.object, "commandBuffer", [] { return "is a protected command buffer."; });
}

void QueryCheck::CheckInactive(const QueryOperand& queries, vk::VuidIndex rule) const {
  const RecordingScope* recording = scope();
  if (recording == nullptr || recording->active_queries.empty()) [[likely]]
    return;
  const ActiveQuery* active =
      FindActive(*recording, reinterpret_cast<VkQueryPool>(queries.object.handle), queries.first, queries.count);
  Require(active == nullptr, rule, queries.object, "queryPool", [&] {
    return absl::StrCat("(", reporter().Describe(queries.object), "): query ", active->query,
                        " was begun in this command buffer and not ended yet.");
  });
}

std::string QueryCheck::PoolText(const QueryOperand& queries) const {
  return absl::StrCat("(", reporter().Describe(queries.object), ") was created with ",
                      TypeText(queries.pool->query_type));
}

}  // namespace assay::core
