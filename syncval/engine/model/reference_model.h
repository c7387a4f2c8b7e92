// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_MODEL_REFERENCE_MODEL_H_
#define ASSAY_SYNCVAL_ENGINE_MODEL_REFERENCE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "syncval/engine/accesses/access.h"
#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/subpasses/subpass_graph.h"

// The reference model decides hazards as the specification defines them. It has a graph of all dependencies and every
// access of every byte, where the engine keeps sets. It shares no code with the engine; its scopes come straight from
// the registry's tables.
//
// Tags give the order of everything. Each dependency is a node with two sides. A side is at a place: a queue and a tag
// there. The first scope has the earlier accesses on the queue of the first side, if their stages are in it. The second
// scope has the later accesses on the queue of the second side. A barrier has both sides at one place, a semaphore has
// them on two queues. Subpasses limit a side to a part of its queue. One node leads to another if the second side of
// the one and the first side of the other have a part of a queue and a stage in common.
namespace assay::syncval {

class ReferenceModel {
 public:
  struct ModelBarrier {
    BarrierFlags flags;
    bool global = true;
    // Unless global.
    Range range;
    bool layout_transition = false;
  };
  // The place of an operation. Accesses of one execution of a command buffer are not compared with each other: that was
  // done when it was recorded. kNoExecution is no execution.
  static constexpr uint32_t kNoExecution = ~0u;
  struct Where {
    QueueIndex queue = {};
    uint32_t execution = kNoExecution;
  };

  explicit ReferenceModel(VkQueueFlags queue_flags) : queue_flags_(queue_flags) {}

  // The hazard of the access as the next command. kind to visible_to are those of the lowest conflicting byte, where
  // range begins.
  Hazard DetectAccess(const Access& access, Where where) const;
  Hazard DetectAccess(const Access& access) const { return DetectAccess(access, Where()); }
  // The hazard of the layout transition of barrier.
  Hazard DetectTransition(const ModelBarrier& barrier, Where where) const;
  Hazard DetectTransition(const ModelBarrier& barrier) const { return DetectTransition(barrier, Where()); }

  // Records a command: its accesses, or its barriers.
  void RecordAccesses(const std::vector<Access>& accesses, Tag tag, Where where);
  void RecordAccesses(const std::vector<Access>& accesses, Tag tag) { RecordAccesses(accesses, tag, Where()); }
  void RecordBarriers(const std::vector<ModelBarrier>& barriers, Tag tag, Where where);
  void RecordBarriers(const std::vector<ModelBarrier>& barriers, Tag tag) { RecordBarriers(barriers, tag, Where()); }
  // A dependency between all earlier work on the queue and later work in the subpass, if there is one.
  void RecordDependency(const BarrierFlags& flags, Tag tag, Where where);

  // The set of an event, its reset, and the wait for it with the same barriers.
  void RecordEventSet(uint32_t event, Tag tag, Where where);
  void RecordEventReset(uint32_t event, Where where);
  void RecordEventWait(uint32_t event, const std::vector<ModelBarrier>& barriers, Tag tag, Where where);
  // The hazard of the layout transition of a barrier of a wait for the event.
  Hazard DetectEventTransition(uint32_t event, const ModelBarrier& barrier, Where where) const;

  // Render passes. Dependencies are given by their numbers. Commands between the begin of a subpass and its end are of
  // the subpass.

  void BeginRenderPass(uint32_t subpasses, const std::vector<SubpassGraph::Dependency>& dependencies, Tag tag,
                       Where where);
  void NextSubpass(Tag tag, Where where);
  void EndRenderPass(Tag tag, Where where);
  // For a command buffer that another executes in a subpass.
  void InheritSubpass() { inherits_subpass_ = true; }
  // A layout transition between the first scopes of some dependencies and the second scopes of others, by the command
  // that begins or ends a subpass, which has been recorded.
  struct AutomaticTransition {
    Range range;
    std::vector<uint32_t> after;
    std::vector<uint32_t> before;
  };
  Hazard DetectAutomaticTransition(const AutomaticTransition& transition, Where where) const;
  void RecordAutomaticTransition(const AutomaticTransition& transition, Tag tag, Where where);

