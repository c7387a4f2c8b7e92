// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DESCRIPTORS_IMAGE_NUMBERS_H_
#define ASSAY_GPUAV_DESCRIPTORS_IMAGE_NUMBERS_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/synchronization/mutex.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// A descriptor of an image, as shaders note that they access it.
struct NumberedImage {
  state::Ref<state::ImageView> view;
  // Of the descriptor.
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_MAX_ENUM;
};

// The numbers that image descriptors have in the tables of their sets: those with equal views, layouts and types share
// one. A number of a destroyed view is given again when nothing that was submitted before can have noted it.
// Thread-safe.
class ImageNumbers {
 public:
  // More descriptors than these have no number, and so no notes.
  static constexpr uint32_t kMost = 1u << 15;

  // `submissions` counts those that were begun.
  explicit ImageNumbers(const std::atomic<uint64_t>& submissions) : submissions_(submissions) {}

  // From 1 on; 0 if there is none left, or no such view.
  uint32_t NumberOf(VkImageView view, VkImageLayout layout, VkDescriptorType type);
  // No number is larger.
  uint32_t largest() const { return largest_.load(std::memory_order_relaxed); }
  // Nothing if nothing has the number, as in what shaders of a faulty program write.
  std::optional<NumberedImage> Find(uint32_t number) const;

  void NoteDestroyed(VkImageView view);
  // The executions of all submissions up to this one were looked at.
  void ForgetUpTo(uint64_t submission);
  // Whether there is anything to forget. Takes no lock.
  bool has_destroyed() const { return has_destroyed_.load(std::memory_order_relaxed); }

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  using Numbers = absl::InlinedVector<uint32_t, 2>;
  struct Destroyed {
    Numbers numbers;
    // The last submission that was begun before.
    uint64_t submission;
  };

  const std::atomic<uint64_t>& submissions_;
  mutable absl::Mutex mutex_;
  // By number, from 1 on.
  std::vector<NumberedImage> images_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<VkImageView, Numbers> of_view_ ABSL_GUARDED_BY(mutex_);
  std::vector<uint32_t> free_ ABSL_GUARDED_BY(mutex_);
  // In order.
  std::deque<Destroyed> destroyed_ ABSL_GUARDED_BY(mutex_);
  std::atomic<uint32_t> largest_{0};
  std::atomic<bool> has_destroyed_{false};
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DESCRIPTORS_IMAGE_NUMBERS_H_
