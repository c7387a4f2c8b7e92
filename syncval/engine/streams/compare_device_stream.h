// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_STREAMS_COMPARE_DEVICE_STREAM_H_
#define ASSAY_SYNCVAL_ENGINE_STREAMS_COMPARE_DEVICE_STREAM_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/contexts/device_context_bodies.h"
#include "syncval/engine/streams/compare_stream.h"
#include "syncval/engine/streams/device_stream.h"
#include "syncval/engine/streams/model_execution.h"
#include "syncval/engine/streams/stream_suggestions.h"

// Runs a stream of several command buffers through the engine and through the model.
namespace assay::syncval {

// Each kind of write that streams have is told apart.
template <Mutation kMutation>
void SetSync1Event(const StreamCommand& command, Tag tag, BarrierCache& cache, BasicAccessContext<kMutation>& context) {
  std::deque<Barrier> own;
  std::vector<const Barrier*> globals;
  for (const VkAccessFlags2 access :
       {VK_ACCESS_2_NONE, VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
        VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        VK_ACCESS_2_HOST_WRITE_BIT}) {
    own.push_back(cache.Get({command.barriers.front().flags.src_stages, access, 0, 0}, kStreamQueue));
    globals.push_back(&own.back());
  }
  context.SetEvent(command.event_number, {globals, {}}, tag);
}

template <Mutation kMutation>
void ApplyStreamEvent(const StreamCommand& command, Tag tag, BarrierCache& cache,
                      BasicAccessContext<kMutation>& context) {
  std::vector<const Barrier*> globals;
  std::vector<RangeBarrier> ranges;
  // Each barrier is a dependency of its own, also where two are equal.
  std::deque<Barrier> own;
  for (const StreamBarrier& barrier : command.barriers) {
    own.push_back(cache.Get(barrier.flags, kStreamQueue));
    if (barrier.global) {
      globals.push_back(&own.back());
    } else {
      ranges.push_back({barrier.range, &own.back(), barrier.layout_transition, barrier.region});
    }
  }
  const bool is_sync1 = command.is_sync1_event;
  if (is_sync1 && command.event == StreamEvent::kSet) return SetSync1Event(command, tag, cache, context);
  if (command.event == StreamEvent::kSet) context.SetEvent(command.event_number, {globals, ranges}, tag);
  if (command.event == StreamEvent::kReset) context.ResetEvent(command.event_number);
  if (command.event == StreamEvent::kWait) {
    const uint64_t event = command.event_number;
    context.WaitEvents({&event, 1}, {globals, ranges, is_sync1}, tag);
  }
}

// The command buffers of a stream, recorded.
template <Mutation kMutation>
class RecordedBuffers {
 public:
  using Context = BasicAccessContext<kMutation>;

  // Compares what the execution of secondaries finds; returns how engine and model differ.
  std::string Record(const DeviceStream& stream) {
    for (uint32_t i = 0; i < stream.buffers.size(); ++i) {
      const std::string difference = RecordBuffer(stream, i);
      if (!difference.empty()) return "buffer " + std::to_string(i) + ": " + difference;
    }
    return "";
  }
  Context& operator[](uint32_t buffer) { return *contexts_[buffer]; }
  void CheckSuggestions(SuggestionCallback check) { check_suggestion_ = std::move(check); }

 private:
  std::string RecordBuffer(const DeviceStream& stream, uint32_t buffer) {
    Context& context = *contexts_.emplace_back(std::make_unique<Context>());
    context.SetDeviceStages(StreamStages());
    ReferenceModel model(kStreamQueue);
    uint32_t tag = 0;
    uint32_t executions = 0;
    if (buffer < stream.inside_buffers) {
      context.InheritSubpass();
      model.InheritSubpass();
    }
    StreamSubpasses<kMutation> subpasses;
    RecordingSuggestions<kMutation> suggestions(context, model, check_suggestion_);
    for (const StreamCommand& command : stream.buffers[buffer]) {
      subpasses.Step(command, Tag{tag}, context, [&](const StreamTransition& transition, const RangeBarrier& range) {
        suggestions.Check(command, transition, range, Tag{tag});
      });
      suggestions.Check(command, Tag{tag});
      RecordCommand(command, Tag{tag}, context);
      model.RecordAccesses(command.accesses, Tag{tag});
      RecordInModel(command, Tag{tag}, {}, model);
      ++tag;
      for (const uint32_t secondary : command.executes) {
        std::vector<FlatCommand> commands;
        const Tag base{tag};
        Flatten(stream, secondary, tag, commands);
        HazardCollector collector{.base = base, .commands = commands, .hazards = {}, .races = {}};
        std::vector<HazardSuggestion> suggested;
        context.Replay(*contexts_[secondary], base, [&](const ReplayHazard& found) {
          collector.Add(found);
          if (check_suggestion_) suggested.push_back(SuggestFor(found, base, context));
        });
        const ReferenceModel::Where where{.queue = {}, .execution = executions++};
        ModelExecution execution(model, where);
        for (const FlatCommand& flat : commands) {
          for (const HazardSuggestion& each : suggested) {
            if (each.tag == Tag{flat.tag}) check_suggestion_(each, model, where);
          }
          execution.Run(flat);
        }
        const std::string difference = DifferenceOf(collector.hazards, execution.hazards());
        if (!difference.empty()) return "secondary " + std::to_string(secondary) + ": " + difference;
      }
    }
    return "";
  }

