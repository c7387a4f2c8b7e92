// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_UNDO_CHANGES_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_UNDO_CHANGES_H_

#include <utility>

#include "syncval/engine/contexts/access_context.h"

// Undoing what a submission did to the context of a queue, or what a command did that was skipped after parts of it had
// been recorded. Bodies of BasicAccessContext; see access_context_bodies.h.
namespace assay::syncval {

// States are saved as they change. The rest is small, and mostly empty.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::BeginUndoable(Tag tag) {
  states_.BeginUndoable();
  before_.begin = tag;
  before_.version = version_;
  before_.journal = journal_.position();
  before_.flushed.clear();
  before_.events = events_;
  before_.empty_scope_transitions = empty_scope_transitions_;
  before_.unordered = unordered_;
  before_.subpass = subpass_.position();
  before_.waits = queues_.waits();
}

// Everything pending goes into the map, where new states are removed and older ones put back. The bounds of regions
// stay as they are: they may be too large.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::Undo() {
  FlushAll();
  ordered_pairs_.Clear();
  states_.Undo();
  journal_.ShrinkTo(before_.journal);
  events_ = std::move(before_.events);
  empty_scope_transitions_ = std::move(before_.empty_scope_transitions);
  unordered_ = std::move(before_.unordered);
  subpass_.SetPosition(before_.subpass);
  queues_.SetWaits(before_.waits);
  for (const PendingAccess& pending : before_.flushed) RecordPending(pending);
  version_ = before_.version;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_UNDO_CHANGES_H_
