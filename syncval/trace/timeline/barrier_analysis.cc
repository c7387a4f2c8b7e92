// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/timeline/barrier_analysis.h"

#include <algorithm>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "syncval/trace/timeline/last_accesses.h"
#include "vk/enum_info.h"

namespace assay::syncval::trace {
namespace {

// A barrier of a recording, with what its executions were found to be needed for.
struct Site {
  BarrierFinding finding;
  const TracedBarrier* barrier = nullptr;
  Barrier scopes;
  bool is_needed = false;
  bool is_fixed = false;
  bool is_open = false;
};

// One execution of a barrier.
struct Execution {
  uint64_t order = 0;
  Site* site = nullptr;
  // Of the first dependency that it was given; 0 for none.
  uint64_t earlier = 0;
  uint64_t later = 0;
  // The commands that the scopes are of: before and from an order on, and if not 0 of one subpass; see
  // AccessPoint::scope.
  uint64_t src_end = 0;
  uint64_t dst_begin = 0;
  uint32_t src_scope = 0;
  uint32_t dst_scope = 0;

  bool is_subpass_dependency() const { return site->barrier->kind == TracedBarrier::Kind::kSubpass; }
  bool HasBefore(const AccessPoint& point) const {
    return point.order < src_end && (src_scope == 0 || point.scope == src_scope);
  }
  bool HasAfter(const AccessPoint& point) const {
    return point.order >= dst_begin && (dst_scope == 0 || point.scope == dst_scope);
  }
  // Whether the point is a transition that is done between its scopes.
  bool Does(const AccessPoint& point, uint32_t number) const {
    return point.barrier == number || (point.is_of_render_pass && is_subpass_dependency() && point.order == order);
  }

  bool Covers(const Range& bytes) const {
    const TracedBarrier& barrier = *site->barrier;
    if (barrier.kind == TracedBarrier::Kind::kMemory || is_subpass_dependency()) return true;
    const RecordedTrace& trace = *site->finding.trace;
    for (uint32_t i = 0; i < barrier.range_count; ++i) {
      const Range& range = trace.barrier_ranges[barrier.first_range + i];
      if (range.begin <= bytes.begin && bytes.end <= range.end) return true;
    }
    return false;
  }
};

// Two accesses of which the later must come after the earlier.
struct Dependency {
  const AccessPoint& earlier;
  const AccessPoint& later;
  Range bytes;
};

bool NeedsBarrier(const Dependency& dependency) {
  const AccessPoint& earlier = dependency.earlier;
  const AccessPoint& later = dependency.later;
  if (earlier.order == later.order || (earlier.is_transition() && later.is_transition())) return false;
  // Rasterization order ends with the subpass.
  const bool is_in_order = later.scope == 0 || later.scope == earlier.scope;
  return later.ordering == OrderingRule::kNone || !is_in_order || !OrderedAccesses(later.ordering).Has(earlier.access);
}

// Whether the barrier has the earlier access in its first scope.
bool IsInSource(const Execution& execution, uint32_t number, const AccessPoint& earlier) {
  if (execution.Does(earlier, number)) return true;
  if (!execution.HasBefore(earlier) || earlier.is_transition()) return false;
  const BarrierScope& src = execution.site->scopes.src;
  return earlier.is_write() ? src.accesses.Has(earlier.access) : (src.stages & earlier.info().stage) != 0;
}
bool IsInDestination(const Execution& execution, uint32_t number, const Dependency& dependency) {
  const AccessPoint& later = dependency.later;
  if (execution.Does(later, number)) return true;
  if (!execution.HasAfter(later) || later.is_transition()) return false;
  const BarrierScope& dst = execution.site->scopes.dst;
  return dependency.earlier.is_write() ? dst.accesses.Has(later.access) : (dst.stages & later.info().stage) != 0;
}

VkPipelineStageFlags2 StagesOf(const AccessPoint& point) {
  return point.is_transition() ? ~VkPipelineStageFlags2{0} : point.info().stage;
}

class Analysis {
 public:
  explicit Analysis(const Timeline& timeline) : timeline_(timeline), executions_(timeline.queues.size()) {}

