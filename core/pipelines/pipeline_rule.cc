// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using messages::Location;

// Calls f() with the location that `path` leads to; its steps live no longer than the call.
template <class F>
void At(const Location& from, std::string_view path, uint32_t index, const F& f) {
  if (path.empty()) return f(from);
  const size_t end = path.find('.');
  const std::string_view step = path.substr(0, end);
  const std::string_view rest = end == std::string_view::npos ? "" : path.substr(end + 1);
  constexpr std::string_view kNext = "pNext<";
  if (step.starts_with(kNext)) {
    return At(from.Next(step.substr(kNext.size(), step.size() - kNext.size() - 1)), rest, index, f);
  }
  if (step.ends_with("[]")) return At(from.Dot(step.substr(0, step.size() - 2), index), rest, index, f);
  At(from.Dot(step), rest, index, f);
}

}  // namespace

void ReportFinding(vk::VuidIndex id, std::string_view path, Finding finding, const GraphicsView& view,
                   const Location& where, messages::Report& report) {
  At(where, path, finding.index, [&](const Location& member) {
    report.Error(id, {messages::Object(view.device.handle)}, member, std::move(finding.text), std::move(finding.fix));
  });
}

bool Check(absl::Span<const PipelineRule> rules, const GraphicsView& view, const Location& where,
           messages::Report& report) {
  bool all_hold = true;
  for (const PipelineRule& rule : rules) {
    if (rule.stages != 0 && !view.HasStage(rule.stages)) continue;
    if (rule.traits != 0 && (view.traits & rule.traits) == 0) continue;
    Result wrong = rule.check(view);
    if (!wrong) continue;
    all_hold = false;
    ReportFinding(rule.id, rule.where, *std::move(wrong), view, where, report);
  }
  return all_hold;
}

}  // namespace assay::core