  // A place on a queue: accesses with smaller tags there are before it.
  struct Place {
    QueueIndex queue = {};
    Tag tag;
  };
  // A prior access of a conflict.
  struct Conflict {
    QueueIndex queue = {};
    Tag tag;
    vk::SyncAccessIndex index = vk::kSyncNone;
    // Whether it happened before the access that it conflicts with by way of semaphores, even without stages.
    bool is_known = true;

    friend bool operator==(const Conflict& a, const Conflict& b) {
      return a.queue == b.queue && a.tag == b.tag && a.index == b.index;
    }
  };
  // A semaphore that is signalled at one place, and waited for now at another.
  void RecordSemaphore(const Place& signal, VkPipelineStageFlags2 signal_stages, const Place& wait,
                       VkPipelineStageFlags2 wait_stages);
  // Adds a semaphore in the past.
  void InsertSemaphore(const Place& signal, VkPipelineStageFlags2 signal_stages, const Place& wait,
                       VkPipelineStageFlags2 wait_stages);
  // Adds these bits to the second scopes of the barriers of the command that did this layout transition. Returns the
  // bits that they had.
  BarrierFlags AddToTransition(const Conflict& transition, uint64_t address, const BarrierFlags& flags);
  // Completes all that happened before a place. Everything recorded later is ordered after it.
  void RecordHostWait(const Place& place);
  // The prior accesses that an access of the byte at range.begin conflicts or races with, one by one. An ordered read
  // hands on the write before it, unless it is of the write's command.
  std::vector<Conflict> ConflictsOf(const Access& access, Where where) const;
  // The same for the layout transition of a barrier, by itself or of the wait for an event.
  std::vector<Conflict> ConflictsOfTransition(uint64_t address, const ModelBarrier& barrier,
                                              std::optional<uint32_t> event, Where where) const;
  // The same for a layout transition by the command that begins or ends a subpass, with one more dependency that has
  // these bits in its first scope.
  std::vector<Conflict> ConflictsOfAutomaticTransition(uint64_t address, const AutomaticTransition& transition,
                                                       const BarrierFlags& more, Tag tag, Where where) const;
  // Whether two recorded accesses of a byte conflict, whatever came between: the later one, which is not a layout
  // transition, is not ordered after the earlier one, or does not see what that wrote.
  bool AreInConflict(uint64_t address, Tag prior, vk::SyncAccessIndex prior_index, Tag later,
                     vk::SyncAccessIndex later_index, OrderingRule later_rule) const;
  // The race of the access, or of a layout transition by its index, with accesses of one other queue that no semaphore
  // orders before it.
  Hazard DetectRace(const Access& access, Where where, QueueIndex other) const;

 private:
  // One side of a dependency: the work between two places.
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  struct Side {
    QueueIndex queue = {};
    int64_t begin = -1;
    int64_t end = kNever;
    bool Has(QueueIndex where, Tag tag) const { return where == queue && begin < tag.value && tag.value < end; }
    // With the logically earlier or later ones, and without.
    VkPipelineStageFlags2 stages = 0;
    VkPipelineStageFlags2 single = 0;
    VkAccessFlags2 accesses = 0;
  };
  struct Node {
    Side src;
    Side dst;
    bool global = true;
    Range range;
    // The first side includes everything before it, also what happens in no stage.
    bool everything = false;
    // The same of the second side and everything after it.
    bool everything_later = false;
    bool is_semaphore = false;
    // The subpass that the second side lies in while that goes on, by its number in the model; 0 if none.
    uint32_t phase = 0;
    // Whether a dependency chain leads from an earlier node to this.
    std::vector<bool> follows;
  };
  struct Event {
    Tag tag;
    Where where;
    vk::SyncAccessIndex index = vk::kSyncNone;
    OrderingRule ordering = OrderingRule::kNone;
    // Of a layout transition: its barrier, or the dependencies that it is before.
    std::vector<size_t> nodes;
    // As Node::phase.
    uint32_t phase = 0;
    bool complete = false;
  };