  BarrierAnalysis Run() {
    BarrierAnalysis result{.unknown_commands = CountUnknown()};
    for (uint32_t i = 0; i < timeline_.batches().size(); ++i) AddBatch(i);
    AddArrows(result.arrows);
    if (result.unknown_commands != 0) return result;
    NoteOpen();
    for (const std::unique_ptr<Site>& site : sites_) {
      if (Judge(*site)) result.findings.push_back(site->finding);
    }
    return result;
  }

 private:
  // With more barriers than this between two accesses, all of them are taken to be needed for their order.
  static constexpr size_t kMaxBetween = 2048;

  uint64_t CountUnknown() const {
    uint64_t count = 0;
    for (const TracedBatch& batch : timeline_.batches()) {
      for (const RecordedTraceRef& trace : batch.command_buffers) count += trace != nullptr ? CountUnknown(*trace) : 1;
    }
    return count;
  }
  static uint64_t CountUnknown(const RecordedTrace& trace) {
    uint64_t count = trace.unknown.size();
    for (const RecordedTrace::Executed& part : trace.executed) count += CountUnknown(*part.trace);
    return count;
  }

  // ---- The run, command by command

  void AddBatch(uint32_t number) {
    const TracedBatch& batch = timeline_.batches()[number];
    batch_ = number;
    queue_ = batch.point.queue;
    acquire_stages_ = 0;
    for (const TracedWait& wait : batch.waits) {
      if (wait.acquired.empty()) continue;
      acquire_stages_ |= vk::LogicallyLaterStages(vk::ExpandStages(wait.stages, timeline_.queues[queue_].flags));
    }
    for (const RecordedTraceRef& trace : batch.command_buffers) {
      subpasses_.clear();
      if (trace != nullptr) AddRecording(*trace);
    }
  }

  void AddRecording(const RecordedTrace& trace) {
    size_t next_executed = 0;
    for (uint32_t i = 0; i < trace.size(); ++i) {
      ++order_;
      EnterSubpass(trace.ids[i]);
      AddBarriers(trace, i);
      for (uint32_t a = trace.first_access[i]; a < trace.first_access[i + 1]; ++a)
        AddAccess(trace, i, trace.accesses[a]);
      for (; next_executed < trace.executed.size() && trace.executed[next_executed].command == i; ++next_executed)
        AddRecording(*trace.executed[next_executed].trace);
      if (trace.ids[i] == vk::CommandId::kCmdEndRenderPass || trace.ids[i] == vk::CommandId::kCmdEndRenderPass2)
        subpasses_.clear();
    }
  }

  void EnterSubpass(vk::CommandId id) {
    switch (id) {
      case vk::CommandId::kCmdBeginRenderPass:
      case vk::CommandId::kCmdBeginRenderPass2:
        subpasses_.clear();
        render_pass_begin_ = order_;
        [[fallthrough]];
      case vk::CommandId::kCmdNextSubpass:
      case vk::CommandId::kCmdNextSubpass2:
        subpasses_.push_back(++last_scope_);
        return;
      default:
        return;
    }
  }
  // 0 where there is no such subpass.
  uint32_t ScopeOf(uint32_t subpass) const { return subpass < subpasses_.size() ? subpasses_[subpass] : 0; }
  uint32_t CurrentScope() const { return subpasses_.empty() ? 0 : subpasses_.back(); }

  void AddBarriers(const RecordedTrace& trace, uint32_t command) {
    std::vector<Execution>& executed = executions_[queue_];
    first_execution_ = static_cast<uint32_t>(executed.size());
    for (uint32_t b = trace.first_barrier[command]; b < trace.first_barrier[command + 1]; ++b) {
      Site& site = SiteOf(trace, command, b);
      ++site.finding.executions;
      // It may order what the presentation engine did before.
      if ((site.scopes.src.stages & acquire_stages_) != 0 && site.barrier->kind != TracedBarrier::Kind::kBuffer)
        site.is_fixed = true;
      executed.push_back(MakeExecution(site));
    }
  }

