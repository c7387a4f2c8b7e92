// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that begin, end and write queries.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/queries/query_check.h"
#include "core/queries/query_rules.h"
#include "core/recording/content_needs.h"
#include "vk/families/vuid_families.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using messages::Report;
using state::DeviceState;
using vk::AnyFamilyVuid;
using vk::FamilyVuid;
using Kind = ContentNeed::Kind;

// Types of queries that commands of their own write, and the rule that says so of vkCmdBeginQuery.
struct UnfitType {
  VkQueryType type;
  vk::VuidIndex rule;
};
template <class C>
constexpr UnfitType kUnfitTypes[] = {
    {VK_QUERY_TYPE_TIMESTAMP, FamilyVuid<C>("queryType-02804")},
    {VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR, FamilyVuid<C>("queryType-04728")},
    {VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR, FamilyVuid<C>("queryType-04728")},
    {VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR, FamilyVuid<C>("queryType-06741")},
    {VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR, FamilyVuid<C>("queryType-06741")},
    {VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV, FamilyVuid<C>("queryType-04729")},
    {VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT, FamilyVuid<C>("queryType-07071")},
};

// Types of queries that need a queue family with graphics.
template <class C>
constexpr UnfitType kGraphicsTypes[] = {
    {VK_QUERY_TYPE_OCCLUSION, FamilyVuid<C>("queryType-00803")},
    {VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT, FamilyVuid<C>("queryType-07070")},
    {VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, AnyFamilyVuid<C>("queryType-02327", "queryType-02338")},
    {VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, AnyFamilyVuid<C>("queryType-06687", "queryType-06689")},
};

uint32_t IndexOf(const vk::CmdBeginQuery&) { return 0; }
uint32_t IndexOf(const vk::CmdEndQuery&) { return 0; }
uint32_t IndexOf(const vk::CmdBeginQueryIndexedEXT& call) { return call.index; }
uint32_t IndexOf(const vk::CmdEndQueryIndexedEXT& call) { return call.index; }

bool HasStreams(VkQueryType type) {
  return type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT || type == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT;
}

const VkPhysicalDeviceTransformFeedbackPropertiesEXT* StreamLimits(const QueryCheck& check) {
  return check.device().physical_device->Find<VkPhysicalDeviceTransformFeedbackPropertiesEXT>();
}

// The index of a stream, of commands that have one.
void CheckIndex(const QueryCheck& check, const QueryOperand& query, uint32_t index, vk::VuidIndex no_stream,
                vk::VuidIndex too_large) {
  if (index == 0) return;
  const bool has_streams = HasStreams(query.pool->query_type);
  check.Require(has_streams, no_stream, query.object, "index",
                [&] { return absl::StrCat("(", index, ") is not 0, but queryPool ", check.PoolText(query), "."); });
  const auto* const limits = StreamLimits(check);
  check.Require(!has_streams || limits == nullptr || index < limits->maxTransformFeedbackStreams, too_large,
                query.object, "index", [&] {
                  return absl::StrCat("(", index, ") is not less than maxTransformFeedbackStreams (",
                                      limits->maxTransformFeedbackStreams, ").");
                });
}

