// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/model/reference_model.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "syncval/engine/model/model_scopes.h"

// How the reference model decides hazards. reference_model_record.cc has the rest.
namespace assay::syncval {
namespace {

// Larger than that of any command recorded.
constexpr Tag kNow{~uint32_t{0} - 1};

bool IsOrderedBy(OrderingRule rule, vk::SyncAccessIndex index) {
  const bool color = rule == OrderingRule::kColorAttachment || rule == OrderingRule::kRaster;
  const bool depth = rule == OrderingRule::kDepthStencilAttachment || rule == OrderingRule::kRaster;
  switch (PairInModel(index).access) {
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

bool ReferenceModel::IsAtomic(const Event& event) { return event.ordering == OrderingRule::kAtomic; }

bool ReferenceModel::Covers(const Node& node, uint64_t address) const {
  return node.global || (node.range.begin <= address && address < node.range.end);
}

bool ReferenceModel::IsInFirstScope(const Event& event, const Node& node) const {
  return node.src.Has(event.where.queue, event.tag) &&
         (node.everything || (PairInModel(event.index).stage & node.src.stages) != 0);
}

bool ReferenceModel::IsInFirstAccessScope(const Event& event, const Node& node) const {
  return node.src.Has(event.where.queue, event.tag) &&
         (node.everything || IsInModelScope(event.index, node.src.single, node.src.accesses));
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
                                               [](const Event& prior) { return PairInModel(prior.index).is_write; });
  if (last_write == events.rend()) return events;
  Event write = *last_write;
  // A command that writes some of the byte by other means than atomics is not atomic.
  for (const Event& event : events) {
    if (event.tag == write.tag && PairInModel(event.index).is_write && !IsAtomic(event))
      write.ordering = event.ordering;
  }
  std::erase_if(events, [&](const Event& event) { return PairInModel(event.index).is_write || event.tag < write.tag; });
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
        if (IsInModelScope(access, end.single, end.accesses)) result.Set(access);
      }
    }
  }
  return result;
}

// In a subpass, a rule orders accesses of the same one alone.
bool ReferenceModel::IsOrderedByRule(const Event& prior, const Event& event) const {
  return prior.where.queue == event.where.queue && (event.phase == 0 || event.phase == prior.phase) &&
         IsInOrder(prior.index, event.index, event.ordering);
}

bool ReferenceModel::LeadToEverythingLater(const std::vector<size_t>& starts, const Event& event) const {
  for (size_t end = 0; end < nodes_.size(); ++end) {
    if (!nodes_[end].everything_later || !nodes_[end].dst.Has(event.where.queue, event.tag)) continue;
    if (std::ranges::any_of(starts, [&](size_t start) { return Leads(start, end); })) return true;
  }
  return false;
}

