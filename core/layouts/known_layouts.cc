// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/layouts/known_layouts.h"

#include "core/layouts/tracked_images.h"
#include "core/recording/layout_box.h"

namespace assay::core {

std::shared_ptr<const KnownLayouts> KnownLayouts::OfSecondary(uint32_t executed, uint32_t position,
                                                              absl::Span<const LayoutChange> changes) const {
  std::vector<LayoutChange> all;
  for (LayoutChange change : changes_) {
    if (change.position > position || (change.position == position && change.executed >= executed)) continue;
    // Before all of its commands.
    change.position = 0;
    all.push_back(change);
  }
  all.insert(all.end(), changes.begin(), changes.end());
  return std::make_shared<KnownLayouts>(before_, all);
}

std::optional<KnownLayouts::Mismatch> KnownLayouts::FindMismatch(const state::ImageView& view, VkImageLayout expected,
                                                                 uint32_t position) const {
  const state::Image* const image = TrackedImage(view.image.get());
  if (image == nullptr) return std::nullopt;
  LayoutEntries layouts;
  const auto known = before_->find(image->address);
  if (known != before_->end()) {
    layouts = known->second;
  } else {
    InitializeLayouts(*image, layouts);
  }
  for (const LayoutChange& change : changes_) {
    if (change.address != image->address || change.position >= position) continue;
    if (change.box.is_empty()) {
      layouts.SetAllUnknown();
    } else {
      layouts.Access(change.box, {.left = change.left, .left_by = change.left_by}, [](const LayoutMismatch&) {});
    }
  }
  std::optional<Mismatch> found;
  ForEachBox(*image, view.subresource_range, [&](const LayoutBox& box, bool is_color) {
    const VkImageLayout layout = LayoutOf(box.aspect, is_color, expected);
    layouts.Access(box, {.expected = layout, .left = layout}, [&](const LayoutMismatch& mismatch) {
      if (found) return;
      found = {.is_stencil = mismatch.box.aspect == LayoutAspect::kStencil,
               .level = mismatch.box.level_begin,
               .layer = mismatch.box.layer_begin,
               .actual = mismatch.actual,
               .left_by = mismatch.command};
    });
  });
  return found;
}

}  // namespace assay::core
