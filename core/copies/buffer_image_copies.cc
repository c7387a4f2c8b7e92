// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies between images and buffers.

#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "core/copies/copied_bytes.h"
#include "core/copies/copied_image.h"
#include "core/copies/copied_image_ids.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "core/copies/copy_transforms.h"
#include "vk/chain.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::AnyFamilyVuid;
using vk::FamilyVuid;
using vk::Vuid;

constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
constexpr CopiedImageNames kSourceOfBuffer = {"srcImage", "imageSubresource", "imageOffset", "imageExtent"};
constexpr CopiedImageNames kTargetOfBuffer = {"dstImage", "imageSubresource", "imageOffset", "imageExtent"};

// The rules of the buffer.
struct ImageBufferIds {
  ResourceIds resource;
  vk::VuidIndex range;
  vk::VuidIndex offset;
  vk::VuidIndex plane_offset;
  vk::VuidIndex depth_offset;
  vk::VuidIndex offset_on_queue;
  vk::VuidIndex aspect_on_queue;
  RowIds rows;
  // The image and the buffer do not share bytes.
  vk::VuidIndex overlap;
  TurnedIds turned;
};

template <class C>
constexpr bool kIsToImage = std::is_same_v<C, vk::CmdCopyBufferToImage> || std::is_same_v<C, vk::CmdCopyBufferToImage2>;
template <class C>
constexpr TurnedIds kTurnedIds = {
    .inside = kIsToImage<C> ? Vuid("VUID-VkCopyBufferToImageInfo2KHR-pRegions-04554")
                            : Vuid("VUID-VkCopyImageToBufferInfo2KHR-pRegions-04557"),
    .no_blocks = kIsToImage<C> ? Vuid("VUID-VkCopyBufferToImageInfo2KHR-pRegions-04555")
                               : Vuid("VUID-VkCopyImageToBufferInfo2KHR-pRegions-04558"),
    .is_2d = kIsToImage<C> ? Vuid("VUID-VkCopyBufferToImageInfo2KHR-pRegions-06203")
                           : Vuid("VUID-VkCopyImageToBufferInfo2KHR-pRegions-06205"),
    .one_plane = kIsToImage<C> ? Vuid("VUID-VkCopyBufferToImageInfo2KHR-pRegions-06204")
                               : Vuid("VUID-VkCopyImageToBufferInfo2KHR-pRegions-06206"),
    .blocks = {FamilyVuid<C>("imageOffset-10051"), FamilyVuid<C>("imageOffset-10052"),
               FamilyVuid<C>("imageOffset-10053"), FamilyVuid<C>("imageOffset-10054"),
               FamilyVuid<C>("imageOffset-10055"), FamilyVuid<C>("imageOffset-10056"),
               FamilyVuid<C>("imageOffset-10057"), FamilyVuid<C>("imageOffset-10058")},
};

template <class C>
constexpr ImageBufferIds kImageBufferIds = {
    .resource = {.usage = AnyFamilyVuid<C>("srcBuffer-00174", "dstBuffer-00191"),
                 .bound = AnyFamilyVuid<C>("srcBuffer-00176", "dstBuffer-00192"),
                 .is_protected = AnyFamilyVuid<C>("commandBuffer-01828", "commandBuffer-01832"),
                 .is_unprotected = FamilyVuid<C>("commandBuffer-01833")},
    .range = AnyFamilyVuid<C>("pRegions-00171", "pRegions-00183"),
    .offset = AnyFamilyVuid<C>("dstImage-07975", "srcImage-07975"),
    .plane_offset = AnyFamilyVuid<C>("dstImage-07976", "srcImage-07976"),
    .depth_offset = AnyFamilyVuid<C>("dstImage-07978", "srcImage-07978"),
    .offset_on_queue = AnyFamilyVuid<C>("commandBuffer-07737", "commandBuffer-07746"),
    .aspect_on_queue = AnyFamilyVuid<C>("commandBuffer-07739", "commandBuffer-10216"),
    .rows = {FamilyVuid<C>("bufferRowLength-09106"), FamilyVuid<C>("bufferImageHeight-09107"),
             FamilyVuid<C>("bufferRowLength-09108")},
    .overlap = AnyFamilyVuid<C>("pRegions-00173", "pRegions-00184"),
    .turned = kTurnedIds<C>,
};

