// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_STREAMS_CHECK_SUGGESTION_H_
#define ASSAY_SYNCVAL_ENGINE_STREAMS_CHECK_SUGGESTION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "syncval/engine/streams/compare_device_stream.h"

// Follows what is suggested for the hazards of streams in the model, and follows less.
namespace assay::syncval {

class SuggestionCheck {
 public:
  using Conflict = ReferenceModel::Conflict;

  void operator()(const HazardSuggestion& suggested, const ReferenceModel& model, ReferenceModel::Where where) {
    suggested_ = &suggested;
    model_ = &model;
    where_ = where;
    Count();
    before_.clear();
    before_ = ConflictsToSolve(model, {}, Alternative::kInBarrier);
    if (before_.empty()) return Fail("nothing is to be solved");
    const Suggestion& suggestion = suggested.suggestion;
    if ((NamedStages(suggestion) & ~(StreamStages() | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)) != 0)
      return Fail("names a stage that the device does not have");
    Check(suggestion, Alternative::kInBarrier);
    // Either way to do what no mask does.
    if (suggestion.kind == Suggestion::Kind::kSetEventLater) Check(suggestion, Alternative::kLaterSet);
  }

  // The first suggestion that does not do, or does with less, or names what the device does not have; empty if there
  // is none.
  const std::string& failure() const { return failure_; }

  int Count(Suggestion::Kind where) { return counts_[where]; }
  int with_semaphores() const { return with_semaphores_; }
  int of_transitions() const { return of_transitions_; }
  int of_races() const { return of_races_; }
  int in_subpasses() const { return in_subpasses_; }

 private:
  enum class Alternative { kInBarrier, kLaterSet };

  // Between all commands and the one that a suggestion is for.
  static constexpr Tag kBefore{1'000'000};

  void Count() {
    const Suggestion& suggestion = suggested_->suggestion;
    ++counts_[suggestion.kind];
    with_semaphores_ += !suggestion.semaphores.empty();
    of_transitions_ += suggested_->hazard.transition != nullptr;
    of_races_ += IsRace(suggested_->hazard.hazard.kind);
    in_subpasses_ += suggested_->is_in_subpass;
  }
  static VkPipelineStageFlags2 NamedStages(const Suggestion& suggestion) {
    VkPipelineStageFlags2 stages = 0;
    for (const BarrierFlags& flags : {suggestion.flags, suggestion.barrier})
      stages |= flags.src_stages | flags.dst_stages;
    for (const Suggestion::Semaphore& semaphore : suggestion.semaphores)
      stages |= semaphore.signal_stages | semaphore.wait_stages;
    return stages;
  }
  void Fail(const std::string& what) {
    if (failure_.empty()) failure_ = Describe() + ": " + what;
  }
  uint64_t Address() const { return suggested_->hazard.access.range.begin; }

  void Check(const Suggestion& suggestion, Alternative alternative) {
    if (!ConflictsAfter(*model_, suggestion, alternative).empty()) return Fail("does not solve it");
    ForEachWithoutOneBit(suggestion, [&](const Suggestion& smaller) {
      if (ConflictsAfter(*model_, smaller, alternative).empty()) Fail("less solves it: " + Describe(smaller));
    });
  }

  template <typename Visit>
  void ForEachWithoutOneBit(const Suggestion& suggestion, Visit&& visit) const {
    for (size_t i = 0; i < suggestion.semaphores.size(); ++i) {
      for (uint64_t Suggestion::Semaphore::* member :
           {&Suggestion::Semaphore::signal_stages, &Suggestion::Semaphore::wait_stages}) {
        for (uint64_t rest = suggestion.semaphores[i].*member; rest != 0; rest &= rest - 1) {
          Suggestion smaller = suggestion;
          smaller.semaphores[i].*member &= ~(rest & (~rest + 1));
          // Nobody signals a semaphore after nothing: less than its last bit is no semaphore.
          if (smaller.semaphores[i].*member == 0)
            smaller.semaphores.erase(smaller.semaphores.begin() + static_cast<ptrdiff_t>(i));
          visit(smaller);
        }
      }
    }
    const BarrierFlags is_there = FlagsThatAreThere();
    for (uint64_t BarrierFlags::* member :
         {&BarrierFlags::src_stages, &BarrierFlags::src_access, &BarrierFlags::dst_stages, &BarrierFlags::dst_access}) {
      for (uint64_t rest = suggestion.flags.*member & ~(is_there.*member); rest != 0; rest &= rest - 1) {
        Suggestion smaller = suggestion;
        smaller.flags.*member &= ~(rest & (~rest + 1));
        visit(smaller);
      }
      for (uint64_t rest = suggestion.barrier.*member; rest != 0; rest &= rest - 1) {
        Suggestion smaller = suggestion;
        smaller.barrier.*member &= ~(rest & (~rest + 1));
        visit(smaller);
      }
    }
  }

  // Single kinds of access without a stage that does them, which are not valid, may be of what is suggested for an
  // earlier transition.
  BarrierFlags FlagsThatAreThere() const {
    BarrierFlags flags;
    if (suggested_->suggestion.kind != Suggestion::Kind::kAddToPriorTransition) return flags;
    ReferenceModel model = *model_;
    for (const Conflict& conflict : before_)
      flags.dst_access |= model.AddToTransition(conflict, Address(), {}).dst_access;
    constexpr VkAccessFlags2 kAnyStage = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    flags.dst_access = vk::ExpandAccesses(flags.dst_access & ~kAnyStage);
    return flags;
  }

