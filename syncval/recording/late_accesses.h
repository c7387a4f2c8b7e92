// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_LATE_ACCESSES_H_
#define ASSAY_SYNCVAL_RECORDING_LATE_ACCESSES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "syncval/engine/engine.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// A late access: a shader's access through a descriptor that may be updated until the command buffer is submitted
// (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT). What it accesses is looked up then.
struct LateAccess {
  // Values of `element` for an index that the shader computes. Of any element: it accesses one of them, so that it
  // conflicts only if it would whatever the index. It is compared with earlier commands of its recording alone. Of
  // every element: each counts as accessed (syncval_shader_accesses_heuristic).
  static constexpr uint32_t kAnyElement = ~0u;
  static constexpr uint32_t kEveryElement = ~0u - 1;

  // The VkDescriptorSet.
  uint64_t set = 0;
  uint32_t binding = 0;
  uint32_t element = 0;
  // Of the block that the shader declares, in bytes; VK_WHOLE_SIZE if it has no fixed size.
  VkDeviceSize block_size = VK_WHOLE_SIZE;
  // RecordedAccess::index.
  uint32_t index = 0;
  vk::SyncAccessIndex access = vk::kSyncNone;
  OrderingRule ordering = OrderingRule::kNone;
  // Of its command.
  Tag tag;

  // Whether all is equal but the tag.
  bool Repeats(const LateAccess& other) const {
    return set == other.set && binding == other.binding && element == other.element && block_size == other.block_size &&
           index == other.index && access == other.access && ordering == other.ordering;
  }
};

// The late accesses of a recording, in the order of their commands.
class LateAccesses {
 public:
  // Appends an access, whose tag is not before those of earlier ones. `scope` is a number that differs if anything came
  // between two accesses that may order them. can_repeat: an equal access in the same scope adds nothing. So a loop of
  // draws adds its accesses once.
  void Add(const LateAccess& access, size_t scope, bool can_repeat) {
    Slot& slot =
        slots_[((access.set + access.binding + uint64_t{access.element} * 64 + access.access) * 0x9E3779B97F4A7C15u) >>
               58];
    if (can_repeat && slot.scope == scope && slot.position < accesses_.size() &&
        accesses_[slot.position].Repeats(access)) {
      return;
    }
    slot = {accesses_.size(), scope};
    accesses_.push_back(access);
  }
  absl::Span<const LateAccess> all() const { return absl::MakeConstSpan(accesses_.data(), accesses_.size()); }
  bool empty() const { return accesses_.empty(); }

  // Removes the accesses of the command with this tag and of later ones.
  void RemoveFrom(Tag tag) {
    while (!accesses_.empty() && accesses_.back().tag >= tag) accesses_.pop_back();
  }
  // Appends those of a secondary whose first command has the tag `base` in this recording.
  void Append(const LateAccesses& secondary, Tag base) {
    for (LateAccess access : secondary.accesses_) {
      access.tag.value += base.value;
      accesses_.push_back(access);
    }
  }
  // Those that are appended have no slots, so that a slot of an earlier recording might find one of them.
  void Reset() {
    if (!accesses_.empty()) slots_.fill({});
    accesses_.clear();
  }

 private:
  // The last access with the hash of the slot.
  struct Slot {
    size_t position = 0;
    size_t scope = 0;
  };

  GrowingArray<LateAccess> accesses_;
  std::array<Slot, 64> slots_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_LATE_ACCESSES_H_
