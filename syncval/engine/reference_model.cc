// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/reference_model.h"

#include <algorithm>
#include <ranges>

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

ReferenceModel::Node ReferenceModel::MakeNode(const ModelBarrier& barrier, Tag tag) const {
  Node node{.barrier = barrier,
            .tag = tag,
            .src_stages = 0,
            .dst_stages = 0,
            .src_single = Expand(barrier.flags.src_stages, queue_flags_),
            .dst_single = Expand(barrier.flags.dst_stages, queue_flags_),
            .follows = std::vector<bool>(nodes_.size())};
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    if (!info.single || (info.stage & (kTop | kBottom)) != 0) continue;
    if ((info.stage & node.src_single) != 0) node.src_stages |= vk::LogicallyEarlierStages(info.stage);
    if ((info.stage & node.dst_single) != 0) node.dst_stages |= vk::LogicallyLaterStages(info.stage);
  }
  if ((barrier.flags.src_stages & kBottom) != 0) node.src_stages |= AllCommands(queue_flags_);
  if ((barrier.flags.dst_stages & kTop) != 0) node.dst_stages |= AllCommands(queue_flags_);
  node.src_stages &= ~(kTop | kBottom);
  node.dst_stages &= ~(kTop | kBottom);
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].tag == tag || (nodes_[i].dst_stages & node.src_stages) == 0) continue;
    node.follows[i] = true;
    for (size_t j = 0; j < i; ++j) {
      if (nodes_[i].follows[j]) node.follows[j] = true;
    }
  }
  return node;
}

bool ReferenceModel::Covers(const Node& node, uint64_t address) const {
  return node.barrier.global || (node.barrier.range.begin <= address && address < node.barrier.range.end);
}

bool ReferenceModel::Leads(size_t from, size_t to) const {
  return from == to || (from < to && nodes_[to].follows[from]);
}

std::vector<size_t> ReferenceModel::ChainStarts(const Event& event) const {
  if (event.node != kNoNode) return {event.node};
  std::vector<size_t> starts;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].tag > event.tag && (nodes_[i].src_stages & PairOf(event.index).stage) != 0) starts.push_back(i);
  }
  return starts;
}

std::vector<size_t> ReferenceModel::AvailableAt(const Event& write, uint64_t address) const {
  if (write.node != kNoNode) return {write.node};
  std::vector<size_t> result;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].tag > write.tag && Covers(nodes_[i], address) &&
        IsInScope(write.index, nodes_[i].src_single, nodes_[i].barrier.flags.src_access)) {
      result.push_back(i);
    }
  }
  return result;
}

SyncAccessMask ReferenceModel::VisibleTo(const Event& write, uint64_t address) const {
  SyncAccessMask result;
  for (const size_t available : AvailableAt(write, address)) {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (!Leads(available, i) || !Covers(nodes_[i], address)) continue;
      for (size_t index = 1; index < vk::kSyncAccessCount; ++index) {
        const auto access = static_cast<vk::SyncAccessIndex>(index);
        if (IsInScope(access, nodes_[i].dst_single, nodes_[i].barrier.flags.dst_access)) result.Set(access);
      }
    }
  }
  return result;
}

bool ReferenceModel::HappensBefore(const Event& prior, const Event& event, const Node* transition) const {
  if (IsInOrder(prior.index, event.index, event.ordering)) return true;
  const std::vector<size_t> starts = ChainStarts(prior);
  if (transition != nullptr) {
    return (transition->src_stages & PairOf(prior.index).stage) != 0 ||
           std::ranges::any_of(starts, [&](size_t start) { return transition->follows[start]; });
  }
  for (const size_t start : starts) {
    for (size_t end = start; end < nodes_.size(); ++end) {
      if (Leads(start, end) && (nodes_[end].dst_stages & PairOf(event.index).stage) != 0) return true;
    }
  }
  return false;
}

bool ReferenceModel::IsSynchronizedWrite(const Event& write, const Event& event, const Node* transition,
                                         uint64_t address) const {
  if (transition == nullptr) {
    return IsInOrder(write.index, event.index, event.ordering) || VisibleTo(write, address).Has(event.index);
  }
  if (write.node != kNoNode) return true;
  if (IsInScope(write.index, transition->src_single, transition->barrier.flags.src_access)) return true;
  return std::ranges::any_of(AvailableAt(write, address), [&](size_t node) { return transition->follows[node]; });
}

void ReferenceModel::DetectAt(uint64_t address, const Event& event, const Node* transition, Hazard& hazard) const {
  const auto found = events_.find(address);
  if (found == events_.end()) return;
  const std::vector<Event>& events = found->second;
  const auto last_write = std::ranges::find_if(events.rbegin(), events.rend(),
                                               [](const Event& prior) { return PairOf(prior.index).is_write; });
  const Event* write = last_write == events.rend() ? nullptr : &*last_write;

  const bool first = !hazard;
  bool carried = false;
  bool after_read = false;
  for (const Event& read : events) {
    if (PairOf(read.index).is_write || (write != nullptr && read.tag < write->tag)) continue;
    const bool ordered = HappensBefore(read, event, transition);
    if (ordered && (write == nullptr || read.tag != write->tag)) carried = true;
    if (ordered || !PairOf(event.index).is_write) continue;
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
  if (after_read || carried || write == nullptr || IsSynchronizedWrite(*write, event, transition, address)) return;
  hazard.all_prior_accesses.Set(write->index);
  hazard.all_prior_stages |= PairOf(write->index).stage;
  if (!first) return;
  hazard.kind = PairOf(event.index).is_write ? HazardKind::kWriteAfterWrite : HazardKind::kReadAfterWrite;
  hazard.prior_tag = write->tag;
  hazard.prior_access = write->index;
  hazard.range = {address, address + 1};
  hazard.visible_to = VisibleTo(*write, address);
}

Hazard ReferenceModel::Detect(const Range& range, const Event& event, const Node* transition) const {
  Hazard hazard;
  for (uint64_t address = range.begin; address < range.end; ++address) DetectAt(address, event, transition, hazard);
  return hazard;
}

Hazard ReferenceModel::DetectAccess(const Access& access) const {
  return Detect(access.range, {.tag = kNow, .index = access.index, .ordering = access.ordering}, nullptr);
}

Hazard ReferenceModel::DetectTransition(const ModelBarrier& barrier) const {
  const Node node = MakeNode(barrier, kNow);
  return Detect(barrier.range, {.tag = kNow, .index = vk::kSyncImageLayoutTransition}, &node);
}

void ReferenceModel::RecordAccesses(const std::vector<Access>& accesses, Tag tag) {
  for (const Access& access : accesses) {
    for (uint64_t address = access.range.begin; address < access.range.end; ++address) {
      events_[address].push_back({.tag = tag, .index = access.index, .ordering = access.ordering});
    }
  }
}

void ReferenceModel::RecordBarriers(const std::vector<ModelBarrier>& barriers, Tag tag) {
  for (const ModelBarrier& barrier : barriers) {
    nodes_.push_back(MakeNode(barrier, tag));
    if (!barrier.layout_transition) continue;
    for (uint64_t address = barrier.range.begin; address < barrier.range.end; ++address) {
      events_[address].push_back({.tag = tag, .index = vk::kSyncImageLayoutTransition, .node = nodes_.size() - 1});
    }
  }
}

}  // namespace assay::syncval