// What the device and the queue family support.
template <class C>
void CheckSupport(const QueryCheck& check, const QueryOperand& query, uint32_t index) {
  const state::QueryPool& pool = *query.pool;
  const VkQueueFlags queues = check.buffer().pool.queue_flags;
  const bool has_graphics = (queues & VK_QUEUE_GRAPHICS_BIT) != 0;
  const auto without = [&](std::string_view bit) {
    return absl::StrCat("is from a command pool of queue family ", check.buffer().pool.queue_family,
                        ", which does not support ", bit, ", but queryPool ", check.PoolText(query), ".");
  };
  for (const UnfitType& graphics : kGraphicsTypes<C>) {
    check.Require(has_graphics || pool.query_type != graphics.type, graphics.rule, query.object, "commandBuffer",
                  [&] { return without("VK_QUEUE_GRAPHICS_BIT"); });
  }
  constexpr VkQueryPipelineStatisticFlags kCompute = VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
  check.Require(has_graphics || (pool.statistics & ~kCompute) == 0, FamilyVuid<C>("queryType-00804"), query.object,
                "commandBuffer", [&] { return without("VK_QUEUE_GRAPHICS_BIT"); });
  check.Require((queues & VK_QUEUE_COMPUTE_BIT) != 0 || (pool.statistics & kCompute) == 0,
                FamilyVuid<C>("queryType-00805"), query.object, "commandBuffer",
                [&] { return without("VK_QUEUE_COMPUTE_BIT"); });

  const auto* const limits = StreamLimits(check);
  const bool has_queries = limits == nullptr || limits->transformFeedbackQueries == VK_TRUE;
  check.Require(has_queries || pool.query_type != VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
                AnyFamilyVuid<C>("queryType-02328", "queryType-02341"), query.object, "queryPool",
                [&] { return absl::StrCat(check.PoolText(query), ", but transformFeedbackQueries is VK_FALSE."); });
  if (pool.query_type == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT) {
    check.Require(check.device().HasFeature(vk::FeatureId::kPrimitivesGeneratedQuery),
                  AnyFamilyVuid<C>("queryType-06688", "queryType-06693"), query.object, "queryPool", [&] {
                    return absl::StrCat(check.PoolText(query), ", but primitivesGeneratedQuery is not enabled.");
                  });
    check.Require(index == 0 || check.device().HasFeature(vk::FeatureId::kPrimitivesGeneratedQueryWithNonZeroStreams),
                  AnyFamilyVuid<C>("queryType-06691"), query.object, "index", [&] {
                    return absl::StrCat("(", index,
                                        ") is not 0, but primitivesGeneratedQueryWithNonZeroStreams is not enabled.");
                  });
  }
  const uint32_t family = check.buffer().pool.queue_family;
  check.Require(pool.query_type != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR || pool.counter_family == family,
                FamilyVuid<C>("queryPool-07289"), query.object, "commandBuffer", [&] {
                  return absl::StrCat("is from a command pool of queue family ", family, ", but ",
                                      check.reporter().Describe(query.object), " has counters of queue family ",
                                      pool.counter_family, ".");
                });
}

// Whether another query of the type may be begun, as `clashes` tells.
template <class F>
void CheckActive(const QueryCheck& check, const QueryOperand& query, vk::VuidIndex rule, const F& clashes) {
  const RecordingScope* scope = check.scope();
  if (scope == nullptr || scope->active_queries.empty()) return;
  const auto found = std::ranges::find_if(scope->active_queries, [&](const ActiveQuery& active) {
    const auto* pool = DeviceState::Get<state::QueryPool>(active.pool);
    return pool != nullptr && pool->query_type == query.pool->query_type && clashes(active);
  });
  check.Require(found == scope->active_queries.end(), rule, query.object, "queryPool", [&] {
    return absl::StrCat(check.PoolText(query), ", as was ", check.reporter().Describe(messages::Object(found->pool)),
                        ", of which query ", found->query, " was begun in this command buffer and not ended yet.");
  });
}

template <class C>
void CheckBegin(const QueryCheck& check, const C& call) {
  const QueryOperand query(call.queryPool, call.query, 1);
  check.CheckProtected(query, FamilyVuid<C>("commandBuffer-01885"));
  if (!check.has_buffer() || !check.CheckRange(query, FamilyVuid<C>("query-00802"), vk::kNoVuid, "query")) return;
  check.CheckViews(query, FamilyVuid<C>("query-00808"));
  for (const UnfitType& unfit : kUnfitTypes<C>) {
    if (query.pool->query_type != unfit.type || unfit.rule == vk::kNoVuid) continue;
    return check.Require(false, unfit.rule, query.object, "queryPool",
                         [&] { return absl::StrCat(check.PoolText(query), "."); });
  }
  const bool is_precise = (call.flags & VK_QUERY_CONTROL_PRECISE_BIT) != 0;
  const bool is_occlusion = query.pool->query_type == VK_QUERY_TYPE_OCCLUSION;
  const bool has_precise = check.device().HasFeature(vk::FeatureId::kOcclusionQueryPrecise);
  check.Require(
      !is_precise || (is_occlusion && has_precise), FamilyVuid<C>("queryType-00800"), query.object, "flags", [&] {
        return absl::StrCat(
            "has VK_QUERY_CONTROL_PRECISE_BIT, but ",
            is_occlusion ? "occlusionQueryPrecise is not enabled" : absl::StrCat("queryPool ", check.PoolText(query)),
            ".");
      });
  const uint32_t index = IndexOf(call);
  CheckSupport<C>(check, query, index);
  const bool is_generated = query.pool->query_type == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT;
  const bool may_have_streams = check.device().HasFeature(vk::FeatureId::kPrimitivesGeneratedQueryWithNonZeroStreams);
  CheckIndex(check, query, index, AnyFamilyVuid<C>("queryType-06692"),
             !is_generated      ? AnyFamilyVuid<C>("queryType-02339")
             : may_have_streams ? AnyFamilyVuid<C>("queryType-06690")
                                : vk::kNoVuid);
  CheckActive(check, query, AnyFamilyVuid<C>("queryPool-01922"), [](const ActiveQuery&) { return true; });
  CheckActive(check, query, AnyFamilyVuid<C>("queryPool-04753"),
              [&](const ActiveQuery& active) { return active.index == index; });
}