  Execution MakeExecution(Site& site) const {
    const TracedBarrier& barrier = *site.barrier;
    Execution execution{.order = order_, .site = &site};
    if (!execution.is_subpass_dependency()) {
      execution.src_end = order_;
      execution.dst_begin = order_ + 1;
      execution.src_scope = execution.dst_scope = CurrentScope();
      return execution;
    }
    // What the command itself does to end the first subpass and to begin the second is of those.
    const bool is_from_outside = barrier.src_subpass == VK_SUBPASS_EXTERNAL;
    const bool is_to_outside = barrier.dst_subpass == VK_SUBPASS_EXTERNAL;
    execution.src_end = is_from_outside ? render_pass_begin_ : order_ + 1;
    execution.dst_begin = is_to_outside ? order_ + 1 : order_;
    execution.src_scope = is_from_outside ? 0 : ScopeOf(barrier.src_subpass);
    execution.dst_scope = is_to_outside ? 0 : ScopeOf(barrier.dst_subpass);
    return execution;
  }

  Site& SiteOf(const RecordedTrace& trace, uint32_t command, uint32_t barrier) {
    Site*& site = site_index_[{&trace, barrier}];
    if (site != nullptr) return *site;
    sites_.push_back(std::make_unique<Site>());
    site = sites_.back().get();
    const TracedBarrier& traced = trace.barriers[barrier];
    site->finding = {.trace = &trace, .barrier = barrier, .command = command, .first_batch = batch_};
    site->barrier = &traced;
    site->scopes = MakeBarrier(traced.flags, trace.queue_flags);
    site->is_fixed = traced.is_event || traced.is_queue_family_ownership_transfer ||
                     traced.kind == TracedBarrier::Kind::kSubpass ||
                     ((traced.flags.src_stages | traced.flags.dst_stages) & VK_PIPELINE_STAGE_2_HOST_BIT) != 0;
    return *site;
  }

  // The execution of the barrier that does a transition of the current command.
  uint32_t ExecutionOf(const RecordedTrace& trace, uint32_t command, const TracedAccess& access) const {
    for (uint32_t b = trace.first_barrier[command]; b < trace.first_barrier[command + 1]; ++b) {
      const TracedBarrier& barrier = trace.barriers[b];
      if (barrier.kind == TracedBarrier::Kind::kImage && barrier.index == access.transition)
        return first_execution_ + (b - trace.first_barrier[command]);
    }
    return kNone;
  }

  void AddAccess(const RecordedTrace& trace, uint32_t command, const TracedAccess& access) {
    AccessPoint point{.order = order_, .queue = queue_, .access = access.access, .ordering = access.ordering};
    point.is_of_render_pass = point.is_transition() && access.subpass != kNone;
    point.scope = access.subpass != kNone ? ScopeOf(access.subpass) : CurrentScope();
    if (point.is_transition() && !point.is_of_render_pass) point.barrier = ExecutionOf(trace, command, access);
    last_.ForEach(access.range, [&](const Range& bytes, LastAccesses& last) {
      if (point.is_write()) {
        AddWrite(point, bytes, last);
      } else {
        AddRead(point, bytes, last);
      }
    });
  }

  void AddRead(const AccessPoint& point, const Range& bytes, LastAccesses& last) {
    if (!last.has_write) {
      MarkFixedAfterDropped(point);
    } else if (point.queue != last.write.queue || point.ordering != OrderingRule::kNone ||
               !last.read_by.Has(point.access)) {
      const bool is_settled = Assign({last.write, point, bytes});
      if (is_settled && point.queue == last.write.queue) last.read_by.Set(point.access);
    }
    for (AccessPoint& read : last.reads) {
      if (read.access != point.access || read.queue != point.queue || read.scope != point.scope) continue;
      read = point;
      return;
    }
    last.reads.push_back(point);
  }

  void AddWrite(const AccessPoint& point, const Range& bytes, LastAccesses& last) {
    bool has_earlier_read = false;
    for (const AccessPoint& read : last.reads) {
      if (read.order == point.order) continue;
      has_earlier_read = true;
      Assign({read, point, bytes});
    }
    if (!has_earlier_read && last.has_write) Assign({last.write, point, bytes});
    if (!last.has_write) MarkFixedAfterDropped(point);
    last.has_write = true;
    last.write = point;
    last.reads.clear();
    last.read_by = SyncAccessMask();
  }

  // ---- What orders a dependency

