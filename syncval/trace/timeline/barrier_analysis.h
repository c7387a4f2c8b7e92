// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_ANALYSIS_H_
#define ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_ANALYSIS_H_

#include <cstdint>
#include <vector>

#include "syncval/trace/timeline/timeline.h"

// Finds the barriers of a run that ordered nothing, and those that were wider than the run needed.
//
// In a run, each access *depends* on the earlier ones that it would conflict with: a read on the last write of a byte,
// a write on the reads since, or on the last write if there are none. Accesses that rasterization order orders, and
// layout transitions among themselves, depend on nothing.
//
// Each dependency is *given* to the first barrier that orders its two accesses directly: one between them whose scopes
// hold both and that covers the byte. If there is none, a chain of several barriers, or of semaphores and barriers, may
// order them. Then every barrier that can be part of such a chain is *fixed*: needed as it is.
//
// A subpass dependency is a barrier like others. Its scopes, and those of barriers within a subpass, are limited to one
// subpass where they have one. Subpass dependencies are always fixed: they keep ordering the dependencies that are
// given to them, and the chains through them. A layout transition that a render pass does is between the subpass
// dependencies of its command.
//
// The claim: all barriers that were given nothing could be left out, and all others narrowed to what they were given,
// all at once, and every dependency of the run would still be ordered. It is a claim about this run and no other.
// Whatever is unknown counts as needed:
//
//   - A barrier after an access that had no successor in the run is not reported to have ordered nothing: a later
//     submission may need it, unless an earlier barrier orders as much.
//   - Layout transitions and queue family ownership transfers do more than order. A layout transition may be wider than
//     needed, but never ordered nothing. These transfers, and waits for events, are not judged.
//   - Barriers with the host's stage are not judged, since the accesses of the host are unknown.
//   - Barriers after the acquire of an image may order accesses of the presentation engine.
//   - If the beginning of the run was dropped, all memory counts as accessed there in every way.
//   - Nothing is judged in a run with commands of which not all accesses are known.
namespace assay::syncval::trace {

struct BarrierFinding {
  enum class Verdict : uint8_t { kOrderedNothing, kWider };
  Verdict verdict = Verdict::kOrderedNothing;
  const RecordedTrace* trace = nullptr;
  // Into RecordedTrace::barriers, and its command.
  uint32_t barrier = 0;
  uint32_t command = 0;
  // How often it was executed, and the first batch that did, by its number in the timeline.
  uint32_t executions = 0;
  uint32_t first_batch = 0;
  // Of kWider: the masks that are needed.
  BarrierFlags needed;
  // Of kWider: some accesses that it ordered had no successor in the run.
  bool is_open = false;
};

// An execution of a barrier with the first dependency that it was given. Commands are numbered from 0 in the order of
// the run: batch by batch, those of secondaries after the command that executes them.
struct BarrierArrow {
  uint64_t earlier = 0;
  uint64_t barrier = 0;
  uint64_t later = 0;
};

struct BarrierAnalysis {
  // Ordered by when they were first executed.
  std::vector<BarrierFinding> findings;
  std::vector<BarrierArrow> arrows;
  // Commands for which the run was not judged.
  uint64_t unknown_commands = 0;
};

BarrierAnalysis AnalyzeBarriers(const Timeline& timeline);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_ANALYSIS_H_
