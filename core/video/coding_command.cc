// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/video/coding_command.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

using messages::Location;

// What offsets of pictures are multiples of; 0 for none but 0. Nothing if the driver does not say.
std::optional<VkOffset2D> OffsetGranularity(const VideoSession& session) {
  if (!session.Is(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR) ||
      session.profile.codec[1] != VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_SEPARATE_PLANES_BIT_KHR)
    return VkOffset2D{0, 0};
  const VkOffset2D granularity = session.can.Of<DecodeH264::Capabilities>().fieldOffsetGranularity;
  if (granularity.x == 0 && granularity.y == 0) return std::nullopt;
  return granularity;
}
bool IsMultiple(int32_t offset, int32_t of) { return of == 0 ? offset == 0 : offset % of == 0; }

}  // namespace

Field FieldOf(const VkVideoReferenceSlotInfoKHR& slot) {
  const auto* const own = vk::FindInChain<DecodeH264::Slot>(slot.pNext);
  if (own == nullptr || own->pStdReferenceInfo == nullptr) return Field::kFrame;
  const StdVideoDecodeH264ReferenceInfoFlags flags = own->pStdReferenceInfo->flags;
  return static_cast<Field>(flags.top_field_flag | flags.bottom_field_flag << 1);
}

CodingCommand::CodingCommand(const dispatch::Device& of, const NotedVideo& known, const state::CommandBuffer& commands,
                             const VideoSession& bound, messages::Report& report)
    : device(of), noted(known), buffer(commands), session(bound), report_(report) {}

void CodingCommand::Error(vk::VuidIndex rule, const Location& where, std::string_view text) const {
  if (rule != vk::kNoVuid)
    report_.Error(rule, {{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer.handle()}}, where, std::string(text));
}

void CodingCommand::RequireLinks(std::span<const vk::CodecLink> links, const void* chain, const Location& where) const {
  vk::ForEachMissing(links, session.profile.operation, chain, [&](vk::VuidIndex rule, std::string_view name) {
    Error(rule, where, absl::StrCat("does not have a ", name, " in its chain."));
  });
}

