// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/model/reference_model.h"

#include <algorithm>
#include <ranges>
#include <set>

namespace assay::syncval {
namespace {

constexpr VkPipelineStageFlags2 kTop = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
constexpr VkPipelineStageFlags2 kBottom = VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
// Larger than that of any command recorded.
constexpr Tag kNow{~uint32_t{0} - 1};

const vk::SyncStageAccessInfo& PairOf(vk::SyncAccessIndex index) { return vk::SyncStageAccesses()[index]; }

VkPipelineStageFlags2 Expand(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags) {
  VkPipelineStageFlags2 result = 0;
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    if ((info.stage & stages & ~(kTop | kBottom)) == 0) continue;
    for (const vk::SyncStageInfo& part : vk::SyncStages()) {
      if (!part.single || (part.stage & info.expands_to) == 0) continue;
      if (info.single || (part.queues & queue_flags) != 0) result |= part.stage;
    }
  }
  return result & ~(kTop | kBottom);
}

VkPipelineStageFlags2 AllCommands(VkQueueFlags queue_flags) {
  return Expand(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queue_flags);
}

bool Names(VkAccessFlags2 accesses, VkAccessFlags2 single) {
  return std::ranges::any_of(vk::SyncAccesses(), [&](const vk::SyncAccessInfo& info) {
    return (info.access & accesses) != 0 && (info.expands_to & single) != 0;
  });
}

// Whether a scope of these single stages and accesses has the pair.
bool IsInScope(vk::SyncAccessIndex index, VkPipelineStageFlags2 single_stages, VkAccessFlags2 accesses) {
  return (PairOf(index).stage & single_stages) != 0 && Names(accesses, PairOf(index).access);
}

bool IsOrderedBy(OrderingRule rule, vk::SyncAccessIndex index) {
  const bool color = rule == OrderingRule::kColorAttachment || rule == OrderingRule::kRaster;
  const bool depth = rule == OrderingRule::kDepthStencilAttachment || rule == OrderingRule::kRaster;
  switch (PairOf(index).access) {
    case VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT:
    case VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT:
    case VK_ACCESS_2_COLOR_ATTACHMENT_READ_NONCOHERENT_BIT_EXT:
      return color;
    case VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT:
    case VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT:
      return depth;
    case VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT:
      return color || depth;
    default:
      return false;
  }
}

bool IsInOrder(vk::SyncAccessIndex prior, vk::SyncAccessIndex index, OrderingRule rule) {
  return IsOrderedBy(rule, prior) && IsOrderedBy(rule, index);
}

}  // namespace

ReferenceModel::Side ReferenceModel::FirstSide(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses, QueueIndex queue,
                                               Tag place) const {
  Side side{.queue = queue, .end = place.value, .single = Expand(stages, queue_flags_), .accesses = accesses};
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    if (info.single && (info.stage & side.single) != 0) side.stages |= vk::LogicallyEarlierStages(info.stage);
  }
  if ((stages & kBottom) != 0) side.stages |= AllCommands(queue_flags_);
  side.stages &= ~(kTop | kBottom);
  return side;
}

ReferenceModel::Side ReferenceModel::SecondSide(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses, QueueIndex queue,
                                                Tag place) const {
  Side side{.queue = queue, .begin = place.value, .single = Expand(stages, queue_flags_), .accesses = accesses};
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    if (info.single && (info.stage & side.single) != 0) side.stages |= vk::LogicallyLaterStages(info.stage);
  }
  if ((stages & kTop) != 0) side.stages |= AllCommands(queue_flags_);
  side.stages &= ~(kTop | kBottom);
  return side;
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

bool ReferenceModel::Covers(const Node& node, uint64_t address) const {
  return node.global || (node.range.begin <= address && address < node.range.end);
}

bool ReferenceModel::IsInFirstScope(const Event& event, const Node& node) const {
  return node.src.Has(event.where.queue, event.tag) &&
         (node.everything || (PairOf(event.index).stage & node.src.stages) != 0);
}

bool ReferenceModel::IsInFirstAccessScope(const Event& event, const Node& node) const {
  return node.src.Has(event.where.queue, event.tag) &&
         (node.everything || IsInScope(event.index, node.src.single, node.src.accesses));
}

bool ReferenceModel::IsKnown(const Event& event, const Place& place) const {
  if (event.where.queue == place.queue && event.tag < place.tag) return true;
  return std::ranges::any_of(nodes_, [&](const Node& node) {
    return node.is_semaphore && node.dst.queue == place.queue && node.dst.begin < place.tag.value &&
           IsKnown(event, {node.src.queue, Tag{static_cast<uint32_t>(node.src.end)}});
  });
}

