// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of video decode and encode commands: to bitstream buffers and pictures.
//
// A picture is the coded extent in a layer of the view that the picture resource names. Only after an encode it is
// known which part of the bitstream buffer it filled; all that it may fill has to be synchronized.

#include "syncval/commands/check.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using state::DeviceState;

void AddPicture(AccessCollector& collector, const VkVideoPictureResourceInfoKHR& picture, vk::SyncAccessIndex access,
                const Origin& origin) {
  const auto* view = DeviceState::Get<state::ImageView>(picture.imageViewBinding);
  if (view == nullptr) return;
  const VkImageSubresourceRange& range = view->subresource_range;
  const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, range.baseMipLevel,
                                           range.baseArrayLayer + picture.baseArrayLayer, 1};
  state::ByteRanges ranges;
  view->image->encoder.AppendRegion(layers, {picture.codedOffset.x, picture.codedOffset.y, 0},
                                    {picture.codedExtent.width, picture.codedExtent.height, 1}, ranges);
  collector.AddImage(view->image.get(), ranges, access, origin);
}

// The reconstructed picture and the reference pictures.
template <class I>
void AddSlots(AccessCollector& collector, const I& info, vk::SyncAccessIndex read, vk::SyncAccessIndex write,
              const char* setup_member, const char* references_member) {
  if (info.pSetupReferenceSlot != nullptr && info.pSetupReferenceSlot->pPictureResource != nullptr) {
    AddPicture(collector, *info.pSetupReferenceSlot->pPictureResource, write, {setup_member, kNoIndex});
  }
  const auto references = state::Items(info.pReferenceSlots, info.referenceSlotCount);
  for (uint32_t i = 0; i < references.size(); ++i) {
    if (references[i].pPictureResource == nullptr) continue;
    AddPicture(collector, *references[i].pPictureResource, read, {references_member, i});
  }
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdDecodeVideoKHR& call, dispatch::Slot& slot, messages::Report& report) {
  if (call.pDecodeInfo == nullptr) return;
  const VkVideoDecodeInfoKHR& info = *call.pDecodeInfo;
  constexpr vk::SyncAccessIndex kRead = vk::kSyncVideoDecodeVideoDecodeRead,
                                kWrite = vk::kSyncVideoDecodeVideoDecodeWrite;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    AddPicture(c, info.dstPictureResource, kWrite, {"pDecodeInfo.dstPictureResource", kNoIndex});
    AddSlots(c, info, kRead, kWrite, "pDecodeInfo.pSetupReferenceSlot", "pDecodeInfo.pReferenceSlots");
    c.AddBuffer(DeviceState::Get<state::Buffer>(info.srcBuffer), info.srcBufferOffset, info.srcBufferRange, kRead,
                {"pDecodeInfo.srcBuffer", kNoIndex});
  });
}

void SyncValidator::PreCallValidate(const vk::CmdEncodeVideoKHR& call, dispatch::Slot& slot, messages::Report& report) {
  if (call.pEncodeInfo == nullptr) return;
  const VkVideoEncodeInfoKHR& info = *call.pEncodeInfo;
  constexpr vk::SyncAccessIndex kRead = vk::kSyncVideoEncodeVideoEncodeRead,
                                kWrite = vk::kSyncVideoEncodeVideoEncodeWrite;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    // Quantization maps.
    if (info.pNext != nullptr) c.AddUnknown();
    c.AddBuffer(DeviceState::Get<state::Buffer>(info.dstBuffer), info.dstBufferOffset, info.dstBufferRange, kWrite,
                {"pEncodeInfo.dstBuffer", kNoIndex});
    AddSlots(c, info, kRead, kWrite, "pEncodeInfo.pSetupReferenceSlot", "pEncodeInfo.pReferenceSlots");
    AddPicture(c, info.srcPictureResource, kRead, {"pEncodeInfo.srcPictureResource", kNoIndex});
  });
}

}  // namespace assay::syncval
