// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/random_stream.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <sstream>

namespace assay::syncval {
namespace {

constexpr uint64_t kBytes = 12;

constexpr std::array kKinds = {
    vk::kSyncCopyTransferRead,
    vk::kSyncCopyTransferWrite,
    vk::kSyncBlitTransferRead,
    vk::kSyncBlitTransferWrite,
    vk::kSyncClearTransferWrite,
    vk::kSyncResolveTransferWrite,
    vk::kSyncDrawIndirectIndirectCommandRead,
    vk::kSyncIndexInputIndexRead,
    vk::kSyncVertexAttributeInputVertexAttributeRead,
    vk::kSyncVertexShaderUniformRead,
    vk::kSyncVertexShaderShaderStorageRead,
    vk::kSyncVertexShaderShaderStorageWrite,
    vk::kSyncFragmentShaderShaderSampledRead,
    vk::kSyncFragmentShaderShaderStorageWrite,
    vk::kSyncFragmentShaderInputAttachmentRead,
    vk::kSyncEarlyFragmentTestsDepthStencilAttachmentRead,
    vk::kSyncEarlyFragmentTestsDepthStencilAttachmentWrite,
    vk::kSyncLateFragmentTestsDepthStencilAttachmentWrite,
    vk::kSyncColorAttachmentOutputColorAttachmentRead,
    vk::kSyncColorAttachmentOutputColorAttachmentWrite,
    vk::kSyncComputeShaderShaderStorageRead,
    vk::kSyncComputeShaderShaderStorageWrite,
    vk::kSyncHostHostRead,
    vk::kSyncHostHostWrite,
};

constexpr std::array<VkPipelineStageFlags2, 9> kWideStages = {
    VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
    VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
    VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT,
    VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT,
    VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT,
    VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT,
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_PIPELINE_STAGE_2_NONE,
};
constexpr std::array<VkAccessFlags2, 5> kWideAccesses = {
    VK_ACCESS_2_MEMORY_READ_BIT,
    VK_ACCESS_2_MEMORY_WRITE_BIT,
    VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
    VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT,
    VK_ACCESS_2_NONE,
};

// SplitMix64: the standard library's distributions differ between implementations.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  uint64_t Below(uint64_t limit) { return Next() % limit; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  template <typename List>
  const auto& Of(const List& list) {
    return list[Below(std::size(list))];
  }

 private:
  uint64_t state_;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {
    // A stream that uses few kinds and few ranges has more to say about each.
    for (size_t i = 2 + random_.Below(5); i > 0; --i) kinds_.push_back(random_.Of(kKinds));
    for (size_t i = 1 + random_.Below(5); i > 0; --i) ranges_.push_back(AnyRange());
    barriers_in_ten_ = 3 + random_.Below(5);
  }

  Stream Make(uint32_t min_commands, uint32_t max_commands) {
    Stream stream(min_commands + random_.Below(max_commands - min_commands + 1));
    for (StreamCommand& command : stream) {
      if (random_.Below(10) < barriers_in_ten_) {
        for (size_t i = random_.OneIn(3) ? 1 + random_.Below(3) : 1; i > 0; --i)
          command.barriers.push_back(MakeBarrier());
      } else {
        for (size_t i = random_.OneIn(4) ? 2 : 1; i > 0; --i) command.accesses.push_back(MakeAccess());
      }
    }
    return stream;
  }

 private:
  Range AnyRange() {
    const uint64_t begin = random_.Below(kBytes);
    return {begin, begin + 1 + random_.Below(kBytes - begin)};
  }
  Range MakeRange() { return random_.OneIn(4) ? AnyRange() : random_.Of(ranges_); }

  Access MakeAccess() {
    const vk::SyncAccessIndex index = random_.OneIn(6) ? random_.Of(kKinds) : random_.Of(kinds_);
    last_kind_ = index;
    return {.range = MakeRange(),
            .index = index,
            .ordering = static_cast<OrderingRule>(random_.OneIn(2) ? random_.Below(4) : 0)};
  }

  void AddScope(vk::SyncAccessIndex kind, VkPipelineStageFlags2& stages, VkAccessFlags2& accesses) {
    if (random_.OneIn(5)) {
      stages |= random_.Of(kWideStages);
      accesses |= random_.Of(kWideAccesses);
      return;
    }
    const vk::SyncStageAccessInfo& pair = vk::SyncStageAccesses()[random_.OneIn(8) ? random_.Of(kKinds) : kind];
    stages |= pair.stage;
    if (!random_.OneIn(4)) accesses |= random_.OneIn(4) ? random_.Of(kWideAccesses) : pair.access;
  }

  StreamBarrier MakeBarrier() {
    StreamBarrier barrier;
    if (!flags_.empty() && random_.OneIn(2)) {
      barrier.flags = random_.Of(flags_);
    } else if (random_.OneIn(3)) {
      // What solves most hazards, so that some accesses are clean far into a stream.
      barrier.flags = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                       VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                       VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
      if (random_.OneIn(2)) barrier.flags.dst_stages = vk::SyncStageAccesses()[random_.Of(kinds_)].stage;
      flags_.push_back(barrier.flags);
    } else {
      for (size_t i = 1 + random_.Below(2); i > 0; --i) {
        AddScope(last_kind_, barrier.flags.src_stages, barrier.flags.src_access);
      }
      for (size_t i = 1 + random_.Below(2); i > 0; --i) {
        AddScope(random_.Of(kinds_), barrier.flags.dst_stages, barrier.flags.dst_access);
      }
      flags_.push_back(barrier.flags);
    }
    barrier.global = random_.OneIn(2);
    if (!barrier.global) {
      barrier.range = MakeRange();
      barrier.layout_transition = random_.OneIn(3);
    }
    return barrier;
  }

  Random random_;
  std::vector<vk::SyncAccessIndex> kinds_;
  vk::SyncAccessIndex last_kind_ = vk::kSyncCopyTransferWrite;
  std::vector<Range> ranges_;
  std::vector<BarrierFlags> flags_;
  uint64_t barriers_in_ten_;
};

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
  return Generator(seed).Make(min_commands, max_commands);
}

std::string ToCode(const Stream& stream) {
  std::ostringstream out;
  out << "const Stream stream = {\n";
  for (const StreamCommand& command : stream) {
    out << "    {.accesses = {";
    for (const Access& access : command.accesses)
      WriteAccess(out << (&access == &command.accesses.front() ? "" : ", "), access);
    out << "}, .barriers = {";
    for (const StreamBarrier& barrier : command.barriers) {
      WriteBarrier(out << (&barrier == &command.barriers.front() ? "" : ", "), barrier);
    }
    out << "}},\n";
  }
  out << "};\nEXPECT_EQ(FindDisagreement<Fault::kNone>(stream), \"\");\n";
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