std::vector<ReferenceModel::Event> ReferenceModel::Recent(uint64_t address, const Place& place) const {
  const auto found = events_.find(address);
  if (found == events_.end()) return {};
  std::vector<Event> events;
  for (const Event& event : found->second) {
    if (!event.complete && IsKnown(event, place)) events.push_back(event);
  }
  const auto last_write = std::ranges::find_if(events.rbegin(), events.rend(),
                                               [](const Event& prior) { return PairOf(prior.index).is_write; });
  if (last_write == events.rend()) return events;
  const Event write = *last_write;
  std::erase_if(events, [&](const Event& event) { return PairOf(event.index).is_write || event.tag < write.tag; });
  events.push_back(write);
  return events;
}

bool ReferenceModel::Leads(size_t from, size_t to) const {
  return from == to || (from < to && nodes_[to].follows[from]);
}

std::vector<size_t> ReferenceModel::ChainStarts(const Event& event) const {
  std::vector<size_t> starts = event.nodes;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (IsInFirstScope(event, nodes_[i])) starts.push_back(i);
  }
  return starts;
}

std::vector<size_t> ReferenceModel::AvailableAt(const Event& write, uint64_t address) const {
  std::vector<size_t> result = write.nodes;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (Covers(nodes_[i], address) && IsInFirstAccessScope(write, nodes_[i])) result.push_back(i);
  }
  return result;
}

SyncAccessMask ReferenceModel::VisibleTo(const Event& write, const Event& event, uint64_t address) const {
  SyncAccessMask result;
  for (const size_t available : AvailableAt(write, address)) {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Side& end = nodes_[i].dst;
      if (!end.Has(event.where.queue, event.tag) || !Leads(available, i) || !Covers(nodes_[i], address)) continue;
      for (size_t index = 1; index < vk::kSyncAccessCount; ++index) {
        const auto access = static_cast<vk::SyncAccessIndex>(index);
        if (IsInScope(access, end.single, end.accesses)) result.Set(access);
      }
    }
  }
  return result;
}

// In a subpass, of what is in the same one.
bool ReferenceModel::IsOrderedByRule(const Event& prior, const Event& event) const {
  return prior.where.queue == event.where.queue && (event.phase == 0 || event.phase == prior.phase) &&
         IsInOrder(prior.index, event.index, event.ordering);
}

bool ReferenceModel::HappensBefore(const Event& prior, const Event& event, Transition transition) const {
  const std::vector<size_t> starts = ChainStarts(prior);
  if (transition != nullptr) {
    return std::ranges::any_of(*transition, [&](const Node& node) {
      return IsInFirstScope(prior, node) ||
             std::ranges::any_of(starts, [&](size_t start) { return node.follows[start]; });
    });
  }
  if (IsOrderedByRule(prior, event)) return true;
  for (const size_t start : starts) {
    for (size_t end = start; end < nodes_.size(); ++end) {
      if (nodes_[end].dst.Has(event.where.queue, event.tag) && Leads(start, end) &&
          (nodes_[end].dst.stages & PairOf(event.index).stage) != 0) {
        return true;
      }
    }
  }
  return false;
}

bool ReferenceModel::IsSynchronizedWrite(const Event& write, const Event& event, Transition transition,
                                         uint64_t address) const {
  if (transition == nullptr) {
    return IsOrderedByRule(write, event) || VisibleTo(write, event, address).Has(event.index);
  }
  if (write.index == vk::kSyncImageLayoutTransition && write.where.queue == event.where.queue) return true;
  const std::vector<size_t> available = AvailableAt(write, address);
  return std::ranges::any_of(*transition, [&](const Node& node) {
    return IsInFirstAccessScope(write, node) ||
           std::ranges::any_of(available, [&](size_t start) { return node.follows[start]; });
  });
}

bool ReferenceModel::IsCompared(const Event& prior, const Event& event, const std::vector<Event>& events) {
  const auto is_own = [&](const Event& any) {
    return event.where.execution != kNoExecution && any.where.execution == event.where.execution;
  };
  return !is_own(prior) && std::ranges::none_of(events, [&](const Event& later) {
    return is_own(later) && later.index == prior.index && later.where.queue == prior.where.queue &&
           (later.phase == 0 || later.phase == prior.phase) && !PairOf(prior.index).is_write;
  });
}

