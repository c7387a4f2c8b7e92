// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the transfer commands access.

#include <algorithm>

#include "syncval/check.h"
#include "syncval/sync_validator.h"
#include "vk/format_info.h"

namespace assay::syncval {
namespace {

using state::ByteRanges;
using state::DeviceState;

constexpr const char kRegions[] = "pRegions";
constexpr const char kRanges[] = "pRanges";

// The first generation of commands has its parameters side by side, the second in a structure; both have the same member names.
template <class P>
void CollectBufferCopy(AccessCollector& collector, const P& p) {
  const auto* source = DeviceState::Get<state::Buffer>(p.srcBuffer);
  const auto* target = DeviceState::Get<state::Buffer>(p.dstBuffer);
  for (uint32_t i = 0; i < p.regionCount; ++i) {
    const auto& region = p.pRegions[i];
    collector.AddBuffer(source, region.srcOffset, region.size, vk::kSyncCopyTransferRead, {kRegions, i});
    collector.AddBuffer(target, region.dstOffset, region.size, vk::kSyncCopyTransferWrite, {kRegions, i});
  }
}

void AddRegion(AccessCollector& collector, const state::Image* image, const VkImageSubresourceLayers& layers,
               const VkOffset3D& offset, const VkExtent3D& extent, vk::SyncAccessIndex access, uint32_t region) {
  if (image == nullptr) return;
  ByteRanges ranges;
  image->layout.AppendRegion(layers, offset, extent, ranges);
  collector.AddImage(image, ranges, access, {kRegions, region});
}

// How many layers a region's side has: the count itself, or, where one side is three-dimensional and the other layered, the depth.
template <class P>
void CollectImageToImage(AccessCollector& collector, const P& p, vk::SyncAccessIndex read, vk::SyncAccessIndex write) {
  const auto* source = DeviceState::Get<state::Image>(p.srcImage);
  const auto* target = DeviceState::Get<state::Image>(p.dstImage);
  for (uint32_t i = 0; i < p.regionCount; ++i) {
    const auto& region = p.pRegions[i];
    AddRegion(collector, source, region.srcSubresource, region.srcOffset, region.extent, read, i);
    AddRegion(collector, target, region.dstSubresource, region.dstOffset, region.extent, write, i);
  }
}

// The corners of a blit may come in any order.
void AddBlit(AccessCollector& collector, const state::Image* image, const VkImageSubresourceLayers& layers,
             const VkOffset3D (&corners)[2], vk::SyncAccessIndex access, uint32_t region) {
  const VkOffset3D low{std::min(corners[0].x, corners[1].x), std::min(corners[0].y, corners[1].y),
                       std::min(corners[0].z, corners[1].z)};
  const VkOffset3D high{std::max(corners[0].x, corners[1].x), std::max(corners[0].y, corners[1].y),
                        std::max(corners[0].z, corners[1].z)};
  const VkExtent3D extent{static_cast<uint32_t>(high.x - low.x), static_cast<uint32_t>(high.y - low.y),
                          static_cast<uint32_t>(high.z - low.z)};
  AddRegion(collector, image, layers, low, extent, access, region);
}

template <class P>
void CollectBlit(AccessCollector& collector, const P& p) {
  const auto* source = DeviceState::Get<state::Image>(p.srcImage);
  const auto* target = DeviceState::Get<state::Image>(p.dstImage);
  for (uint32_t i = 0; i < p.regionCount; ++i) {
    const auto& region = p.pRegions[i];
    AddBlit(collector, source, region.srcSubresource, region.srcOffsets, vk::kSyncBlitTransferRead, i);
    AddBlit(collector, target, region.dstSubresource, region.dstOffsets, vk::kSyncBlitTransferWrite, i);
  }
}

// The bytes of a buffer from the first to the last that a copy from or to an image touches.
template <class Region>
VkDeviceSize BufferBytes(const Region& region, VkFormat image_format) {
  VkFormat format = image_format;
  const vk::FormatInfo* info = vk::GetFormatInfo(format);
  if (info == nullptr) return 0;
  uint64_t block_bytes = info->block_size;
  const VkImageAspectFlags aspect = region.imageSubresource.aspectMask;
  if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT) {
    block_bytes = 1;
  } else if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT) {
    // As "Copying Data Between Buffers and Images" has it: depth is packed into 2 or 4 bytes.
    block_bytes = format == VK_FORMAT_D16_UNORM || format == VK_FORMAT_D16_UNORM_S8_UINT ? 2 : 4;
  } else if (!info->planes.empty()) {
    const size_t plane = aspect == VK_IMAGE_ASPECT_PLANE_2_BIT ? 2 : aspect == VK_IMAGE_ASPECT_PLANE_1_BIT ? 1 : 0;
    if (plane < info->planes.size()) info = vk::GetFormatInfo(info->planes[plane].compatible);
    if (info == nullptr) return 0;
    block_bytes = info->block_size;
  }
  const auto blocks = [&](uint64_t texels, size_t axis) {
    const uint64_t extent = std::max<uint64_t>(info->block_extent[axis], 1);
    return (texels + extent - 1) / extent;
  };
  const uint64_t row = blocks(region.bufferRowLength != 0 ? region.bufferRowLength : region.imageExtent.width, 0);
  const uint64_t rows = blocks(region.bufferImageHeight != 0 ? region.bufferImageHeight : region.imageExtent.height, 1);
  const uint64_t width = blocks(region.imageExtent.width, 0);
  const uint64_t height = blocks(region.imageExtent.height, 1);
  const uint64_t slices = blocks(region.imageExtent.depth, 2) * region.imageSubresource.layerCount;
  if (width == 0 || height == 0 || slices == 0) return 0;
  return (((slices - 1) * rows + (height - 1)) * row + width) * block_bytes;
}

