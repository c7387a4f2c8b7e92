// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_ANALYSIS_H_
#define ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_ANALYSIS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "syncval/trace/timeline/timeline.h"

// Which barriers a run made no use of, and which ordered more than it needed.
//
// In a run, each access *depends* on those before it that it would conflict with: a read on the last write of a byte, a
// write on the reads since, or on the last write if there are none. Accesses that rasterization order orders, and
// layout transitions among themselves, depend on nothing. Each dependency is given to the first barrier that orders the
// two directly: one between them whose scopes hold both and that covers the byte. If there is none, it may be that
// several barriers order them in a chain, or semaphores and barriers; then every barrier that can be a part of such a
// chain is *fixed*: needed as it is.
//
// A subpass dependency is a barrier like others, with scopes that are of one subpass where it has one; so are those of
// barriers within a subpass. Dependencies are fixed: what is given to them, and chains that go through them, stay in
// order by them. A layout transition that a render pass does is between the dependencies of its command.
//
// So all barriers that have been given nothing could be left out, and all others be narrowed to what they have been
// given, all at once, and every dependency of the run would be ordered as before. That is what is claimed, of this run
// and of no other. What is not known counts as a use:
//
//   - a barrier after an access that nothing followed upon in the run is not said to have ordered nothing, for a later
//     submission may follow; unless an earlier one does as much for that
//   - layout transitions and ownership transfers do something besides ordering, so they may be wider than needed, but
//     have never ordered nothing; ownership transfers and waits for events are not judged at all
//   - barriers with the host's stage are not judged, since what the host does is not seen
//   - barriers that follow upon the acquire of an image may order what the presentation engine does
//   - where the beginning of the run was dropped, all memory was accessed there in every way
//   - nothing is judged in a run with commands of which not all accesses are known
namespace assay::syncval::trace {

struct BarrierFinding {
  enum class Verdict : uint8_t { kOrderedNothing, kWider };
  Verdict verdict = Verdict::kOrderedNothing;
  const RecordedTrace* trace = nullptr;
  // Into RecordedTrace::barriers, and the command that it is of.
  uint32_t barrier = 0;
  uint32_t command = 0;
  // How often it was executed, and the first batch that did, by its number in the timeline.
  uint32_t executions = 0;
  uint32_t first_batch = 0;
  // Of kWider: what is needed.
  BarrierFlags needed;
  // Of kWider: nothing has followed yet upon some of what it ordered.
  bool is_open = false;
};

// An execution of a barrier with the first dependency that it was given. Commands are numbered as the run has them:
// batch by batch, those of secondaries after the command that executes them, from 0.
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

// The barrier as it would be written with these flags, to be pasted: a VkMemoryBarrier2, VkBufferMemoryBarrier2,
// VkImageMemoryBarrier2 or VkSubpassDependency2 with the members that differ between barriers, where `…` stands for
// what stays as it is.
std::string BarrierText(const RecordedTrace& trace, const TracedBarrier& barrier, const BarrierFlags& flags);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_ANALYSIS_H_
