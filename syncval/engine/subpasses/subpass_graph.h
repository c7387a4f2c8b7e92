// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_SUBPASSES_SUBPASS_GRAPH_H_
#define ASSAY_SYNCVAL_ENGINE_SUBPASSES_SUBPASS_GRAPH_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/barriers/barrier.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// The dependencies of a render pass, made into what is done where its subpasses begin and end. Made once and used for
// every instance.
//
// A dependency that ends where it begins, from what was before the render pass to its first subpass or from its last
// subpass to what comes after, is one barrier. Any other is two: one to a stage that no command has, where its first
// scope ends, and one from that stage, where its second scope begins. Dependencies with the same first scope share such
// a stage, and so do all for which none is left, which then order more than they should.
class SubpassGraph {
 public:
  static constexpr uint32_t kExternal = std::numeric_limits<uint32_t>::max();
  struct Dependency {
    uint32_t src = kExternal;
    uint32_t dst = kExternal;
    BarrierFlags flags;
  };

  // Dependencies of a subpass on itself, and what leads backward, are left out.
  SubpassGraph(const SubpassGraph&) = delete;
  SubpassGraph& operator=(const SubpassGraph&) = delete;
  SubpassGraph(uint32_t subpasses, absl::Span<const Dependency> dependencies, VkQueueFlags queue_flags);

  // Where the subpass begins, and where it ends; the last one ends with the render pass.
  absl::Span<const Barrier* const> AtBegin(uint32_t subpass) const { return begins_[subpass].pointers; }
  absl::Span<const Barrier* const> AtEnd(uint32_t subpass) const { return ends_[subpass].pointers; }

  // The first scope of a dependency, by number, for a layout transition where a subpass begins, after the one before it
  // has ended; kExternal represents the end of the render pass. It is none that has not begun by then.
  BarrierScope FirstScope(size_t dependency, uint32_t subpass) const;
  // Its second scope.
  BarrierScope SecondScope(size_t dependency) const;

 private:
  struct Edge {
    Dependency dependency;
    Barrier barrier;
    // Of what is inside; 0 where there is but one barrier.
    VkPipelineStageFlags2 stage = 0;
  };
  struct Step {
    std::vector<Barrier> barriers;
    std::vector<const Barrier*> pointers;
  };

  bool IsForward(const Dependency& dependency) const;
  bool IsOneBarrier(const Dependency& dependency) const;
  void AddEdge(const Dependency& dependency, VkQueueFlags queue_flags);
  VkPipelineStageFlags2 StageFor(const Edge& edge);
  void AddBarriers(const Edge& edge);
  static void Add(Step& step, const Barrier& barrier);

  uint32_t last_;
  std::vector<Edge> edges_;
  uint32_t stages_assigned_ = 0;
  std::vector<Step> begins_;
  std::vector<Step> ends_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUBPASSES_SUBPASS_GRAPH_H_