template <class C>
void CheckEnd(const QueryCheck& check, const C& call) {
  const QueryOperand query(call.queryPool, call.query, 1);
  check.CheckProtected(query, AnyFamilyVuid<C>("commandBuffer-01886", "commandBuffer-02344"));
  const RecordingScope* scope = check.scope();
  if (!check.CheckRange(query, AnyFamilyVuid<C>("query-00810", "query-02343"), vk::kNoVuid, "query")) return;
  if (scope == nullptr) return;
  check.CheckViews(query, AnyFamilyVuid<C>("query-00812", "query-02345"));
  const uint32_t index = IndexOf(call);
  CheckIndex(check, query, index, AnyFamilyVuid<C>("queryType-06695"), AnyFamilyVuid<C>("queryType-06694"));
  const ActiveQuery* active = FindActive(*scope, call.queryPool, call.query, 1);
  check.Require(active != nullptr, AnyFamilyVuid<C>("None-01923", "None-02342"), query.object, "query", [&] {
    return absl::StrCat("(", call.query, ") of ", check.reporter().Describe(query.object),
                        " was not begun in this command buffer, or was ended already.");
  });
  if (active == nullptr) return;
  check.Require(
      index == active->index || !HasStreams(query.pool->query_type), AnyFamilyVuid<C>("queryType-06696"), query.object,
      "index",
      [&] { return absl::StrCat("(", index, ") is not that with which the query was begun (", active->index, ")."); });
  const bool is_inside = check.buffer().rendering.is_active();
  const bool is_same =
      active->instance == scope->instance() && active->subpass == check.buffer().rendering.subpass_index();
  check.Require(!is_inside || is_same, FamilyVuid<C>("None-07007"), query.object, "query", [&] {
    return absl::StrCat("(", call.query, ") of ", check.reporter().Describe(query.object),
                        " was not begun in the same subpass.");
  });
}

RecordingScope* ScopeOf(const dispatch::Slot& slot) {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  return buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
}

// Queries that must be unavailable when the command is executed, so that something has to reset them.
void AddResetNeed(RecordingScope& scope, const QueryOperand& queries, vk::VuidIndex rule, vk::CommandId command) {
  if (!queries.is_in_pool()) return;
  AddNeed({Kind::kReset, rule, command, queries.object, queries.first, queries.count}, scope.needs);
}

template <class C>
void Begin(const C& call, const dispatch::Slot& slot, bool knows_contents) {
  RecordingScope* const scope = ScopeOf(slot);
  if (scope == nullptr) return;
  const state::RenderPassInstance& rendering = DeviceState::CommandBufferIn(slot)->rendering;
  // Draws have rules of active queries.
  scope->draw.ForgetChecked();
  scope->active_queries.push_back(
      {call.queryPool, call.query, IndexOf(call), scope->instance(), rendering.subpass_index()});
  if (!knows_contents) return;
  AddResetNeed(*scope, {call.queryPool, call.query, 1}, FamilyVuid<C>("None-00807"), C::kId);
}

template <class C>
void End(const C& call, const dispatch::Slot& slot) {
  RecordingScope* const scope = ScopeOf(slot);
  if (scope == nullptr) return;
  std::erase_if(scope->active_queries,
                [&](const ActiveQuery& active) { return active.pool == call.queryPool && active.query == call.query; });
}

template <class C>
void CheckTimestamp(const QueryCheck& check, const C& call) {
  const QueryOperand query(call.queryPool, call.query, 1);
  if (query.pool == nullptr) return;
  check.Require(query.pool->query_type == VK_QUERY_TYPE_TIMESTAMP,
                AnyFamilyVuid<C>("queryPool-01416", "queryPool-03861"), query.object, "queryPool",
                [&] { return absl::StrCat(check.PoolText(query), "."); });
  if (!check.CheckRange(query, AnyFamilyVuid<C>("query-04904", "query-04903"), vk::kNoVuid, "query")) return;
  check.CheckViews(query, AnyFamilyVuid<C>("query-00831", "query-03865"));
}
template <class C>
void WriteTimestamp(const C& call, const dispatch::Slot& slot) {
  if (RecordingScope* const scope = ScopeOf(slot))
    AddResetNeed(*scope, {call.queryPool, call.query, 1}, AnyFamilyVuid<C>("None-00830", "None-03864"), C::kId);
}