  Side FirstSide(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses, QueueIndex queue, Tag place) const;
  Side SecondSide(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses, QueueIndex queue, Tag place) const;
  // Of a barrier in a subpass, or outside of any.
  void LimitToSubpass(Node& node) const;
  Node MakeDependencyNode(uint32_t number, QueueIndex queue) const;
  void AddDependenciesTo(uint32_t subpass, QueueIndex queue);
  void EndPhase(Tag tag);
  uint32_t CurrentPhase() const { return is_in_render_pass_ || inherits_subpass_ ? phase_ : 0; }
  Node MakeBarrierNode(const ModelBarrier& barrier, Tag tag, QueueIndex queue) const;
  Node MakeEventNode(uint32_t event, const ModelBarrier& barrier, Tag tag, QueueIndex queue) const;
  void RecordNode(const Node& node, const ModelBarrier& barrier, Tag tag, Where where);
  void SetFollows(Node& node) const;
  void SetFollowsAnew();
  bool Covers(const Node& node, uint64_t address) const;
  bool IsInFirstScope(const Event& event, const Node& node) const;
  bool IsInFirstAccessScope(const Event& event, const Node& node) const;
  // Whether event happened before the place: earlier on its queue, or before a signal that is waited for earlier.
  bool IsKnown(const Event& event, const Place& place) const;
  // The accesses of a byte that happened before a place and are not complete: the last write, if any, and all reads
  // since or of its command.
  std::vector<Event> Recent(uint64_t address, const Place& place) const;
  // Whether chains that begin with node `from`, which may be that one alone, include `to`.
  bool Leads(size_t from, size_t to) const;
  // The barriers that begin a chain with event in the first scope.
  std::vector<size_t> ChainStarts(const Event& event) const;
  std::vector<size_t> AvailableAt(const Event& write, uint64_t address) const;
  SyncAccessMask VisibleTo(const Event& write, const Event& event, uint64_t address) const;
  // The nodes that a layout transition is ordered after; null for an access.
  using Transition = const std::vector<Node>*;
  // Whether chains from one of these nodes include one whose second side has the event whatever its stage.
  bool LeadToEverythingLater(const std::vector<size_t>& starts, const Event& event) const;
  static bool IsAtomic(const Event& event);
  bool IsOrderedByRule(const Event& prior, const Event& event) const;
  bool HappensBefore(const Event& prior, const Event& event, Transition transition) const;
  // False for accesses of one execution, and for a read that the execution itself repeats: the repetition conflicts
  // with whatever the first one conflicts with. A read in a subpass repeats none outside of it, since dependencies may
  // order it alone.
  static bool IsCompared(const Event& prior, const Event& event, const std::vector<Event>& events);
  bool IsSynchronizedWrite(const Event& write, const Event& event, Transition transition, uint64_t address) const;
  void DetectAt(uint64_t address, const Event& event, Transition transition, Hazard& hazard) const;
  Hazard Detect(const Range& range, const Event& event, Transition transition) const;
  Event Now(vk::SyncAccessIndex index, OrderingRule ordering, Where where) const;
  std::vector<Conflict> Conflicts(uint64_t address, const Event& event, Transition transition) const;

  VkQueueFlags queue_flags_;
  std::vector<Node> nodes_;
  std::map<uint64_t, std::vector<Event>> events_;
  // Where an event was set, by queue and event.
  std::map<std::pair<QueueIndex, uint32_t>, Tag> set_at_;
  // The render pass instance that is being recorded. Subpasses are numbered on over all instances.
  struct Part {
    int64_t begin = -1;
    int64_t end = kNever;
  };
  bool is_in_render_pass_ = false;
  bool inherits_subpass_ = false;
  uint32_t phase_ = 1;
  uint32_t subpasses_ = 0;
  std::vector<Part> parts_;
  std::vector<SubpassGraph::Dependency> dependencies_;
  // Of those that have been recorded.
  std::map<uint32_t, size_t> dependency_nodes_;
  int64_t render_pass_end_ = kNever;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_MODEL_REFERENCE_MODEL_H_
