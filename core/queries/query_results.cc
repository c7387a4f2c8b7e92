// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Results of queries, which the device copies to a buffer or the host gets.

#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/queries/query_check.h"
#include "core/queries/query_rules.h"
#include "core/recording/content_needs.h"
#include "vk/enum_info.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Report;
using state::DeviceState;
using vk::FamilyVuid;
using vk::Vuid;
using Kind = ContentNeed::Kind;

constexpr VkQueryResultFlags kExtraValue = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR;

bool IsPerformance(const state::QueryPool& pool) { return pool.query_type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR; }

// The number of values of a query, without availability or status. Nothing if only the driver knows.
std::optional<uint32_t> ValuesOf(const state::QueryPool& pool) {
  switch (pool.query_type) {
    case VK_QUERY_TYPE_PIPELINE_STATISTICS:
      return static_cast<uint32_t>(std::popcount(pool.statistics));
    case VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR:
      return static_cast<uint32_t>(std::popcount(pool.feedback));
    case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
      return 2;
    case VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR:
      return 0;
    case VK_QUERY_TYPE_PERFORMANCE_QUERY_INTEL:
      return std::nullopt;
    case VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR:
      return pool.counter_count;
    default:
      return 1;
  }
}

// Bytes of one query's result. Nothing if only the driver knows.
std::optional<VkDeviceSize> BytesOf(const state::QueryPool& pool, VkQueryResultFlags flags) {
  const std::optional<uint32_t> values = ValuesOf(pool);
  if (!values) return std::nullopt;
  if (IsPerformance(pool)) return *values * sizeof(VkPerformanceCounterResultKHR);
  const VkDeviceSize word = (flags & VK_QUERY_RESULT_64_BIT) != 0 ? 8 : 4;
  return (*values + ((flags & kExtraValue) != 0 ? 1 : 0)) * word;
}

// Bytes of the results of all queries of a command. Nothing if they are not known, or if there are none.
template <class C>
std::optional<VkDeviceSize> BytesOfAll(const state::QueryPool& pool, const C& call) {
  const std::optional<VkDeviceSize> last = BytesOf(pool, call.flags);
  if (!last || call.queryCount == 0) return std::nullopt;
  const VkDeviceSize strides = call.queryCount - 1;
  // Larger than any buffer.
  if (strides != 0 && call.stride > (~VkDeviceSize{0} - *last) / strides) return ~VkDeviceSize{0};
  return strides * call.stride + *last;
}

// What the type of the pool asks of the flags.
template <class C>
void CheckFlags(const QueryCheck& check, const QueryOperand& queries, VkQueryResultFlags flags) {
  const VkQueryType type = queries.pool->query_type;
  const auto require_none = [&](VkQueryType of, VkQueryResultFlags forbidden, vk::VuidIndex rule) {
    check.Require(type != of || (flags & forbidden) == 0, rule, queries.object, "flags", [&] {
      return absl::StrCat("has ", vk::FlagsToString(vk::EnumId::kQueryResultFlagBits, flags & forbidden),
                          ", but queryPool ", check.PoolText(queries), ".");
    });
  };
  require_none(VK_QUERY_TYPE_TIMESTAMP, VK_QUERY_RESULT_PARTIAL_BIT, FamilyVuid<C>("queryType-09439"));
  require_none(VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR, kExtraValue | VK_QUERY_RESULT_PARTIAL_BIT | VK_QUERY_RESULT_64_BIT,
               FamilyVuid<C>("queryType-09440"));
  const bool has_status = (flags & VK_QUERY_RESULT_WITH_STATUS_BIT_KHR) != 0;
  check.Require(type != VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR || has_status, FamilyVuid<C>("queryType-09442"),
                queries.object, "flags", [&] {
                  return absl::StrCat("does not have VK_QUERY_RESULT_WITH_STATUS_BIT_KHR, but queryPool ",
                                      check.PoolText(queries), ".");
                });
}

