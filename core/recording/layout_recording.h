// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_LAYOUT_RECORDING_H_
#define ASSAY_CORE_RECORDING_LAYOUT_RECORDING_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/recording/layout_box.h"
#include "core/recording/layout_entries.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// The layouts of all images that a recording accesses.
namespace assay::core {

// A command that changes the layout of a part of an image.
struct LayoutChange {
  // As in LayoutRecording::ImageEntries.
  uint64_t address = 0;
  // Empty for the whole image.
  LayoutBox box;
  // kAnyLayout if it is not known what the command leaves.
  VkImageLayout left = kAnyLayout;
  vk::CommandId left_by{};
  // The command's; a layout of an attachment that the end of the render pass instance leaves has that position, and
  // kAtEnd until then.
  uint32_t position = 0;
  // Of what a secondary command buffer leaves, its index in state::CommandBuffer::executed.
  uint32_t executed = 0;

  static constexpr uint32_t kAtEnd = ~uint32_t{0};
};

// The images of a recording. An image is found by bits of its address and a short chain, unless the last access was to
// it. Memory is allocated only for the first access to an image, and not in later recordings of as many images.
class LayoutRecording {
 public:
  struct ImageEntries {
    // The handle, and state::Image::address, which only images that share memory have in common.
    uint64_t image = 0;
    uint64_t address = 0;
    uint32_t next = kNone;
    // The last command that changed the layouts, as BeginCommand() counts them.
    uint64_t changed_by = 0;
    LayoutEntries layouts;
  };

  // The layouts of an image, for a change that cannot be undone.
  LayoutEntries& At(uint64_t image, uint64_t address) { return images_[IndexOf(image, address)].layouts; }

  // A command that may be skipped after it was recorded: its changes are between BeginCommand() and the next one.
  // UndoCommand() takes them back.
  void BeginCommand() {
    ++command_;
    count_before_ = count_;
    changes_before_ = changes_.size();
    saved_count_ = 0;
  }
  LayoutEntries& Change(uint64_t image, uint64_t address);
  // Counts BeginCommand(): equal while no command was recorded that has layouts.
  uint64_t command() const { return command_; }
  void UndoCommand();

  absl::Span<const ImageEntries> images() const { return absl::MakeConstSpan(images_).first(count_); }
  bool is_empty() const { return count_ == 0; }

  // What the commands change, in order, for those who ask later what an image was in when a command was executed. Kept
  // only if the constructor's argument says so.
  bool keeps_changes() const { return keeps_changes_; }
  void NoteChange(const LayoutChange& change) {
    if (change.position == LayoutChange::kAtEnd) first_open_ = std::min(first_open_, changes_.size());
    changes_.push_back(change);
  }
  // The render pass instance ends with the command at this position.
  void EndInstance(uint32_t position);
  absl::Span<const LayoutChange> changes() const { return changes_; }

  void Clear() {
    if (count_ != 0) heads_.fill(kNone);
    count_ = count_before_ = saved_count_ = 0;
    changes_.clear();
    first_open_ = kNoChange;
  }

  explicit LayoutRecording(bool keeps_changes = false) : keeps_changes_(keeps_changes) { heads_.fill(kNone); }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr size_t kHeads = 64;
  static constexpr size_t kNoChange = ~size_t{0};

  struct Saved {
    size_t index = 0;
    LayoutEntries layouts;
  };

  // Addresses are multiples of 256.
  uint32_t& HeadOf(uint64_t address) { return heads_[((address >> 8) ^ (address >> 16)) % kHeads]; }
  size_t IndexOf(uint64_t image, uint64_t address) {
    if (last_ < count_ && images_[last_].address == address) return last_;
    for (uint32_t i = HeadOf(address); i != kNone; i = images_[i].next) {
      if (images_[i].address == address) return last_ = i;
    }
    return Add(image, address);
  }
  size_t Add(uint64_t image, uint64_t address);

  std::array<uint32_t, kHeads> heads_;
  // The first count_ are valid; the others keep their memory for later recordings.
  std::vector<ImageEntries> images_;
  size_t count_ = 0;
  // The index of the image of the last access.
  size_t last_ = 0;
  // For UndoCommand(): the number of images before the command, and the layouts that it changed. The first saved_count_
  // are valid.
  uint64_t command_ = 0;
  size_t count_before_ = 0;
  std::vector<Saved> saved_;
  size_t saved_count_ = 0;

  const bool keeps_changes_;
  std::vector<LayoutChange> changes_;
  // How many there were before the command.
  size_t changes_before_ = 0;
  // None before this one has the position kAtEnd.
  size_t first_open_ = kNoChange;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_LAYOUT_RECORDING_H_