  // True when one barrier does, and orders all that follows likewise.
  bool Assign(const Dependency& dependency) {
    if (!NeedsBarrier(dependency)) return dependency.later.scope == 0;
    if (dependency.earlier.queue == dependency.later.queue) {
      const auto [first, end] = Between(dependency.later.queue, dependency.earlier.order, dependency.later.order);
      const Execution* const direct = end - first <= kMaxBetween ? AssignDirect(dependency, first, end) : nullptr;
      if (direct != nullptr) return direct->dst_scope == 0;
    }
    AssignChain(dependency);
    return false;
  }

  // The executions on a queue from an order to another, both included: a transition is as its barrier is.
  std::pair<size_t, size_t> Between(uint32_t queue, uint64_t from, uint64_t to) const {
    const std::vector<Execution>& all = executions_[queue];
    const auto first = std::ranges::lower_bound(all, from, {}, &Execution::order);
    const auto end = std::ranges::upper_bound(all, to, {}, &Execution::order);
    return {static_cast<size_t>(first - all.begin()), static_cast<size_t>(end - all.begin())};
  }

  // Null when none does.
  const Execution* AssignDirect(const Dependency& dependency, size_t first, size_t end) {
    std::vector<Execution>& all = executions_[dependency.later.queue];
    for (size_t i = first; i < end; ++i) {
      const auto number = static_cast<uint32_t>(i);
      if (!IsInSource(all[i], number, dependency.earlier) || !IsInDestination(all[i], number, dependency) ||
          (dependency.earlier.is_write() && !all[i].Covers(dependency.bytes))) {
        continue;
      }
      AddNeeded(*all[i].site, dependency, number);
      if (all[i].earlier == 0) {
        all[i].earlier = dependency.earlier.order;
        all[i].later = dependency.later.order;
      }
      return &all[i];
    }
    return nullptr;
  }

  static void AddNeeded(Site& site, const Dependency& dependency, uint32_t number) {
    site.is_needed = true;
    BarrierFlags& needed = site.finding.needed;
    const bool is_memory = dependency.earlier.is_write();
    if (dependency.earlier.barrier != number) {
      needed.src_stages |= dependency.earlier.info().stage;
      if (is_memory) needed.src_access |= dependency.earlier.info().access;
    }
    if (dependency.later.barrier != number) {
      needed.dst_stages |= dependency.later.info().stage;
      if (is_memory) needed.dst_access |= dependency.later.info().access;
    }
  }

  static void MarkFixed(Site& site) { site.is_needed = site.is_fixed = true; }

  // Of another queue, what a chain may go through is not looked at: all that can follow upon the earlier access there,
  // all that the later one can follow upon here, and all between on third queues.
  void AssignChain(const Dependency& dependency) {
    const uint32_t from = dependency.earlier.queue, to = dependency.later.queue;
    for (uint32_t queue = 0; queue < executions_.size(); ++queue) {
      const auto [first, end] = Between(queue, dependency.earlier.order, dependency.later.order);
      if (end - first > kMaxBetween || (queue != from && queue != to)) {
        for (size_t i = first; i < end; ++i) MarkFixed(*executions_[queue][i].site);
        continue;
      }
      std::vector<bool> follows(end - first, queue != from);
      if (queue == from) MarkSuccessors(dependency.earlier, first, end, follows);
      std::vector<bool> leads(end - first, queue != to);
      if (queue == to) MarkPredecessors(dependency.later, first, end, leads);
      for (size_t i = first; i < end; ++i) {
        if (follows[i - first] && leads[i - first]) MarkFixed(*executions_[queue][i].site);
      }
    }
  }

