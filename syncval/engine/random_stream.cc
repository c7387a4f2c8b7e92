// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/random_stream.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

#include "syncval/engine/stream_generator.h"

namespace assay::syncval {
namespace {

void WriteRange(std::ostream& out, const Range& range) { out << '{' << range.begin << ", " << range.end << '}'; }

void WriteBarrier(std::ostream& out, const StreamBarrier& barrier) {
  out << std::hex << "{.flags = {0x" << barrier.flags.src_stages << "u, 0x" << barrier.flags.src_access << "u, 0x"
      << barrier.flags.dst_stages << "u, 0x" << barrier.flags.dst_access << "u}" << std::dec;
  if (!barrier.global) {
    out << ", .global = false, .range = ";
    WriteRange(out, barrier.range);
    if (barrier.layout_transition) out << ", .layout_transition = true";
  }
  out << '}';
}

void WriteAccess(std::ostream& out, const Access& access) {
  out << "{.range = ";
  WriteRange(out, access.range);
  out << ", .index = vk::SyncAccessIndex{" << static_cast<int>(access.index) << "} /*"
      << vk::SyncStageAccesses()[access.index].name << "*/";
  if (access.ordering != OrderingRule::kNone)
    out << ", .ordering = OrderingRule{" << static_cast<int>(access.ordering) << '}';
  out << '}';
}

}  // namespace

Stream RandomStream(uint64_t seed, uint32_t min_commands, uint32_t max_commands) {
  return StreamGenerator(seed).Make(min_commands, max_commands);
}

std::string ToCode(const Stream& stream) {
  return "const Stream stream = " + CommandsToCode(stream) +
         ";\nEXPECT_EQ(FindDisagreement<Fault::kNone>(stream), \"\");\n";
}

std::string CommandsToCode(const Stream& stream) {
  std::ostringstream out;
  out << "{\n";
  for (const StreamCommand& command : stream) {
    out << "    {.accesses = {";
    for (const Access& access : command.accesses)
      WriteAccess(out << (&access == &command.accesses.front() ? "" : ", "), access);
    out << "}, .barriers = {";
    for (const StreamBarrier& barrier : command.barriers) {
      WriteBarrier(out << (&barrier == &command.barriers.front() ? "" : ", "), barrier);
    }
    out << "}, .executes = {";
    for (const uint32_t buffer : command.executes) out << buffer << ", ";
    out << "}, .event = StreamEvent{" << static_cast<int>(command.event)
        << "}, .event_number = " << command.event_number << "},\n";
  }
  out << "}";
  return out.str();
}

namespace {

// Calls visit(Range, region) on each part of range; region 0 has no meaning, so they are numbered from 1.
template <typename Visit>
void ForEachRegion(const Range& range, uint64_t region_bytes, Visit&& visit) {
  for (uint64_t begin = range.begin; begin < range.end;) {
    const uint64_t region = begin / region_bytes;
    const uint64_t end = std::min(range.end, (region + 1) * region_bytes);
    visit(Range{begin, end}, region + 1);
    begin = end;
  }
}

}  // namespace

Stream WithRegions(const Stream& stream, uint64_t region_bytes) {
  Stream result;
  for (const StreamCommand& command : stream) {
    StreamCommand& cut = result.emplace_back();
    cut.executes = command.executes;
    cut.event = command.event;
    cut.event_number = command.event_number;
    for (Access access : command.accesses) {
      ForEachRegion(access.range, region_bytes, [&](const Range& range, uint64_t region) {
        access.range = range;
        access.region = region;
        cut.accesses.push_back(access);
      });
    }
    for (StreamBarrier barrier : command.barriers) {
      if (barrier.global) {
        cut.barriers.push_back(barrier);
        continue;
      }
      ForEachRegion(barrier.range, region_bytes, [&](const Range& range, uint64_t region) {
        barrier.range = range;
        barrier.region = region;
        cut.barriers.push_back(barrier);
      });
    }
  }
  return result;
}

}  // namespace assay::syncval