// One query for each acceleration structure or micromap.
template <class C>
void CheckProperties(const QueryCheck& check, const C& call, uint32_t count) {
  const QueryOperand queries(call.queryPool, call.firstQuery, count);
  if (queries.pool == nullptr) return;
  check.Require(
      queries.pool->query_type == call.queryType,
      AnyFamilyVuid<C>("queryPool-02493", "queryPool-03755", "queryPool-07525"), queries.object, "queryPool",
      [&] { return absl::StrCat(check.PoolText(queries), ", but queryType is ", TypeText(call.queryType), "."); });
  check.CheckRange(queries, vk::kNoVuid, AnyFamilyVuid<C>("query-04880", "query-07528"), "firstQuery");
}
template <class C>
void WriteProperties(const C& call, uint32_t count, const dispatch::Slot& slot) {
  if (RecordingScope* const scope = ScopeOf(slot))
    AddResetNeed(*scope, {call.queryPool, call.firstQuery, count},
                 AnyFamilyVuid<C>("queryPool-02494", "queryPool-03756", "queryPool-07526"), C::kId);
}

}  // namespace

QueryRules::QueryRules(const dispatch::Device& device)
    : device_(device), knows_contents_(!device.has_unknown_extensions) {}

void QueryRules::PreCallValidate(const vk::CmdBeginQuery& call, dispatch::Slot& slot, Report& report) const {
  CheckBegin({device_, &slot, report}, call);
}
void QueryRules::PreCallRecord(const vk::CmdBeginQuery& call, dispatch::Slot& slot) const {
  Begin(call, slot, knows_contents_);
}
void QueryRules::PreCallValidate(const vk::CmdBeginQueryIndexedEXT& call, dispatch::Slot& slot, Report& report) const {
  CheckBegin({device_, &slot, report}, call);
}
void QueryRules::PreCallRecord(const vk::CmdBeginQueryIndexedEXT& call, dispatch::Slot& slot) const {
  Begin(call, slot, knows_contents_);
}
void QueryRules::PreCallValidate(const vk::CmdEndQuery& call, dispatch::Slot& slot, Report& report) const {
  CheckEnd({device_, &slot, report}, call);
}
void QueryRules::PreCallRecord(const vk::CmdEndQuery& call, dispatch::Slot& slot) const { End(call, slot); }
void QueryRules::PreCallValidate(const vk::CmdEndQueryIndexedEXT& call, dispatch::Slot& slot, Report& report) const {
  CheckEnd({device_, &slot, report}, call);
}
void QueryRules::PreCallRecord(const vk::CmdEndQueryIndexedEXT& call, dispatch::Slot& slot) const { End(call, slot); }

void QueryRules::PreCallValidate(const vk::CmdWriteTimestamp& call, dispatch::Slot& slot, Report& report) const {
  CheckTimestamp({device_, &slot, report}, call);
}
void QueryRules::PreCallRecord(const vk::CmdWriteTimestamp& call, dispatch::Slot& slot) const {
  if (knows_contents_) WriteTimestamp(call, slot);
}
void QueryRules::PreCallValidate(const vk::CmdWriteTimestamp2& call, dispatch::Slot& slot, Report& report) const {
  CheckTimestamp({device_, &slot, report}, call);
}
void QueryRules::PreCallRecord(const vk::CmdWriteTimestamp2& call, dispatch::Slot& slot) const {
  if (knows_contents_) WriteTimestamp(call, slot);
}

void QueryRules::PreCallValidate(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call, dispatch::Slot& slot,
                                 Report& report) const {
  CheckProperties({device_, &slot, report}, call, call.accelerationStructureCount);
}
void QueryRules::PreCallRecord(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call,
                               dispatch::Slot& slot) const {
  if (knows_contents_) WriteProperties(call, call.accelerationStructureCount, slot);
}
void QueryRules::PreCallValidate(const vk::CmdWriteAccelerationStructuresPropertiesNV& call, dispatch::Slot& slot,
                                 Report& report) const {
  CheckProperties({device_, &slot, report}, call, call.accelerationStructureCount);
}
void QueryRules::PreCallRecord(const vk::CmdWriteAccelerationStructuresPropertiesNV& call, dispatch::Slot& slot) const {
  if (knows_contents_) WriteProperties(call, call.accelerationStructureCount, slot);
}
void QueryRules::PreCallValidate(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Slot& slot,
                                 Report& report) const {
  CheckProperties({device_, &slot, report}, call, call.micromapCount);
}
void QueryRules::PreCallRecord(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Slot& slot) const {
  if (knows_contents_) WriteProperties(call, call.micromapCount, slot);
}

}  // namespace assay::core