  // Barriers that an access is before, by itself or by a chain.
  void MarkSuccessors(const AccessPoint& point, size_t first, size_t end, std::vector<bool>& marks) const {
    VkPipelineStageFlags2 reached = 0;
    for (size_t i = first; i < end; ++i) {
      const Execution& execution = executions_[point.queue][i];
      const Barrier& scopes = execution.site->scopes;
      const bool is_own = execution.Does(point, static_cast<uint32_t>(i));
      const bool is_after =
          execution.order > point.order || (execution.order == point.order && execution.is_subpass_dependency());
      marks[i - first] = is_own || (is_after && (scopes.src.stages.outside & (reached | OwnStages(point))) != 0);
      if (marks[i - first]) reached |= scopes.dst.stages.outside;
    }
  }
  // Those that an access is after.
  void MarkPredecessors(const AccessPoint& point, size_t first, size_t end, std::vector<bool>& marks) const {
    VkPipelineStageFlags2 reached = 0;
    for (size_t i = end; i-- > first;) {
      const Execution& execution = executions_[point.queue][i];
      const Barrier& scopes = execution.site->scopes;
      const bool is_own = execution.Does(point, static_cast<uint32_t>(i));
      const bool is_before =
          execution.order < point.order || (execution.order == point.order && execution.is_subpass_dependency());
      marks[i - first] = is_own || (is_before && (scopes.dst.stages.outside & (reached | OwnStages(point))) != 0);
      if (marks[i - first]) reached |= scopes.src.stages.outside;
    }
  }
  // A transition is in no stage, but only what follows upon its barrier follows upon it. Of one that a render pass
  // does, which dependencies it is between is left open.
  static VkPipelineStageFlags2 OwnStages(const AccessPoint& point) {
    return point.is_transition() && !point.is_of_render_pass ? 0 : StagesOf(point);
  }

  // Something unknown, before all that is known, may have to be before the access.
  void MarkFixedAfterDropped(const AccessPoint& point) {
    if (timeline_.dropped_batches() == 0 || !dropped_seen_.insert({point.queue, point.access, order_}).second) return;
    const auto [first, end] = Between(point.queue, 0, point.order);
    std::vector<bool> leads(end - first, true);
    if (end - first <= kMaxBetween) MarkPredecessors(point, first, end, leads);
    for (size_t i = first; i < end; ++i) {
      if (leads[i - first]) MarkFixed(*executions_[point.queue][i].site);
    }
  }

  // Several barriers of one command are one arrow.
  void AddArrows(std::vector<BarrierArrow>& arrows) const {
    for (const std::vector<Execution>& executions : executions_) {
      uint64_t last = 0;
      for (const Execution& execution : executions) {
        if (execution.earlier == 0 || execution.order == last) continue;
        last = execution.order;
        arrows.push_back({execution.earlier - 1, execution.order - 1, execution.later - 1});
      }
    }
  }

  // ---- What is open at the end of the run

  void NoteOpen() {
    last_.ForAll([&](const Range& bytes, LastAccesses& last) {
      if (last.has_write) NoteOpen(last.write, bytes);
      for (const AccessPoint& read : last.reads) NoteOpen(read, bytes);
    });
  }
  // A barrier after one that does as much directly is of no use to anything that may follow.
  void NoteOpen(const AccessPoint& point, const Range& bytes) {
    if (!open_seen_.insert({point.queue, point.access, point.order, bytes.begin}).second) return;
    const auto [first, end] = Between(point.queue, point.order, order_);
    std::vector<bool> follows(end - first, true);
    if (end - first <= kMaxBetween) MarkSuccessors(point, first, end, follows);
    std::vector<const BarrierScope*> direct;
    for (size_t i = first; i < end; ++i) {
      const Execution& execution = executions_[point.queue][i];
      const BarrierScope& dst = execution.site->scopes.dst;
      if (!follows[i - first] || std::ranges::any_of(direct, [&](const BarrierScope* earlier) {
            return earlier->stages.Contains(dst.stages) &&
                   (!point.is_write() || earlier->accesses.Contains(dst.accesses));
          })) {
        continue;
      }
      execution.site->is_open = true;
      if (execution.dst_scope == 0 && IsInSource(execution, static_cast<uint32_t>(i), point) &&
          (!point.is_write() || execution.Covers(bytes)))
        direct.push_back(&dst);
    }
  }

  // ---- The verdict

  bool Judge(Site& site) const {
    if (site.is_fixed) return false;
    if (!site.is_needed) {
      site.finding.verdict = BarrierFinding::Verdict::kOrderedNothing;
      return !site.barrier->is_transition() && !site.is_open;
    }
    site.finding.verdict = BarrierFinding::Verdict::kWider;
    site.finding.is_open = site.is_open;
    return IsWider(*site.barrier, site.finding.needed, site.finding.trace->queue_flags);
  }