  // The conflicts that remain with the suggestion. The batch waits for semaphores.
  std::vector<Conflict> ConflictsAfter(const ReferenceModel& before, const Suggestion& suggestion,
                                       Alternative alternative) const {
    ReferenceModel model = before;
    for (const Suggestion::Semaphore& semaphore : suggestion.semaphores) {
      model.InsertSemaphore({semaphore.queue, Tag{semaphore.after.value + 1}}, semaphore.signal_stages,
                            {where_.queue, Tag{suggested_->base.value - 1}}, semaphore.wait_stages);
    }
    switch (suggestion.kind) {
      case Suggestion::Kind::kAddToTransition:
      case Suggestion::Kind::kSetEventLater:
        return ConflictsToSolve(model, suggestion.flags, alternative);
      case Suggestion::Kind::kAddToPriorTransition:
        for (const Conflict& conflict : before_) model.AddToTransition(conflict, Address(), suggestion.flags);
        model.RecordDependency(suggestion.barrier, Tag{kBefore.value + 1}, where_);
        break;
      case Suggestion::Kind::kAddBarrier:
        model.RecordDependency(suggestion.flags, Tag{kBefore.value + 1}, where_);
        break;
      case Suggestion::Kind::kAddSemaphores:
        break;
    }
    return ConflictsToSolve(model, {}, alternative);
  }

  // Of a race, those that nothing led from, of the queue that it tells of.
  std::vector<Conflict> ConflictsToSolve(const ReferenceModel& model, const BarrierFlags& addition,
                                         Alternative alternative) const {
    std::vector<Conflict> conflicts = ConflictsWith(model, addition, alternative);
    const Hazard& hazard = suggested_->hazard.hazard;
    if (!IsRace(hazard.kind)) return conflicts;
    std::erase_if(conflicts, [&](const Conflict& conflict) {
      return conflict.queue != hazard.prior_queue ||
             (before_.empty() ? conflict.is_known : std::ranges::find(before_, conflict) == before_.end());
    });
    return conflicts;
  }

  // With bits added to the first scope of the layout transition, if it is one.
  std::vector<Conflict> ConflictsWith(ReferenceModel model, const BarrierFlags& addition,
                                      Alternative alternative) const {
    const ReplayHazard& hazard = suggested_->hazard;
    if (hazard.transition == nullptr) return model.ConflictsOf(hazard.access, where_);
    if (suggested_->automatic_transition.has_value())
      return model.ConflictsOfAutomaticTransition(Address(), *suggested_->automatic_transition, addition,
                                                  suggested_->tag, where_);
    ReferenceModel::ModelBarrier barrier = suggested_->barrier;
    barrier.flags.src_stages |= addition.src_stages;
    barrier.flags.src_access |= addition.src_access;
    std::optional<uint32_t> event;
    if (!hazard.events.empty()) event = static_cast<uint32_t>(hazard.events.front());
    const bool is_later = suggested_->suggestion.kind == Suggestion::Kind::kSetEventLater && !before_.empty();
    if (is_later && alternative == Alternative::kLaterSet) model.RecordEventSet(*event, Tag{kBefore.value + 2}, where_);
    if (is_later && alternative == Alternative::kInBarrier) event.reset();
    return model.ConflictsOfTransition(Address(), barrier, event, where_);
  }

  static std::string Describe(const Suggestion& suggestion) {
    const BarrierFlags& flags = suggestion.flags;
    std::ostringstream out;
    out << static_cast<int>(suggestion.kind) << std::hex << " {" << flags.src_stages << ", " << flags.src_access << ", "
        << flags.dst_stages << ", " << flags.dst_access << "} and {" << suggestion.barrier.src_stages << ", "
        << suggestion.barrier.dst_stages << ", " << suggestion.barrier.dst_access << "}";
    for (const Suggestion::Semaphore& semaphore : suggestion.semaphores) {
      out << " semaphore from " << static_cast<int>(semaphore.queue) << " after " << std::dec << semaphore.after.value
          << std::hex << " {" << semaphore.signal_stages << ", " << semaphore.wait_stages << "}";
    }
    return out.str();
  }
  std::string Describe() const {
    const auto name = [](vk::SyncAccessIndex index) { return vk::SyncStageAccesses()[index].name; };
    const ReplayHazard& hazard = suggested_->hazard;
    std::ostringstream out;
    out << "Hazard " << static_cast<int>(hazard.hazard.kind) << " of " << name(hazard.access.index) << " at "
        << suggested_->tag.value << ", byte " << Address() << ", queue " << static_cast<int>(where_.queue)
        << (suggested_->is_in_subpass ? ", in a subpass" : "");
    for (const Conflict& prior : before_) {
      out << ", after " << name(prior.index) << " at " << prior.tag.value << ", queue "
          << static_cast<int>(prior.queue);
    }
    const BarrierFlags& own = suggested_->barrier.flags;
    out << ": " << Describe(suggested_->suggestion) << std::hex << " for {" << own.src_stages << ", " << own.src_access
        << ", " << own.dst_stages << ", " << own.dst_access << "}" << (!hazard.events.empty() ? " of an event" : "")
        << (suggested_->automatic_transition.has_value() ? " of a subpass" : "");
    return out.str();
  }

  std::map<Suggestion::Kind, int> counts_;
  int with_semaphores_ = 0;
  int of_transitions_ = 0;
  int of_races_ = 0;
  int in_subpasses_ = 0;
  std::string failure_;
  // Of the suggestion that is checked.
  const HazardSuggestion* suggested_ = nullptr;
  const ReferenceModel* model_ = nullptr;
  ReferenceModel::Where where_;
  std::vector<Conflict> before_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_CHECK_SUGGESTION_H_