  void RecordCommand(const StreamCommand& command, Tag tag, Context& context) {
    Hazard hazard;
    if (!command.accesses.empty() && !context.TryRecord(absl::MakeConstSpan(command.accesses), tag)) {
      if (command.accesses.size() == 1 && command.accesses.front().range.begin % 2 == 0) {
        context.DetectAndUpdate(command.accesses.front(), tag, hazard);
      } else {
        for (const Access& access : command.accesses) context.DetectHazard(access, tag, hazard);
        for (const Access& access : command.accesses) context.Update(access, tag);
      }
    }
    if (command.event != StreamEvent::kNone) {
      ApplyStreamEvent(command, tag, cache_, context);
    } else if (!command.barriers.empty()) {
      ApplyStreamBarriers(command.barriers, tag, cache_, context);
    }
  }

  BarrierCache cache_;
  std::vector<std::unique_ptr<Context>> contexts_;
  SuggestionCallback check_suggestion_;
};

// A device of engine and model side by side.
template <Mutation kMutation>
class DeviceComparison {
 public:
  explicit DeviceComparison(const DeviceStream& stream) : stream_(WithCompleteRenderPasses(WithEqualEvents(stream))) {}

  // Where the engine disagrees with the model first, in words; empty if nowhere.
  std::string Run() {
    std::string difference = buffers_.Record(stream_);
    for (const DeviceStep& step : stream_.steps) queues_ = std::max(queues_, step.queue + 1);
    device_.SetStages(StreamStages());
    for (uint32_t i = 0; i < queues_; ++i) device_.AddQueue(kStreamQueue);
    for (size_t i = 0; i < stream_.steps.size() && difference.empty(); ++i) {
      difference = RunStep(stream_.steps[i]);
      if (!difference.empty()) return "step " + std::to_string(i) + difference;
    }
    return difference;
  }
  // Asks for a suggestion for each hazard.
  void CheckSuggestions(SuggestionCallback check) {
    buffers_.CheckSuggestions(check);
    check_suggestion_ = std::move(check);
  }
  // How often hazards were found.
  const std::map<HazardKind, size_t>& counts() const { return counts_; }

 private:
  struct Signal {
    std::shared_ptr<const Snapshot> snapshot;
    ReferenceModel::Place place;
    VkPipelineStageFlags2 stages;
  };
  struct Done {
    QueuePoint point;
    ReferenceModel::Place place;
  };

  // What races has no other hazards, and what has raced is a matter of opinion. So is which of several atomic accesses
  // is the last if they are in no order.
  void CheckSuggested(absl::Span<HazardSuggestion> suggested, const FlatCommand& flat, const ModelExecution& execution,
                      ReferenceModel::Where where) {
    if (suggested.empty()) return;
    const StreamCommand& command = *flat.command;
    ReferenceModel model = model_;
    StepInModel(command, Tag{flat.tag}, where, model);
    for (HazardSuggestion& each : suggested) {
      const uint64_t address = each.hazard.access.range.begin;
      const bool races = std::ranges::any_of(suggested, [&](const HazardSuggestion& other) {
        return other.range.begin <= address && address < other.range.end && IsRace(other.hazard.hazard.kind);
      });
      if (raced_.contains(address) || execution.HasRaced(address)) continue;
      if (unordered_bytes_.contains(address) || execution.unordered_bytes().contains(address)) continue;
      if (races && (!IsRace(each.hazard.hazard.kind) || execution.HasWritten(address))) continue;
      if (command.subpass != StreamSubpass::kNone) {
        const auto is_here = [&](const StreamTransition& transition) {
          return transition.range.begin <= address && address < transition.range.end;
        };
        // Which of several it is, the hazard does not say.
        if (std::ranges::count_if(command.transitions, is_here) != 1) continue;
        each.automatic_transition = ToModel(*std::ranges::find_if(command.transitions, is_here));
      }
      check_suggestion_(each, model, where);
    }
  }

  // Tags of what is between command buffers, for the model alone.
  Tag TakeTag() { return device_.TakeTag(); }

  std::string RunStep(const DeviceStep& step) {
    const auto queue = static_cast<QueueIndex>(step.queue);
    if (step.is_host_wait) {
      device_.HostWait(done_[step.waited_for].point);
      model_.RecordHostWait(done_[step.waited_for].place);
      done_.push_back(done_[step.waited_for]);
      return "";
    }
    for (const StreamSemaphore& wait : step.waits) {
      const auto found = signals_.find(wait.signal);
      if (found == signals_.end()) continue;
      const Signal& signal = found->second;
      device_.Wait(queue, *signal.snapshot, wait.stages);
      model_.RecordSemaphore(signal.place, signal.stages, {queue, TakeTag()}, wait.stages);
    }
    for (const uint32_t buffer : step.buffers) {
      const std::string difference = Execute(queue, buffer);
      if (!difference.empty()) return ", buffer " + std::to_string(buffer) + ": " + difference;
    }
    for (const StreamSemaphore& signal : step.signals) {
      Signal made{
          .snapshot = device_.Signal(queue, signal.stages), .place = {queue, TakeTag()}, .stages = signal.stages};
      signals_.emplace(signal.signal, std::move(made));
    }
    done_.push_back({device_.PointOf(queue), {queue, TakeTag()}});
    return "";
  }