// The buffer of a copy.
struct ImageBuffer {
  ImageBuffer(VkBuffer buffer, bool is_source, const ImageBufferIds& of)
      : state(DeviceState::Get<state::Buffer>(buffer)),
        object(messages::Object(buffer)),
        name(is_source ? "srcBuffer" : "dstBuffer"),
        usage(is_source ? VK_BUFFER_USAGE_TRANSFER_SRC_BIT : VK_BUFFER_USAGE_TRANSFER_DST_BIT),
        ids(of) {}

  const state::Buffer* state;
  messages::ObjectRef object;
  std::string_view name;
  VkBufferUsageFlagBits usage;
  const ImageBufferIds& ids;
};

void CheckImageBuffer(const CopyCheck& check, const ImageBuffer& buffer, const Location& parameter) {
  if (buffer.state == nullptr) return;
  CheckResource(check, buffer.ids.resource,
                {.object = buffer.object,
                 .name = buffer.name,
                 .has_usage = (buffer.state->usage & buffer.usage) != 0,
                 .usage = buffer.usage == VK_BUFFER_USAGE_TRANSFER_SRC_BIT ? "VK_BUFFER_USAGE_TRANSFER_SRC_BIT"
                                                                           : "VK_BUFFER_USAGE_TRANSFER_DST_BIT",
                 .is_bound = buffer.state->memory || buffer.state->is_sparse(),
                 .is_protected = (buffer.state->flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0},
                parameter);
}

template <class Region>
void CheckBufferRange(const CopyCheck& check, const CopiedImage& image, const ImageBuffer& buffer, const Region& region,
                      const vk::FormatInfo& format, uint32_t bytes, const Location& where) {
  if (buffer.state == nullptr) return;
  const absl::uint128 needed =
      BytesOf(image, {region.imageSubresource, region.imageExtent, region.bufferRowLength, region.bufferImageHeight},
              format, bytes);
  if (needed == 0) return;
  const absl::uint128 end = needed + region.bufferOffset;
  check.Require(end <= buffer.state->size, buffer.ids.range, buffer.object, where, [&] {
    return std::pair(
        absl::StrCat("accesses ", absl::Uint128Low64(needed), " bytes from bufferOffset (", region.bufferOffset,
                     "), but ", buffer.name, " ", check.report().reporter().Describe(buffer.object), " has ",
                     buffer.state->size, " bytes."),
        "");
  });
  // Where the texels of a linear image are is not asked.
  const state::ByteRange texels = image.state->SharedBytes(0);
  const uint64_t begin = buffer.state->address + region.bufferOffset;
  const bool is_shared = begin < texels.end && texels.begin < begin + absl::Uint128Low64(needed);
  check.Require(!is_shared || buffer.state->address == 0 || end > buffer.state->size, buffer.ids.overlap, buffer.object,
                where, [&] {
                  return std::pair(
                      absl::StrCat("copies between bytes of ", buffer.name, " ",
                                   check.report().reporter().Describe(buffer.object), " and of ",
                                   ImageReports(check, image, where).Describe(), " that are the same bytes of memory."),
                      "");
                });
}

template <class Region>
void CheckAlignment(const CopyCheck& check, const CopiedImage& image, const ImageBuffer& buffer, const Region& region,
                    const vk::FormatInfo& format, const Location& where) {
  const ImageReports reports(check, image, where);
  const ImageBufferIds& ids = buffer.ids;
  const bool is_depth_stencil = image.has_depth_or_stencil();
  const vk::VuidIndex rule = is_depth_stencil ? ids.depth_offset : (image.has_planes() ? ids.plane_offset : ids.offset);
  const uint32_t unit = is_depth_stencil ? 4 : format.block_size;
  const auto text = [&](VkDeviceSize of) {
    return absl::StrCat("(", region.bufferOffset, ") is not a multiple of ", of, ", which ", reports.Describe(),
                        " needs.");
  };
  const bool is_aligned = region.bufferOffset % unit == 0;
  reports.Must(is_aligned, rule, "bufferOffset", [&] { return text(unit); });
  const bool is_transfer_only = (check.queue_flags() & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)) == 0;
  reports.Must(!is_transfer_only || !is_aligned || region.bufferOffset % 4 == 0, ids.offset_on_queue, "bufferOffset",
               [&] {
                 return absl::StrCat("(", region.bufferOffset, ") is not a multiple of 4, but the queue family has ",
                                     "neither VK_QUEUE_GRAPHICS_BIT nor VK_QUEUE_COMPUTE_BIT.");
               });
  CheckRows(reports, format, {region.bufferRowLength, region.bufferImageHeight, "bufferRowLength", "bufferImageHeight"},
            ids.rows);
}

