// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_LAYOUT_ENTRIES_H_
#define ASSAY_CORE_RECORDING_LAYOUT_ENTRIES_H_

#include <cstddef>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "core/recording/layout_box.h"
#include "vk/command_id.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// The layouts of the subresources of one image, as a flat list of boxes: one box where the image is uniform.
namespace assay::core {

// Instead of a layout: it is unknown, or any layout will do.
inline constexpr VkImageLayout kAnyLayout = VK_IMAGE_LAYOUT_MAX_ENUM;

// The layout that a command expects of a subresource, and the layout that it leaves.
struct LayoutAccess {
  VkImageLayout expected = kAnyLayout;
  VkImageLayout left = kAnyLayout;
  // The rule that is violated if the subresource is in another layout than the expected one.
  vk::VuidIndex rule{};
  // The commands that expect and that leave a layout.
  vk::CommandId command{};
  vk::CommandId left_by{};
};

// The subresources of one image in a recording.
struct LayoutEntry {
  LayoutBox box;
  // The first access. Its expected layout is what the recording expects.
  LayoutAccess first;
  VkImageLayout last = kAnyLayout;
  // Of the last transition.
  vk::CommandId last_command{};
};

// A subresource that is not in the layout that an access expects.
struct LayoutMismatch {
  LayoutBox box;
  LayoutAccess access;
  VkImageLayout actual;
  // The command that left the actual layout.
  vk::CommandId command;
};

// The entries of one image. Boxes of different entries do not overlap.
class LayoutEntries {
 public:
  // With more entries than this, nothing is known of the image.
  static constexpr size_t kMaxEntries = 1024;

  LayoutEntries() = default;
  LayoutEntries(const LayoutEntries&) = default;
  LayoutEntries(LayoutEntries&&) noexcept = default;
  LayoutEntries& operator=(LayoutEntries&&) noexcept = default;
  // Nearly all images are uniform.
  LayoutEntries& operator=(const LayoutEntries& other) {
    if (entries_.size() == 1 && other.entries_.size() == 1) [[likely]] {
      entries_[0] = other.entries_[0];
    } else {
      entries_ = other.entries_;
    }
    is_unknown_ = other.is_unknown_;
    return *this;
  }

  // Applies an access. Calls on_mismatch() for the first part that is not in the expected layout.
  void Access(const LayoutBox& box, const LayoutAccess& access,
              absl::FunctionRef<void(const LayoutMismatch&)> on_mismatch) {
    // Nearly all images are uniform, and accessed as a whole in the expected layout.
    if (entries_.size() == 1 && entries_[0].box == box && IsExpected(entries_[0], access)) [[likely]] {
      Leave(entries_[0], access);
    } else {
      AccessParts(box, access, on_mismatch);
    }
  }
  // Makes the layout of the box unknown.
  void SetUnknown(const LayoutBox& box);

  bool is_unknown() const { return is_unknown_; }
  // Makes the layouts of the whole image unknown until Clear().
  void SetAllUnknown();
  absl::Span<const LayoutEntry> entries() const { return entries_; }
  // Keeps the memory for as many entries.
  void Clear() {
    entries_.erase(entries_.begin(), entries_.end());
    is_unknown_ = false;
  }

 private:
  static bool IsExpected(const LayoutEntry& entry, const LayoutAccess& access) {
    return entry.last == access.expected || access.expected == kAnyLayout || entry.last == kAnyLayout;
  }
  static void Leave(LayoutEntry& entry, const LayoutAccess& access) {
    // An access that expects what it leaves does not change the layout, whatever that is.
    if (access.left == access.expected && access.left != kAnyLayout && entry.last != kAnyLayout) return;
    entry.last = access.left;
    entry.last_command = access.left_by;
  }
  static void Apply(LayoutEntry& entry, const LayoutAccess& access, bool* is_reported,
                    absl::FunctionRef<void(const LayoutMismatch&)> on_mismatch);
  void AccessParts(const LayoutBox& box, const LayoutAccess& access,
                   absl::FunctionRef<void(const LayoutMismatch&)> on_mismatch);

  // Empty if is_unknown_.
  absl::InlinedVector<LayoutEntry, 1> entries_;
  bool is_unknown_ = false;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_LAYOUT_ENTRIES_H_
