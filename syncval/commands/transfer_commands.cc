// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of the transfer commands.

#include <algorithm>

#include "syncval/accesses/copy_footprint.h"
#include "syncval/commands/check.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using state::ByteRanges;
using state::DeviceState;
using state::Items;

constexpr const char kRegions[] = "pRegions";
constexpr const char kRanges[] = "pRanges";

// The original commands have their parameters side by side, those with the suffix 2 in a structure; the member names
// are the same.
template <class P>
void CollectBufferCopy(AccessCollector& collector, const P& p) {
  const auto* source = DeviceState::Get<state::Buffer>(p.srcBuffer);
  const auto* target = DeviceState::Get<state::Buffer>(p.dstBuffer);
  const auto regions = Items(p.pRegions, p.regionCount);
  for (uint32_t i = 0; i < regions.size(); ++i) {
    const auto& region = regions[i];
    collector.AddBuffer(source, region.srcOffset, region.size, vk::kSyncCopyTransferRead, {kRegions, i});
    collector.AddBuffer(target, region.dstOffset, region.size, vk::kSyncCopyTransferWrite, {kRegions, i});
  }
}

void AddRegion(AccessCollector& collector, const state::Image* image, const VkImageSubresourceLayers& layers,
               const VkOffset3D& offset, const VkExtent3D& extent, vk::SyncAccessIndex access, uint32_t region) {
  if (image == nullptr) return;
  ByteRanges ranges;
  image->encoder.AppendRegion(layers, offset, extent, ranges);
  collector.AddImage(image, ranges, access, {kRegions, region});
}

// Between a three-dimensional and a layered image, layers stand for depth. The layered image has a depth of 1 and the
// other one layer, so both members of the region are cut to the image.
template <class P>
void CollectImageToImage(AccessCollector& collector, const P& p, vk::SyncAccessIndex read, vk::SyncAccessIndex write) {
  const auto* source = DeviceState::Get<state::Image>(p.srcImage);
  const auto* target = DeviceState::Get<state::Image>(p.dstImage);
  const auto regions = Items(p.pRegions, p.regionCount);
  for (uint32_t i = 0; i < regions.size(); ++i) {
    const auto& region = regions[i];
    AddRegion(collector, source, region.srcSubresource, region.srcOffset, region.extent, read, i);
    VkExtent3D extent = region.extent;
    if (source != nullptr && target != nullptr) {
      extent = TargetExtent(extent, source->create_info.format, region.srcSubresource.aspectMask,
                            target->create_info.format, region.dstSubresource.aspectMask);
    }
    AddRegion(collector, target, region.dstSubresource, region.dstOffset, extent, write, i);
  }
}

// The corners of a blit may come in any order.
void AddBlit(AccessCollector& collector, const state::Image* image, const VkImageSubresourceLayers& layers,
             const VkOffset3D (&corners)[2], vk::SyncAccessIndex access, uint32_t region) {
  const VkOffset3D low{std::min(corners[0].x, corners[1].x), std::min(corners[0].y, corners[1].y),
                       std::min(corners[0].z, corners[1].z)};
  const VkOffset3D high{std::max(corners[0].x, corners[1].x), std::max(corners[0].y, corners[1].y),
                        std::max(corners[0].z, corners[1].z)};
  const auto length = [](int32_t from, int32_t to) { return static_cast<uint32_t>(int64_t{to} - from); };
  const VkExtent3D extent{length(low.x, high.x), length(low.y, high.y), length(low.z, high.z)};
  AddRegion(collector, image, layers, low, extent, access, region);
}

template <class P>
void CollectBlit(AccessCollector& collector, const P& p) {
  const auto* source = DeviceState::Get<state::Image>(p.srcImage);
  const auto* target = DeviceState::Get<state::Image>(p.dstImage);
  const auto regions = Items(p.pRegions, p.regionCount);
  for (uint32_t i = 0; i < regions.size(); ++i) {
    const auto& region = regions[i];
    AddBlit(collector, source, region.srcSubresource, region.srcOffsets, vk::kSyncBlitTransferRead, i);
    AddBlit(collector, target, region.dstSubresource, region.dstOffsets, vk::kSyncBlitTransferWrite, i);
  }
}

template <class Region>
void AddBufferSide(AccessCollector& collector, const state::Buffer* buffer, const state::Image& image,
                   const Region& region, vk::SyncAccessIndex access, uint32_t index) {
  if (buffer == nullptr) return;
  BufferFootprint(region, image.create_info).ForEach(buffer->size, [&](VkDeviceSize offset, VkDeviceSize length) {
    collector.AddBuffer(buffer, offset, length, access, {kRegions, index});
  });
}

template <class P>
void CollectBufferToImage(AccessCollector& collector, const P& p) {
  const auto* source = DeviceState::Get<state::Buffer>(p.srcBuffer);
  const auto* target = DeviceState::Get<state::Image>(p.dstImage);
  if (target == nullptr) return;
  const auto regions = Items(p.pRegions, p.regionCount);
  for (uint32_t i = 0; i < regions.size(); ++i) {
    const auto& region = regions[i];
    AddBufferSide(collector, source, *target, region, vk::kSyncCopyTransferRead, i);
    AddRegion(collector, target, region.imageSubresource, region.imageOffset, region.imageExtent,
              vk::kSyncCopyTransferWrite, i);
  }
}