void CodingCommand::RequireProtection(bool is_protected, vk::VuidIndex of_unprotected, vk::VuidIndex of_protected,
                                      const Location& where) const {
  const auto* const memory = device.physical_device->Find<VkPhysicalDeviceProtectedMemoryProperties>();
  if (memory == nullptr || memory->protectedNoFault == VK_TRUE) return;
  const bool is_buffer_protected = (buffer.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0;
  if (is_protected == is_buffer_protected) return;
  Error(is_buffer_protected ? of_protected : of_unprotected, where,
        is_protected ? "is protected, but the command buffer is not." : "is not protected, but the command buffer is.");
}

void CodingCommand::CheckBitstream(VkBuffer handle, VkDeviceSize offset, VkDeviceSize range,
                                   const BitstreamRules& rules, std::string_view name, const Location& where) const {
  const auto* const bitstream = state::DeviceState::Get<state::Buffer>(handle);
  if (bitstream == nullptr) return;
  const std::string buffer_name = absl::StrCat(name, "Buffer"), offset_name = absl::StrCat(buffer_name, "Offset"),
                    range_name = absl::StrCat(buffer_name, "Range");
  const auto require = [&](VkDeviceSize value, VkDeviceSize alignment, vk::VuidIndex rule, std::string_view member) {
    Require(alignment == 0 || value % alignment == 0, rule, where.Dot(member),
            absl::StrCat("(", value, ") is not a multiple of ", alignment, "."));
  };
  require(offset, session.can.general.minBitstreamBufferOffsetAlignment, rules.offset, offset_name);
  require(range, session.can.general.minBitstreamBufferSizeAlignment, rules.range, range_name);
  Require((bitstream->flags & VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR) != 0 ||
              !HasOtherProfile(noted.buffers.Find(handle)),
          rules.profile, where.Dot(buffer_name), "was not created with the profile of the session.");
  RequireProtection((bitstream->flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0, rules.unprotected, rules.is_protected,
                    where.Dot(buffer_name));
}

void CodingCommand::CheckActiveQuery(const CodingScope& scope, vk::VuidIndex rule, const Location& where) const {
  const auto* const recording = buffer.Sub<RecordingScope>();
  if (recording == nullptr || recording->active_queries.empty() || !scope.counted) return;
  const ActiveQuery& active = recording->active_queries[0];
  Require(scope.counted != std::pair(active.pool, active.query), rule, where,
          "The active query has counted an operation already.");
}

void CodingCommand::CheckNames(std::span<const int32_t> names, std::span<const VkVideoReferenceSlotInfoKHR> slots,
                               vk::VuidIndex no_slot, vk::VuidIndex no_name, const Location& where) const {
  const auto has_slot = [&](int32_t name) {
    return name < 0 || std::ranges::count(slots, name, &VkVideoReferenceSlotInfoKHR::slotIndex) != 0;
  };
  const auto has_name = [&](const VkVideoReferenceSlotInfoKHR& slot) {
    return std::ranges::count(names, slot.slotIndex) != 0;
  };
  Require(std::ranges::all_of(names, has_slot), no_slot, where,
          "names a reference in referenceNameSlotIndices that is in none of pReferenceSlots.");
  Require(std::ranges::all_of(slots, has_name), no_name, where,
          "has an element of pReferenceSlots that is not in referenceNameSlotIndices.");
}

bool CodingCommand::HasOtherProfile(const std::optional<std::vector<VideoProfile>>& profiles) const {
  return profiles && std::ranges::count(*profiles, session.profile) == 0;
}

bool CodingCommand::CheckPicture(const VideoPicture& picture, const PictureRules& rules, VkImageUsageFlags usage,
                                 VkFormat format, const Location& where) const {
  const VkVideoPictureResourceInfoKHR& info = picture.info;
  bool is_right = true;
  if (const auto granularity = OffsetGranularity(session)) {
    is_right = Require(IsMultiple(info.codedOffset.x, granularity->x) && IsMultiple(info.codedOffset.y, granularity->y),
                       rules.offset, where.Dot("codedOffset"),
                       absl::StrCat("(", info.codedOffset.x, ", ", info.codedOffset.y, ") is not a multiple of (",
                                    granularity->x, ", ", granularity->y, ")."));
  }
  Require(!session.can.are_known() ||
              IsBetween(info.codedExtent, session.can.general.minCodedExtent, session.info.maxCodedExtent),
          rules.extent, where.Dot("codedExtent"),
          absl::StrCat("(", info.codedExtent.width, ", ", info.codedExtent.height, ") is not one of the session's."));
  if (!picture.is_known()) return is_right;
  const Location view = where.Dot("imageViewBinding");
  const state::Image& image = *picture.view->image;
  const VkImageSubresourceRange& range = picture.view->subresource_range;
  const uint32_t layers = range.layerCount == VK_REMAINING_ARRAY_LAYERS
                              ? image.create_info.arrayLayers - range.baseArrayLayer
                              : range.layerCount;
  is_right &= Require(info.baseArrayLayer < layers, vk::Vuid("VUID-VkVideoPictureResourceInfoKHR-baseArrayLayer-07175"),
                      where.Dot("baseArrayLayer"),
                      absl::StrCat("(", info.baseArrayLayer, ") is not a layer of the view, which has ", layers, "."));
  Require(picture.view->format == format, rules.format, view, "does not have the format of the session.");
  Require((picture.view->usage & usage) == usage, rules.usage, view, "was created without the usage.");
  Require((image.create_info.flags & VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR) != 0 ||
              !HasOtherProfile(noted.images.Find(image.handle())),
          rules.profile, view, "is of an image that was not created with the profile of the session.");
  RequireProtection(picture.is_protected(), rules.unprotected, rules.is_protected, view);
  return is_right;
}

void CodingCommand::RequireUnique(std::span<const VkVideoReferenceSlotInfoKHR> slots, vk::VuidIndex rule,
                                  const Location& where) const {
  for (uint32_t i = 1; i < slots.size(); ++i) {
    const VkVideoPictureResourceInfoKHR* const picture = slots[i].pPictureResource;
    if (picture == nullptr) continue;
    const auto is_same = [&](const VkVideoReferenceSlotInfoKHR& other) {
      return other.pPictureResource != nullptr && VideoPicture(*picture).Matches(VideoPicture(*other.pPictureResource));
    };
    if (std::ranges::any_of(slots.first(i), is_same))
      Error(rule, where.Dot("pReferenceSlots", i), "names the picture of an element before it.");
  }
}

void CodingCommand::CheckReferences(const VkVideoReferenceSlotInfoKHR* setup,
                                    std::span<const VkVideoReferenceSlotInfoKHR> slots, const CodingScope& scope,
                                    const ReferenceRules& rules, const Location& where) const {
  const auto check = [&](const VkVideoReferenceSlotInfoKHR& slot, vk::VuidIndex too_large, vk::VuidIndex wrong_offset,
                         vk::VuidIndex not_bound, bool of_slot, const Location& at) {
    const bool has_slot = slot.slotIndex < 0 || static_cast<uint32_t>(slot.slotIndex) < session.info.maxDpbSlots;
    Require(has_slot, too_large, at.Dot("slotIndex"),
            absl::StrCat("(", slot.slotIndex, ") is not less than maxDpbSlots (", session.info.maxDpbSlots, ")."));
    if (!has_slot || slot.pPictureResource == nullptr) return;
    const VideoPicture picture(*slot.pPictureResource);
    const VkFormat format = picture.view != nullptr ? picture.view->format : VK_FORMAT_UNDEFINED;
    if (!CheckPicture(picture, {.offset = wrong_offset}, 0, format, at.Dot("pPictureResource"))) return;
    const auto is_it = [&](const CodingScope::Bound& bound) {
      return (!of_slot || bound.slot == slot.slotIndex) && picture.Matches(VideoPicture(bound.picture));
    };
    Require(!picture.is_known() || std::ranges::any_of(scope.bound, is_it), not_bound, at.Dot("pPictureResource"),
            "is not bound as a reference picture.");
  };
  if (setup == nullptr) {
    Require(session.info.maxDpbSlots == 0, rules.no_setup, where.Dot("pSetupReferenceSlot"), "is NULL.");
  } else {
    RequireLinks(rules.setup_links, setup->pNext, where.Dot("pSetupReferenceSlot"));
    check(*setup, rules.setup_slot, rules.setup_offset, rules.setup_bound, false, where.Dot("pSetupReferenceSlot"));
  }
  Require(slots.size() <= session.info.maxActiveReferencePictures, rules.count, where.Dot("referenceSlotCount"),
          absl::StrCat("(", slots.size(), ") is more than maxActiveReferencePictures (",
                       session.info.maxActiveReferencePictures, ")."));
  RequireUnique(slots, rules.unique, where);
  for (uint32_t i = 0; i < slots.size(); ++i) {
    const Location at = where.Dot("pReferenceSlots", i);
    RequireLinks(rules.slot_links, slots[i].pNext, at);
    check(slots[i], rules.slot, rules.offset, rules.bound, true, at);
    const auto clash = std::ranges::find_if(slots.first(i), [&](const VkVideoReferenceSlotInfoKHR& other) {
      const Field field = FieldOf(slots[i]), of_other = FieldOf(other);
      return other.slotIndex == slots[i].slotIndex &&
             (field == of_other || (static_cast<int>(field) & static_cast<int>(of_other)) != 0);
    });
    if (clash == slots.begin() + i) continue;
    const auto shared = static_cast<int>(FieldOf(slots[i])) & static_cast<int>(FieldOf(*clash));
    Error(rules.uses[shared == 0   ? 0
                     : shared == 2 ? 2
                                   : 1],
          at.Dot("slotIndex"), absl::StrCat("(", slots[i].slotIndex, ") is that of an element before it."));
  }
}

}  // namespace assay::core
