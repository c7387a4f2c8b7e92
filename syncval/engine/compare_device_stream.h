// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_COMPARE_DEVICE_STREAM_H_
#define ASSAY_SYNCVAL_ENGINE_COMPARE_DEVICE_STREAM_H_

#include <algorithm>
#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "syncval/engine/compare_stream.h"
#include "syncval/engine/device_context_impl.h"
#include "syncval/engine/device_stream.h"

// Runs a stream of several command buffers through the engine and through the model.
namespace assay::syncval {

// Of each byte and kind of access, the first hazard within one execution of a command buffer. Once an access of a kind
// is in order, later ones of that kind are in order too.
struct HazardKey {
  uint64_t address;
  vk::SyncAccessIndex index;
  OrderingRule ordering;
  // Counted up with each subpass, and each time that a render pass ends: what is in order in one need not be in
  // another.
  uint32_t scope = 0;

  auto operator<=>(const HazardKey&) const = default;
};
struct FirstHazard {
  uint32_t tag = 0;
  Hazard hazard;
};
using FirstHazards = std::map<HazardKey, FirstHazard>;
// Of each byte and kind of access, how it races.
using Races = std::map<HazardKey, std::set<HazardKind>>;

inline bool IsRace(HazardKind kind) { return kind >= HazardKind::kReadRacingWrite; }

// A buffer's commands in order, those of its secondaries among them.
struct FlatCommand {
  const StreamCommand* command = nullptr;
  // From the buffer's begin.
  uint32_t tag = 0;
  // As HazardKey::scope.
  uint32_t scope = 0;
};

inline void Flatten(const DeviceStream& stream, uint32_t buffer, uint32_t& tag, std::vector<FlatCommand>& result) {
  uint32_t scope = result.empty() ? 0 : result.back().scope;
  for (const StreamCommand& command : stream.buffers[buffer]) {
    scope += command.subpass != StreamSubpass::kNone;
    result.push_back({&command, tag++, scope});
    for (const uint32_t secondary : command.executes) Flatten(stream, secondary, tag, result);
  }
}

inline void RecordInModel(const StreamCommand& command, Tag tag, ReferenceModel::Where where, ReferenceModel& model) {
  if (command.subpass != StreamSubpass::kNone) {
    StepInModel(command, tag, where, model);
    for (const StreamLayoutChange& change : command.changes) model.RecordLayoutChange(ToModel(change), tag, where);
    return;
  }
  const std::vector<ReferenceModel::ModelBarrier> barriers = ToModel(command.barriers);
  switch (command.event) {
    case StreamEvent::kNone:
      return model.RecordBarriers(barriers, tag, where);
    case StreamEvent::kSet:
      return model.RecordEventSet(command.event_number, tag, where);
    case StreamEvent::kReset:
      return model.RecordEventReset(command.event_number, where);
    case StreamEvent::kWait:
      return model.RecordEventWait(command.event_number, barriers, tag, where);
  }
}

// Each kind of write that streams have is told apart.
template <Fault kFault>
void SetFirstGenerationEvent(const StreamCommand& command, Tag tag, BarrierCache& cache,
                             BasicAccessContext<kFault>& context) {
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

template <Fault kFault>
void ApplyStreamEvent(const StreamCommand& command, Tag tag, BarrierCache& cache, BasicAccessContext<kFault>& context) {
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
  const bool is_first_generation = command.is_first_generation_event;
  if (is_first_generation && command.event == StreamEvent::kSet)
    return SetFirstGenerationEvent(command, tag, cache, context);
  if (command.event == StreamEvent::kSet) context.SetEvent(command.event_number, {globals, ranges}, tag);
  if (command.event == StreamEvent::kReset) context.ResetEvent(command.event_number);
  if (command.event == StreamEvent::kWait) {
    const uint64_t event = command.event_number;
    context.WaitEvents({&event, 1}, {globals, ranges, is_first_generation}, tag);
  }
}

// Gives an execution of a command buffer to the model, command by command.
class ModelExecution {
 public:
  ModelExecution(ReferenceModel& model, ReferenceModel::Where where, uint32_t queues = 1)
      : model_(model), where_(where), queues_(queues) {}

  void Run(const FlatCommand& flat) { Run(*flat.command, flat.tag, flat.scope); }
  void Run(const StreamCommand& command, uint32_t tag, uint32_t scope) {
    scope_ = scope;
    if (command.subpass != StreamSubpass::kNone) return RunStep(command, tag);
    for (const Access& access : command.accesses) {
      for (uint64_t address = access.range.begin; address < access.range.end; ++address) Compare(access, address, tag);
    }
    const std::vector<ReferenceModel::ModelBarrier> barriers = ToModel(command.barriers);
    for (ReferenceModel::ModelBarrier barrier : barriers) {
      if (!barrier.layout_transition || command.event == StreamEvent::kSet) continue;
      const Range range = barrier.range;
      for (uint64_t address = range.begin; address < range.end; ++address) {
        barrier.range = {address, address + 1};
        const HazardKey key{address, vk::kSyncImageLayoutTransition, OrderingRule::kNone, scope};
        if (IsFirst(key, tag)) {
          Add(key, tag,
              command.event == StreamEvent::kWait ? model_.DetectEventTransition(command.event_number, barrier, where_)
                                                  : model_.DetectTransition(barrier, where_));
          AddRaces(key);
        }
        written_.emplace(address, tag);
      }
    }
    for (const Access& access : command.accesses) {
      if (!vk::SyncStageAccesses()[access.index].is_write) continue;
      for (uint64_t address = access.range.begin; address < access.range.end; ++address) written_.emplace(address, tag);
    }
    model_.RecordAccesses(command.accesses, Tag{tag}, where_);
    RecordInModel(command, Tag{tag}, where_, model_);
  }

  FirstHazards& hazards() { return hazards_; }
  Races& races() { return races_; }
  bool HasWritten(uint64_t address) const { return written_.contains(address); }
  bool HasRaced(uint64_t address) const {
    return std::ranges::any_of(races_, [&](const auto& race) { return race.first.address == address; });
  }
  // Those that the model was asked for. Where a command writes again what its command buffer has written before, the
  // engine may tell again of a race.
  Races OnlyFirst(const std::map<uint32_t, Races>& races) const {
    Races result;
    for (const auto& [tag, found] : races) {
      for (const auto& [key, kinds] : found) {
        const auto seen = seen_.find(key);
        if (seen != seen_.end() && seen->second == tag) result[key] = kinds;
      }
    }
    return result;
  }

 private:
  void RunStep(const StreamCommand& command, uint32_t tag) {
    StepInModel(command, Tag{tag}, where_, model_);
    std::vector<uint64_t> changed;
    for (const StreamLayoutChange& change : command.changes) {
      ReferenceModel::LayoutChange in_model = ToModel(change);
      for (uint64_t address = change.range.begin; address < change.range.end; ++address) {
        const HazardKey key{address, vk::kSyncImageLayoutTransition, OrderingRule::kNone, scope_};
        in_model.range = {address, address + 1};
        if (IsFirst(key, tag)) {
          Add(key, tag, model_.DetectLayoutChange(in_model, where_));
          AddRaces(key);
        }
        changed.push_back(address);
      }
    }
    for (const uint64_t address : changed) written_.emplace(address, tag);
    for (const StreamLayoutChange& change : command.changes)
      model_.RecordLayoutChange(ToModel(change), Tag{tag}, where_);
  }
  bool IsFirst(const HazardKey& key, uint32_t tag) {
    const auto written = written_.find(key.address);
    if (written != written_.end() && written->second < tag) return false;
    return seen_.emplace(key, tag).first->second == tag;
  }
  void Add(const HazardKey& key, uint32_t tag, const Hazard& hazard) {
    if (hazard) hazards_.emplace(key, FirstHazard{tag, hazard});
  }
  void Compare(Access access, uint64_t address, uint32_t tag) {
    const HazardKey key{address, access.index, access.ordering, scope_};
    if (!IsFirst(key, tag)) return;
    access.range = {address, address + 1};
    Add(key, tag, model_.DetectAccess(access, where_));
    AddRaces(key);
  }
  void AddRaces(const HazardKey& key) {
    const Access access{.range = {key.address, key.address + 1}, .index = key.index};
    for (uint32_t other = 0; other < queues_; ++other) {
      if (static_cast<QueueIndex>(other) == where_.queue) continue;
      const Hazard race = model_.DetectRace(access, where_, static_cast<QueueIndex>(other));
      if (race) races_[key].insert(race.kind);
    }
  }

  ReferenceModel& model_;
  ReferenceModel::Where where_;
  uint32_t queues_;
  uint32_t scope_ = 0;
  // Since when.
  std::map<HazardKey, uint32_t> seen_;
  // Since when a byte has been written by the execution itself.
  std::map<uint64_t, uint32_t> written_;
  FirstHazards hazards_;
  Races races_;
};

inline std::string DifferenceOf(const FirstHazards& engine, const FirstHazards& model) {
  std::ostringstream out;
  const auto name = [](const HazardKey& key) {
    return "byte " + std::to_string(key.address) + ", " + std::string(vk::SyncStageAccesses()[key.index].name) + ": ";
  };
  for (const auto& [key, found] : engine) {
    if (!model.contains(key)) out << name(key) << "engine only, at " << found.tag << "; ";
  }
  for (const auto& [key, expected] : model) {
    const auto found = engine.find(key);
    if (found == engine.end()) {
      out << name(key) << "model only, at " << expected.tag << "; ";
      continue;
    }
    Hazard hazard = found->second.hazard;
    hazard.range = expected.hazard.range;
    std::string difference =
        Difference(hazard, expected.hazard, key.index != vk::kSyncImageLayoutTransition || key.scope == 0);
    if (found->second.tag != expected.tag) difference += "not by the same command; ";
    if (!difference.empty()) out << name(key) << difference;
  }
  return out.str();
}

// Collects what a replay of commands finds.
struct HazardCollector {
  Tag base;
  const std::vector<FlatCommand>& commands;
  FirstHazards hazards;
  // By the command's tag.
  std::map<uint32_t, Races> races;

  void Add(const ReplayHazard& found) {
    for (uint64_t address = found.access.range.begin; address < found.access.range.end; ++address) {
      const HazardKey key{address, found.access.index, found.access.ordering, commands[found.tag.value].scope};
      if (IsRace(found.hazard.kind)) {
        races[base.value + found.tag.value][key].insert(found.hazard.kind);
      } else {
        hazards.emplace(key, FirstHazard{base.value + found.tag.value, found.hazard});
      }
    }
  }
};

// A hazard of one byte, and what is suggested.
struct Suggested {
  // In the device's tags. base is where its batch, or the part of that by then, begins.
  Tag tag;
  Tag base;
  ReplayHazard hazard;
  // The byte's and others that are in hazard likewise.
  Range range;
  // If it is of a layout transition, that of a barrier or that of a command that begins or ends a subpass.
  ReferenceModel::ModelBarrier barrier;
  std::optional<ReferenceModel::LayoutChange> change;
  bool is_in_subpass = false;
  Suggestion suggestion;
};
// Is called with the model before the command.
using CheckSuggestion = std::function<void(const Suggested&, const ReferenceModel&, ReferenceModel::Where)>;

// Of the first byte of a hazard, which is what can be left out when there was a race.
template <Fault kFault>
Suggested SuggestFor(const ReplayHazard& found, Tag base, BasicAccessContext<kFault>& context) {
  Suggested suggested{.tag = Tag{base.value + found.tag.value},
                      .base = base,
                      .hazard = found,
                      .range = found.access.range,
                      .barrier = {},
                      .change = std::nullopt,
                      .is_in_subpass = context.is_in_subpass(),
                      .suggestion = {}};
  Range& range = suggested.hazard.access.range;
  range.end = range.begin + 1;
  if (found.transition != nullptr) suggested.barrier = {found.transition->flags, false, range, true};
  suggested.suggestion = context.SuggestForReplay(suggested.hazard, base, kStreamQueue);
  return suggested;
}

// Asks for suggestions while a command buffer is recorded, byte by byte.
template <Fault kFault>
class RecordingSuggestions {
 public:
  RecordingSuggestions(BasicAccessContext<kFault>& context, const ReferenceModel& model, const CheckSuggestion& check)
      : context_(context), model_(model), check_(check) {}

  void Check(const StreamCommand& command, Tag tag) {
    if (!check_) return;
    for (const Access& access : command.accesses) {
      ForEachByte(access.range, [&](const Range& byte) { Check(access, byte, tag); });
    }
    std::deque<Barrier> own;
    std::vector<RangeBarrier> transitions;
    for (const StreamBarrier& barrier : command.barriers) {
      if (!barrier.layout_transition) continue;
      own.push_back(MakeBarrier(barrier.flags, kStreamQueue));
      transitions.push_back({barrier.range, &own.back(), true, barrier.region});
    }
    const uint64_t number = command.event_number;
    absl::Span<const uint64_t> events;
    HalfBarriers half;
    if (command.event == StreamEvent::kSet) return;
    if (command.event == StreamEvent::kWait) {
      events = {&number, 1};
      half = WaitHalfOf(command, own, events);
      transitions = half.ranges;
      std::erase_if(transitions, [](const RangeBarrier& range) { return !range.layout_transition; });
    }
    for (const RangeBarrier& transition : transitions) {
      ForEachByte(transition.range, [&](const Range& byte) {
        Suggested suggested = MakeSuggested(byte, vk::kSyncImageLayoutTransition, tag);
        const Barrier& barrier = *transition.barrier;
        suggested.barrier = {barrier.flags, false, byte, true};
        suggested.hazard.transition = &barrier;
        suggested.hazard.events = events;
        if (!context_.DetectChange({byte, &barrier, true, transition.region}, suggested.hazard.hazard)) return;
        suggested.suggestion =
            events.empty()
                ? context_.SuggestForLayoutTransition({byte}, barrier.flags, kStreamQueue)
                : context_.SuggestForWait({byte}, barrier, events, command.is_first_generation_event, kStreamQueue);
        check_(suggested, model_, {});
      });
    }
  }
  // A layout transition by a command that begins or ends a subpass.
  void Check(const StreamCommand& command, const StreamLayoutChange& change, const RangeBarrier& transition, Tag tag) {
    if (!check_) return;
    ReferenceModel model = model_;
    StepInModel(command, tag, {}, model);
    ForEachByte(change.range, [&](const Range& byte) {
      Suggested suggested = MakeSuggested(byte, vk::kSyncImageLayoutTransition, tag);
      suggested.hazard.transition = transition.barrier;
      suggested.change = ToModel(change);
      if (!context_.DetectChange({byte, transition.barrier, true, transition.region}, suggested.hazard.hazard)) return;
      suggested.suggestion = context_.SuggestForChange({byte}, transition.barrier->src, {}, kStreamQueue);
      check_(suggested, model, {});
    });
  }

 private:
  template <typename Visit>
  static void ForEachByte(const Range& range, Visit&& visit) {
    for (uint64_t address = range.begin; address < range.end; ++address) visit(Range{address, address + 1});
  }
  Suggested MakeSuggested(const Range& byte, vk::SyncAccessIndex index, Tag tag) const {
    return {.tag = tag,
            .base = Tag{0},
            .hazard = {.access = {.range = byte, .index = index}, .tag = tag, .hazard = {}},
            .range = byte,
            .barrier = {},
            .change = std::nullopt,
            .is_in_subpass = context_.is_in_subpass(),
            .suggestion = {}};
  }
  void Check(const Access& access, const Range& byte, Tag tag) {
    Suggested suggested = MakeSuggested(byte, access.index, tag);
    suggested.hazard.access = access;
    suggested.hazard.access.range = byte;
    if (!context_.DetectHazard(suggested.hazard.access, tag, suggested.hazard.hazard)) return;
    suggested.suggestion = context_.SuggestBarrier({&suggested.hazard.access, 1}, tag);
    check_(suggested, model_, {});
  }
  HalfBarriers WaitHalfOf(const StreamCommand& command, std::deque<Barrier>& own, absl::Span<const uint64_t> events) {
    std::vector<const Barrier*> globals;
    std::vector<RangeBarrier> ranges;
    for (const StreamBarrier& barrier : command.barriers) {
      own.push_back(MakeBarrier(barrier.flags, kStreamQueue));
      if (barrier.global) {
        globals.push_back(&own.back());
      } else {
        ranges.push_back({barrier.range, &own.back(), barrier.layout_transition, barrier.region});
      }
    }
    return context_.WaitHalf(events, {globals, ranges, command.is_first_generation_event});
  }

  BasicAccessContext<kFault>& context_;
  const ReferenceModel& model_;
  const CheckSuggestion& check_;
};

// The command buffers of a stream, recorded.
template <Fault kFault>
class RecordedBuffers {
 public:
  using Context = BasicAccessContext<kFault>;

  // Compares what the execution of secondaries finds; returns how engine and model differ.
  std::string Record(const DeviceStream& stream) {
    for (uint32_t i = 0; i < stream.buffers.size(); ++i) {
      const std::string difference = RecordBuffer(stream, i);
      if (!difference.empty()) return "buffer " + std::to_string(i) + ": " + difference;
    }
    return "";
  }
  Context& operator[](uint32_t buffer) { return *contexts_[buffer]; }
  void CheckSuggestions(CheckSuggestion check) { check_suggestion_ = std::move(check); }

 private:
  std::string RecordBuffer(const DeviceStream& stream, uint32_t buffer) {
    Context& context = *contexts_.emplace_back(std::make_unique<Context>());
    ReferenceModel model(kStreamQueue);
    uint32_t tag = 0;
    uint32_t executions = 0;
    if (buffer < stream.inside_buffers) {
      context.InheritSubpass();
      model.InheritSubpass();
    }
    StreamSubpasses<kFault> subpasses;
    RecordingSuggestions<kFault> suggestions(context, model, check_suggestion_);
    for (const StreamCommand& command : stream.buffers[buffer]) {
      subpasses.Step(command, Tag{tag}, context, [&](const StreamLayoutChange& change, const RangeBarrier& range) {
        suggestions.Check(command, change, range, Tag{tag});
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
        std::vector<Suggested> suggested;
        context.Replay(*contexts_[secondary], base, [&](const ReplayHazard& found) {
          collector.Add(found);
          if (check_suggestion_) suggested.push_back(SuggestFor(found, base, context));
        });
        const ReferenceModel::Where where{.queue = {}, .execution = executions++};
        ModelExecution execution(model, where);
        for (const FlatCommand& flat : commands) {
          for (const Suggested& each : suggested) {
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
  CheckSuggestion check_suggestion_;
};

// A device of engine and model side by side.
template <Fault kFault>
class DeviceComparison {
 public:
  explicit DeviceComparison(const DeviceStream& stream) : stream_(WithWholeRenderPasses(WithEqualEvents(stream))) {}

  // Where the engine disagrees with the model first, in words; empty if nowhere.
  std::string Run() {
    std::string difference = buffers_.Record(stream_);
    for (const DeviceStep& step : stream_.steps) queues_ = std::max(queues_, step.queue + 1);
    for (uint32_t i = 0; i < queues_; ++i) device_.AddQueue(kStreamQueue);
    for (size_t i = 0; i < stream_.steps.size() && difference.empty(); ++i) {
      difference = RunStep(stream_.steps[i]);
      if (!difference.empty()) return "step " + std::to_string(i) + difference;
    }
    return difference;
  }
  // Asks for a suggestion for each hazard.
  void CheckSuggestions(CheckSuggestion check) {
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

  // What races has no other hazards, and what has raced is a matter of opinion.
  void CheckSuggested(absl::Span<Suggested> suggested, const FlatCommand& flat, const ModelExecution& execution,
                      ReferenceModel::Where where) {
    if (suggested.empty()) return;
    const StreamCommand& command = *flat.command;
    ReferenceModel model = model_;
    StepInModel(command, Tag{flat.tag}, where, model);
    for (Suggested& each : suggested) {
      const uint64_t address = each.hazard.access.range.begin;
      const bool races = std::ranges::any_of(suggested, [&](const Suggested& other) {
        return other.range.begin <= address && address < other.range.end && IsRace(other.hazard.hazard.kind);
      });
      if (raced_.contains(address) || execution.HasRaced(address)) continue;
      if (races && (!IsRace(each.hazard.hazard.kind) || execution.HasWritten(address))) continue;
      if (command.subpass != StreamSubpass::kNone) {
        const auto is_here = [&](const StreamLayoutChange& change) {
          return change.range.begin <= address && address < change.range.end;
        };
        // Which of several it is, the hazard does not say.
        if (std::ranges::count_if(command.changes, is_here) != 1) continue;
        each.change = ToModel(*std::ranges::find_if(command.changes, is_here));
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
    std::vector<Suggested> suggested;
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
          std::ranges::equal_range(suggested, Tag{flat.tag}, {}, [](const Suggested& each) { return each.tag; });
      CheckSuggested({of_command.data(), of_command.size()}, flat, execution, {queue, executions_ - 1});
      execution.Run(flat);
    }
    std::string difference;
    const auto is_raced = [&](const auto& found) { return raced_.contains(found.first.address); };
    Races races = execution.OnlyFirst(collector.races);
    for (Races* both : {&races, &execution.races()}) std::erase_if(*both, is_raced);
    if (races != execution.races()) difference = "races differ" + Words(races, execution.races());
    for (const auto& [key, kinds] : execution.races()) raced_.insert(key.address);
    for (FirstHazards* hazards : {&collector.hazards, &execution.hazards()}) {
      std::erase_if(*hazards, is_raced);
    }
    for (const auto& [key, found] : collector.hazards) ++counts_[found.hazard.kind];
    for (const auto& [key, kinds] : races) {
      for (const HazardKind kind : kinds) ++counts_[kind];
    }
    return difference + DifferenceOf(collector.hazards, execution.hazards());
  }

  static std::string Words(const Races& engine, const Races& model) {
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
  RecordedBuffers<kFault> buffers_;
  BasicDeviceContext<kFault> device_;
  ReferenceModel model_{kStreamQueue};
  uint32_t executions_ = 0;
  std::map<uint32_t, Signal> signals_;
  std::vector<Done> done_;
  // Bytes of which a race was found. What was accessed last there is a matter of opinion from then on.
  std::set<uint64_t> raced_;
  std::map<HazardKind, size_t> counts_;
  CheckSuggestion check_suggestion_;
};

template <Fault kFault>
std::string FindDeviceDisagreement(const DeviceStream& stream) {
  return DeviceComparison<kFault>(stream).Run();
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_COMPARE_DEVICE_STREAM_H_
