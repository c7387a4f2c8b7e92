// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_STREAMS_STREAM_GENERATOR_H_
#define ASSAY_SYNCVAL_ENGINE_STREAMS_STREAM_GENERATOR_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "syncval/engine/streams/random_stream.h"

// The parts of random streams.
namespace assay::syncval {

inline constexpr uint64_t kStreamBytes = 12;

inline constexpr std::array kStreamKinds = {
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

inline constexpr std::array<VkPipelineStageFlags2, 9> kWideStages = {
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
inline constexpr std::array<VkAccessFlags2, 5> kWideAccesses = {
    VK_ACCESS_2_MEMORY_READ_BIT,
    VK_ACCESS_2_MEMORY_WRITE_BIT,
    VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
    VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT,
    VK_ACCESS_2_NONE,
};

// SplitMix64. The standard library's distributions differ between implementations.
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

class StreamGenerator {
 public:
  explicit StreamGenerator(uint64_t seed) : random_(seed) {
    // A stream with few kinds and few ranges tests each of them more.
    for (size_t i = 2 + random_.Below(5); i > 0; --i) kinds_.push_back(random_.Of(kStreamKinds));
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

  Stream MakeManySubpasses() {
    constexpr uint32_t kSubpasses = 24;
    StreamCommand begin{.subpass = StreamSubpass::kBegin, .subpasses = kSubpasses};
    const auto add = [&](uint32_t src, uint32_t dst) { begin.dependencies.push_back({src, dst, MakeBarrier().flags}); };
    // At most eleven first scopes lead over the end of a subpass.
    for (uint32_t src = 0; src + 1 < kSubpasses; ++src) {
      for (size_t i = random_.Below(3); i > 0; --i)
        add(src, std::min(static_cast<uint32_t>(src + 1 + random_.Below(3)), kSubpasses - 1));
    }
    for (size_t i = random_.Below(3); i > 0; --i)
      add(SubpassGraph::kExternal, static_cast<uint32_t>(random_.Below(kSubpasses)));
    for (size_t i = random_.Below(4); i > 0; --i)
      add(static_cast<uint32_t>(random_.Below(kSubpasses)), SubpassGraph::kExternal);
    Stream result;
    const auto add_commands = [&] {
      for (const StreamCommand& command : Make(0, 3)) result.push_back(command);
    };
    add_commands();
    result.push_back(begin);
    for (uint32_t subpass = 0; subpass < kSubpasses; ++subpass) {
      if (subpass != 0) result.push_back({.subpass = StreamSubpass::kNext});
      add_commands();
    }
    result.push_back({.subpass = StreamSubpass::kEnd});
    add_commands();
    return result;
  }

  Random& random() { return random_; }

  // Puts render pass instances into a stream, around some of its commands.
  Stream WithRenderPasses(const Stream& stream) {
    Stream result;
    for (size_t i = 0; i < stream.size();) {
      if (!random_.OneIn(4)) {
        result.push_back(stream[i++]);
        continue;
      }
      const StreamCommand begin = MakeRenderPass();
      result.push_back(begin);
      for (uint32_t subpass = 0; subpass < begin.subpasses; ++subpass) {
        if (subpass != 0) result.push_back(MakeSubpassStep(StreamSubpass::kNext, begin));
        for (size_t n = random_.Below(4); n > 0 && i < stream.size(); --n) result.push_back(stream[i++]);
      }
      result.push_back(MakeSubpassStep(StreamSubpass::kEnd, begin));
    }
    return result;
  }

 private:
  StreamCommand MakeRenderPass() {
    StreamCommand begin{.subpasses = random_.OneIn(2) ? 1 : static_cast<uint32_t>(1 + random_.Below(3))};
    for (size_t i = random_.Below(begin.subpasses + 3); i > 0; --i) {
      const auto src = static_cast<uint32_t>(random_.Below(begin.subpasses + 1));
      const auto dst = static_cast<uint32_t>(src + random_.Below(begin.subpasses + 1 - src) + 1);
      // Numbers in the order of execution: 0 is before the render pass, and the number after the last subpass is after
      // it.
      begin.dependencies.push_back({src == 0 ? SubpassGraph::kExternal : src - 1,
                                    dst > begin.subpasses ? SubpassGraph::kExternal : dst - 1, MakeBarrier().flags});
      auto& added = begin.dependencies.back();
      if (added.src == SubpassGraph::kExternal && added.dst == SubpassGraph::kExternal) added.dst = 0;
    }
    begin.subpass = StreamSubpass::kBegin;
    AddTransitions(begin, begin.dependencies.size());
    return begin;
  }
  StreamCommand MakeSubpassStep(StreamSubpass step, const StreamCommand& begin) {
    StreamCommand command{.subpass = step};
    AddTransitions(command, begin.dependencies.size());
    return command;
  }
  void AddTransitions(StreamCommand& command, size_t dependencies) {
    while (random_.OneIn(3)) {
      StreamTransition& transition = command.transitions.emplace_back(StreamTransition{.range = MakeRange()});
      for (uint32_t i = 0; i < dependencies; ++i) {
        if (!random_.OneIn(4)) transition.after.push_back(i);
        if (!random_.OneIn(4)) transition.before.push_back(i);
      }
    }
  }

  Range AnyRange() {
    const uint64_t begin = random_.Below(kStreamBytes);
    return {begin, begin + 1 + random_.Below(kStreamBytes - begin)};
  }
  Range MakeRange() { return random_.OneIn(4) ? AnyRange() : random_.Of(ranges_); }

  Access MakeAccess() {
    const vk::SyncAccessIndex index = random_.OneIn(6) ? random_.Of(kStreamKinds) : random_.Of(kinds_);
    last_kind_ = index;
    return {.range = MakeRange(), .index = index, .ordering = RuleFor(index)};
  }
  OrderingRule RuleFor(vk::SyncAccessIndex index) {
    constexpr VkAccessFlags2 kStorage = VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    if (!random_.OneIn(2)) return OrderingRule::kNone;
    if ((vk::SyncStageAccesses()[index].access & kStorage) != 0) return OrderingRule::kAtomic;
    return static_cast<OrderingRule>(random_.Below(4));
  }

  void AddScope(vk::SyncAccessIndex kind, VkPipelineStageFlags2& stages, VkAccessFlags2& accesses) {
    if (random_.OneIn(5)) {
      stages |= random_.Of(kWideStages);
      accesses |= random_.Of(kWideAccesses);
      return;
    }
    const vk::SyncStageAccessInfo& pair = vk::SyncStageAccesses()[random_.OneIn(8) ? random_.Of(kStreamKinds) : kind];
    stages |= pair.stage;
    if (!random_.OneIn(4)) accesses |= random_.OneIn(4) ? random_.Of(kWideAccesses) : pair.access;
  }

  StreamBarrier MakeBarrier() {
    StreamBarrier barrier;
    if (!flags_.empty() && random_.OneIn(2)) {
      barrier.flags = random_.Of(flags_);
    } else if (random_.OneIn(3)) {
      // This barrier solves most hazards, so that some accesses are clean far into a stream.
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

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_STREAM_GENERATOR_H_
