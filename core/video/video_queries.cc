// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Queries of video coding scopes: those that commands begin, and inline queries.

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/recording/content_needs.h"
#include "core/video/coding_command.h"
#include "core/video/video_ids.h"
#include "core/video/video_rules.h"
#include "vk/chain.h"
#include "vk/families/vuid_families.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::FamilyVuid;
using vk::Vuid;

template <class C>
struct BeginRules {
  static constexpr vk::VuidIndex kSupport = FamilyVuid<C>("queryType-07126"), kActive = FamilyVuid<C>("None-07127"),
                                 kInline = FamilyVuid<C>("None-08370"), kStatus = FamilyVuid<C>("queryType-07128"),
                                 kNoSession = FamilyVuid<C>("queryType-07129"),
                                 kFeedback = FamilyVuid<C>("queryType-07130"),
                                 kOther = FamilyVuid<C>("queryType-07131");
  // Another rule says that vkCmdBeginQueryIndexedEXT is not for video coding scopes.
  static constexpr bool kIsForScopes = C::kId == vk::CommandId::kCmdBeginQuery;
  static constexpr vk::VuidIndex kAll[] = {kSupport, kNoSession, kActive, kInline, kStatus, kFeedback, kOther};
};

template <class C, class Families>
void CheckBegin(const C& call, const NotedVideo& noted, const Families& families, const dispatch::Slot& slot,
                Report& report) {
  using Rules = BeginRules<C>;
  const auto* const pool = DeviceState::Get<state::QueryPool>(call.queryPool);
  const RecordingScope* const recording = RecordingOf(slot);
  if (pool == nullptr || recording == nullptr) return;
  const bool is_inside = (recording->bits() & kInsideVideoCoding) != 0;
  const bool is_status = pool->query_type == VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR;
  const bool is_feedback = pool->query_type == VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR;
  if (!is_inside && !is_status && !is_feedback) return;
  const state::CommandBuffer& buffer = *DeviceState::CommandBufferIn(slot);
  const Location command = report.location();
  const auto require = [&](bool holds, vk::VuidIndex rule, const char* text) {
    if (!holds) report.Error(rule, {messages::Object(call.queryPool)}, command.Dot("queryPool"), text);
  };
  const uint32_t family = buffer.pool.queue_family;
  require(!is_status || family >= families.size() || families[family].has_status_queries.value_or(true),
          Rules::kSupport, "has result status queries, which the queue family does not support.");
  require(!is_feedback || is_inside || buffer.level != VK_COMMAND_BUFFER_LEVEL_PRIMARY, Rules::kNoSession,
          "has queries of video encode feedback, but no video session is bound.");
  if (!is_inside || !Rules::kIsForScopes) return;
  require(is_status || is_feedback, Rules::kOther, "is not for video, but a video session is bound.");
  // A query of the same type breaks a rule of its own.
  const auto is_other = [&](const ActiveQuery& active) {
    const auto* const other = DeviceState::Get<state::QueryPool>(active.pool);
    return other != nullptr && other->query_type != pool->query_type;
  };
  require(std::ranges::none_of(recording->active_queries, is_other), Rules::kActive,
          "is to be used while another query is active and a video session is bound.");
  auto* const scope = ScopeOf(slot);
  if (scope == nullptr) return;
  require(!scope->session->Has(VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR), Rules::kInline,
          "is to be used while a video session with inline queries is bound.");
  const auto profiles = noted.pools.Find(call.queryPool);
  require(!profiles || std::ranges::count(*profiles, scope->session->profile) != 0 || !(is_status || is_feedback),
          is_status ? Rules::kStatus : Rules::kFeedback, "was not created with the profile of the video session.");
}

// The query that a command uses inline; null for none.
template <class C>
const VkVideoInlineQueryInfoKHR* InlineQueryOf(const C& call) {
  const void* chain = nullptr;
  if constexpr (requires { call.pDecodeInfo; }) chain = call.pDecodeInfo->pNext;
  if constexpr (requires { call.pEncodeInfo; }) chain = call.pEncodeInfo->pNext;
  const auto* const query = vk::FindInChain<VkVideoInlineQueryInfoKHR>(chain);
  return query != nullptr && query->queryPool != VK_NULL_HANDLE ? query : nullptr;
}

