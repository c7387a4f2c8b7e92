// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What vkCmdEncodeVideoKHR encodes with AV1.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/resources/creation_check.h"
#include "core/video/coding.h"
#include "core/video/video_ids.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using Can = EncodeAV1::Capabilities;
using Header = StdVideoEncodeAV1ExtensionHeader;

struct Av1Facts {
  static constexpr std::string_view kOwner = "vkCmdEncodeVideoKHR";

  const VkVideoEncodeInfoKHR& info;
  const EncodeAV1::Picture& picture;
  const StdVideoEncodeAV1PictureInfo& std_info;
  const Can& can;
  VkVideoEncodeRateControlModeFlagBitsKHR rate_control;
  const StdVideoAV1SequenceHeader* header;
  // Of the slot that is set up; null without.
  const StdVideoEncodeAV1ReferenceInfo* setup;

  VkExtent2D extent() const { return info.srcPictureResource.codedExtent; }
  bool are_known() const { return can.maxTiles.width != 0; }
  bool Lacks(VkFlags flag) const { return are_known() && (can.flags & flag) == 0; }
  bool Predicts(VkVideoEncodeAV1PredictionModeKHR mode) const { return picture.predictionMode == mode; }
  bool IsIntra() const {
    return std_info.frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY ||
           std_info.frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
  }
  // The names of references that predict and that the mask has, as bits.
  uint32_t Names(uint32_t mask) const {
    uint32_t names = 0;
    for (uint32_t i = 0; i < VK_MAX_VIDEO_AV1_REFERENCES_PER_FRAME_KHR; ++i) {
      const bool is_for_cdf = picture.primaryReferenceCdfOnly == VK_TRUE && i == std_info.primary_ref_frame;
      if (picture.referenceNameSlotIndices[i] >= 0 && !is_for_cdf) names |= 1U << i;
    }
    return names & mask;
  }
  // Whether an extension header of a reference has an id that the driver does not support.
  bool HasReferenceOver(uint8_t Header::* id, uint32_t count) const {
    return count != 0 && std::ranges::any_of(SlotsOf(info), [&](const VkVideoReferenceSlotInfoKHR& slot) {
             const auto* const own = vk::FindInChain<EncodeAV1::Slot>(slot.pNext);
             const Header* const of = own != nullptr && own->pStdReferenceInfo != nullptr
                                          ? own->pStdReferenceInfo->pExtensionHeader
                                          : nullptr;
             return of != nullptr && of->*id >= count;
           });
  }
  bool HasOver(uint8_t Header::* id, uint32_t count) const {
    return count != 0 && std_info.pExtensionHeader != nullptr && std_info.pExtensionHeader->*id >= count;
  }
  bool DiffersFromSetup(uint8_t Header::* id) const {
    return setup != nullptr && setup->pExtensionHeader != nullptr && std_info.pExtensionHeader != nullptr &&
           setup->pExtensionHeader->*id != std_info.pExtensionHeader->*id;
  }
  bool HasTiles(uint32_t at_least) const {
    return std_info.pTileInfo != nullptr && std_info.pTileInfo->TileCols >= at_least &&
           std_info.pTileInfo->TileRows >= at_least;
  }
  static bool IsOutside(uint32_t size, uint32_t tiles, uint32_t least, uint32_t most) {
    const uint32_t tile = (size + tiles - 1) / tiles;
    return most != 0 && (tile < least || tile > most);
  }
};
using A = const Av1Facts&;

constexpr auto kSingle = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR;
constexpr auto kOneWay = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_UNIDIRECTIONAL_COMPOUND_KHR;
constexpr auto kTwoWays = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_BIDIRECTIONAL_COMPOUND_KHR;
constexpr auto kIntra = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR;
constexpr auto kOverride = VK_VIDEO_ENCODE_AV1_CAPABILITY_FRAME_SIZE_OVERRIDE_BIT_KHR;
constexpr char kMode[] = "VkVideoEncodeAV1PictureInfoKHR.predictionMode";
constexpr char kPicture[] = "VkVideoEncodeAV1PictureInfoKHR.pStdPictureInfo";
constexpr char kConstant[] = "VkVideoEncodeAV1PictureInfoKHR.constantQIndex";
constexpr char kDriver[] = "what the driver supports";
constexpr char kSetup[] = "pSetupReferenceSlot";
constexpr char kTiles[] = "its pTileInfo";