template <class Region>
void CheckBufferImageRegion(const CopyCheck& check, const CopiedImage& image, const ImageBuffer& buffer,
                            const Region& region, const Location& where) {
  if (!CheckSubresource(check, image, region.imageSubresource, where)) return;
  const VkImageAspectFlags aspects = region.imageSubresource.aspectMask;
  const ImageReports reports(check, image, where);
  const bool has_graphics = (check.queue_flags() & VK_QUEUE_GRAPHICS_BIT) != 0;
  reports.Must(has_graphics || (aspects & kDepthStencil) == 0, buffer.ids.aspect_on_queue, "imageSubresource", [&] {
    return absl::StrCat("has a depth or stencil aspect of ", reports.Describe(),
                        ", but the queue family does not have VK_QUEUE_GRAPHICS_BIT.");
  });
  if (const auto transform = TransformOf(region)) {
    return CheckTurnedBox(check, image, region.imageSubresource, {region.imageOffset, region.imageExtent}, *transform,
                          buffer.ids.turned, where);
  }
  CheckBox(check, image, region.imageSubresource, {region.imageOffset, region.imageExtent}, where);
  const vk::FormatInfo* format = image.FormatOf(aspects);
  const uint32_t bytes = BlockBytes(image, aspects);
  if (format == nullptr || bytes == 0 || std::popcount(aspects) != 1) return;
  CheckAlignment(check, image, buffer, region, *format, where);
  CheckBufferRange(check, image, buffer, region, *format, bytes, where);
}

template <class Info>
void CheckBufferImageCopy(const CopyCheck& check, const Info& info, const CopiedImage& image, const ImageBuffer& buffer,
                          const Location& parameter) {
  VkImageAspectFlags aspects = 0;
  for (uint32_t i = 0; info.pRegions != nullptr && i < info.regionCount; ++i) {
    aspects |= info.pRegions[i].imageSubresource.aspectMask;
    CheckBufferImageRegion(check, image, buffer, info.pRegions[i], parameter.Dot("pRegions", i));
  }
  CheckCopiedImage(check, image, aspects, parameter);
  CheckImageBuffer(check, buffer, parameter);
}

template <class C, class Info>
void CheckToImage(const CopyCheck& check, const Info& info, const Location& parameter) {
  const CopiedImage image(info.dstImage, kTargetImageIds<C>, kTargetOfBuffer,
                          {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_TRANSFER_DST_BIT});
  CheckBufferImageCopy(check, info, image, ImageBuffer(info.srcBuffer, true, kImageBufferIds<C>), parameter);
}
template <class C, class Info>
void CheckToBuffer(const CopyCheck& check, const Info& info, const Location& parameter) {
  const CopiedImage image(info.srcImage, kSourceImageIds<C>, kSourceOfBuffer,
                          {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT});
  CheckBufferImageCopy(check, info, image, ImageBuffer(info.dstBuffer, false, kImageBufferIds<C>), parameter);
}

}  // namespace

void CopyRules::PreCallValidate(const vk::CmdCopyBufferToImage& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  CheckToImage<vk::CmdCopyBufferToImage>({*buffer, facts_, report}, call, report.location());
}
void CopyRules::PreCallValidate(const vk::CmdCopyBufferToImage2& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pCopyBufferToImageInfo == nullptr) return;
  const Location command = report.location();
  CheckToImage<vk::CmdCopyBufferToImage2>({*buffer, facts_, report}, *call.pCopyBufferToImageInfo,
                                          command.Dot("pCopyBufferToImageInfo"));
}
void CopyRules::PreCallValidate(const vk::CmdCopyImageToBuffer& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  CheckToBuffer<vk::CmdCopyImageToBuffer>({*buffer, facts_, report}, call, report.location());
}
void CopyRules::PreCallValidate(const vk::CmdCopyImageToBuffer2& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pCopyImageToBufferInfo == nullptr) return;
  const Location command = report.location();
  CheckToBuffer<vk::CmdCopyImageToBuffer2>({*buffer, facts_, report}, *call.pCopyImageToBufferInfo,
                                           command.Dot("pCopyImageToBufferInfo"));
}

}  // namespace assay::core