void ReferenceModel::DetectAt(uint64_t address, const Event& event, Transition transition, Hazard& hazard) const {
  const std::vector<Event> events = Recent(address, {event.where.queue, event.tag});
  if (events.empty()) return;
  const Event* write = PairOf(events.back().index).is_write ? &events.back() : nullptr;

  const bool first = !hazard;
  bool carried = false;
  bool after_read = false;
  for (const Event& read : events) {
    if (&read == write) continue;
    const bool ordered = HappensBefore(read, event, transition);
    if (ordered && (write == nullptr || read.tag != write->tag)) carried = true;
    if (ordered || !PairOf(event.index).is_write || !IsCompared(read, event, events)) continue;
    after_read = true;
    hazard.all_prior_accesses.Set(read.index);
    hazard.all_prior_stages |= PairOf(read.index).stage;
    const bool later =
        !hazard || read.tag > hazard.prior_tag || (read.tag == hazard.prior_tag && read.index < hazard.prior_access);
    if (!first || !later) continue;
    hazard.kind = HazardKind::kWriteAfterRead;
    hazard.prior_tag = read.tag;
    hazard.prior_access = read.index;
    hazard.range = {address, address + 1};
  }
  if (after_read || carried || write == nullptr || !IsCompared(*write, event, events)) return;
  if (IsSynchronizedWrite(*write, event, transition, address)) return;
  hazard.all_prior_accesses.Set(write->index);
  hazard.all_prior_stages |= PairOf(write->index).stage;
  if (!first) return;
  hazard.kind = PairOf(event.index).is_write ? HazardKind::kWriteAfterWrite : HazardKind::kReadAfterWrite;
  hazard.prior_tag = write->tag;
  hazard.prior_access = write->index;
  hazard.range = {address, address + 1};
  hazard.visible_to = VisibleTo(*write, event, address);
}

Hazard ReferenceModel::Detect(const Range& range, const Event& event, Transition transition) const {
  Hazard hazard;
  for (uint64_t address = range.begin; address < range.end; ++address) DetectAt(address, event, transition, hazard);
  return hazard;
}

Hazard ReferenceModel::DetectRace(const Access& access, Where where, QueueIndex other) const {
  Hazard hazard;
  const bool is_write = PairOf(access.index).is_write;
  for (uint64_t address = access.range.begin; address < access.range.end; ++address) {
    for (const Event& prior : Recent(address, {other, kNow})) {
      if (prior.where.queue != other || IsKnown(prior, {where.queue, kNow})) continue;
      if (PairOf(prior.index).is_write) {
        hazard.kind = is_write ? HazardKind::kWriteRacingWrite : HazardKind::kReadRacingWrite;
      } else if (is_write && !hazard) {
        hazard.kind = HazardKind::kWriteRacingRead;
      }
    }
  }
  return hazard;
}