constexpr CreationRule<Av1Facts> kRules[] = {
    {"constantQIndex-10320", kConstant, "the current rate control mode",
     [](A a) { return !IsDisabled(a.rate_control) && a.picture.constantQIndex != 0; }},
    {"constantQIndex-10321", kConstant, kDriver,
     [](A a) { return IsDisabled(a.rate_control) && !QpLimitsOf(a.can).Allow(a.picture.constantQIndex); }},
    {"flags-10322", kPicture, "its frame_size_override_flag",
     [](A a) { return a.Lacks(kOverride) && a.std_info.flags.frame_size_override_flag != 0; }},
    {"flags-10323", "srcPictureResource.codedExtent.width", "the sequence header",
     [](A a) {
       return a.Lacks(kOverride) && a.header != nullptr && a.extent().width != a.header->max_frame_width_minus_1 + 1U;
     }},
    {"flags-10324", "srcPictureResource.codedExtent.height", "the sequence header",
     [](A a) {
       return a.Lacks(kOverride) && a.header != nullptr && a.extent().height != a.header->max_frame_height_minus_1 + 1U;
     }},
    {"flags-10325", "srcPictureResource.codedExtent", "the pictures of pReferenceSlots",
     [](A a) {
       const auto differs = [&](const VkVideoReferenceSlotInfoKHR& slot) {
         return slot.pPictureResource != nullptr && !AreSame(slot.pPictureResource->codedExtent, a.extent());
       };
       return a.Lacks(VK_VIDEO_ENCODE_AV1_CAPABILITY_MOTION_VECTOR_SCALING_BIT_KHR) &&
              std::ranges::any_of(SlotsOf(a.info), differs);
     }},
    {"predictionMode-10326", kMode, "the frame_type", [](A a) { return a.Predicts(kIntra) && !a.IsIntra(); }},
    {"pStdPictureInfo-10327", kMode, "the frame_type", [](A a) { return !a.Predicts(kIntra) && a.IsIntra(); }},
    {"maxSingleReferenceCount-10328", kMode, kDriver,
     [](A a) { return a.are_known() && a.Predicts(kSingle) && a.can.maxSingleReferenceCount == 0; }},
    {"predictionMode-10329", kMode, "its references",
     [](A a) {
       return a.Predicts(kSingle) && a.can.maxSingleReferenceCount != 0 && a.Names(a.can.singleReferenceNameMask) == 0;
     }},
    {"maxUnidirectionalCompoundReferenceCount-10330", kMode, kDriver,
     [](A a) { return a.are_known() && a.Predicts(kOneWay) && a.can.maxUnidirectionalCompoundReferenceCount == 0; }},
    {"predictionMode-10331", kMode, "its references",
     [](A a) {
       const uint32_t names = a.Names(a.can.unidirectionalCompoundReferenceNameMask);
       const bool has_pair = ((names & 1) != 0 && (names & 0xe) != 0) || (names & 0x50) == 0x50;
       return a.Predicts(kOneWay) && a.can.maxUnidirectionalCompoundReferenceCount != 0 && !has_pair;
     }},
    {"maxBidirectionalCompoundReferenceCount-10332", kMode, kDriver,
     [](A a) { return a.are_known() && a.Predicts(kTwoWays) && a.can.maxBidirectionalCompoundReferenceCount == 0; }},
    {"predictionMode-10333", kMode, "its references",
     [](A a) {
       const uint32_t names = a.Names(a.can.bidirectionalCompoundReferenceNameMask);
       return a.Predicts(kTwoWays) && a.can.maxBidirectionalCompoundReferenceCount != 0 &&
              ((names & 0xf) == 0 || (names & 0x70) == 0);
     }},
    {"pExtensionHeader-10336", kPicture, "the temporal layers that the driver supports",
     [](A a) { return a.HasOver(&Header::temporal_id, a.can.maxTemporalLayerCount); }},
    {"pExtensionHeader-10337", kPicture, "the spatial layers that the driver supports",
     [](A a) { return a.HasOver(&Header::spatial_id, a.can.maxSpatialLayerCount); }},
    {"pEncodeInfo-10338", kSetup, "pExtensionHeader of the picture",
     [](A a) {
       return a.setup != nullptr && (a.setup->pExtensionHeader == nullptr) != (a.std_info.pExtensionHeader == nullptr);
     }},
    {"pEncodeInfo-10339", kSetup, "the temporal_id of the picture",
     [](A a) { return a.DiffersFromSetup(&Header::temporal_id); }},
    {"pEncodeInfo-10340", kSetup, "the spatial_id of the picture",
     [](A a) { return a.DiffersFromSetup(&Header::spatial_id); }},
    {"pExtensionHeader-10341", "pReferenceSlots", "the temporal layers that the driver supports",
     [](A a) { return a.HasReferenceOver(&Header::temporal_id, a.can.maxTemporalLayerCount); }},
    {"pExtensionHeader-10342", "pReferenceSlots", "the spatial layers that the driver supports",
     [](A a) { return a.HasReferenceOver(&Header::spatial_id, a.can.maxSpatialLayerCount); }},
    {"pTileInfo-10343", kPicture, kTiles,
     [](A a) { return a.std_info.pTileInfo != nullptr && a.std_info.pTileInfo->TileCols == 0; }},
    {"pTileInfo-10344", kPicture, kTiles,
     [](A a) { return a.std_info.pTileInfo != nullptr && a.std_info.pTileInfo->TileRows == 0; }},
    {"pTileInfo-10345", kPicture, kTiles,
     [](A a) {
       return a.HasTiles(1) && a.can.maxTiles.width != 0 && a.std_info.pTileInfo->TileCols > a.can.maxTiles.width;
     }},
    {"pTileInfo-10346", kPicture, kTiles,
     [](A a) {
       return a.HasTiles(1) && a.can.maxTiles.height != 0 && a.std_info.pTileInfo->TileRows > a.can.maxTiles.height;
     }},
    {"pTileInfo-10347", kPicture, kTiles,
     [](A a) {
       return a.HasTiles(1) && Av1Facts::IsOutside(a.extent().width, a.std_info.pTileInfo->TileCols,
                                                   a.can.minTileSize.width, a.can.maxTileSize.width);
     }},
    {"pTileInfo-10348", kPicture, kTiles,
     [](A a) {
       return a.HasTiles(1) && Av1Facts::IsOutside(a.extent().height, a.std_info.pTileInfo->TileRows,
                                                   a.can.minTileSize.height, a.can.maxTileSize.height);
     }},
    {"pStdPictureInfo-10349", kPicture, "its segmentation_enabled",
     [](A a) { return a.std_info.flags.segmentation_enabled != 0; }},
    {"pStdPictureInfo-10350", kPicture, "its pSegmentation", [](A a) { return a.std_info.pSegmentation != nullptr; }},
    {"VkVideoEncodeAV1PictureInfoKHR-flags-10289", "VkVideoEncodeAV1PictureInfoKHR.primaryReferenceCdfOnly", kDriver,
     [](A a) {
       return a.Lacks(VK_VIDEO_ENCODE_AV1_CAPABILITY_PRIMARY_REFERENCE_CDF_ONLY_BIT_KHR) &&
              a.picture.primaryReferenceCdfOnly == VK_TRUE;
     }},
    {"VkVideoEncodeAV1PictureInfoKHR-flags-10292", "VkVideoEncodeAV1PictureInfoKHR.generateObuExtensionHeader", kDriver,
     [](A a) {
       return a.Lacks(VK_VIDEO_ENCODE_AV1_CAPABILITY_GENERATE_OBU_EXTENSION_HEADER_BIT_KHR) &&
              a.picture.generateObuExtensionHeader == VK_TRUE;
     }},
};

}  // namespace

