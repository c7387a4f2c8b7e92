// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/layout_recording.h"

namespace assay::core {

size_t LayoutRecording::Add(uint64_t image, uint64_t address) {
  uint32_t& head = HeadOf(address);
  if (count_ == images_.size()) images_.emplace_back();
  ImageEntries& added = images_[count_];
  added.image = image;
  added.address = address;
  added.next = head;
  added.layouts.Clear();
  head = static_cast<uint32_t>(count_);
  return last_ = count_++;
}

LayoutEntries& LayoutRecording::Change(uint64_t image, uint64_t address) {
  const size_t index = IndexOf(image, address);
  ImageEntries& entries = images_[index];
  if (index >= count_before_ || entries.changed_by == command_) return entries.layouts;
  entries.changed_by = command_;
  if (saved_count_ == saved_.size()) saved_.emplace_back();
  Saved& saved = saved_[saved_count_++];
  saved.index = index;
  saved.layouts = entries.layouts;
  return entries.layouts;
}

void LayoutRecording::UndoCommand() {
  for (size_t i = 0; i < saved_count_; ++i) images_[saved_[i].index].layouts = saved_[i].layouts;
  saved_count_ = 0;
  changes_.resize(changes_before_);
  if (first_open_ >= changes_before_) first_open_ = kNoChange;
  // The last image that was added is the first of its chain.
  for (; count_ > count_before_; --count_) HeadOf(images_[count_ - 1].address) = images_[count_ - 1].next;
}

void LayoutRecording::EndInstance(uint32_t position) {
  for (size_t i = first_open_; i < changes_.size(); ++i) {
    if (changes_[i].position == LayoutChange::kAtEnd) changes_[i].position = position;
  }
  first_open_ = kNoChange;
}

}  // namespace assay::core