template <class P>
void CollectBufferToImage(AccessCollector& collector, const P& p) {
  const auto* source = DeviceState::Get<state::Buffer>(p.srcBuffer);
  const auto* target = DeviceState::Get<state::Image>(p.dstImage);
  if (target == nullptr) return;
  for (uint32_t i = 0; i < p.regionCount; ++i) {
    const auto& region = p.pRegions[i];
    collector.AddBuffer(source, region.bufferOffset, BufferBytes(region, target->create_info.format),
                        vk::kSyncCopyTransferRead, {kRegions, i});
    AddRegion(collector, target, region.imageSubresource, region.imageOffset, region.imageExtent, vk::kSyncCopyTransferWrite, i);
  }
}

template <class P>
void CollectImageToBuffer(AccessCollector& collector, const P& p) {
  const auto* source = DeviceState::Get<state::Image>(p.srcImage);
  const auto* target = DeviceState::Get<state::Buffer>(p.dstBuffer);
  if (source == nullptr) return;
  for (uint32_t i = 0; i < p.regionCount; ++i) {
    const auto& region = p.pRegions[i];
    AddRegion(collector, source, region.imageSubresource, region.imageOffset, region.imageExtent, vk::kSyncCopyTransferRead, i);
    collector.AddBuffer(target, region.bufferOffset, BufferBytes(region, source->create_info.format),
                        vk::kSyncCopyTransferWrite, {kRegions, i});
  }
}

template <class C>
void CollectClear(AccessCollector& collector, const C& call) {
  const auto* image = DeviceState::Get<state::Image>(call.image);
  if (image == nullptr) return;
  for (uint32_t i = 0; i < call.rangeCount; ++i) {
    ByteRanges ranges;
    image->layout.AppendRanges(call.pRanges[i], ranges);
    collector.AddImage(image, ranges, vk::kSyncClearTransferWrite, {kRanges, i});
  }
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdCopyBuffer& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) { CollectBufferCopy(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyBuffer2& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) { CollectBufferCopy(c, *call.pCopyBufferInfo); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyImage& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) {
    CollectImageToImage(c, call, vk::kSyncCopyTransferRead, vk::kSyncCopyTransferWrite);
  });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyImage2& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) {
    CollectImageToImage(c, *call.pCopyImageInfo, vk::kSyncCopyTransferRead, vk::kSyncCopyTransferWrite);
  });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyBufferToImage& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) { CollectBufferToImage(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyBufferToImage2& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) { CollectBufferToImage(c, *call.pCopyBufferToImageInfo); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyImageToBuffer& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) { CollectImageToBuffer(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyImageToBuffer2& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) { CollectImageToBuffer(c, *call.pCopyImageToBufferInfo); });
}
void SyncValidator::PreCallValidate(const vk::CmdBlitImage& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) { CollectBlit(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdBlitImage2& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) { CollectBlit(c, *call.pBlitImageInfo); });
}
void SyncValidator::PreCallValidate(const vk::CmdResolveImage& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) {
    CollectImageToImage(c, call, vk::kSyncResolveTransferRead, vk::kSyncResolveTransferWrite);
  });
}
void SyncValidator::PreCallValidate(const vk::CmdResolveImage2& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) {
    CollectImageToImage(c, *call.pResolveImageInfo, vk::kSyncResolveTransferRead, vk::kSyncResolveTransferWrite);
  });
}
void SyncValidator::PreCallValidate(const vk::CmdFillBuffer& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) {
    c.AddBuffer(DeviceState::Get<state::Buffer>(call.dstBuffer), call.dstOffset, call.size, vk::kSyncClearTransferWrite,
                {"dstBuffer", kNoIndex});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdUpdateBuffer& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) {
    c.AddBuffer(DeviceState::Get<state::Buffer>(call.dstBuffer), call.dstOffset, call.dataSize, vk::kSyncClearTransferWrite,
                {"dstBuffer", kNoIndex});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdClearColorImage& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) { CollectClear(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdClearDepthStencilImage& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) { CollectClear(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyQueryPoolResults& call, messages::Report& report) {
  if (call.queryCount == 0) return;
  CheckCommand(call, report, [&](AccessCollector& c) {
    // How many values a query has depends on its type; the last one takes at least one value.
    const VkDeviceSize value = (call.flags & VK_QUERY_RESULT_64_BIT) != 0 ? 8 : 4;
    c.AddBuffer(DeviceState::Get<state::Buffer>(call.dstBuffer), call.dstOffset, (call.queryCount - 1) * call.stride + value,
                vk::kSyncCopyTransferWrite, {"dstBuffer", kNoIndex});
  });
}

}  // namespace assay::syncval