template <class P>
void CollectImageToBuffer(AccessCollector& collector, const P& p) {
  const auto* source = DeviceState::Get<state::Image>(p.srcImage);
  const auto* target = DeviceState::Get<state::Buffer>(p.dstBuffer);
  if (source == nullptr) return;
  const auto regions = Items(p.pRegions, p.regionCount);
  for (uint32_t i = 0; i < regions.size(); ++i) {
    const auto& region = regions[i];
    AddRegion(collector, source, region.imageSubresource, region.imageOffset, region.imageExtent,
              vk::kSyncCopyTransferRead, i);
    AddBufferSide(collector, target, *source, region, vk::kSyncCopyTransferWrite, i);
  }
}

template <class C>
void CollectClear(AccessCollector& collector, const C& call) {
  const auto* image = DeviceState::Get<state::Image>(call.image);
  if (image == nullptr) return;
  const auto subresource_ranges = Items(call.pRanges, call.rangeCount);
  for (uint32_t i = 0; i < subresource_ranges.size(); ++i) {
    ByteRanges ranges;
    image->encoder.AppendRanges(subresource_ranges[i], ranges);
    collector.AddImage(image, ranges, vk::kSyncClearTransferWrite, {kRanges, i});
  }
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdCopyBuffer& call, dispatch::Slot& slot, messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectBufferCopy(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyBuffer2& call, dispatch::Slot& slot, messages::Report& report) {
  if (call.pCopyBufferInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectBufferCopy(c, *call.pCopyBufferInfo); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyImage& call, dispatch::Slot& slot, messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    CollectImageToImage(c, call, vk::kSyncCopyTransferRead, vk::kSyncCopyTransferWrite);
  });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyImage2& call, dispatch::Slot& slot, messages::Report& report) {
  if (call.pCopyImageInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    CollectImageToImage(c, *call.pCopyImageInfo, vk::kSyncCopyTransferRead, vk::kSyncCopyTransferWrite);
  });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyBufferToImage& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectBufferToImage(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyBufferToImage2& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pCopyBufferToImageInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectBufferToImage(c, *call.pCopyBufferToImageInfo); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyImageToBuffer& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectImageToBuffer(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyImageToBuffer2& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pCopyImageToBufferInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectImageToBuffer(c, *call.pCopyImageToBufferInfo); });
}
void SyncValidator::PreCallValidate(const vk::CmdBlitImage& call, dispatch::Slot& slot, messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectBlit(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdBlitImage2& call, dispatch::Slot& slot, messages::Report& report) {
  if (call.pBlitImageInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectBlit(c, *call.pBlitImageInfo); });
}
void SyncValidator::PreCallValidate(const vk::CmdResolveImage& call, dispatch::Slot& slot, messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    CollectImageToImage(c, call, vk::kSyncResolveTransferRead, vk::kSyncResolveTransferWrite);
  });
}
void SyncValidator::PreCallValidate(const vk::CmdResolveImage2& call, dispatch::Slot& slot, messages::Report& report) {
  if (call.pResolveImageInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    CollectImageToImage(c, *call.pResolveImageInfo, vk::kSyncResolveTransferRead, vk::kSyncResolveTransferWrite);
  });
}
void SyncValidator::PreCallValidate(const vk::CmdFillBuffer& call, dispatch::Slot& slot, messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    const auto* buffer = DeviceState::Get<state::Buffer>(call.dstBuffer);
    if (buffer == nullptr) return;
    // Only whole words are filled: bytes behind the last whole word stay unchanged.
    c.AddBuffer(buffer, call.dstOffset, buffer->Clamp(call.dstOffset, call.size) & ~VkDeviceSize{3},
                vk::kSyncClearTransferWrite, {"dstBuffer", kNoIndex});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdUpdateBuffer& call, dispatch::Slot& slot, messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddBuffer(DeviceState::Get<state::Buffer>(call.dstBuffer), call.dstOffset, call.dataSize,
                vk::kSyncClearTransferWrite, {"dstBuffer", kNoIndex});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdClearColorImage& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectClear(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdClearDepthStencilImage& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectClear(c, call); });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyQueryPoolResults& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.queryCount == 0) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    const auto* buffer = DeviceState::Get<state::Buffer>(call.dstBuffer);
    if (buffer == nullptr) return;
    // The number of values of a query depends on its type: at least one, and one more for its availability.
    constexpr VkQueryResultFlags kOneMore = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR;
    const VkDeviceSize value = (call.flags & VK_QUERY_RESULT_64_BIT) != 0 ? 8 : 4;
    const Footprint footprint = {.offset = call.dstOffset,
                                 .length = (call.flags & kOneMore) != 0 ? 2 * value : value,
                                 .count = call.stride != 0 ? call.queryCount : 1,
                                 .stride = call.stride};
    footprint.ForEach(buffer->size, [&](VkDeviceSize offset, VkDeviceSize length) {
      c.AddBuffer(buffer, offset, length, vk::kSyncCopyTransferWrite, {"dstBuffer", kNoIndex});
    });
  });
}

}  // namespace assay::syncval
