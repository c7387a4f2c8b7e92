// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Where no query, or only some, may be active.

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/queries/query_check.h"
#include "core/queries/query_rules.h"
#include "vk/families/vuid_families.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using messages::Report;
using vk::FamilyVuid;

std::string QueryText(const QueryCheck& check, const ActiveQuery& active) {
  return absl::StrCat("query ", active.query, " of ", check.reporter().Describe(messages::Object(active.pool)));
}

// Reports the first active query for which is_wrong(query) is true.
template <class F, class Text>
void ReportFirst(const QueryCheck& check, vk::VuidIndex rule, const F& is_wrong, const Text& text) {
  const RecordingScope* scope = check.scope();
  if (scope == nullptr || scope->active_queries.empty()) [[likely]]
    return;
  const auto found = std::ranges::find_if(scope->active_queries, is_wrong);
  if (found == scope->active_queries.end()) return;
  check.Require(false, rule, messages::Object(found->pool), "commandBuffer", [&] { return text(*found); });
}

void CheckRenderingEnd(const QueryCheck& check, vk::VuidIndex rule) {
  const RecordingScope* scope = check.scope();
  if (scope == nullptr || scope->instance() == 0) return;
  ReportFirst(
      check, rule, [&](const ActiveQuery& active) { return active.instance == scope->instance(); },
      [&](const ActiveQuery& active) {
        return absl::StrCat("ends the render pass instance in which ", QueryText(check, active),
                            " was begun and not ended.");
      });
}

// Whether secondary command buffers may be executed while a query of the type is active.
bool IsInheritable(const ActiveQuery& active) {
  const auto* pool = state::DeviceState::Get<state::QueryPool>(active.pool);
  return pool == nullptr || pool->query_type == VK_QUERY_TYPE_OCCLUSION ||
         pool->query_type == VK_QUERY_TYPE_PIPELINE_STATISTICS;
}

}  // namespace

void QueryRules::PreCallValidate(const vk::CmdExecuteCommands&, dispatch::Slot& slot, Report& report) const {
  using C = vk::CmdExecuteCommands;
  const QueryCheck check(device_, &slot, report);
  const bool may_inherit = device_.HasFeature(vk::FeatureId::kInheritedQueries);
  ReportFirst(
      check, FamilyVuid<C>("commandBuffer-00101"), [&](const ActiveQuery&) { return !may_inherit; },
      [&](const ActiveQuery& active) {
        return absl::StrCat("has ", QueryText(check, active), " active, but inheritedQueries is not enabled.");
      });
  ReportFirst(
      check, FamilyVuid<C>("commandBuffer-07594"),
      [&](const ActiveQuery& active) { return may_inherit && !IsInheritable(active); },
      [&](const ActiveQuery& active) {
        return absl::StrCat("has ", QueryText(check, active),
                            " active, which is neither an occlusion query nor one of pipeline statistics.");
      });
}

void QueryRules::PreCallValidate(const vk::CmdEndRenderPass&, dispatch::Slot& slot, Report& report) const {
  CheckRenderingEnd({device_, &slot, report}, FamilyVuid<vk::CmdEndRenderPass>("None-07004"));
}
void QueryRules::PreCallValidate(const vk::CmdEndRenderPass2&, dispatch::Slot& slot, Report& report) const {
  CheckRenderingEnd({device_, &slot, report}, FamilyVuid<vk::CmdEndRenderPass2>("None-07005"));
}
void QueryRules::PreCallValidate(const vk::CmdEndRendering&, dispatch::Slot& slot, Report& report) const {
  CheckRenderingEnd({device_, &slot, report}, FamilyVuid<vk::CmdEndRendering>("None-06999"));
}

void QueryRules::PreCallValidate(const vk::EndCommandBuffer&, dispatch::Slot& slot, Report& report) const {
  const QueryCheck check(device_, &slot, report);
  ReportFirst(
      check, FamilyVuid<vk::EndCommandBuffer>("commandBuffer-00061"), [](const ActiveQuery&) { return true; },
      [&](const ActiveQuery& active) { return absl::StrCat("has ", QueryText(check, active), " active."); });
}

}  // namespace assay::core
