// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <ranges>

#include "syncval/engine/model/model_scopes.h"
#include "syncval/engine/model/reference_model.h"

// What the reference model records: accesses, and dependencies as nodes of its graph.
namespace assay::syncval {

ReferenceModel::Side ReferenceModel::FirstSide(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses, QueueIndex queue,
                                               Tag place) const {
  return {.queue = queue,
          .end = place.value,
          .stages = FirstScopeInModel(stages, queue_flags_),
          .single = ExpandInModel(stages, queue_flags_),
          .accesses = accesses};
}

ReferenceModel::Side ReferenceModel::SecondSide(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses, QueueIndex queue,
                                                Tag place) const {
  return {.queue = queue,
          .begin = place.value,
          .stages = SecondScopeInModel(stages, queue_flags_),
          .single = ExpandInModel(stages, queue_flags_),
          .accesses = accesses};
}

ReferenceModel::Node ReferenceModel::MakeBarrierNode(const ModelBarrier& barrier, Tag tag, QueueIndex queue) const {
  const BarrierFlags& flags = barrier.flags;
  Node node{.src = FirstSide(flags.src_stages, flags.src_access, queue, tag),
            .dst = SecondSide(flags.dst_stages, flags.dst_access, queue, tag),
            .global = barrier.global,
            .range = barrier.range};
  LimitToSubpass(node);
  SetFollows(node);
  return node;
}

void ReferenceModel::LimitToSubpass(Node& node) const {
  node.phase = CurrentPhase();
  if (is_in_render_pass_) node.src.begin = parts_.back().begin;
}

void ReferenceModel::SetFollows(Node& node) const {
  node.follows.assign(nodes_.size(), false);
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Side& end = nodes_[i].dst;
    const bool have_common_part =
        end.queue == node.src.queue && std::max(end.begin, node.src.begin) < std::min(end.end, node.src.end);
    if (!have_common_part || (end.stages & node.src.stages) == 0) continue;
    node.follows[i] = true;
    for (size_t j = 0; j < i; ++j) {
      if (nodes_[i].follows[j]) node.follows[j] = true;
    }
  }
}

