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
// scope ends, and one from that stage, where its second scope begins.
//
// There are 16 such stages. Dependencies with the same first scope share one. Where the second scope of the last of
// them begins, or a later layout transition that is after their first scope, the stage is taken out of all states, so
// that others can have it. If more are needed at a time, dependencies to what comes after the render pass share one if
// they have the same second scope. This is as exact, but for the first scope of a layout transition at the end. If
// there are still too few, the rest share one, and then order more than they should.
class SubpassGraph {
 public:
  static constexpr uint32_t kExternal = std::numeric_limits<uint32_t>::max();
  struct Dependency {
    uint32_t src = kExternal;
    uint32_t dst = kExternal;
    BarrierFlags flags;
  };

  // Dependencies of a subpass on itself, and what leads backward, are left out. last_transitions has, for each
  // dependency, the last subpass for which FirstScope is asked (0: none but that where the second scope begins, or an
  // earlier one). If it is empty, any may be.
  SubpassGraph(const SubpassGraph&) = delete;
  SubpassGraph& operator=(const SubpassGraph&) = delete;
  SubpassGraph(uint32_t subpasses, absl::Span<const Dependency> dependencies, VkQueueFlags queue_flags,
               absl::Span<const uint32_t> last_transitions = {});

  // Where the subpass begins, and where it ends; the last one ends with the render pass. Where it begins, a barrier
  // that orders nothing has the stages that are to be taken out (StageSet::ended of its first scope).
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
    // The subpass from whose begin on the first scope does not matter, or kExternal.
    uint32_t until = kExternal;
    // Of what is inside; 0 where there is but one barrier.
    VkPipelineStageFlags2 stage = 0;
  };
  struct Step {
    std::vector<Barrier> barriers;
    std::vector<const Barrier*> pointers;
  };
  // Edges that share a stage.
  struct StageUse {
    std::vector<size_t> edges;
    // Where the first of them begins: 0 where the render pass does, n + 1 where subpass n ends.
    uint32_t from = 0;
    // As Edge::until, of the last of them.
    uint32_t until = 0;
    VkPipelineStageFlags2 stage = 0;
  };

  bool IsForward(const Dependency& dependency) const;
  bool IsOneBarrier(const Dependency& dependency) const;
  void AddEdge(const Dependency& dependency, VkQueueFlags queue_flags, uint32_t last_transition);
  void AssignStages();
  // by_second_scope: edges to what comes after the render pass share a stage by their second scopes.
  std::vector<StageUse> FindStageUses(bool by_second_scope) const;
  // Returns whether there were enough stages.
  static bool Assign(std::vector<StageUse>& uses);
  void TakeOutStages(const std::vector<StageUse>& uses);
  void AddBarriers(const Edge& edge);
  static void Add(Step& step, const Barrier& barrier);

  uint32_t last_;
  std::vector<Edge> edges_;
  std::vector<Step> begins_;
  std::vector<Step> ends_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUBPASSES_SUBPASS_GRAPH_H_
