// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_COPIED_IMAGE_H_
#define ASSAY_CORE_COPIES_COPIED_IMAGE_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/copies/copy_check.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/format_info.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: an image that a command reads or writes, and the regions of it.
namespace assay::core {

// The rules of an image.
struct CopiedImageIds {
  ResourceIds resource = {};
  // Of the usage of the stencil aspect alone, and of the image's usage where only the stencil aspect is accessed.
  vk::VuidIndex stencil_usage = vk::kNoVuid;
  vk::VuidIndex shared_stencil_usage = vk::kNoVuid;
  vk::VuidIndex features = vk::kNoVuid;
  vk::VuidIndex one_sample = vk::kNoVuid;
  vk::VuidIndex subsampled = vk::kNoVuid;
  // Of a sparse image: what is accessed has memory.
  vk::VuidIndex sparse_bound = vk::kNoVuid;
  // Of its subresources.
  vk::VuidIndex level = vk::kNoVuid;
  vk::VuidIndex layers = vk::kNoVuid;
  // The region is inside of them. This is the rule of VK_REMAINING_ARRAY_LAYERS that begin past the end; all else that
  // it says has rules of its own.
  vk::VuidIndex contained = vk::kNoVuid;
  vk::VuidIndex aspects = vk::kNoVuid;
  vk::VuidIndex one_plane = vk::kNoVuid;
  // 3D images have no layers.
  vk::VuidIndex no_layers = vk::kNoVuid;
  // Of offset and extent, on each axis: inside of the level, and made of whole texel blocks.
  std::array<vk::VuidIndex, 3> range = {vk::kNoVuid, vk::kNoVuid, vk::kNoVuid};
  std::array<vk::VuidIndex, 3> block_offset = {vk::kNoVuid, vk::kNoVuid, vk::kNoVuid};
  std::array<vk::VuidIndex, 3> block_extent = {vk::kNoVuid, vk::kNoVuid, vk::kNoVuid};
  vk::VuidIndex y_of_1d = vk::kNoVuid;
  vk::VuidIndex z_of_1d = vk::kNoVuid;
  // In copies between images the extent has another rule, and this one is about the offset alone.
  vk::VuidIndex z_of_2d = vk::kNoVuid;
  vk::VuidIndex granularity = vk::kNoVuid;
};

// "srcImage", "srcSubresource", "srcOffset", "extent".
struct CopiedImageNames {
  std::string_view image;
  std::string_view subresource = {};
  std::string_view offset = {};
  std::string_view extent = {};
};

// The usage that the command needs, and the features of the format.
struct NeededOfImage {
  VkImageUsageFlagBits usage;
  VkFormatFeatureFlagBits features;
};

// An image as a parameter of a command.
class CopiedImage {
 public:
  CopiedImage(VkImage image, const CopiedImageIds& of, const CopiedImageNames& called, const NeededOfImage& needs)
      : state(state::DeviceState::Get<state::Image>(image)),
        format(state != nullptr ? vk::GetFormatInfo(state->create_info.format) : nullptr),
        object(messages::Object(image)),
        ids(of),
        names(called),
        needed(needs) {}

  bool is_known() const { return state != nullptr; }
  // For images that are known.
  const VkImageCreateInfo& info() const { return state->create_info; }
  bool has_planes() const { return format != nullptr && !format->planes.empty(); }
  bool has_depth_or_stencil() const {
    return format != nullptr && (format->aspects & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)) != 0;
  }
  // The format of a plane, or else of the image; null if it is not known.
  const vk::FormatInfo* FormatOf(VkImageAspectFlags aspects) const;
  // The extent of a level, or of one of its planes. There is such a level.
  std::array<int64_t, 3> LevelExtent(uint32_t level, VkImageAspectFlags aspects) const;
  // The number of layers, if the base layer exists.
  uint32_t LayerCount(const VkImageSubresourceLayers& layers) const {
    return layers.layerCount == VK_REMAINING_ARRAY_LAYERS ? info().arrayLayers - layers.baseArrayLayer
                                                          : layers.layerCount;
  }

  // Null for an image that is not known.
  const state::Image* state;
  // Null also for external formats.
  const vk::FormatInfo* format;
  messages::ObjectRef object;
  const CopiedImageIds& ids;
  CopiedImageNames names;
  NeededOfImage needed;
};

// Reports of one image. They name a member of `where`: of the parameters, or of one region.
class ImageReports {
 public:
  ImageReports(const CopyCheck& check, const CopiedImage& image, const messages::Location& where)
      : check_(check), image_(image), where_(where) {}

  template <class Text>
  void Must(bool holds, vk::VuidIndex rule, std::string_view member, Text&& text) const {
    if (holds || rule == vk::kNoVuid) [[likely]]
      return;
    check_.Require(false, rule, image_.object, where_.Dot(member),
                   [&] { return std::pair<std::string, std::string>(text(), ""); });
  }
  // "srcImage VkImage 0x12[name]".
  std::string Describe() const;

 private:
  const CopyCheck& check_;
  const CopiedImage& image_;
  const messages::Location& where_;
};

// An offset and an extent in texels.
struct ImageBox {
  std::array<int64_t, 3> offset;
  std::array<int64_t, 3> extent;
  // Whether the extent was converted from texel blocks of another size. Then it may end inside of the last block.
  bool is_converted = false;

  ImageBox(const VkOffset3D& at, const VkExtent3D& size)
      : offset{at.x, at.y, at.z}, extent{size.width, size.height, size.depth} {}
};

// How texels lie in a buffer or in the host's memory, with the names of both members; in texels, 0 for those copied.
struct TexelRows {
  uint32_t length;
  uint32_t image_height;
  std::string_view length_name;
  std::string_view height_name;
};
struct RowIds {
  vk::VuidIndex length;
  vk::VuidIndex image_height;
  // Of the bytes of a row.
  vk::VuidIndex bytes;
};
void CheckRows(const ImageReports& reports, const vk::FormatInfo& format, const TexelRows& rows, const RowIds& ids);

// For images that are known: that a range is inside of the image.
struct RangeIds {
  vk::VuidIndex level;
  vk::VuidIndex level_count;
  vk::VuidIndex layer;
  vk::VuidIndex layer_count;
};
void CheckRange(const ImageReports& reports, const CopiedImage& image, const VkImageSubresourceRange& range,
                const RangeIds& ids);

// That a layout is among those of VkPhysicalDeviceHostImageCopyProperties.
void CheckHostLayout(const ImageReports& reports, VkImageLayout layout, const std::vector<VkImageLayout>& allowed,
                     vk::VuidIndex rule, std::string_view member);

// What the image is. `aspects` are all that the command accesses.
void CheckCopiedImage(const CopyCheck& check, const CopiedImage& image, VkImageAspectFlags aspects,
                      const messages::Location& parameter);
// Whether there are such subresources, so that their extent can be asked for.
bool CheckSubresource(const CopyCheck& check, const CopiedImage& image, const VkImageSubresourceLayers& layers,
                      const messages::Location& region);
// The same where `where` has the members of the subresources.
bool CheckLayers(const CopyCheck& check, const CopiedImage& image, const VkImageSubresourceLayers& layers,
                 const messages::Location& where);
// For subresources that exist. Whether the box is inside of them.
bool CheckBox(const CopyCheck& check, const CopiedImage& image, const VkImageSubresourceLayers& layers,
              const ImageBox& box, const messages::Location& region);

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_COPIED_IMAGE_H_
