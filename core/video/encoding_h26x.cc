// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What vkCmdEncodeVideoKHR encodes with H.264 and H.265, whose rules are the same.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/video/coding.h"
#include "core/video/parameter_set_use.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::Vuid;
using vk::VuidIndex;

// The rules of a codec.
struct EncodeRules {
  VuidIndex qp_unused, qp_range, qp_same;
  VuidIndex most_blocks, most_rows, slice_count, slice_types, weights;
  VuidIndex no_lists, no_slot, no_name;
  VuidIndex no_p, no_b, no_b_in_l0, no_b_in_l1;
};
constexpr EncodeRules kH264 = {
    Vuid("VUID-vkCmdEncodeVideoKHR-constantQp-08269"),
    Vuid("VUID-vkCmdEncodeVideoKHR-constantQp-08270"),
    Vuid("VUID-vkCmdEncodeVideoKHR-constantQp-08271"),
    Vuid("VUID-vkCmdEncodeVideoKHR-naluSliceEntryCount-08302"),
    Vuid("VUID-vkCmdEncodeVideoKHR-naluSliceEntryCount-08312"),
    Vuid("VUID-VkVideoEncodeH264PictureInfoKHR-naluSliceEntryCount-08301"),
    Vuid("VUID-VkVideoEncodeH264PictureInfoKHR-flags-08315"),
    Vuid("VUID-VkVideoEncodeH264PictureInfoKHR-flags-08314"),
    Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08352"),
    Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08339"),
    Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08353"),
    Vuid("VUID-vkCmdEncodeVideoKHR-maxPPictureL0ReferenceCount-08340"),
    Vuid("VUID-vkCmdEncodeVideoKHR-maxBPictureL0ReferenceCount-08341"),
    Vuid("VUID-vkCmdEncodeVideoKHR-flags-08342"),
    Vuid("VUID-vkCmdEncodeVideoKHR-flags-08343"),
};
constexpr EncodeRules kH265 = {
    Vuid("VUID-vkCmdEncodeVideoKHR-constantQp-08272"),
    Vuid("VUID-vkCmdEncodeVideoKHR-constantQp-08273"),
    Vuid("VUID-vkCmdEncodeVideoKHR-constantQp-08274"),
    Vuid("VUID-vkCmdEncodeVideoKHR-naluSliceSegmentEntryCount-08307"),
    Vuid("VUID-vkCmdEncodeVideoKHR-naluSliceSegmentEntryCount-08313"),
    Vuid("VUID-VkVideoEncodeH265PictureInfoKHR-naluSliceSegmentEntryCount-08306"),
    Vuid("VUID-VkVideoEncodeH265PictureInfoKHR-flags-08317"),
    Vuid("VUID-VkVideoEncodeH265PictureInfoKHR-flags-08316"),
    Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08354"),
    Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08344"),
    Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08355"),
    Vuid("VUID-vkCmdEncodeVideoKHR-maxPPictureL0ReferenceCount-08345"),
    Vuid("VUID-vkCmdEncodeVideoKHR-maxBPictureL0ReferenceCount-08346"),
    Vuid("VUID-vkCmdEncodeVideoKHR-flags-08347"),
    Vuid("VUID-vkCmdEncodeVideoKHR-flags-08348"),
};

struct Slice {
  int32_t qp;
  bool is_p, is_b, has_weight_table;
  int type;
};
enum class Kind : uint8_t { kP, kB, kOther };

