// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_STAGE_SET_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_STAGE_SET_H_

#include <cstdint>

#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/transition_flags.h"
#include "vk/vulkan.h"

// Sets of stages and of accesses. Each member is either inside the current subpass or outside of it: see "Subpasses" in
// engine.h.
namespace assay::syncval {

// Among the outside stages that are ordered after an access: everything later, also what happens in no stage. The bit
// is that of a stage that no scope ever has, since scopes have single stages. See "Semaphores" in engine.h.
inline constexpr VkPipelineStageFlags2 kEverythingLater = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;

struct StageSet {
  VkPipelineStageFlags2 outside = 0;
  VkPipelineStageFlags2 inside = 0;
  // Stages of subpasses that have ended. No later work is in these, but a barrier has them in its first scope. Also
  // holds TransitionFlags; see there.
  VkPipelineStageFlags2 ended = 0;

  constexpr StageSet() = default;
  // Outside. Without subpasses everything is.
  constexpr StageSet(VkPipelineStageFlags2 stages) : outside(stages) {}
  constexpr StageSet(VkPipelineStageFlags2 outside_stages, VkPipelineStageFlags2 inside_stages)
      : outside(outside_stages), inside(inside_stages) {}

  constexpr bool Empty() const { return (outside | inside | ended) == 0; }
  // The ended stages without the flags, and the flags.
  constexpr VkPipelineStageFlags2 ended_stages() const { return ended & ~kFlagBits; }
  constexpr TransitionFlags transition_flags() const { return static_cast<TransitionFlags>(ended & kFlagBits); }
  constexpr void AddTransitionFlags(TransitionFlags flags) { ended |= static_cast<VkPipelineStageFlags2>(flags); }
  // Of the stages that are ordered after an access.
  constexpr bool HasEverythingLater() const { return (outside & kEverythingLater) != 0; }
  // Whether an access in one of these stages is in the set.
  constexpr bool Has(const StageSet& stage) const { return ((outside & stage.outside) | (inside & stage.inside)) != 0; }
  // Whether the first scope src has a stage of this set.
  constexpr bool IsInFirstScope(const StageSet& src) const {
    return (((outside | ended) & src.outside) | (inside & src.inside)) != 0;
  }
  constexpr bool Contains(const StageSet& other) const {
    return ((other.outside & ~outside) | (other.inside & ~inside) | (other.ended & ~ended)) == 0;
  }
  constexpr StageSet& operator|=(const StageSet& other) {
    outside |= other.outside;
    inside |= other.inside;
    ended |= other.ended;
    return *this;
  }
  constexpr StageSet& operator&=(const StageSet& other) {
    outside &= other.outside;
    inside &= other.inside;
    ended &= other.ended;
    return *this;
  }
  friend constexpr StageSet operator|(StageSet a, const StageSet& b) { return a |= b; }
  friend constexpr StageSet operator&(StageSet a, const StageSet& b) { return a &= b; }
  friend constexpr bool operator==(const StageSet&, const StageSet&) = default;

 private:
  static constexpr auto kFlagBits = static_cast<VkPipelineStageFlags2>(TransitionFlags::kAll);
};

struct AccessSet {
  SyncAccessMask outside;
  SyncAccessMask inside;

  constexpr AccessSet() = default;
  constexpr AccessSet(const SyncAccessMask& accesses) : outside(accesses) {}
  constexpr AccessSet(const SyncAccessMask& outside_accesses, const SyncAccessMask& inside_accesses)
      : outside(outside_accesses), inside(inside_accesses) {}

  constexpr const SyncAccessMask& Where(bool is_inside) const { return is_inside ? inside : outside; }
  constexpr bool Has(vk::SyncAccessIndex index, bool is_inside = false) const { return Where(is_inside).Has(index); }
  constexpr bool Empty() const { return (outside | inside).Empty(); }
  constexpr bool Contains(const AccessSet& other) const {
    return outside.Contains(other.outside) && inside.Contains(other.inside);
  }
  constexpr AccessSet& operator|=(const AccessSet& other) {
    outside |= other.outside;
    inside |= other.inside;
    return *this;
  }
  constexpr AccessSet& operator&=(const AccessSet& other) {
    outside &= other.outside;
    inside &= other.inside;
    return *this;
  }
  friend constexpr AccessSet operator|(AccessSet a, const AccessSet& b) { return a |= b; }
  constexpr AccessSet operator~() const { return {~outside, ~inside}; }
  friend constexpr bool operator==(const AccessSet&, const AccessSet&) = default;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_STAGE_SET_H_
