// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/graphics/raster_area.h"

#include <algorithm>

namespace assay::state {
namespace {

// A rectangle by its corners. They are doubles, which hold every VkRect2D and every VkViewport.
struct Corners {
  double left;
  double top;
  double right;
  double bottom;

  // False for corners that are not numbers.
  bool Contains(const Corners& other) const {
    return left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom;
  }
};

Corners CornersOf(const VkRect2D& rect) {
  const double left = rect.offset.x;
  const double top = rect.offset.y;
  return {left, top, left + rect.extent.width, top + rect.extent.height};
}

// A viewport of negative height is upside down.
Corners CornersOf(double x, double y, double width, double height) {
  return {x, std::min(y, y + height), x + width, std::max(y, y + height)};
}

bool IsCount(uint32_t count) { return count != 0 && count <= kMaxViewports; }

}  // namespace

void RasterArea::SetViewports(uint32_t first, absl::Span<const VkViewport> viewports) {
  for (size_t i = 0; i < viewports.size() && first + i < viewports_.size(); ++i) {
    const VkViewport& viewport = viewports[i];
    viewports_[first + i] = {viewport.x, viewport.y, viewport.width, viewport.height};
  }
}

void RasterArea::SetScissors(uint32_t first, absl::Span<const VkRect2D> scissors) {
  for (size_t i = 0; i < scissors.size() && first + i < scissors_.size(); ++i) scissors_[first + i] = scissors[i];
}

bool RasterArea::ViewportsContain(const VkRect2D& area, uint32_t count) const {
  const Corners corners = CornersOf(area);
  return IsCount(count) && std::all_of(viewports_.begin(), viewports_.begin() + count, [&](const Viewport& viewport) {
           return CornersOf(viewport.x, viewport.y, viewport.width, viewport.height).Contains(corners);
         });
}

bool RasterArea::ScissorsContain(const VkRect2D& area, uint32_t count) const {
  const Corners corners = CornersOf(area);
  return IsCount(count) && std::all_of(scissors_.begin(), scissors_.begin() + count,
                                       [&](const VkRect2D& scissor) { return CornersOf(scissor).Contains(corners); });
}

}  // namespace assay::state