// A picture, alike for both codecs.
struct EncodedPicture {
  std::vector<Slice> slices;
  Kind kind;
  // Null without.
  std::span<const uint8_t> l0, l1;
  bool has_lists;
  uint32_t most_slices;
  // Nothing if the driver does not say.
  uint32_t block_size;
  // What the driver does not support, as far as it says something.
  bool lacks_own_qps, lacks_unaligned_rows, lacks_own_types, lacks_generated_weights, lacks_b_in_l0, lacks_b_in_l1;
};
Kind KindOf(StdVideoH264PictureType type) {
  return type == STD_VIDEO_H264_PICTURE_TYPE_P   ? Kind::kP
         : type == STD_VIDEO_H264_PICTURE_TYPE_B ? Kind::kB
                                                 : Kind::kOther;
}
Kind KindOf(StdVideoH265PictureType type) {
  return type == STD_VIDEO_H265_PICTURE_TYPE_P   ? Kind::kP
         : type == STD_VIDEO_H265_PICTURE_TYPE_B ? Kind::kB
                                                 : Kind::kOther;
}
Kind KindOf(const StdVideoEncodeH264ReferenceInfo& info) { return KindOf(info.primary_pic_type); }
Kind KindOf(const StdVideoEncodeH265ReferenceInfo& info) { return KindOf(info.pic_type); }

