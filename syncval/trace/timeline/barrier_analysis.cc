// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/timeline/barrier_analysis.h"

#include <algorithm>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "syncval/trace/timeline/barrier_execution.h"
#include "syncval/trace/timeline/dependency_order.h"
#include "syncval/trace/timeline/last_accesses.h"

namespace assay::syncval::trace {
namespace {

// Walks over the run, command by command, and judges its barriers in the end.
class Analysis {
 public:
  explicit Analysis(const Timeline& timeline)
      : timeline_(timeline),
        executions_(timeline.queues.size()),
        dependencies_(executions_, timeline.dropped_batches() != 0) {}

  BarrierAnalysis Run() {
    BarrierAnalysis result{.unknown_commands = CountUnknown()};
    for (uint32_t i = 0; i < timeline_.batches().size(); ++i) AddBatch(i);
    executions_.AddArrows(result.arrows);
    if (result.unknown_commands != 0) return result;
    dependencies_.NoteOpen(last_, order_);
    for (const std::unique_ptr<BarrierSite>& site : sites_) {
      if (Judge(*site)) result.findings.push_back(site->finding);
    }
    return result;
  }

 private:
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
    std::vector<BarrierExecution>& executed = executions_.on(queue_);
    first_execution_ = static_cast<uint32_t>(executed.size());
    for (uint32_t b = trace.first_barrier[command]; b < trace.first_barrier[command + 1]; ++b) {
      BarrierSite& site = SiteOf(trace, command, b);
      ++site.finding.executions;
      // It may order accesses of the presentation engine.
      if ((site.scopes.src.stages & acquire_stages_) != 0 && site.barrier->kind != TracedBarrier::Kind::kBuffer)
        site.is_fixed = true;
      executed.push_back(MakeExecution(site));
    }
  }

  BarrierExecution MakeExecution(BarrierSite& site) const {
    const TracedBarrier& barrier = *site.barrier;
    BarrierExecution execution{.order = order_, .site = &site};
    if (!execution.is_subpass_dependency()) {
      execution.src_end = order_;
      execution.dst_begin = order_ + 1;
      execution.src_scope = execution.dst_scope = CurrentScope();
      return execution;
    }
    // Accesses of the command itself, which end the first subpass and begin the second, are within these subpasses.
    const bool is_from_outside = barrier.src_subpass == VK_SUBPASS_EXTERNAL;
    const bool is_to_outside = barrier.dst_subpass == VK_SUBPASS_EXTERNAL;
    execution.src_end = is_from_outside ? render_pass_begin_ : order_ + 1;
    execution.dst_begin = is_to_outside ? order_ + 1 : order_;
    execution.src_scope = is_from_outside ? 0 : ScopeOf(barrier.src_subpass);
    execution.dst_scope = is_to_outside ? 0 : ScopeOf(barrier.dst_subpass);
    return execution;
  }

  BarrierSite& SiteOf(const RecordedTrace& trace, uint32_t command, uint32_t barrier) {
    BarrierSite*& site = site_index_[{&trace, barrier}];
    if (site != nullptr) return *site;
    sites_.push_back(std::make_unique<BarrierSite>());
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
      dependencies_.MarkFixedAfterDropped(point);
    } else if (point.queue != last.write.queue || point.ordering != OrderingRule::kNone ||
               !last.read_by.Has(point.access)) {
      const bool is_settled = dependencies_.Assign({last.write, point, bytes});
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
      dependencies_.Assign({read, point, bytes});
    }
    if (!has_earlier_read && last.has_write) dependencies_.Assign({last.write, point, bytes});
    if (!last.has_write) dependencies_.MarkFixedAfterDropped(point);
    last.has_write = true;
    last.write = point;
    last.reads.clear();
    last.read_by = SyncAccessMask();
  }

  bool Judge(BarrierSite& site) const {
    if (site.is_fixed) return false;
    if (!site.is_needed) {
      site.finding.verdict = BarrierFinding::Verdict::kOrderedNothing;
      return !site.barrier->is_transition() && !site.is_open;
    }
    site.finding.verdict = BarrierFinding::Verdict::kWider;
    site.finding.is_open = site.is_open;
    return IsWider(*site.barrier, site.finding.needed, site.finding.trace->queue_flags);
  }

  // Reads in the first access scope have no effect, so that they do not count.
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

  const Timeline& timeline_;
  std::vector<std::unique_ptr<BarrierSite>> sites_;
  absl::flat_hash_map<std::pair<const RecordedTrace*, uint32_t>, BarrierSite*> site_index_;
  BarrierExecutions executions_;
  DependencyOrder dependencies_;
  LastAccessMap last_;
  uint64_t order_ = 0;
  uint32_t queue_ = 0;
  uint32_t batch_ = 0;
  // The stages from which the batch may access the images that it acquired.
  VkPipelineStageFlags2 acquire_stages_ = 0;
  uint32_t first_execution_ = 0;
  // Of the current instance of a render pass object, the scopes of its subpasses up to the current one; see
  // AccessPoint::scope.
  std::vector<uint32_t> subpasses_;
  uint32_t last_scope_ = 0;
  uint64_t render_pass_begin_ = 0;
};

}  // namespace

BarrierAnalysis AnalyzeBarriers(const Timeline& timeline) { return Analysis(timeline).Run(); }

}  // namespace assay::syncval::trace
