// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/contexts/state_merger.h"

#include <algorithm>

#include "absl/types/span.h"

namespace assay::syncval {

void StateMerger::Merge(StatePool& pool, AccessState& state, const AccessState& incoming) {
  const bool both_write = incoming.HasWrite() && state.HasWrite();
  if (incoming.HasWrite() && (!state.HasWrite() || incoming.write_tag > state.write_tag)) {
    pool.RemoveReadsIf(state, [&](const ReadRecord& read) { return read.tag < incoming.write_tag; });
    state.write_index = incoming.write_index;
    state.source_index = incoming.source_index;
    state.write_queue = incoming.write_queue;
    state.write_tag = incoming.write_tag;
    state.write_ordering = incoming.write_ordering;
    state.visible_to = incoming.visible_to;
    state.available_stages = incoming.available_stages;
    state.read_stages = StageSet();
    state.after_read_stages = incoming.after_read_stages;
  } else if (incoming.HasWrite() == state.HasWrite() && (!both_write || incoming.write_tag == state.write_tag)) {
    state.visible_to |= incoming.visible_to;
    state.available_stages |= incoming.available_stages;
    state.after_read_stages |= incoming.after_read_stages;
  }
  MergeReads(pool, state);
}

// Of the reads of one kind: the side that has the latest one also has those before it that still count.
void StateMerger::MergeReads(StatePool& pool, AccessState& state) {
  const auto latest = [](absl::Span<const ReadRecord> reads, const ReadRecord& kind) {
    int64_t tag = -1;
    for (const ReadRecord& read : reads) {
      if (read.IsLike(kind)) tag = std::max(tag, int64_t{read.tag.value});
    }
    return tag;
  };
  const auto find = [](absl::Span<ReadRecord> reads, const ReadRecord& wanted) {
    return std::ranges::find_if(reads,
                                [&](const ReadRecord& read) { return read.IsLike(wanted) && read.tag == wanted.tag; });
  };
  const absl::Span<ReadRecord> incoming = absl::MakeSpan(incoming_reads);
  new_reads_.clear();
  for (const ReadRecord& read : incoming) {
    if (state.HasWrite() && read.tag < state.write_tag) continue;
    const absl::Span<ReadRecord> known = pool.Reads(state);
    if (const auto same = find(known, read); same != known.end()) {
      same->ordered_stages |= read.ordered_stages;
    } else if (latest(known, read) <= latest(incoming, read)) {
      new_reads_.push_back(read);
    }
  }
  pool.RemoveReadsIf(state, [&](const ReadRecord& read) {
    return latest(incoming, read) >= int64_t{read.tag.value} && find(incoming, read) == incoming.end();
  });
  for (const ReadRecord& read : new_reads_) pool.AddRead(state, read);
}

}  // namespace assay::syncval