// Notes what a command that codes does to queries, and to the slots of its scope.
template <class C>
void Note(const C& call, const VkVideoReferenceSlotInfoKHR* setup, bool knows_contents, const dispatch::Slot& slot,
          vk::VuidIndex unavailable) {
  auto* const scope = ScopeOf(slot);
  if (scope == nullptr) return;
  RecordingScope& recording = *RecordingOf(slot);
  if (!recording.active_queries.empty())
    scope->counted = {recording.active_queries[0].pool, recording.active_queries[0].query};
  if (setup != nullptr && setup->pPictureResource != nullptr)
    scope->bound.push_back({setup->slotIndex, *setup->pPictureResource});
  const auto* const query = InlineQueryOf(call);
  if (query == nullptr || !knows_contents || !scope->session->Has(VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR))
    return;
  const auto* const pool = DeviceState::Get<state::QueryPool>(query->queryPool);
  if (pool == nullptr || uint64_t{query->firstQuery} + query->queryCount > pool->query_count) return;
  AddNeed({ContentNeed::Kind::kReset, unavailable, C::kId, messages::Object(query->queryPool), query->firstQuery,
           query->queryCount},
          recording.needs);
}

}  // namespace

void AddVideoQueryIds(std::vector<vk::VuidIndex>& ids) {
  for (const vk::VuidIndex id : BeginRules<vk::CmdBeginQuery>::kAll) ids.push_back(id);
  using Indexed = BeginRules<vk::CmdBeginQueryIndexedEXT>;
  ids.insert(ids.end(), {Indexed::kSupport, Indexed::kNoSession});
}

void CodingCommand::CheckInlineQuery(const void* chain, const QueryRules& rules,
                                     const std::optional<bool>& has_status_queries, const Location& where) const {
  const auto* const info = vk::FindInChain<VkVideoInlineQueryInfoKHR>(chain);
  const auto* const pool = info != nullptr ? DeviceState::Get<state::QueryPool>(info->queryPool) : nullptr;
  if (pool == nullptr) return;
  const Location at = where.Next("VkVideoInlineQueryInfoKHR");
  const bool has_first = info->firstQuery < pool->query_count;
  Require(has_first, Vuid("VUID-VkVideoInlineQueryInfoKHR-queryPool-08372"), at.Dot("firstQuery"),
          absl::StrCat("(", info->firstQuery, ") is not a query of the pool, which has ", pool->query_count, "."));
  Require(!has_first || info->queryCount <= pool->query_count - info->firstQuery,
          Vuid("VUID-VkVideoInlineQueryInfoKHR-queryPool-08373"), at.Dot("queryCount"),
          absl::StrCat("(", info->queryCount, ") is more than the pool has from firstQuery on."));
  if (!session.Has(VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR)) return;
  const bool is_status = pool->query_type == VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR;
  const bool is_feedback = pool->query_type == VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR;
  Require(info->queryCount == 1, rules.count, at.Dot("queryCount"),
          absl::StrCat("(", info->queryCount, ") is not 1, the number of operations."));
  Require(is_status || (is_feedback && session.Is(vk::kEncodes)), rules.type, at.Dot("queryPool"),
          "has queries of another type than the command uses.");
  Require(!HasOtherProfile(noted.pools.Find(info->queryPool)), rules.profile, at.Dot("queryPool"),
          "was not created with the profile of the video session.");
  Require(!is_status || has_status_queries.value_or(true), rules.support, at.Dot("queryPool"),
          "has result status queries, which the queue family does not support.");
}

void VideoRules::PreCallValidate(const vk::CmdBeginQuery& call, dispatch::Slot& slot, Report& report) const {
  CheckBegin(call, noted_, families_, slot, report);
}
void VideoRules::PreCallValidate(const vk::CmdBeginQueryIndexedEXT& call, dispatch::Slot& slot, Report& report) const {
  CheckBegin(call, noted_, families_, slot, report);
}

void VideoRules::PreCallRecord(const vk::CmdDecodeVideoKHR& call, dispatch::Slot& slot) const {
  if (call.pDecodeInfo == nullptr) return;
  Note(call, call.pDecodeInfo->pSetupReferenceSlot, !device_.has_unknown_extensions, slot,
       Vuid("VUID-vkCmdDecodeVideoKHR-pNext-08366"));
}
void VideoRules::PreCallRecord(const vk::CmdEncodeVideoKHR& call, dispatch::Slot& slot) const {
  if (call.pEncodeInfo == nullptr) return;
  Note(call, call.pEncodeInfo->pSetupReferenceSlot, !device_.has_unknown_extensions, slot,
       Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08361"));
}

}  // namespace assay::core