// Whether the results can be copied by a command at all.
bool CheckCopyable(const QueryCheck& check, const QueryOperand& queries) {
  const bool is_intel = queries.pool->query_type == VK_QUERY_TYPE_PERFORMANCE_QUERY_INTEL;
  check.Require(!is_intel, Vuid("VUID-vkCmdCopyQueryPoolResults-queryType-02734"), queries.object, "queryPool",
                [&] { return absl::StrCat(check.PoolText(queries), "."); });
  const auto* const limits = check.device().physical_device->Find<VkPhysicalDevicePerformanceQueryPropertiesKHR>();
  const bool is_allowed =
      !IsPerformance(*queries.pool) || limits == nullptr || limits->allowCommandBufferQueryCopies == VK_TRUE;
  check.Require(is_allowed, Vuid("VUID-vkCmdCopyQueryPoolResults-queryType-03232"), queries.object, "queryPool", [&] {
    return absl::StrCat(check.PoolText(queries), ", but allowCommandBufferQueryCopies is VK_FALSE.");
  });
  return !is_intel && is_allowed;
}

// The pool is null if it is not known.
void CheckTarget(const QueryCheck& check, const vk::CmdCopyQueryPoolResults& call, const state::QueryPool* pool) {
  const auto* buffer = DeviceState::Get<state::Buffer>(call.dstBuffer);
  if (buffer == nullptr) return;
  const messages::ObjectRef object = messages::Object(call.dstBuffer);
  const auto describe = [&] { return check.reporter().Describe(object); };
  check.Require((buffer->usage & VK_BUFFER_USAGE_TRANSFER_DST_BIT) != 0,
                Vuid("VUID-vkCmdCopyQueryPoolResults-dstBuffer-00825"), object, "dstBuffer", [&] {
                  return absl::StrCat("(", describe(), ") was created without VK_BUFFER_USAGE_TRANSFER_DST_BIT.");
                });
  check.Require(buffer->memory || buffer->is_sparse(), Vuid("VUID-vkCmdCopyQueryPoolResults-dstBuffer-00826"), object,
                "dstBuffer", [&] { return absl::StrCat("(", describe(), ") is not bound to memory."); });
  const bool begins_inside = call.dstOffset < buffer->size;
  check.Require(begins_inside, Vuid("VUID-vkCmdCopyQueryPoolResults-dstOffset-00819"), object, "dstOffset", [&] {
    return absl::StrCat("(", call.dstOffset, ") is not less than the size of dstBuffer ", describe(), " (",
                        buffer->size, " bytes).");
  });
  const std::optional<VkDeviceSize> bytes = pool != nullptr ? BytesOfAll(*pool, call) : std::nullopt;
  if (!begins_inside || !bytes) return;
  const VkDeviceSize left = buffer->size - call.dstOffset;
  check.Require(*bytes <= left, Vuid("VUID-vkCmdCopyQueryPoolResults-dstBuffer-00824"), object, "dstBuffer", [&] {
    return absl::StrCat("(", describe(), ") has ", left, " bytes from dstOffset (", call.dstOffset,
                        ") to its end, fewer than the ", *bytes, " bytes that the results of ", call.queryCount,
                        " queries have with a stride of ", call.stride, ".");
  });
}

// Where the host gets the results. The pool is known.
void CheckData(const QueryCheck& check, const QueryOperand& queries, const vk::GetQueryPoolResults& call) {
  const state::QueryPool& pool = *queries.pool;
  const auto address = reinterpret_cast<uintptr_t>(call.pData);
  const auto check_unit = [&](VkDeviceSize unit, vk::VuidIndex rule) {
    const bool is_pointer = address % unit != 0;
    check.Require(!is_pointer && call.stride % unit == 0, rule, queries.object, is_pointer ? "pData" : "stride", [&] {
      return absl::StrCat("(", is_pointer ? absl::StrCat("0x", absl::Hex(address)) : absl::StrCat(call.stride),
                          ") is not a multiple of ", unit, ".");
    });
  };
  if ((call.flags & VK_QUERY_RESULT_64_BIT) != 0) {
    check_unit(8, Vuid("VUID-vkGetQueryPoolResults-flags-00815"));
  } else if (!IsPerformance(pool)) {
    check_unit(4, Vuid("VUID-vkGetQueryPoolResults-flags-02828"));
  } else {
    check_unit(sizeof(VkPerformanceCounterResultKHR), Vuid("VUID-vkGetQueryPoolResults-queryType-03229"));
  }
  const std::optional<VkDeviceSize> bytes = BytesOf(pool, call.flags);
  // The stride of one query is not used.
  const bool has_stride = call.queryCount > 1 || check.device().instance.settings.strict;
  const auto require_stride = [&](bool applies, vk::VuidIndex rule) {
    check.Require(!applies || !has_stride || !bytes || call.stride >= *bytes, rule, queries.object, "stride", [&] {
      return absl::StrCat("(", call.stride, ") is less than the ", *bytes, " bytes of the result of a query of ",
                          check.reporter().Describe(queries.object), ".");
    });
  };
  const bool has_availability = (call.flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) != 0;
  require_stride(has_availability && !IsPerformance(pool), Vuid("VUID-vkGetQueryPoolResults-stride-08993"));
  require_stride(IsPerformance(pool), Vuid("VUID-vkGetQueryPoolResults-queryType-04519"));
  const std::optional<VkDeviceSize> all = BytesOfAll(pool, call);
  check.Require(!all || call.dataSize >= *all, Vuid("VUID-vkGetQueryPoolResults-dataSize-00817"), queries.object,
                "dataSize", [&] {
                  return absl::StrCat("(", call.dataSize, ") is less than the ", *all, " bytes that the results of ",
                                      call.queryCount, " queries have with a stride of ", call.stride, ".");
                });
}

