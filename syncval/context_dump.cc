// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/context_dump.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "vk/sync/sync_info.h"

namespace assay::syncval {
namespace {

std::string_view NameOf(vk::SyncAccessIndex index) { return vk::SyncStageAccesses()[index].name; }

std::string ToText(const SyncAccessMask& mask) {
  std::array<uint64_t, SyncAccessMask::kBits / 64> words = {};
  mask.ForEach([&](vk::SyncAccessIndex index) {
    const auto bit = static_cast<size_t>(index);
    words[bit / 64] |= uint64_t{1} << (bit % 64);
  });
  return absl::StrCat(absl::Hex(words[2]), ".", absl::Hex(words[1]), ".", absl::Hex(words[0]));
}

std::string ToText(const StageSet& stages) {
  return absl::StrCat(absl::Hex(stages.outside), "/", absl::Hex(stages.inside), "/", absl::Hex(stages.ended));
}

std::string ToText(const ReadRecord& read) {
  return absl::StrCat(NameOf(read.index), " at ", read.tag.value, " of queue ", static_cast<int>(read.queue),
                      " ordering ", static_cast<int>(read.ordering), " stage ", ToText(read.stage.ToSet()), " before ",
                      ToText(read.ordered_stages));
}

std::string ToText(const AccessState& state, absl::Span<const ReadRecord> reads) {
  std::string text;
  if (state.HasWrite()) {
    absl::StrAppend(&text, NameOf(state.write_index), " at ", state.write_tag.value, " of queue ",
                    static_cast<int>(state.write_queue), " ordering ", static_cast<int>(state.write_ordering),
                    state.is_write_inside ? " inside" : "", " as ", NameOf(state.source_index), " visible to ",
                    ToText(state.visible_to.outside), "/", ToText(state.visible_to.inside), " available to ",
                    ToText(state.available_stages));
  }
  absl::StrAppend(&text, " read in ", ToText(state.read_stages), " before ", ToText(state.after_read_stages));
  // Their order has no meaning.
  std::vector<std::string> read_texts;
  for (const ReadRecord& read : reads) read_texts.push_back(absl::StrCat(", ", ToText(read)));
  std::ranges::sort(read_texts);
  for (const std::string& read_text : read_texts) text += read_text;
  return text;
}

}  // namespace

std::string ContextDump::ToText(const VectorClock& clock) {
  std::string text;
  for (int queue = 0; queue < 256; ++queue) {
    const Tag end = clock.Of(static_cast<QueueIndex>(queue));
    if (end.value != 0) absl::StrAppend(&text, text.empty() ? "" : ",", queue, ":", end.value);
  }
  return text;
}

std::string ContextDump::ToText(const QueuePoint& point) {
  return absl::StrCat(ToText(point.known), "+", point.moved_down);
}

void ContextDump::Append(std::string_view what, uint64_t owner, AccessContext& context, test::Dump& dump) {
  context.FlushAll();
  std::vector<std::pair<Range, std::string>> parts;
  context.states_.ForEachState(kEverywhere, [&](const Range& range, AccessState& state) {
    std::string text = syncval::ToText(state, context.states_.Reads(state));
    if (!parts.empty() && parts.back().first.end == range.begin && parts.back().second == text) {
      parts.back().first.end = range.end;
    } else {
      parts.emplace_back(range, std::move(text));
    }
  });
  for (const auto& [range, text] : parts) dump.Line(what, owner, "bytes", range.begin, range.end, text);
  for (const EventTable::Event& event : context.events_.events()) {
    dump.Line(what, owner, "event", event.event, event.tag.value, event.dependencies.size(), event.stages);
  }
  for (const EmptyScopeTransitions::Entry& entry : context.empty_scope_transitions_.entries()) {
    dump.Line(what, owner, "transition", entry.range.begin, entry.range.end, entry.tag.value);
  }
  for (const UnorderedAccesses::Entry& entry : context.unordered_.entries()) {
    dump.Line(what, owner, "unordered", entry.range.begin, entry.range.end, ToText(entry.accesses));
  }
  const auto& subpass = context.subpass_.position();
  dump.Line(what, owner, "subpass", subpass.phase.number, subpass.begin.value,
            subpass.automatic_transitions_begin.value);
}

void ContextDump::Append(DeviceContext& device, test::Dump& dump) {
  dump.Line("device context", device.executions_.next().value, device.executions_.size(), ToText(device.complete_),
            device.moved_down_);
  for (size_t i = 0; i < device.queues_.size(); ++i) {
    auto& queue = *device.queues_[i];
    const std::string known = ToText(queue.known);
    const auto& waits = queue.context.queues_.waits();
    const bool has_waited = waits.stages != 0 || waits.has_replayed || queue.waits.next != 0;
    if (known.empty() && !has_waited && queue.context.RangeCount() == 0 && queue.context.SetEventCount() == 0) continue;
    dump.Line("queue context", i, known, waits.stages, waits.has_replayed, queue.waits.next);
    for (const auto& waited : queue.waits.waited) dump.Values(waited.signal, waited.stages);
    Append("queue", i, queue.context, dump);
  }
}

}  // namespace assay::syncval
