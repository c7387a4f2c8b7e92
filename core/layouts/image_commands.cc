// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/layouts/image_commands.h"

#include <cstddef>
#include <type_traits>

namespace assay::core {
namespace {

// One operand, by a member of the regions of a command, or of the structure that a parameter leads to.
template <class Region>
ImageOperand Operand(ImageOperand operand, const Region* regions, uint32_t count, size_t offset) {
  operand.regions = regions;
  operand.count = regions != nullptr ? count : 0;
  operand.stride = sizeof(Region);
  operand.offset = static_cast<uint32_t>(offset);
  return operand;
}

template <class C>
ImageOperands Both(const C& c, std::string_view parameter, vk::VuidIndex src, vk::VuidIndex dst) {
  using Region = std::remove_cvref_t<decltype(*c.pRegions)>;
  return {Operand({c.srcImage, c.srcImageLayout, src, parameter, "srcImageLayout"}, c.pRegions, c.regionCount,
                  offsetof(Region, srcSubresource)),
          Operand({c.dstImage, c.dstImageLayout, dst, parameter, "dstImageLayout"}, c.pRegions, c.regionCount,
                  offsetof(Region, dstSubresource))};
}
template <class C>
ImageOperands Target(const C& c, std::string_view parameter, vk::VuidIndex rule) {
  using Region = std::remove_cvref_t<decltype(*c.pRegions)>;
  return {Operand({c.dstImage, c.dstImageLayout, rule, parameter, "dstImageLayout"}, c.pRegions, c.regionCount,
                  offsetof(Region, imageSubresource))};
}
template <class C>
ImageOperands Source(const C& c, std::string_view parameter, vk::VuidIndex rule) {
  using Region = std::remove_cvref_t<decltype(*c.pRegions)>;
  return {Operand({c.srcImage, c.srcImageLayout, rule, parameter, "srcImageLayout"}, c.pRegions, c.regionCount,
                  offsetof(Region, imageSubresource))};
}
template <class C>
ImageOperands Cleared(const C& c, vk::VuidIndex rule) {
  ImageOperand operand = Operand({c.image, c.imageLayout, rule, {}, "imageLayout"}, c.pRanges, c.rangeCount, 0);
  operand.has_ranges = true;
  return {operand};
}

}  // namespace

VkImageSubresourceRange ImageOperand::RangeAt(uint32_t i) const {
  const char* const at = static_cast<const char*>(regions) + size_t{i} * stride + offset;
  if (has_ranges) return *reinterpret_cast<const VkImageSubresourceRange*>(at);
  const auto& layers = *reinterpret_cast<const VkImageSubresourceLayers*>(at);
  return {layers.aspectMask, layers.mipLevel, 1, layers.baseArrayLayer, layers.layerCount};
}

ImageOperands OperandsOf(const vk::CmdCopyImage& call) {
  return Both(call, {}, vk::Vuid("VUID-vkCmdCopyImage-srcImageLayout-00128"),
              vk::Vuid("VUID-vkCmdCopyImage-dstImageLayout-00133"));
}
ImageOperands OperandsOf(const vk::CmdCopyImage2& call) {
  if (call.pCopyImageInfo == nullptr) return {};
  return Both(*call.pCopyImageInfo, "pCopyImageInfo", vk::Vuid("VUID-VkCopyImageInfo2-srcImageLayout-00128"),
              vk::Vuid("VUID-VkCopyImageInfo2-dstImageLayout-00133"));
}
ImageOperands OperandsOf(const vk::CmdBlitImage& call) {
  return Both(call, {}, vk::Vuid("VUID-vkCmdBlitImage-srcImageLayout-00221"),
              vk::Vuid("VUID-vkCmdBlitImage-dstImageLayout-00226"));
}
ImageOperands OperandsOf(const vk::CmdBlitImage2& call) {
  if (call.pBlitImageInfo == nullptr) return {};
  return Both(*call.pBlitImageInfo, "pBlitImageInfo", vk::Vuid("VUID-VkBlitImageInfo2-srcImageLayout-00221"),
              vk::Vuid("VUID-VkBlitImageInfo2-dstImageLayout-00226"));
}
ImageOperands OperandsOf(const vk::CmdResolveImage& call) {
  return Both(call, {}, vk::Vuid("VUID-vkCmdResolveImage-srcImageLayout-00260"),
              vk::Vuid("VUID-vkCmdResolveImage-dstImageLayout-00262"));
}
ImageOperands OperandsOf(const vk::CmdResolveImage2& call) {
  if (call.pResolveImageInfo == nullptr) return {};
  return Both(*call.pResolveImageInfo, "pResolveImageInfo", vk::Vuid("VUID-VkResolveImageInfo2-srcImageLayout-00260"),
              vk::Vuid("VUID-VkResolveImageInfo2-dstImageLayout-00262"));
}
ImageOperands OperandsOf(const vk::CmdCopyBufferToImage& call) {
  return Target(call, {}, vk::Vuid("VUID-vkCmdCopyBufferToImage-dstImageLayout-00180"));
}
ImageOperands OperandsOf(const vk::CmdCopyBufferToImage2& call) {
  if (call.pCopyBufferToImageInfo == nullptr) return {};
  return Target(*call.pCopyBufferToImageInfo, "pCopyBufferToImageInfo",
                vk::Vuid("VUID-VkCopyBufferToImageInfo2-dstImageLayout-00180"));
}
ImageOperands OperandsOf(const vk::CmdCopyImageToBuffer& call) {
  return Source(call, {}, vk::Vuid("VUID-vkCmdCopyImageToBuffer-srcImageLayout-00189"));
}
ImageOperands OperandsOf(const vk::CmdCopyImageToBuffer2& call) {
  if (call.pCopyImageToBufferInfo == nullptr) return {};
  return Source(*call.pCopyImageToBufferInfo, "pCopyImageToBufferInfo",
                vk::Vuid("VUID-VkCopyImageToBufferInfo2-srcImageLayout-00189"));
}
ImageOperands OperandsOf(const vk::CmdClearColorImage& call) {
  return Cleared(call, vk::Vuid("VUID-vkCmdClearColorImage-imageLayout-00004"));
}
ImageOperands OperandsOf(const vk::CmdClearDepthStencilImage& call) {
  return Cleared(call, vk::Vuid("VUID-vkCmdClearDepthStencilImage-imageLayout-00011"));
}
ImageOperands OperandsOf(const vk::CmdCopyMemoryToImageIndirectNV& call) {
  return {Operand({call.dstImage,
                   call.dstImageLayout,
                   vk::Vuid("VUID-vkCmdCopyMemoryToImageIndirectNV-dstImageLayout-07667"),
                   {},
                   "dstImageLayout"},
                  call.pImageSubresources, call.copyCount, 0)};
}
ImageOperands OperandsOf(const vk::CopyMemoryToImage& call) {
  if (call.pCopyMemoryToImageInfo == nullptr) return {};
  return Target(*call.pCopyMemoryToImageInfo, "pCopyMemoryToImageInfo",
                vk::Vuid("VUID-VkCopyMemoryToImageInfo-dstImageLayout-09059"));
}
ImageOperands OperandsOf(const vk::CopyImageToMemory& call) {
  if (call.pCopyImageToMemoryInfo == nullptr) return {};
  return Source(*call.pCopyImageToMemoryInfo, "pCopyImageToMemoryInfo",
                vk::Vuid("VUID-VkCopyImageToMemoryInfo-srcImageLayout-09064"));
}
ImageOperands OperandsOf(const vk::CopyImageToImage& call) {
  if (call.pCopyImageToImageInfo == nullptr) return {};
  return Both(*call.pCopyImageToImageInfo, "pCopyImageToImageInfo",
              vk::Vuid("VUID-VkCopyImageToImageInfo-srcImageLayout-09070"),
              vk::Vuid("VUID-VkCopyImageToImageInfo-dstImageLayout-09071"));
}

}  // namespace assay::core
