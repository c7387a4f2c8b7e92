// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/streams/random_stream.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

#include "syncval/engine/streams/stream_generator.h"

namespace assay::syncval {
namespace {

void WriteRange(std::ostream& out, const Range& range) { out << '{' << range.begin << ", " << range.end << '}'; }

void WriteRegion(std::ostream& out, uint64_t region) {
  if (region != 0) out << ", .region = " << region;
}

void WriteBarrier(std::ostream& out, const StreamBarrier& barrier) {
  out << std::hex << "{.flags = {0x" << barrier.flags.src_stages << "u, 0x" << barrier.flags.src_access << "u, 0x"
      << barrier.flags.dst_stages << "u, 0x" << barrier.flags.dst_access << "u}" << std::dec;
  if (!barrier.global) {
    out << ", .global = false, .range = ";
    WriteRange(out, barrier.range);
    if (barrier.layout_transition) out << ", .layout_transition = true";
    WriteRegion(out, barrier.region);
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
  WriteRegion(out, access.region);
  out << '}';
}

void WriteNumber(std::ostream& out, uint32_t subpass) {
  if (subpass == SubpassGraph::kExternal) {
    out << "SubpassGraph::kExternal";
  } else {
    out << subpass;
  }
}

void WriteSubpass(std::ostream& out, const StreamCommand& command) {
  if (command.subpass == StreamSubpass::kNone) return;
  out << ", .subpass = StreamSubpass{" << static_cast<int>(command.subpass) << "}, .transitions = {";
  const auto write = [&out](const char* name, const std::vector<uint32_t>& numbers) {
    out << ", ." << name << " = {";
    for (const uint32_t number : numbers) out << number << ", ";
    out << '}';
  };
  for (const StreamTransition& transition : command.transitions) {
    out << "{.range = ";
    WriteRange(out, transition.range);
    WriteRegion(out, transition.region);
    write("after", transition.after);
    write("before", transition.before);
    out << "}, ";
  }
  out << "}, .subpasses = " << command.subpasses << ", .dependencies = {";
  for (const SubpassGraph::Dependency& dependency : command.dependencies) {
    const BarrierFlags& flags = dependency.flags;
    out << '{';
    WriteNumber(out, dependency.src);
    out << ", ";
    WriteNumber(out, dependency.dst);
    out << std::hex << ", {0x" << flags.src_stages << "u, 0x" << flags.src_access << "u, 0x" << flags.dst_stages
        << "u, 0x" << flags.dst_access << "u}}, " << std::dec;
  }
  out << "}, .last_transitions = {";
  for (const uint32_t subpass : command.last_transitions) {
    WriteNumber(out, subpass);
    out << ", ";
  }
  out << '}';
}

}  // namespace

VkPipelineStageFlags2 StreamStages() {
  VkPipelineStageFlags2 stages = 0;
  for (const vk::SyncAccessIndex kind : kStreamKinds) stages |= vk::SyncStageAccesses()[kind].stage;
  return stages;
}

Stream RandomStream(uint64_t seed, uint32_t min_commands, uint32_t max_commands) {
  return StreamGenerator(seed).Make(min_commands, max_commands);
}

Stream RandomStreamOfSubpasses(uint64_t seed, uint32_t min_commands, uint32_t max_commands) {
  StreamGenerator generator(seed);
  return WithCompleteRenderPasses(generator.WithRenderPasses(generator.Make(min_commands, max_commands)));
}

Stream RandomStreamOfManySubpasses(uint64_t seed) {
  return WithCompleteRenderPasses(StreamGenerator(seed).MakeManySubpasses());
}

std::string ToCode(const Stream& stream) {
  return "const Stream stream = " + CommandsToCode(stream) +
         ";\nEXPECT_EQ(FindDisagreement<Mutation::kNone>(stream), \"\");\n";
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
        << "}, .event_number = " << command.event_number;
    WriteSubpass(out, command);
    out << "},\n";
  }
  out << "}";
  return out.str();
}

namespace {

// Calls visit(Range, region) on each part of range. Regions are numbered from 1, since 0 means none.
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

Stream WithCompleteRenderPasses(const Stream& stream) {
  Stream result;
  const StreamCommand* begin = nullptr;
  // In the result.
  size_t begin_number = 0;
  uint32_t current = 0;
  for (const StreamCommand& command : stream) {
    if (command.subpass == StreamSubpass::kNone) {
      // The only event commands inside a render pass instance are waits.
      if (begin != nullptr && command.event != StreamEvent::kNone && command.event != StreamEvent::kWait) continue;
      result.push_back(command);
      if (begin == nullptr) continue;
      for (StreamBarrier& barrier : result.back().barriers) barrier.layout_transition = false;
      continue;
    }
    const bool is_begin = command.subpass == StreamSubpass::kBegin;
    if (is_begin != (begin == nullptr)) continue;
    if (is_begin) {
      begin = &command;
      current = 0;
    } else if (command.subpass == StreamSubpass::kNext && ++current >= begin->subpasses) {
      --current;
      continue;
    }
    StreamCommand step = command;
    const bool is_end = command.subpass == StreamSubpass::kEnd;
    // A shrunk stream may end an instance before its last subpass. A valid one must not.
    for (; is_end && current + 1 < begin->subpasses; ++current) result.push_back({.subpass = StreamSubpass::kNext});
    const auto& dependencies = begin->dependencies;
    for (StreamTransition& transition : step.transitions) {
      std::erase_if(transition.after, [&](uint32_t number) {
        if (number >= dependencies.size()) return true;
        const auto& [src, dst, flags] = dependencies[number];
        if (is_begin) return src != SubpassGraph::kExternal;
        if (is_end) return src == SubpassGraph::kExternal;
        return src == SubpassGraph::kExternal ? dst == 0 : src >= current;
      });
      std::erase_if(transition.before, [&](uint32_t number) {
        return number >= dependencies.size() ||
               dependencies[number].dst != (is_end ? SubpassGraph::kExternal : current);
      });
    }
    if (is_begin) {
      begin_number = result.size();
      step.last_transitions.assign(dependencies.size(), 0);
    }
    result.push_back(std::move(step));
    std::vector<uint32_t>& last_transitions = result[begin_number].last_transitions;
    for (const StreamTransition& transition : result.back().transitions) {
      for (const uint32_t number : transition.after)
        last_transitions[number] = std::max(last_transitions[number], is_end ? SubpassGraph::kExternal : current);
    }
    if (is_end) begin = nullptr;
  }
  if (begin == nullptr) return result;
  for (; current + 1 < begin->subpasses; ++current) result.push_back({.subpass = StreamSubpass::kNext});
  result.push_back({.subpass = StreamSubpass::kEnd});
  return result;
}

Stream WithRegions(const Stream& stream, uint64_t region_bytes) {
  Stream result;
  for (const StreamCommand& command : stream) {
    StreamCommand& cut = result.emplace_back();
    cut.executes = command.executes;
    cut.event = command.event;
    cut.event_number = command.event_number;
    cut.subpass = command.subpass;
    cut.subpasses = command.subpasses;
    cut.dependencies = command.dependencies;
    cut.last_transitions = command.last_transitions;
    for (StreamTransition transition : command.transitions) {
      ForEachRegion(transition.range, region_bytes, [&](const Range& range, uint64_t region) {
        transition.range = range;
        transition.region = region;
        cut.transitions.push_back(transition);
      });
    }
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