#define ASSAY_LACKS(Codec, flag) \
  (most_slices != 0 && (can.flags & VK_VIDEO_ENCODE_##Codec##_CAPABILITY_##flag##_BIT_KHR) == 0)
EncodedPicture Read(const EncodeH264::Picture& picture, const EncodeH264::Capabilities& can) {
  const uint32_t most_slices = can.maxSliceCount;
  EncodedPicture read = {.slices = {},
                         .kind = KindOf(picture.pStdPictureInfo->primary_pic_type),
                         .l0 = {},
                         .l1 = {},
                         .has_lists = picture.pStdPictureInfo->pRefLists != nullptr,
                         .most_slices = most_slices,
                         .block_size = 16,
                         .lacks_own_qps = ASSAY_LACKS(H264, PER_SLICE_CONSTANT_QP),
                         .lacks_unaligned_rows = ASSAY_LACKS(H264, ROW_UNALIGNED_SLICE),
                         .lacks_own_types = ASSAY_LACKS(H264, DIFFERENT_SLICE_TYPE),
                         .lacks_generated_weights = ASSAY_LACKS(H264, PREDICTION_WEIGHT_TABLE_GENERATED),
                         .lacks_b_in_l0 = ASSAY_LACKS(H264, B_FRAME_IN_L0_LIST),
                         .lacks_b_in_l1 = ASSAY_LACKS(H264, B_FRAME_IN_L1_LIST)};
  for (uint32_t i = 0; picture.pNaluSliceEntries != nullptr && i < picture.naluSliceEntryCount; ++i) {
    const auto& entry = picture.pNaluSliceEntries[i];
    const auto* const header = entry.pStdSliceHeader;
    const auto type = header != nullptr ? header->slice_type : STD_VIDEO_H264_SLICE_TYPE_I;
    read.slices.push_back({entry.constantQp, type == STD_VIDEO_H264_SLICE_TYPE_P, type == STD_VIDEO_H264_SLICE_TYPE_B,
                           header != nullptr && header->pWeightTable != nullptr, type});
  }
  return read;
}
EncodedPicture Read(const EncodeH265::Picture& picture, const EncodeH265::Capabilities& can) {
  const uint32_t most_slices = can.maxSliceSegmentCount;
  EncodedPicture read = {.slices = {},
                         .kind = KindOf(picture.pStdPictureInfo->pic_type),
                         .l0 = {},
                         .l1 = {},
                         .has_lists = picture.pStdPictureInfo->pRefLists != nullptr,
                         .most_slices = most_slices,
                         // Of the smallest size there are the most blocks.
                         .block_size = can.ctbSizes != 0 ? 16U << std::countr_zero(can.ctbSizes) : 0,
                         .lacks_own_qps = ASSAY_LACKS(H265, PER_SLICE_SEGMENT_CONSTANT_QP),
                         .lacks_unaligned_rows = ASSAY_LACKS(H265, ROW_UNALIGNED_SLICE_SEGMENT),
                         .lacks_own_types = ASSAY_LACKS(H265, DIFFERENT_SLICE_SEGMENT_TYPE),
                         .lacks_generated_weights = ASSAY_LACKS(H265, PREDICTION_WEIGHT_TABLE_GENERATED),
                         .lacks_b_in_l0 = ASSAY_LACKS(H265, B_FRAME_IN_L0_LIST),
                         .lacks_b_in_l1 = ASSAY_LACKS(H265, B_FRAME_IN_L1_LIST)};
  for (uint32_t i = 0; picture.pNaluSliceSegmentEntries != nullptr && i < picture.naluSliceSegmentEntryCount; ++i) {
    const auto& entry = picture.pNaluSliceSegmentEntries[i];
    const auto* const header = entry.pStdSliceSegmentHeader;
    const auto type = header != nullptr ? header->slice_type : STD_VIDEO_H265_SLICE_TYPE_I;
    read.slices.push_back({entry.constantQp, type == STD_VIDEO_H265_SLICE_TYPE_P, type == STD_VIDEO_H265_SLICE_TYPE_B,
                           header != nullptr && header->pWeightTable != nullptr, type});
  }
  return read;
}
#undef ASSAY_LACKS

void CheckSlices(const Encoding& encoding, const EncodedPicture& picture, const QpLimits& limits,
                 const ParameterSets::Picture* set, const EncodeRules& rules) {
  const CodingCommand& check = encoding.check;
  const Location& where = encoding.where;
  const auto& slices = picture.slices;
  if (slices.empty()) return;
  const auto same = [&](auto Slice::* member) {
    return std::ranges::all_of(slices, [&](const Slice& slice) { return slice.*member == slices[0].*member; });
  };
  if (IsDisabled(encoding.scope.rate_control)) {
    check.Require(std::ranges::all_of(
                      slices, [&](int32_t qp) { return limits.Allow(qp); }, &Slice::qp),
                  rules.qp_range, where,
                  absl::StrCat("has a constantQp that is not between ", limits.least, " and ", limits.most, "."));
    check.Require(!picture.lacks_own_qps || same(&Slice::qp), rules.qp_same, where,
                  "has different constantQps, which the driver does not support.");
  } else {
    check.Require(std::ranges::all_of(
                      slices, [](int32_t qp) { return qp == 0; }, &Slice::qp),
                  rules.qp_unused, where, "has a constantQp, but there is rate control.");
  }
  const VkExtent2D extent = encoding.info.srcPictureResource.codedExtent;
  const size_t count = slices.size();
  check.Require(picture.most_slices == 0 || count <= picture.most_slices, rules.slice_count, where,
                absl::StrCat("has ", count, " slices of at most ", picture.most_slices, "."));
  if (picture.block_size != 0) {
    const uint64_t width = (extent.width + picture.block_size - 1) / picture.block_size;
    const uint64_t height = (extent.height + picture.block_size - 1) / picture.block_size;
    const bool has_blocks = count <= width * height;
    check.Require(has_blocks, rules.most_blocks, where, absl::StrCat("has more slices (", count, ") than blocks."));
    check.Require(!has_blocks || !picture.lacks_unaligned_rows || count <= height, rules.most_rows, where,
                  absl::StrCat("has more slices (", count, ") than rows of blocks (", height, ")."));
  }
  check.Require(!picture.lacks_own_types || same(&Slice::type), rules.slice_types, where,
                "has slices of different types, which the driver does not support.");
  const auto lacks_weights = [&](const Slice& slice) {
    return set != nullptr && !slice.has_weight_table &&
           ((slice.is_p && set->has_weights) || (slice.is_b && set->has_bidirectional_weights));
  };
  check.Require(!picture.lacks_generated_weights || std::ranges::none_of(slices, lacks_weights), rules.weights, where,
                "has a slice without a weight table, which the driver does not generate.");
}

template <class Codec>
void CheckReferenceLists(const Encoding& encoding, const EncodedPicture& picture,
                         const typename Codec::Capabilities& can, const EncodeRules& rules) {
  constexpr uint8_t kNone = 0xff;
  static_assert(kNone == STD_VIDEO_H264_NO_REFERENCE_PICTURE && kNone == STD_VIDEO_H265_NO_REFERENCE_PICTURE);
  const CodingCommand& check = encoding.check;
  const Location& where = encoding.where;
  const auto slots = SlotsOf(encoding.info);
  check.Require(slots.empty() || picture.has_lists, rules.no_lists, where,
                "has reference slots, but the picture has no pRefLists.");
  if (picture.has_lists) {
    const auto has_slot = [&](uint8_t index) {
      return index == kNone || std::ranges::count(slots, index, &VkVideoReferenceSlotInfoKHR::slotIndex) != 0;
    };
    const auto has_name = [&](const VkVideoReferenceSlotInfoKHR& slot) {
      return std::ranges::count(picture.l0, slot.slotIndex) + std::ranges::count(picture.l1, slot.slotIndex) != 0;
    };
    check.Require(std::ranges::all_of(picture.l0, has_slot) && std::ranges::all_of(picture.l1, has_slot), rules.no_slot,
                  where, "has a list of references with a slot that is in none of pReferenceSlots.");
    check.Require(std::ranges::all_of(slots, has_name), rules.no_name, where,
                  "has an element of pReferenceSlots that is in no list of references.");
  }
  if (picture.most_slices == 0) return;
  const auto has = [&](std::span<const uint8_t> list, Kind kind) {
    return std::ranges::any_of(slots, [&](const VkVideoReferenceSlotInfoKHR& slot) {
      const auto* const own = vk::FindInChain<typename Codec::Slot>(slot.pNext);
      return std::ranges::count(list, slot.slotIndex) != 0 && own != nullptr && own->pStdReferenceInfo != nullptr &&
             KindOf(*own->pStdReferenceInfo) == kind;
    });
  };
  const auto uses = [&](Kind kind) { return picture.kind == kind || has(picture.l0, kind) || has(picture.l1, kind); };
  check.Require(can.maxPPictureL0ReferenceCount != 0 || !uses(Kind::kP), rules.no_p, where,
                "uses a P picture, which the driver does not support.");
  const bool has_b = can.maxBPictureL0ReferenceCount != 0 || can.maxL1ReferenceCount != 0;
  check.Require(has_b || !uses(Kind::kB), rules.no_b, where, "uses a B picture, which the driver does not support.");
  check.Require(!has_b || !picture.lacks_b_in_l0 || !has(picture.l0, Kind::kB), rules.no_b_in_l0, where,
                "has a B picture in RefPicList0, which the driver does not support.");
  check.Require(!has_b || !picture.lacks_b_in_l1 || !has(picture.l1, Kind::kB), rules.no_b_in_l1, where,
                "has a B picture in RefPicList1, which the driver does not support.");
}

template <class Codec>
void Check(const Encoding& encoding, const typename Codec::Picture& picture, uint32_t pps, const EncodeRules& rules) {
  const auto& can = encoding.check.session.can.Of<typename Codec::Capabilities>();
  EncodedPicture read = Read(picture, can);
  if (const auto* lists = picture.pStdPictureInfo->pRefLists) {
    read.l0 = lists->RefPicList0;
    read.l1 = lists->RefPicList1;
  }
  const auto* const set = encoding.parameters != nullptr ? encoding.parameters->sets.FindPicture(pps) : nullptr;
  CheckSlices(encoding, read, QpLimitsOf(can), set, rules);
  CheckReferenceLists<Codec>(encoding, read, can, rules);
}

}  // namespace

void CheckCodec(const Encoding& encoding, const EncodeH264::Picture& picture) {
  const auto* const info = picture.pStdPictureInfo;
  if (info == nullptr) return;
  const uint32_t sps = vk::ParameterSetKey(info->seq_parameter_set_id);
  const uint32_t pps = vk::ParameterSetKey(info->seq_parameter_set_id, info->pic_parameter_set_id);
  const ParameterSetUse sets = {encoding.check, encoding.parameters, true, encoding.where};
  sets.Require(ParameterSets::kSps, sps, Vuid("VUID-vkCmdEncodeVideoKHR-StdVideoH264SequenceParameterSet-08226"));
  sets.Require(ParameterSets::kPps, pps, Vuid("VUID-vkCmdEncodeVideoKHR-StdVideoH264PictureParameterSet-08227"));
  const auto& can = encoding.check.session.can.Of<EncodeH264::Capabilities>();
  encoding.check.Require(can.maxSliceCount == 0 ||
                             (can.flags & VK_VIDEO_ENCODE_H264_CAPABILITY_GENERATE_PREFIX_NALU_BIT_KHR) != 0 ||
                             picture.generatePrefixNalu == VK_FALSE,
                         Vuid("VUID-VkVideoEncodeH264PictureInfoKHR-flags-08304"), encoding.where,
                         "has generatePrefixNalu, which the driver does not support.");
  Check<EncodeH264>(encoding, picture, pps, kH264);
}

void CheckCodec(const Encoding& encoding, const EncodeH265::Picture& picture) {
  const auto* const info = picture.pStdPictureInfo;
  if (info == nullptr) return;
  const uint8_t of_vps = info->sps_video_parameter_set_id, of_sps = info->pps_seq_parameter_set_id;
  const uint32_t pps = vk::ParameterSetKey(of_vps, of_sps, info->pps_pic_parameter_set_id);
  const ParameterSetUse sets = {encoding.check, encoding.parameters, true, encoding.where};
  sets.Require(ParameterSets::kVps, vk::ParameterSetKey(of_vps),
               Vuid("VUID-vkCmdEncodeVideoKHR-StdVideoH265VideoParameterSet-08231"));
  sets.Require(ParameterSets::kSps, vk::ParameterSetKey(of_vps, of_sps),
               Vuid("VUID-vkCmdEncodeVideoKHR-StdVideoH265SequenceParameterSet-08232"));
  sets.Require(ParameterSets::kPps, pps, Vuid("VUID-vkCmdEncodeVideoKHR-StdVideoH265PictureParameterSet-08233"));
  Check<EncodeH265>(encoding, picture, pps, kH265);
  const auto& can = encoding.check.session.can.Of<EncodeH265::Capabilities>();
  const auto* const set = encoding.parameters != nullptr ? encoding.parameters->sets.FindPicture(pps) : nullptr;
  if (set == nullptr || can.maxSliceSegmentCount == 0) return;
  const uint32_t tiles = set->has_tiles ? set->tiles.width * set->tiles.height : 1;
  const auto require = [&](VkFlags flag, bool holds, VuidIndex rule, std::string_view than) {
    encoding.check.Require((can.flags & flag) != 0 || holds, rule, encoding.where,
                           absl::StrCat("has ", than, " slice segments than tiles (", tiles, ")."));
  };
  require(VK_VIDEO_ENCODE_H265_CAPABILITY_MULTIPLE_TILES_PER_SLICE_SEGMENT_BIT_KHR,
          picture.naluSliceSegmentEntryCount >= tiles, Vuid("VUID-VkVideoEncodeH265PictureInfoKHR-flags-08323"),
          "fewer");
  require(VK_VIDEO_ENCODE_H265_CAPABILITY_MULTIPLE_SLICE_SEGMENTS_PER_TILE_BIT_KHR,
          picture.naluSliceSegmentEntryCount <= tiles, Vuid("VUID-VkVideoEncodeH265PictureInfoKHR-flags-08324"),
          "more");
}

}  // namespace assay::core