bool ReferenceModel::HappensBefore(const Event& prior, const Event& event, Transition transition) const {
  const std::vector<size_t> starts = ChainStarts(prior);
  if (transition != nullptr) {
    if (LeadToEverythingLater(starts, event)) return true;
    return std::ranges::any_of(*transition, [&](const Node& node) {
      return IsInFirstScope(prior, node) ||
             std::ranges::any_of(starts, [&](size_t start) { return node.follows[start]; });
    });
  }
  if (IsOrderedByRule(prior, event)) return true;
  for (const size_t start : starts) {
    for (size_t end = start; end < nodes_.size(); ++end) {
      if (nodes_[end].dst.Has(event.where.queue, event.tag) && Leads(start, end) &&
          (nodes_[end].dst.stages & PairInModel(event.index).stage) != 0) {
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
  if (LeadToEverythingLater(available, event)) return true;
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
    return is_own(later) && later.index == prior.index && IsAtomic(later) == IsAtomic(prior) &&
           later.where.queue == prior.where.queue && (later.phase == 0 || later.phase == prior.phase) &&
           !PairInModel(prior.index).is_write;
  });
}

void ReferenceModel::DetectAt(uint64_t address, const Event& event, Transition transition, Hazard& hazard) const {
  const std::vector<Event> events = Recent(address, {event.where.queue, event.tag});
  if (events.empty()) return;
  const Event* write = PairInModel(events.back().index).is_write ? &events.back() : nullptr;

  const bool first = !hazard;
  bool carried = false;
  bool after_read = false;
  for (const Event& read : events) {
    if (&read == write) continue;
    const bool ordered = HappensBefore(read, event, transition);
    if (ordered && (write == nullptr || read.tag != write->tag)) carried = true;
    if (ordered || !PairInModel(event.index).is_write || !IsCompared(read, event, events)) continue;
    if (IsAtomic(read) && IsAtomic(event)) continue;
    after_read = true;
    hazard.all_prior_accesses.Set(read.index);
    hazard.all_prior_stages |= PairInModel(read.index).stage;
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
  if (IsAtomic(*write) && IsAtomic(event)) return;
  hazard.all_prior_accesses.Set(write->index);
  hazard.all_prior_stages |= PairInModel(write->index).stage;
  if (!first) return;
  hazard.kind = PairInModel(event.index).is_write ? HazardKind::kWriteAfterWrite : HazardKind::kReadAfterWrite;
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
  const bool is_write = PairInModel(access.index).is_write;
  for (uint64_t address = access.range.begin; address < access.range.end; ++address) {
    for (const Event& prior : Recent(address, {other, kNow})) {
      if (prior.where.queue != other || IsKnown(prior, {where.queue, kNow})) continue;
      if (IsAtomic(prior) && access.ordering == OrderingRule::kAtomic) continue;
      if (PairInModel(prior.index).is_write) {
        hazard.kind = is_write ? HazardKind::kWriteRacingWrite : HazardKind::kReadRacingWrite;
      } else if (is_write && !hazard) {
        hazard.kind = HazardKind::kWriteRacingRead;
      }
    }
  }
  return hazard;
}

bool ReferenceModel::AreInConflict(uint64_t address, Tag prior, vk::SyncAccessIndex prior_index, Tag later,
                                   vk::SyncAccessIndex later_index, OrderingRule later_rule) const {
  const auto events = events_.find(address);
  if (events == events_.end()) return false;
  // A command that writes some of the byte by other means than atomics is not atomic.
  const bool has_other_write = std::ranges::any_of(events->second, [&](const Event& event) {
    return event.tag == prior && PairInModel(event.index).is_write && !IsAtomic(event);
  });
  return std::ranges::any_of(events->second, [&](const Event& earlier) {
    if (earlier.tag != prior || earlier.index != prior_index) return false;
    const bool is_write = PairInModel(earlier.index).is_write;
    const bool is_atomic = IsAtomic(earlier) && !(is_write && has_other_write);
    return std::ranges::any_of(events->second, [&](const Event& event) {
      if (event.tag != later || event.index != later_index || event.ordering != later_rule) return false;
      if (is_atomic && IsAtomic(event)) return false;
      return is_write ? !IsSynchronizedWrite(earlier, event, nullptr, address)
                      : !HappensBefore(earlier, event, nullptr);
    });
  });
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

Hazard ReferenceModel::DetectEventTransition(uint32_t event, const ModelBarrier& barrier, Where where) const {
  const std::vector<Node> nodes = {MakeEventNode(event, barrier, kNow, where.queue)};
  return Detect(barrier.range, Now(vk::kSyncImageLayoutTransition, OrderingRule::kNone, where), &nodes);
}

Hazard ReferenceModel::DetectAutomaticTransition(const AutomaticTransition& transition, Where where) const {
  std::vector<Node> nodes;
  for (const uint32_t dependency : transition.after) nodes.push_back(MakeDependencyNode(dependency, where.queue));
  return Detect(transition.range, Now(vk::kSyncImageLayoutTransition, OrderingRule::kNone, where), &nodes);
}

std::vector<ReferenceModel::Conflict> ReferenceModel::Conflicts(uint64_t address, const Event& event,
                                                                Transition transition) const {
  std::vector<Conflict> result;
  const auto add = [&](const Event& prior, bool is_known = true) {
    result.push_back({prior.where.queue, prior.tag, prior.index, is_known});
  };
  const bool is_write = PairInModel(event.index).is_write;
  const Place place{event.where.queue, event.tag};
  const std::vector<Event> events = Recent(address, place);
  const Event* const write = !events.empty() && PairInModel(events.back().index).is_write ? &events.back() : nullptr;
  bool carried = false;
  for (const Event& read : events) {
    if (&read == write) continue;
    if (HappensBefore(read, event, transition)) {
      carried |= write == nullptr || read.tag != write->tag;
    } else if (is_write && IsCompared(read, event, events) && !(IsAtomic(read) && IsAtomic(event))) {
      add(read);
    }
  }
  if (write != nullptr && !carried && IsCompared(*write, event, events) &&
      !IsSynchronizedWrite(*write, event, transition, address) && !(IsAtomic(*write) && IsAtomic(event))) {
    add(*write);
  }
  const auto found = events_.find(address);
  if (found == events_.end()) return result;
  std::set<QueueIndex> queues;
  for (const Event& prior : found->second) queues.insert(prior.where.queue);
  for (const QueueIndex queue : queues) {
    for (const Event& prior : Recent(address, {queue, kNow})) {
      const bool is_known = prior.where.queue != queue || IsKnown(prior, place);
      if (is_known || (IsAtomic(prior) && IsAtomic(event))) continue;
      if (is_write || PairInModel(prior.index).is_write) add(prior, false);
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