void ReferenceModel::RecordSemaphore(const Place& signal, VkPipelineStageFlags2 signal_stages, const Place& wait,
                                     VkPipelineStageFlags2 wait_stages) {
  constexpr VkAccessFlags2 kAll = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  Node node{.src = FirstSide(signal_stages, kAll, signal.queue, signal.tag),
            .dst = SecondSide(wait_stages, kAll, wait.queue, wait.tag),
            .everything = (signal_stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0,
            .is_semaphore = true};
  SetFollows(node);
  nodes_.push_back(node);
}

// In front of what may follow upon it.
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

Hazard ReferenceModel::DetectAccess(const Access& access, Where where) const {
  return Detect(access.range, Now(access.index, access.ordering, where), nullptr);
}

ReferenceModel::Event ReferenceModel::Now(vk::SyncAccessIndex index, OrderingRule ordering, Where where) const {
  return {.tag = kNow, .where = where, .index = index, .ordering = ordering, .nodes = {}, .phase = CurrentPhase()};
}

Hazard ReferenceModel::DetectTransition(const ModelBarrier& barrier, Where where) const {
  const std::vector<Node> nodes = {MakeBarrierNode(barrier, kNow, where.queue)};
  return Detect(barrier.range, Now(vk::kSyncImageLayoutTransition, OrderingRule::kNone, where), &nodes);
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

// The first side is where the event was set. A wait for what is not set has nothing before it. No subpass limits it.
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

Hazard ReferenceModel::DetectEventTransition(uint32_t event, const ModelBarrier& barrier, Where where) const {
  const std::vector<Node> nodes = {MakeEventNode(event, barrier, kNow, where.queue)};
  return Detect(barrier.range, Now(vk::kSyncImageLayoutTransition, OrderingRule::kNone, where), &nodes);
}

// ---- Render passes

void ReferenceModel::EndPhase(Tag tag) {
  parts_.back().end = tag.value;
  for (Node& node : nodes_) {
    if (node.phase == phase_) node.dst.end = tag.value;
  }
  ++phase_;
}

// The first side is where its subpass was, or goes on to now; the second likewise.
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

Hazard ReferenceModel::DetectAutomaticTransition(const AutomaticTransition& transition, Where where) const {
  std::vector<Node> nodes;
  for (const uint32_t dependency : transition.after) nodes.push_back(MakeDependencyNode(dependency, where.queue));
  return Detect(transition.range, Now(vk::kSyncImageLayoutTransition, OrderingRule::kNone, where), &nodes);
}

void ReferenceModel::RecordAutomaticTransition(const AutomaticTransition& transition, Tag tag, Where where) {
  std::vector<size_t> before;
  for (const uint32_t dependency : transition.before) before.push_back(dependency_nodes_.at(dependency));
  // One that orders nothing, for AddToTransition.
  Node none{.src = {.queue = where.queue}, .dst = SecondSide(0, 0, where.queue, tag), .phase = CurrentPhase()};
  SetFollows(none);
  before.push_back(nodes_.size());
  nodes_.push_back(none);
  for (uint64_t address = transition.range.begin; address < transition.range.end; ++address) {
    events_[address].push_back({.tag = tag, .where = where, .index = vk::kSyncImageLayoutTransition, .nodes = before});
  }
}

std::vector<ReferenceModel::Conflict> ReferenceModel::Conflicts(uint64_t address, const Event& event,
                                                                Transition transition) const {
  std::vector<Conflict> result;
  const auto add = [&](const Event& prior, bool is_known = true) {
    result.push_back({prior.where.queue, prior.tag, prior.index, is_known});
  };
  const bool is_write = PairOf(event.index).is_write;
  const Place place{event.where.queue, event.tag};
  const std::vector<Event> events = Recent(address, place);
  const Event* const write = !events.empty() && PairOf(events.back().index).is_write ? &events.back() : nullptr;
  bool carried = false;
  for (const Event& read : events) {
    if (&read == write) continue;
    if (HappensBefore(read, event, transition)) {
      carried |= write == nullptr || read.tag != write->tag;
    } else if (is_write && IsCompared(read, event, events)) {
      add(read);
    }
  }
  if (write != nullptr && !carried && IsCompared(*write, event, events) &&
      !IsSynchronizedWrite(*write, event, transition, address)) {
    add(*write);
  }
  const auto found = events_.find(address);
  if (found == events_.end()) return result;
  std::set<QueueIndex> queues;
  for (const Event& prior : found->second) queues.insert(prior.where.queue);
  for (const QueueIndex queue : queues) {
    for (const Event& prior : Recent(address, {queue, kNow})) {
      const bool is_known = prior.where.queue != queue || IsKnown(prior, place);
      if (!is_known && (is_write || PairOf(prior.index).is_write)) add(prior, false);
    }
  }
  return result;
}

std::vector<ReferenceModel::Conflict> ReferenceModel::ConflictsOf(const Access& access, Where where) const {
  return Conflicts(access.range.begin, Now(access.index, access.ordering, where), nullptr);
}

std::vector<ReferenceModel::Conflict> ReferenceModel::ConflictsOfTransition(uint64_t address,
                                                                            const ModelBarrier& barrier,
                                                                            std::optional<uint32_t> event,
                                                                            Where where) const {
  const std::vector<Node> nodes = {event.has_value() ? MakeEventNode(*event, barrier, kNow, where.queue)
                                                     : MakeBarrierNode(barrier, kNow, where.queue)};
  return Conflicts(address, Now(vk::kSyncImageLayoutTransition, OrderingRule::kNone, where), &nodes);
}

std::vector<ReferenceModel::Conflict> ReferenceModel::ConflictsOfAutomaticTransition(
    uint64_t address, const AutomaticTransition& transition, const BarrierFlags& more, Tag tag, Where where) const {
  std::vector<Node> nodes;
  for (const uint32_t dependency : transition.after) nodes.push_back(MakeDependencyNode(dependency, where.queue));
  nodes.push_back({.src = FirstSide(more.src_stages, more.src_access, where.queue, tag), .dst = {}});
  SetFollows(nodes.back());
  return Conflicts(address, Now(vk::kSyncImageLayoutTransition, OrderingRule::kNone, where), &nodes);
}

}  // namespace assay::syncval
