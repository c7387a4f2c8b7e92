// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/layout_entries.h"

#include <utility>

namespace assay::core {

void LayoutEntries::SetAllUnknown() {
  Clear();
  is_unknown_ = true;
}

void LayoutEntries::Apply(LayoutEntry& entry, const LayoutAccess& access, bool* is_reported,
                          absl::FunctionRef<void(const LayoutMismatch&)> on_mismatch) {
  if (!IsExpected(entry, access) && !*is_reported) {
    *is_reported = true;
    on_mismatch({entry.box, access, entry.last, entry.last_command});
  }
  Leave(entry, access);
}

void LayoutEntries::AccessParts(const LayoutBox& box, const LayoutAccess& access,
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

}  // namespace assay::core
