// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_STREAMS_MODEL_EXECUTION_H_
#define ASSAY_SYNCVAL_ENGINE_STREAMS_MODEL_EXECUTION_H_

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "syncval/engine/contexts/device_context_bodies.h"
#include "syncval/engine/model/reference_model.h"
#include "syncval/engine/streams/compare_stream.h"
#include "syncval/engine/streams/device_stream.h"

// How the model executes a command buffer, and how the engine's hazards differ from the model's.
namespace assay::syncval {

// The key of the first hazard of a byte and kind of access within one execution of a command buffer. Once an access of
// a kind is in order, later ones of that kind are in order too.
struct HazardKey {
  uint64_t address;
  vk::SyncAccessIndex index;
  OrderingRule ordering;
  // Incremented with each subpass, and each time that a render pass ends. An access may be in order in one phase and
  // not in another.
  uint32_t phase = 0;

  auto operator<=>(const HazardKey&) const = default;
};
struct FirstHazard {
  uint32_t tag = 0;
  Hazard hazard;
};
using FirstHazards = std::map<HazardKey, FirstHazard>;
// How each byte and kind of access races.
using Races = std::map<HazardKey, std::set<HazardKind>>;

inline bool IsRace(HazardKind kind) { return kind >= HazardKind::kReadRacingWrite; }

// A buffer's command. The list of all is in order, and has the commands of the secondaries in it.
struct FlatCommand {
  const StreamCommand* command = nullptr;
  // Counted from the begin of the buffer.
  uint32_t tag = 0;
  // The same as HazardKey::phase.
  uint32_t phase = 0;
};

inline void Flatten(const DeviceStream& stream, uint32_t buffer, uint32_t& tag, std::vector<FlatCommand>& result) {
  uint32_t phase = result.empty() ? 0 : result.back().phase;
  for (const StreamCommand& command : stream.buffers[buffer]) {
    phase += command.subpass != StreamSubpass::kNone;
    result.push_back({&command, tag++, phase});
    for (const uint32_t secondary : command.executes) Flatten(stream, secondary, tag, result);
  }
}

inline void RecordInModel(const StreamCommand& command, Tag tag, ReferenceModel::Where where, ReferenceModel& model) {
  if (command.subpass != StreamSubpass::kNone) {
    StepInModel(command, tag, where, model);
    for (const StreamTransition& transition : command.transitions)
      model.RecordAutomaticTransition(ToModel(transition), tag, where);
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

// Gives an execution of a command buffer to the model, command by command.
class ModelExecution {
 public:
  ModelExecution(ReferenceModel& model, ReferenceModel::Where where, uint32_t queues = 1)
      : model_(model), where_(where), queues_(queues) {}

  void Run(const FlatCommand& flat) { Run(*flat.command, flat.tag, flat.phase); }
  void Run(const StreamCommand& command, uint32_t tag, uint32_t phase) {
    phase_ = phase;
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
        const HazardKey key{address, vk::kSyncImageLayoutTransition, OrderingRule::kNone, phase};
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
  // Bytes with atomic accesses of several queues in no order, which is not a race.
  const std::set<uint64_t>& unordered_bytes() const { return unordered_bytes_; }
  bool HasWritten(uint64_t address) const { return written_.contains(address); }
  bool HasRaced(uint64_t address) const {
    return std::ranges::any_of(races_, [&](const auto& race) { return race.first.address == address; });
  }
  // The races that the model compared. A command may write again to bytes that its command buffer wrote before. The
  // engine may then report a race again.
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
    for (const StreamTransition& transition : command.transitions) {
      ReferenceModel::AutomaticTransition in_model = ToModel(transition);
      for (uint64_t address = transition.range.begin; address < transition.range.end; ++address) {
        const HazardKey key{address, vk::kSyncImageLayoutTransition, OrderingRule::kNone, phase_};
        in_model.range = {address, address + 1};
        if (IsFirst(key, tag)) {
          Add(key, tag, model_.DetectAutomaticTransition(in_model, where_));
          AddRaces(key);
        }
        changed.push_back(address);
      }
    }
    for (const uint64_t address : changed) written_.emplace(address, tag);
    for (const StreamTransition& transition : command.transitions)
      model_.RecordAutomaticTransition(ToModel(transition), Tag{tag}, where_);
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
    const HazardKey key{address, access.index, access.ordering, phase_};
    if (!IsFirst(key, tag)) return;
    access.range = {address, address + 1};
    Add(key, tag, model_.DetectAccess(access, where_));
    AddRaces(key);
  }
  void AddRaces(const HazardKey& key) {
    const Access access{.range = {key.address, key.address + 1}, .index = key.index, .ordering = key.ordering};
    for (uint32_t other = 0; other < queues_; ++other) {
      if (static_cast<QueueIndex>(other) == where_.queue) continue;
      const Access plain{.range = access.range, .index = access.index};
      if (key.ordering == OrderingRule::kAtomic && model_.DetectRace(plain, where_, static_cast<QueueIndex>(other)))
        unordered_bytes_.insert(key.address);
      const Hazard race = model_.DetectRace(access, where_, static_cast<QueueIndex>(other));
      if (race) races_[key].insert(race.kind);
    }
  }

  ReferenceModel& model_;
  ReferenceModel::Where where_;
  uint32_t queues_;
  uint32_t phase_ = 0;
  // The tag of the first access with this key.
  std::map<HazardKey, uint32_t> seen_;
  // The tag of the first write to the byte by this execution.
  std::map<uint64_t, uint32_t> written_;
  FirstHazards hazards_;
  Races races_;
  std::set<uint64_t> unordered_bytes_;
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
        Difference(hazard, expected.hazard, key.index != vk::kSyncImageLayoutTransition || key.phase == 0);
    if (found->second.tag != expected.tag) difference += "not by the same command; ";
    if (!difference.empty()) out << name(key) << difference;
  }
  return out.str();
}

// Collects the hazards that a replay of commands finds.
struct HazardCollector {
  Tag base;
  const std::vector<FlatCommand>& commands;
  FirstHazards hazards;
  // By the command's tag.
  std::map<uint32_t, Races> races;

  void Add(const ReplayHazard& found) {
    for (uint64_t address = found.access.range.begin; address < found.access.range.end; ++address) {
      const HazardKey key{address, found.access.index, found.access.ordering, commands[found.tag.value].phase};
      if (IsRace(found.hazard.kind)) {
        races[base.value + found.tag.value][key].insert(found.hazard.kind);
      } else {
        hazards.emplace(key, FirstHazard{base.value + found.tag.value, found.hazard});
      }
    }
  }
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_MODEL_EXECUTION_H_
