// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/layout_map.h"

namespace assay::core {

LayoutBox Intersect(const LayoutBox& a, const LayoutBox& b) {
  if (a.aspect != b.aspect) return {};
  return {a.aspect, std::max(a.level_begin, b.level_begin), std::min(a.level_end, b.level_end),
          std::max(a.layer_begin, b.layer_begin), std::min(a.layer_end, b.layer_end)};
}

LayoutBoxes Without(const LayoutBox& box, const LayoutBox& part) {
  LayoutBoxes pieces;
  const auto add = [&](uint16_t levels_from, uint16_t levels_to, uint32_t layers_from, uint32_t layers_to) {
    const LayoutBox piece = {box.aspect, levels_from, levels_to, layers_from, layers_to};
    if (!piece.is_empty()) pieces.push_back(piece);
  };
  add(box.level_begin, part.level_begin, box.layer_begin, box.layer_end);
  add(part.level_end, box.level_end, box.layer_begin, box.layer_end);
  add(part.level_begin, part.level_end, box.layer_begin, part.layer_begin);
  add(part.level_begin, part.level_end, part.layer_end, box.layer_end);
  return pieces;
}

VkImageLayout LayoutOf(LayoutAspect aspect, bool is_color, VkImageLayout layout) {
  const bool is_stencil = aspect == LayoutAspect::kStencil;
  switch (layout) {
    case VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL:
      if (is_color) return VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
      if (is_color) return VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL:
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    default:
      return layout;
  }
}

void LayoutEntries::SetAllUnknown() {
  entries_.clear();
  is_unknown_ = true;
}

void LayoutEntries::Apply(LayoutEntry& entry, const LayoutAccess& access, bool* is_reported,
                          absl::FunctionRef<void(const LayoutMismatch&)> on_mismatch) const {
  if (access.expected != kAnyLayout && entry.last != kAnyLayout && entry.last != access.expected && !*is_reported) {
    *is_reported = true;
    on_mismatch({entry.box, access, entry.last, entry.last_command});
  }
  // An access that expects what it leaves does not change the layout, whatever that is.
  if (access.left == access.expected && access.left != kAnyLayout && entry.last != kAnyLayout) return;
  entry.last = access.left;
  entry.last_command = access.left_by;
}

void LayoutEntries::Access(const LayoutBox& box, const LayoutAccess& access,
                           absl::FunctionRef<void(const LayoutMismatch&)> on_mismatch) {
  if (is_unknown_ || box.is_empty()) return;
  bool is_reported = false;
  for (LayoutEntry& entry : entries_) {
    if (entry.box == box) [[likely]]
      return Apply(entry, access, &is_reported, on_mismatch);
  }
  LayoutBoxes left = {box};
  const size_t count = entries_.size();
  for (size_t i = 0; i < count && !left.empty(); ++i) {
    const LayoutBox part = Intersect(entries_[i].box, box);
    if (part.is_empty()) continue;
    LayoutBoxes remaining;
    for (const LayoutBox& piece : left) {
      const LayoutBox common = Intersect(piece, part);
      if (common.is_empty()) {
        remaining.push_back(piece);
        continue;
      }
      for (const LayoutBox& other : Without(piece, common)) remaining.push_back(other);
    }
    left = std::move(remaining);
    // The entry keeps the common part; the rest of it stays as it was.
    for (const LayoutBox& rest : Without(entries_[i].box, part)) {
      LayoutEntry copy = entries_[i];
      copy.box = rest;
      entries_.push_back(copy);
    }
    entries_[i].box = part;
    Apply(entries_[i], access, &is_reported, on_mismatch);
  }
  for (const LayoutBox& piece : left) entries_.push_back({piece, access, access.left, access.left_by});
  if (entries_.size() > kMaxEntries) SetAllUnknown();
}

void LayoutEntries::SetUnknown(const LayoutBox& box) {
  Access(box, {}, [](const LayoutMismatch&) {});
}

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
