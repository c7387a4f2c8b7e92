// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_REFERENCE_MODEL_H_
#define ASSAY_SYNCVAL_ENGINE_REFERENCE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "syncval/engine/access.h"
#include "syncval/engine/access_mask.h"
#include "syncval/engine/barrier.h"
#include "syncval/engine/hazard.h"
#include "syncval/engine/types.h"

namespace assay::syncval {

// Decides hazards as the specification tells them, by a graph of all barriers and every access of every byte, and not
// by sets that are kept up as the engine does. Shares no code with it; its scopes come straight from the registry's
// tables.
class ReferenceModel {
 public:
  struct ModelBarrier {
    BarrierFlags flags;
    bool global = true;
    // Unless global.
    Range range;
    bool layout_transition = false;
  };

  explicit ReferenceModel(VkQueueFlags queue_flags) : queue_flags_(queue_flags) {}

  // What the access would conflict with as the next command. kind to visible_to are of the lowest conflicting byte,
  // where range begins.
  Hazard DetectAccess(const Access& access) const;
  // What the layout transition of barrier would conflict with.
  Hazard DetectTransition(const ModelBarrier& barrier) const;

  // Records a command: its accesses, or its barriers.
  void RecordAccesses(const std::vector<Access>& accesses, Tag tag);
  void RecordBarriers(const std::vector<ModelBarrier>& barriers, Tag tag);

 private:
  static constexpr size_t kNoNode = ~size_t{0};

  // A barrier in the graph.
  struct Node {
    ModelBarrier barrier;
    Tag tag;
    VkPipelineStageFlags2 src_stages;
    VkPipelineStageFlags2 dst_stages;
    VkPipelineStageFlags2 src_single;
    VkPipelineStageFlags2 dst_single;
    // Whether a dependency chain leads from an earlier node to this.
    std::vector<bool> follows;
  };
  struct Event {
    Tag tag;
    vk::SyncAccessIndex index = vk::kSyncNone;
    OrderingRule ordering = OrderingRule::kNone;
    // Of a layout transition: its barrier.
    size_t node = kNoNode;
  };

  Node MakeNode(const ModelBarrier& barrier, Tag tag) const;
  bool Covers(const Node& node, uint64_t address) const;
  // Whether chains that begin with node `from`, which may be that one alone, include `to`.
  bool Leads(size_t from, size_t to) const;
  // The barriers whose chains event is in the first scope of.
  std::vector<size_t> ChainStarts(const Event& event) const;
  std::vector<size_t> AvailableAt(const Event& write, uint64_t address) const;
  SyncAccessMask VisibleTo(const Event& write, uint64_t address) const;
  bool HappensBefore(const Event& prior, const Event& event, const Node* transition) const;
  bool IsSynchronizedWrite(const Event& write, const Event& event, const Node* transition, uint64_t address) const;
  void DetectAt(uint64_t address, const Event& event, const Node* transition, Hazard& hazard) const;
  Hazard Detect(const Range& range, const Event& event, const Node* transition) const;

  VkQueueFlags queue_flags_;
  std::vector<Node> nodes_;
  std::map<uint64_t, std::vector<Event>> events_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_REFERENCE_MODEL_H_
