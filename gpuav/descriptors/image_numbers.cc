// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/image_numbers.h"

#include <utility>

namespace assay::gpuav {

uint32_t ImageNumbers::NumberOf(VkImageView view, VkImageLayout layout, VkDescriptorType type) {
  absl::MutexLock lock(&mutex_);
  const auto found = of_view_.find(view);
  if (found != of_view_.end()) {
    for (const uint32_t number : found->second) {
      const NumberedImage& image = images_[number - 1];
      if (image.layout == layout && image.type == type) return number;
    }
  }
  state::Ref<state::ImageView> state = state::DeviceState::GetRef<state::ImageView>(reinterpret_cast<uint64_t>(view));
  if (!state) return 0;
  uint32_t number = 0;
  if (!free_.empty()) {
    number = free_.back();
    free_.pop_back();
  } else if (images_.size() < kMost) {
    images_.emplace_back();
    number = static_cast<uint32_t>(images_.size());
    largest_.store(number, std::memory_order_relaxed);
  } else {
    return 0;
  }
  images_[number - 1] = {std::move(state), layout, type};
  of_view_[view].push_back(number);
  return number;
}

std::optional<NumberedImage> ImageNumbers::Find(uint32_t number) const {
  absl::MutexLock lock(&mutex_);
  if (number == 0 || number > images_.size() || !images_[number - 1].view) return std::nullopt;
  return images_[number - 1];
}

void ImageNumbers::NoteDestroyed(VkImageView view) {
  absl::MutexLock lock(&mutex_);
  const auto found = of_view_.find(view);
  if (found == of_view_.end()) return;
  destroyed_.push_back({std::move(found->second), submissions_.load(std::memory_order_acquire)});
  of_view_.erase(found);
  has_destroyed_.store(true, std::memory_order_relaxed);
}

void ImageNumbers::ForgetUpTo(uint64_t submission) {
  absl::MutexLock lock(&mutex_);
  for (; !destroyed_.empty() && destroyed_.front().submission <= submission; destroyed_.pop_front()) {
    for (const uint32_t number : destroyed_.front().numbers) {
      images_[number - 1] = {};
      free_.push_back(number);
    }
  }
  has_destroyed_.store(!destroyed_.empty(), std::memory_order_relaxed);
}

}  // namespace assay::gpuav