void ReferenceModel::RecordSemaphore(const Place& signal, VkPipelineStageFlags2 signal_stages, const Place& wait,
                                     VkPipelineStageFlags2 wait_stages) {
  constexpr VkAccessFlags2 kAll = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  constexpr VkPipelineStageFlags2 kAllLater =
      VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
  Node node{.src = FirstSide(signal_stages, kAll, signal.queue, signal.tag),
            .dst = SecondSide(wait_stages, kAll, wait.queue, wait.tag),
            .everything = (signal_stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0,
            .everything_later = (wait_stages & kAllLater) != 0,
            .is_semaphore = true};
  SetFollows(node);
  nodes_.push_back(node);
}

// The semaphore goes before the nodes that may be ordered after it.
void ReferenceModel::InsertSemaphore(const Place& signal, VkPipelineStageFlags2 signal_stages, const Place& wait,
                                     VkPipelineStageFlags2 wait_stages) {
  RecordSemaphore(signal, signal_stages, wait, wait_stages);
  const auto is_after = [&](const Node& node) { return node.dst.begin > wait.tag.value; };
  const auto place = static_cast<size_t>(std::ranges::find_if(nodes_, is_after) - nodes_.begin());
  if (place == nodes_.size()) return;
  std::rotate(nodes_.begin() + static_cast<ptrdiff_t>(place), nodes_.end() - 1, nodes_.end());
  for (auto& [address, events] : events_) {
    for (Event& event : events) {
      for (size_t& node : event.nodes) node += node >= place;
    }
  }
  for (auto& [dependency, node] : dependency_nodes_) node += node >= place;
  SetFollowsAnew();
}

BarrierFlags ReferenceModel::AddToTransition(const Conflict& transition, uint64_t address, const BarrierFlags& flags) {
  BarrierFlags before;
  for (const Event& event : events_[address]) {
    if (event.tag != transition.tag || event.where.queue != transition.queue) continue;
    for (const size_t node : event.nodes) {
      Side& dst = nodes_[node].dst;
      before.dst_stages |= dst.single;
      before.dst_access |= dst.accesses;
      const Side added = SecondSide(flags.dst_stages, flags.dst_access, dst.queue, transition.tag);
      dst.stages |= added.stages;
      dst.single |= added.single;
      dst.accesses |= added.accesses;
    }
  }
  SetFollowsAnew();
  return before;
}

void ReferenceModel::SetFollowsAnew() {
  std::vector<Node> nodes;
  std::swap(nodes, nodes_);
  for (Node& node : nodes) {
    SetFollows(node);
    nodes_.push_back(node);
  }
}

void ReferenceModel::RecordHostWait(const Place& place) {
  for (auto& [address, events] : events_) {
    for (Event& event : events) event.complete |= IsKnown(event, place);
  }
}

void ReferenceModel::RecordAccesses(const std::vector<Access>& accesses, Tag tag, Where where) {
  for (const Access& access : accesses) {
    for (uint64_t address = access.range.begin; address < access.range.end; ++address) {
      events_[address].push_back({.tag = tag,
                                  .where = where,
                                  .index = access.index,
                                  .ordering = access.ordering,
                                  .nodes = {},
                                  .phase = CurrentPhase()});
    }
  }
}

void ReferenceModel::RecordNode(const Node& node, const ModelBarrier& barrier, Tag tag, Where where) {
  nodes_.push_back(node);
  if (!barrier.layout_transition) return;
  for (uint64_t address = barrier.range.begin; address < barrier.range.end; ++address) {
    events_[address].push_back(
        {.tag = tag, .where = where, .index = vk::kSyncImageLayoutTransition, .nodes = {nodes_.size() - 1}});
  }
}

void ReferenceModel::RecordBarriers(const std::vector<ModelBarrier>& barriers, Tag tag, Where where) {
  for (const ModelBarrier& barrier : barriers) {
    RecordNode(MakeBarrierNode(barrier, tag, where.queue), barrier, tag, where);
  }
}

void ReferenceModel::RecordDependency(const BarrierFlags& flags, Tag tag, Where where) {
  Node node{.src = FirstSide(flags.src_stages, flags.src_access, where.queue, tag),
            .dst = SecondSide(flags.dst_stages, flags.dst_access, where.queue, tag),
            .phase = CurrentPhase()};
  SetFollows(node);
  nodes_.push_back(node);
}

// The first side is where the event was set, or nowhere if it is not set. No subpass limits it.
ReferenceModel::Node ReferenceModel::MakeEventNode(uint32_t event, const ModelBarrier& barrier, Tag tag,
                                                   QueueIndex queue) const {
  ModelBarrier first = barrier;
  const auto set = set_at_.find({queue, event});
  if (set == set_at_.end()) first.flags.src_stages = VK_PIPELINE_STAGE_2_NONE;
  Node node = MakeBarrierNode(first, tag, queue);
  node.phase = 0;
  node.src.begin = -1;
  if (set != set_at_.end()) node.src.end = set->second.value;
  SetFollows(node);
  return node;
}

void ReferenceModel::RecordEventSet(uint32_t event, Tag tag, Where where) { set_at_[{where.queue, event}] = tag; }

void ReferenceModel::RecordEventReset(uint32_t event, Where where) { set_at_.erase({where.queue, event}); }

void ReferenceModel::RecordEventWait(uint32_t event, const std::vector<ModelBarrier>& barriers, Tag tag, Where where) {
  for (const ModelBarrier& barrier : barriers) {
    RecordNode(MakeEventNode(event, barrier, tag, where.queue), barrier, tag, where);
  }
}

void ReferenceModel::EndPhase(Tag tag) {
  parts_.back().end = tag.value;
  for (Node& node : nodes_) {
    if (node.phase == phase_) node.dst.end = tag.value;
  }
  ++phase_;
}

// Each side is where its subpass was, or is now.
ReferenceModel::Node ReferenceModel::MakeDependencyNode(uint32_t number, QueueIndex queue) const {
  const SubpassGraph::Dependency& dependency = dependencies_[number];
  const BarrierFlags& flags = dependency.flags;
  Node node{.src = FirstSide(flags.src_stages, flags.src_access, queue, Tag{0}),
            .dst = SecondSide(flags.dst_stages, flags.dst_access, queue, Tag{0})};
  if (dependency.src == SubpassGraph::kExternal) {
    node.src.end = parts_[0].begin;
  } else {
    node.src.begin = parts_[dependency.src].begin;
    node.src.end = parts_[dependency.src].end;
  }
  if (dependency.dst == SubpassGraph::kExternal) {
    node.dst.begin = render_pass_end_;
  } else if (dependency.dst < parts_.size()) {
    node.dst.begin = parts_[dependency.dst].begin;
    node.phase = phase_;
  }
  SetFollows(node);
  return node;
}

void ReferenceModel::AddDependenciesTo(uint32_t subpass, QueueIndex queue) {
  for (uint32_t i = 0; i < dependencies_.size(); ++i) {
    if (dependencies_[i].dst != subpass) continue;
    const Node node = MakeDependencyNode(i, queue);
    dependency_nodes_[i] = nodes_.size();
    nodes_.push_back(node);
  }
}

void ReferenceModel::BeginRenderPass(uint32_t subpasses, const std::vector<SubpassGraph::Dependency>& dependencies,
                                     Tag tag, Where where) {
  is_in_render_pass_ = true;
  subpasses_ = subpasses;
  dependencies_ = dependencies;
  dependency_nodes_.clear();
  render_pass_end_ = kNever;
  parts_ = {{.begin = tag.value}};
  AddDependenciesTo(0, where.queue);
}

void ReferenceModel::NextSubpass(Tag tag, Where where) {
  EndPhase(tag);
  parts_.push_back({.begin = tag.value});
  AddDependenciesTo(static_cast<uint32_t>(parts_.size() - 1), where.queue);
}

void ReferenceModel::EndRenderPass(Tag tag, Where where) {
  EndPhase(tag);
  is_in_render_pass_ = false;
  render_pass_end_ = tag.value;
  AddDependenciesTo(SubpassGraph::kExternal, where.queue);
}

void ReferenceModel::RecordAutomaticTransition(const AutomaticTransition& transition, Tag tag, Where where) {
  std::vector<size_t> before;
  before.reserve(transition.before.size() + 1);
  for (const uint32_t dependency : transition.before) before.push_back(dependency_nodes_.at(dependency));
  // A node that orders nothing, for AddToTransition.
  Node none{.src = {.queue = where.queue}, .dst = SecondSide(0, 0, where.queue, tag), .phase = CurrentPhase()};
  SetFollows(none);
  before.push_back(nodes_.size());
  nodes_.push_back(none);
  for (uint64_t address = transition.range.begin; address < transition.range.end; ++address) {
    events_[address].push_back({.tag = tag, .where = where, .index = vk::kSyncImageLayoutTransition, .nodes = before});
  }
}

}  // namespace assay::syncval
