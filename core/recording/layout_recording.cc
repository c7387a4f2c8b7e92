// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/layout_recording.h"

namespace assay::core {

LayoutEntries& LayoutRecording::At(uint64_t image, uint64_t address) {
  // Addresses are multiples of 256.
  uint32_t& head = heads_[((address >> 8) ^ (address >> 16)) % kHeads];
  for (uint32_t i = head; i != kNone; i = images_[i].next) {
    if (images_[i].address == address) return images_[i].layouts;
  }
  if (count_ == images_.size()) images_.emplace_back();
  ImageEntries& added = images_[count_];
  added.image = image;
  added.address = address;
  added.next = head;
  added.layouts.Clear();
  head = static_cast<uint32_t>(count_++);
  return added.layouts;
}

}  // namespace assay::core
