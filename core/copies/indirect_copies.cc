// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies whose regions the device reads from memory (VK_NV_copy_memory_indirect).

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/copies/copied_image.h"
#include "core/copies/copied_image_ids.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::Vuid;

constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

struct IndirectIds {
  vk::VuidIndex address;
  vk::VuidIndex stride;
  vk::VuidIndex queue = vk::kNoVuid;
};

// Where the commands are that the device reads; each has `size` bytes.
template <class C>
void CheckIndirect(const CopyCheck& check, const C& call, uint32_t size, const IndirectIds& ids,
                   const Location& command) {
  const auto must = [&](bool holds, vk::VuidIndex rule, std::string_view member, const auto& text) {
    check.Require(holds, rule, check.command_buffer(), command.Dot(member),
                  [&] { return std::pair<std::string, std::string>(text(), ""); });
  };
  must(call.copyBufferAddress % 4 == 0, ids.address, "copyBufferAddress",
       [&] { return absl::StrCat("(0x", absl::Hex(call.copyBufferAddress), ") is not a multiple of 4."); });
  must(call.stride % 4 == 0 && call.stride >= size, ids.stride, "stride",
       [&] { return absl::StrCat("(", call.stride, ") is not a multiple of 4 of at least ", size, "."); });
  const auto* limits = check.facts().device.physical_device->Find<VkPhysicalDeviceCopyMemoryIndirectPropertiesNV>();
  must(limits == nullptr || limits->supportedQueues == 0 || (limits->supportedQueues & check.queue_flags()) != 0,
       ids.queue, "commandBuffer", [] { return "is of a queue family with none of the flags in supportedQueues."; });
}

}  // namespace

void CopyRules::PreCallValidate(const vk::CmdCopyMemoryIndirectNV& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  CheckIndirect(
      {*buffer, facts_, report}, call, sizeof(VkCopyMemoryIndirectCommandNV),
      {Vuid("VUID-vkCmdCopyMemoryIndirectNV-copyBufferAddress-07654"),
       Vuid("VUID-vkCmdCopyMemoryIndirectNV-stride-07655"), Vuid("VUID-vkCmdCopyMemoryIndirectNV-commandBuffer-07656")},
      report.location());
}

void CopyRules::PreCallValidate(const vk::CmdCopyMemoryToImageIndirectNV& call, dispatch::Slot& slot,
                                Report& report) const {
  using C = vk::CmdCopyMemoryToImageIndirectNV;
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  const CopyCheck check(*buffer, facts_, report);
  const Location command = report.location();
  CheckIndirect(check, call, sizeof(VkCopyMemoryToImageIndirectCommandNV),
                {Vuid("VUID-vkCmdCopyMemoryToImageIndirectNV-offset-07676"),
                 Vuid("VUID-vkCmdCopyMemoryToImageIndirectNV-stride-07677")},
                command);
  const CopiedImage image(call.dstImage, kTargetImageIds<C>, kTargetNames,
                          {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VkFormatFeatureFlagBits{}});
  if (!image.is_known()) return;
  CheckCopiedImage(check, image, VK_IMAGE_ASPECT_COLOR_BIT, command);
  ImageReports(check, image, command)
      .Must((image.info().flags & VK_IMAGE_CREATE_PROTECTED_BIT) == 0,
            Vuid("VUID-vkCmdCopyMemoryToImageIndirectNV-dstImage-07661"), "dstImage",
            [&] { return absl::StrCat(report.reporter().Describe(image.object), " is a protected image."); });
  for (uint32_t i = 0; call.pImageSubresources != nullptr && i < call.copyCount; ++i) {
    const VkImageSubresourceLayers& layers = call.pImageSubresources[i];
    const Location where = command.Dot("pImageSubresources", i);
    const ImageReports reports(check, image, where);
    reports.Must(std::popcount(layers.aspectMask) == 1, Vuid("VUID-vkCmdCopyMemoryToImageIndirectNV-aspectMask-07662"),
                 "aspectMask", [] { return "does not have one aspect."; });
    const bool has_graphics = (check.queue_flags() & VK_QUEUE_GRAPHICS_BIT) != 0;
    reports.Must(has_graphics || (layers.aspectMask & kDepthStencil) == 0,
                 Vuid("VUID-vkCmdCopyMemoryToImageIndirectNV-commandBuffer-07674"), "aspectMask", [] {
                   return "has a depth or stencil aspect, but the queue family does not have VK_QUEUE_GRAPHICS_BIT.";
                 });
    CheckLayers(check, image, layers, where);
  }
}

}  // namespace assay::core
