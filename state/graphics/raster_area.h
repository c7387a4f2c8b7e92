// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_GRAPHICS_RASTER_AREA_H_
#define ASSAY_STATE_GRAPHICS_RASTER_AREA_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "vk/vulkan.h"

namespace assay::state {

// Viewports and scissors with this index or a larger one are not tracked; no device has as many.
inline constexpr size_t kMaxViewports = 16;

// Viewports and scissors, static or dynamic: where in the framebuffer fragments may be. It holds no pointers, since
// each command buffer has one for dynamic state.
class RasterArea {
 public:
  // The first has the number `first`.
  void SetViewports(uint32_t first, absl::Span<const VkViewport> viewports);
  void SetScissors(uint32_t first, absl::Span<const VkRect2D> scissors);
  void SetViewportCount(uint32_t count) { viewport_count_ = count; }
  void SetScissorCount(uint32_t count) { scissor_count_ = count; }

  // 0 while not set.
  uint32_t viewport_count() const { return viewport_count_; }
  uint32_t scissor_count() const { return scissor_count_; }

  // Whether each of the first `count` viewports or scissors contains the area. It is false for a count of 0, and where
  // one of them is not set.
  bool ViewportsContain(const VkRect2D& area, uint32_t count) const;
  bool ScissorsContain(const VkRect2D& area, uint32_t count) const;

 private:
  // As in VkViewport.
  struct Viewport {
    float x = 0;
    float y = 0;
    float width = 0;
    float height = 0;
  };

  uint32_t viewport_count_ = 0;
  uint32_t scissor_count_ = 0;
  // Empty while not set.
  std::array<Viewport, kMaxViewports> viewports_;
  std::array<VkRect2D, kMaxViewports> scissors_ = {};
};

}  // namespace assay::state

#endif  // ASSAY_STATE_GRAPHICS_RASTER_AREA_H_
