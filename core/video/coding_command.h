// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VIDEO_CODING_COMMAND_H_
#define ASSAY_CORE_VIDEO_CODING_COMMAND_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/video/video_facts.h"
#include "core/video/video_rules.h"
#include "messages/messages.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: what the checks of commands of a video coding scope have in common.
namespace assay::core {

// The rules of one picture resource; kNoVuid for those that it does not have.
struct PictureRules {
  vk::VuidIndex offset = vk::kNoVuid;
  vk::VuidIndex extent = vk::kNoVuid;
  vk::VuidIndex format = vk::kNoVuid;
  vk::VuidIndex profile = vk::kNoVuid;
  vk::VuidIndex usage = vk::kNoVuid;
  // Of command buffers that are unprotected, and that are protected.
  vk::VuidIndex unprotected = vk::kNoVuid;
  vk::VuidIndex is_protected = vk::kNoVuid;
};

// The rules of the reference slots of a command that decodes or encodes.
struct ReferenceRules {
  vk::VuidIndex no_setup;
  vk::VuidIndex setup_slot, setup_offset, setup_bound;
  vk::VuidIndex count;
  vk::VuidIndex slot, offset, bound, unique;
  // Of a slot that is used more than once, as a frame, a top field, a bottom field.
  std::array<vk::VuidIndex, 3> uses;
  // What the chains of the slots must have.
  std::span<const vk::CodecLink> setup_links, slot_links;
};

// What a reference picture of H.264 represents. Without flags, a frame.
enum class Field : uint8_t { kFrame = 0, kTop = 1, kBottom = 2, kBoth = 3 };
// Of other codecs, and without a structure, a frame.
Field FieldOf(const VkVideoReferenceSlotInfoKHR& slot);

// A command that is checked. On the stack for the duration of the checks.
class CodingCommand {
 public:
  CodingCommand(const dispatch::Device& of, const NotedVideo& known, const state::CommandBuffer& commands,
                const VideoSession& bound, messages::Report& report);

  void Error(vk::VuidIndex rule, const messages::Location& where, std::string_view text) const;
  // Returns whether it holds.
  bool Require(bool holds, vk::VuidIndex rule, const messages::Location& where, std::string_view text) const {
    if (!holds) [[unlikely]]
      Error(rule, where, text);
    return holds;
  }
  void RequireLinks(std::span<const vk::CodecLink> links, const void* chain, const messages::Location& where) const;
  // That a resource is protected as the command buffer is.
  void RequireProtection(bool is_protected, vk::VuidIndex of_unprotected, vk::VuidIndex of_protected,
                         const messages::Location& where) const;
  // `usage` and `format` are what the picture must have. Returns whether its place in the view is right.
  bool CheckPicture(const VideoPicture& picture, const PictureRules& rules, VkImageUsageFlags usage, VkFormat format,
                    const messages::Location& where) const;
  // No picture is there twice.
  void RequireUnique(std::span<const VkVideoReferenceSlotInfoKHR> slots, vk::VuidIndex rule,
                     const messages::Location& where) const;
  // Of VkVideoDecodeInfoKHR or VkVideoEncodeInfoKHR.
  void CheckReferences(const VkVideoReferenceSlotInfoKHR* setup, std::span<const VkVideoReferenceSlotInfoKHR> slots,
                       const CodingScope& scope, const ReferenceRules& rules, const messages::Location& where) const;
  // The bitstream buffer, whose members begin with `name`.
  struct BitstreamRules {
    vk::VuidIndex profile, unprotected, is_protected, offset, range;
  };
  void CheckBitstream(VkBuffer handle, VkDeviceSize offset, VkDeviceSize range, const BitstreamRules& rules,
                      std::string_view name, const messages::Location& where) const;
  // That a query, if one is active, counts this command alone.
  void CheckActiveQuery(const CodingScope& scope, vk::VuidIndex rule, const messages::Location& where) const;
  // The slots that AV1's names of references refer to.
  void CheckNames(std::span<const int32_t> names, std::span<const VkVideoReferenceSlotInfoKHR> slots,
                  vk::VuidIndex no_slot, vk::VuidIndex no_name, const messages::Location& where) const;
  // Of the chain that begins a scope or controls it (rate_control.cc).
  void CheckRateControl(const void* chain, const messages::Location& where) const;
  void CheckQualityLevel(const void* chain, const messages::Location& where) const;
  // VkVideoInlineQueryInfoKHR of a session with inline queries (video_queries.cc); `count`, `type`, `profile` and
  // `support` are the command's rules.
  struct QueryRules {
    vk::VuidIndex count, type, profile, support;
  };
  void CheckInlineQuery(const void* chain, const QueryRules& rules, const std::optional<bool>& has_status_queries,
                        const messages::Location& where) const;

  // Nothing for a resource that is not known.
  bool HasOtherProfile(const std::optional<std::vector<VideoProfile>>& profiles) const;

  const dispatch::Device& device;
  const NotedVideo& noted;
  const state::CommandBuffer& buffer;
  const VideoSession& session;

 private:
  messages::Report& report_;
};

// The recorded part of a command buffer; null if it is not known.
inline RecordingScope* RecordingOf(const dispatch::Slot& slot) {
  const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
  return buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
}
// The video coding scope that the command buffer is inside of; null outside, and if its session is not known.
inline CodingScope* ScopeOf(const dispatch::Slot& slot) {
  const RecordingScope* const recording = RecordingOf(slot);
  return recording != nullptr && (recording->bits() & kInsideVideoCoding) != 0 ? recording->coding.get() : nullptr;
}

inline std::span<const VkVideoReferenceSlotInfoKHR> SlotsOf(const auto& info) {
  return {info.pReferenceSlots, info.pReferenceSlots != nullptr ? info.referenceSlotCount : 0};
}

}  // namespace assay::core

#endif  // ASSAY_CORE_VIDEO_CODING_COMMAND_H_