void AddAv1EncodingIds(std::vector<vk::VuidIndex>& ids) { AddIds(kRules, ids); }

void CheckCodec(const Encoding& encoding, const EncodeAV1::Picture& picture) {
  const CodingCommand& check = encoding.check;
  if (picture.pStdPictureInfo == nullptr) return;
  const auto* const setup = encoding.info.pSetupReferenceSlot;
  const auto* const own = setup != nullptr ? vk::FindInChain<EncodeAV1::Slot>(setup->pNext) : nullptr;
  const auto* const parameters = encoding.parameters;
  const Av1Facts facts = {encoding.info,
                          picture,
                          *picture.pStdPictureInfo,
                          check.session.can.Of<Can>(),
                          encoding.scope.rate_control,
                          parameters != nullptr && parameters->header ? &*parameters->header : nullptr,
                          own != nullptr ? own->pStdReferenceInfo : nullptr};
  CreationCheck(check.device, {VK_OBJECT_TYPE_COMMAND_BUFFER, check.buffer.handle()}, "VkVideoEncodeInfoKHR",
                &encoding.info, encoding.where, encoding.report)
      .Run(kRules, facts);
  check.CheckNames(picture.referenceNameSlotIndices, SlotsOf(encoding.info),
                   vk::Vuid("VUID-vkCmdEncodeVideoKHR-referenceNameSlotIndices-10334"),
                   vk::Vuid("VUID-vkCmdEncodeVideoKHR-slotIndex-10335"), encoding.where);
}

}  // namespace assay::core