template <class C>
bool CheckQueries(const QueryCheck& check, const QueryOperand& queries) {
  return check.CheckRange(queries, FamilyVuid<C>("firstQuery-09436"), FamilyVuid<C>("firstQuery-09437"), "firstQuery");
}

}  // namespace

void QueryRules::PreCallValidate(const vk::CmdCopyQueryPoolResults& call, dispatch::Slot& slot, Report& report) const {
  using C = vk::CmdCopyQueryPoolResults;
  const QueryCheck check(device_, &slot, report);
  const QueryOperand queries(call.queryPool, call.firstQuery, call.queryCount);
  const bool has_queries = CheckQueries<C>(check, queries);
  const bool is_copyable = queries.pool != nullptr && CheckCopyable(check, queries);
  if (is_copyable) CheckFlags<C>(check, queries, call.flags);
  if (has_queries) check.CheckInactive(queries, FamilyVuid<C>("None-07429"));
  CheckTarget(check, call, is_copyable && has_queries ? queries.pool : nullptr);
}

void QueryRules::PreCallRecord(const vk::CmdCopyQueryPoolResults& call, dispatch::Slot& slot) const {
  using C = vk::CmdCopyQueryPoolResults;
  const QueryOperand queries(call.queryPool, call.firstQuery, call.queryCount);
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  auto* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope == nullptr || !knows_contents_ || !queries.is_in_pool()) return;
  const auto add = [&](Kind kind, vk::VuidIndex rule) {
    AddNeed({kind, rule, C::kId, queries.object, queries.first, queries.count}, scope->needs);
  };
  add(Kind::kReset, FamilyVuid<C>("None-09402"));
  if ((call.flags & VK_QUERY_RESULT_WAIT_BIT) != 0) add(Kind::kWritten, FamilyVuid<C>("None-08752"));
}

void QueryRules::PreCallValidate(const vk::GetQueryPoolResults& call, Report& report) const {
  using C = vk::GetQueryPoolResults;
  const QueryCheck check(device_, nullptr, report);
  const QueryOperand queries(call.queryPool, call.firstQuery, call.queryCount);
  const bool has_queries = CheckQueries<C>(check, queries);
  if (queries.pool == nullptr) return;
  CheckFlags<C>(check, queries, call.flags);
  CheckData(check, queries, call);
  if (!has_queries || !knows_contents_) return;
  const ContentNeed need = {Kind::kReset, FamilyVuid<C>("None-09401"), C::kId, queries.object, queries.first,
                            queries.count};
  check.Require(!IsUnmet(need), need.rule, queries.object, "queryPool",
                [&] { return absl::StrCat("is ", UnmetText(need, check.reporter()), "."); });
}

void QueryRules::PreCallValidate(const vk::ResetQueryPool& call, Report& report) const {
  CheckQueries<vk::ResetQueryPool>({device_, nullptr, report}, {call.queryPool, call.firstQuery, call.queryCount});
}

void QueryRules::PreCallValidate(const vk::CmdResetQueryPool& call, dispatch::Slot& slot, Report& report) const {
  using C = vk::CmdResetQueryPool;
  const QueryCheck check(device_, &slot, report);
  const QueryOperand queries(call.queryPool, call.firstQuery, call.queryCount);
  if (CheckQueries<C>(check, queries)) check.CheckInactive(queries, FamilyVuid<C>("None-02841"));
}

}  // namespace assay::core