  // Reads in the first access scope mean nothing, so that they are not counted.
  static bool IsWider(const TracedBarrier& barrier, const BarrierFlags& needed, VkQueueFlags queue_flags) {
    const Barrier written = MakeBarrier(barrier.flags, queue_flags);
    const Barrier narrow = MakeBarrier(needed, queue_flags);
    bool wider_source = false;
    (written.src.accesses.outside & ~narrow.src.accesses.outside).ForEach([&](vk::SyncAccessIndex index) {
      wider_source |= vk::SyncStageAccesses()[index].is_write;
    });
    return wider_source || !narrow.src.stages.Contains(written.src.stages) ||
           !narrow.dst.stages.Contains(written.dst.stages) || !narrow.dst.accesses.Contains(written.dst.accesses);
  }

  struct Seen {
    uint32_t queue;
    vk::SyncAccessIndex access;
    uint64_t order;
    uint64_t address = 0;
    bool operator==(const Seen&) const = default;
    template <class H>
    friend H AbslHashValue(H hash, const Seen& seen) {
      return H::combine(std::move(hash), seen.queue, static_cast<uint32_t>(seen.access), seen.order, seen.address);
    }
  };

  const Timeline& timeline_;
  std::vector<std::unique_ptr<Site>> sites_;
  absl::flat_hash_map<std::pair<const RecordedTrace*, uint32_t>, Site*> site_index_;
  // By queue, in order.
  std::vector<std::vector<Execution>> executions_;
  LastAccessMap last_;
  absl::flat_hash_set<Seen> open_seen_;
  absl::flat_hash_set<Seen> dropped_seen_;
  uint64_t order_ = 0;
  uint32_t queue_ = 0;
  uint32_t batch_ = 0;
  // At which what the batch acquired may be used.
  VkPipelineStageFlags2 acquire_stages_ = 0;
  uint32_t first_execution_ = 0;
  // Of the current instance of a render pass object, the scopes of its subpasses up to the current one; see
  // AccessPoint::scope.
  std::vector<uint32_t> subpasses_;
  uint32_t last_scope_ = 0;
  uint64_t render_pass_begin_ = 0;
};

std::string SubpassText(uint32_t subpass) {
  return subpass == VK_SUBPASS_EXTERNAL ? "VK_SUBPASS_EXTERNAL" : absl::StrCat(subpass);
}

std::string Stages(VkPipelineStageFlags2 stages) {
  return vk::FlagsToString(vk::EnumId::kPipelineStageFlagBits2, stages);
}
std::string Accesses(VkAccessFlags2 accesses) { return vk::FlagsToString(vk::EnumId::kAccessFlagBits2, accesses); }

}  // namespace

BarrierAnalysis AnalyzeBarriers(const Timeline& timeline) { return Analysis(timeline).Run(); }

std::string BarrierText(const RecordedTrace& trace, const TracedBarrier& barrier, const BarrierFlags& flags) {
  const std::string masks =
      absl::StrCat(".srcStageMask = ", Stages(flags.src_stages), ", .srcAccessMask = ", Accesses(flags.src_access),
                   ", .dstStageMask = ", Stages(flags.dst_stages), ", .dstAccessMask = ", Accesses(flags.dst_access));
  switch (barrier.kind) {
    case TracedBarrier::Kind::kMemory:
      return absl::StrCat("VkMemoryBarrier2{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, ", masks, "}");
    case TracedBarrier::Kind::kBuffer:
      return absl::StrCat("VkBufferMemoryBarrier2{.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2, ", masks,
                          ", .buffer = /* ", trace.resources[barrier.resource].name, " */, …}");
    case TracedBarrier::Kind::kSubpass:
      return absl::StrCat("VkSubpassDependency2{.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, .srcSubpass = ",
                          SubpassText(barrier.src_subpass), ", .dstSubpass = ", SubpassText(barrier.dst_subpass), ", ",
                          masks, barrier.is_implicit ? "} /* implicit */" : ", …}");
    case TracedBarrier::Kind::kImage:
      break;
  }
  return absl::StrCat("VkImageMemoryBarrier2{.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2, ", masks,
                      ", .oldLayout = ", vk::ToString(barrier.old_layout),
                      ", .newLayout = ", vk::ToString(barrier.new_layout), ", .image = /* ",
                      trace.resources[barrier.resource].name, " */, …}");
}

}  // namespace assay::syncval::trace