  std::string Execute(QueueIndex queue, uint32_t buffer) {
    std::vector<FlatCommand> commands;
    uint32_t tag = device_.executions().next().value;
    HazardCollector collector{.base = Tag{tag}, .commands = commands, .hazards = {}, .races = {}};
    std::vector<HazardSuggestion> suggested;
    Flatten(stream_, buffer, tag, commands);
    device_.Replay(buffers_[buffer], {.tag_count = tag - collector.base.value, .queue = queue},
                   [&](const ReplayHazard& found) {
                     collector.Add(found);
                     if (!check_suggestion_) return;
                     suggested.push_back(SuggestFor(found, collector.base, device_.ContextOf(queue)));
                   });
    ModelExecution execution(model_, {.queue = queue, .execution = executions_++}, queues_);
    for (const FlatCommand& flat : commands) {
      const auto of_command =
          std::ranges::equal_range(suggested, Tag{flat.tag}, {}, [](const HazardSuggestion& each) { return each.tag; });
      CheckSuggested({of_command.data(), of_command.size()}, flat, execution, {queue, executions_ - 1});
      execution.Run(flat);
    }
    std::string difference;
    // Whether a read has the value of an unordered atomic write is up to the memory model's reads-from, which neither
    // side knows: of such bytes only what the engine reports is compared, with the two accesses that it names.
    const auto is_raced = [&](const auto& found) {
      return raced_.contains(found.first.address) || unordered_bytes_.contains(found.first.address);
    };
    Races races = execution.OnlyFirst(collector.races);
    for (Races* both : {&races, &execution.races()}) std::erase_if(*both, is_raced);
    if (races != execution.races()) difference = "races differ" + Describe(races, execution.races());
    for (const auto& [key, kinds] : execution.races()) raced_.insert(key.address);
    unordered_bytes_.insert(execution.unordered_bytes().begin(), execution.unordered_bytes().end());
    for (const auto& [key, found] : collector.hazards) difference += DifferenceOfUnordered(key, found);
    for (FirstHazards* hazards : {&collector.hazards, &execution.hazards()}) {
      std::erase_if(*hazards, is_raced);
    }
    for (const auto& [key, found] : collector.hazards) ++counts_[found.hazard.kind];
    for (const auto& [key, kinds] : races) {
      for (const HazardKind kind : kinds) ++counts_[kind];
    }
    return difference + DifferenceOf(collector.hazards, execution.hazards());
  }

  // Whether a hazard of a byte with unordered atomic accesses is none.
  std::string DifferenceOfUnordered(const HazardKey& key, const FirstHazard& found) const {
    if (!unordered_bytes_.contains(key.address) || raced_.contains(key.address)) return "";
    if (key.index == vk::kSyncImageLayoutTransition) return "";
    const Hazard& hazard = found.hazard;
    if (model_.AreInConflict(key.address, hazard.prior_tag, hazard.prior_access, Tag{found.tag}, key.index,
                             key.ordering)) {
      return "";
    }
    return "byte " + std::to_string(key.address) + ", " + std::string(vk::SyncStageAccesses()[key.index].name) +
           ": no conflict with the access at " + std::to_string(hazard.prior_tag.value) + "; ";
  }

  static std::string Describe(const Races& engine, const Races& model) {
    std::ostringstream out;
    for (const auto& [races, name] : {std::pair(&engine, " engine"), std::pair(&model, " model")}) {
      out << name << ":";
      for (const auto& [key, kinds] : *races) {
        out << " byte " << key.address << " " << vk::SyncStageAccesses()[key.index].name;
        for (const HazardKind kind : kinds) out << " " << static_cast<int>(kind);
      }
    }
    return out.str();
  }

  const DeviceStream stream_;
  uint32_t queues_ = 1;
  RecordedBuffers<kMutation> buffers_;
  BasicDeviceContext<kMutation> device_;
  ReferenceModel model_{kStreamQueue};
  uint32_t executions_ = 0;
  std::map<uint32_t, Signal> signals_;
  std::vector<Done> done_;
  // Bytes of which a race was found. What was accessed last there is a matter of opinion from then on.
  std::set<uint64_t> raced_;
  // Bytes with atomic accesses of several queues in no order.
  std::set<uint64_t> unordered_bytes_;
  std::map<HazardKind, size_t> counts_;
  SuggestionCallback check_suggestion_;
};

template <Mutation kMutation>
std::string FindDeviceDisagreement(const DeviceStream& stream) {
  return DeviceComparison<kMutation>(stream).Run();
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_COMPARE_DEVICE_STREAM_H_
