// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_LAYOUT_MAP_H_
#define ASSAY_CORE_RECORDING_LAYOUT_MAP_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "vk/command_id.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Which layouts the subresources of images have, as flat lists of boxes: one where an image is uniform.
namespace assay::core {

// Aspects whose layouts may differ: color, or depth; and stencil.
enum class LayoutAspect : uint8_t { kFirst, kStencil };

// Levels and layers of one aspect; ends are exclusive.
struct LayoutBox {
  LayoutAspect aspect = LayoutAspect::kFirst;
  uint16_t level_begin = 0, level_end = 0;
  uint32_t layer_begin = 0, layer_end = 0;

  bool operator==(const LayoutBox&) const = default;
  bool is_empty() const { return level_begin >= level_end || layer_begin >= layer_end; }
};
using LayoutBoxes = absl::InlinedVector<LayoutBox, 4>;

LayoutBox Intersect(const LayoutBox& a, const LayoutBox& b);
// What of a box is not in a part of it; at most four pieces.
LayoutBoxes Without(const LayoutBox& box, const LayoutBox& part);

// Layouts of aspects in the one form that they are compared in: "DEPTH_STENCIL_ATTACHMENT_OPTIMAL" of a depth aspect
// is "DEPTH_ATTACHMENT_OPTIMAL".
VkImageLayout LayoutOf(LayoutAspect aspect, bool is_color, VkImageLayout layout);

// Instead of a layout: nothing is known, or nothing is asked.
inline constexpr VkImageLayout kAnyLayout = VK_IMAGE_LAYOUT_MAX_ENUM;

// What a command asks of a subresource, and what it leaves.
struct LayoutAccess {
  VkImageLayout expected = kAnyLayout;
  VkImageLayout left = kAnyLayout;
  // What breaks when the expected layout is not there.
  vk::VuidIndex rule{};
  // That which expects, and that which leaves.
  vk::CommandId command{};
  vk::CommandId left_by{};
};

// The subresources of one image in a recording.
struct LayoutEntry {
  LayoutBox box;
  // The first access: it says what the recording expects.
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
  // What left it so.
  vk::CommandId command;
};

// Applies accesses to a list of entries.
class LayoutEntries {
 public:
  // Entries of one image beyond this number are not kept: then nothing of it is known.
  static constexpr size_t kMaxEntries = 1024;

  // Calls on_mismatch() for the first part that has another layout than is expected.
  void Access(const LayoutBox& box, const LayoutAccess& access,
              absl::FunctionRef<void(const LayoutMismatch&)> on_mismatch);
  // Nothing is known of the box any more.
  void SetUnknown(const LayoutBox& box);

  bool is_unknown() const { return is_unknown_; }
  // Nothing is known of anything, for good.
  void SetAllUnknown();
  const std::vector<LayoutEntry>& entries() const { return entries_; }
  void Clear() {
    entries_.clear();
    is_unknown_ = false;
  }

 private:
  void Apply(LayoutEntry& entry, const LayoutAccess& access, bool* is_reported,
             absl::FunctionRef<void(const LayoutMismatch&)> on_mismatch) const;

  std::vector<LayoutEntry> entries_;
  bool is_unknown_ = false;
};

// The images of a recording. An image is found by bits of its address and a short chain; nothing is allocated for an
// image that was there already, nor in later recordings of as many.
class LayoutRecording {
 public:
  struct ImageEntries {
    // The handle, and state::Image::address, which no other image ever has but those that share its memory.
    uint64_t image = 0;
    uint64_t address = 0;
    uint32_t next = kNone;
    LayoutEntries layouts;
  };

  LayoutEntries& At(uint64_t image, uint64_t address);
  absl::Span<const ImageEntries> images() const { return absl::MakeConstSpan(images_).first(count_); }
  bool is_empty() const { return count_ == 0; }
  void Clear() {
    if (count_ != 0) heads_.fill(kNone);
    count_ = 0;
  }

  LayoutRecording() { heads_.fill(kNone); }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr size_t kHeads = 64;

  std::array<uint32_t, kHeads> heads_;
  // The first count_ are in use; the others keep their memory.
  std::vector<ImageEntries> images_;
  size_t count_ = 0;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_LAYOUT_MAP_H_
