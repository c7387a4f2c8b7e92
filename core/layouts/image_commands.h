// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LAYOUTS_IMAGE_COMMANDS_H_
#define ASSAY_CORE_LAYOUTS_IMAGE_COMMANDS_H_

#include <cstdint>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "vk/commands.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Commands that copy, blit, resolve and clear images, also those of the host, with their layouts in one form.
namespace assay::core {

// The subresources of one image that a command says the layout of. Refers to the command's parameters.
struct ImageOperand {
  VkImageSubresourceRange RangeAt(uint32_t i) const;

  VkImage image;
  VkImageLayout layout;
  // The rule that is violated if the subresources are in another layout.
  vk::VuidIndex rule;
  // The place of the layout: the parameter that leads to its structure, if any, and its own name.
  std::string_view parameter;
  std::string_view member;
  // An array of count structures. Each has, at offset, a VkImageSubresourceLayers or, with has_ranges, a
  // VkImageSubresourceRange. stride and offset are in bytes.
  const void* regions = nullptr;
  uint32_t count = 0;
  uint32_t stride = 0;
  uint32_t offset = 0;
  bool has_ranges = false;
};
using ImageOperands = absl::InlinedVector<ImageOperand, 2>;

ImageOperands OperandsOf(const vk::CmdCopyImage& call);
ImageOperands OperandsOf(const vk::CmdCopyImage2& call);
ImageOperands OperandsOf(const vk::CmdBlitImage& call);
ImageOperands OperandsOf(const vk::CmdBlitImage2& call);
ImageOperands OperandsOf(const vk::CmdResolveImage& call);
ImageOperands OperandsOf(const vk::CmdResolveImage2& call);
ImageOperands OperandsOf(const vk::CmdCopyBufferToImage& call);
ImageOperands OperandsOf(const vk::CmdCopyBufferToImage2& call);
ImageOperands OperandsOf(const vk::CmdCopyImageToBuffer& call);
ImageOperands OperandsOf(const vk::CmdCopyImageToBuffer2& call);
ImageOperands OperandsOf(const vk::CmdClearColorImage& call);
ImageOperands OperandsOf(const vk::CmdClearDepthStencilImage& call);
ImageOperands OperandsOf(const vk::CmdCopyMemoryToImageIndirectNV& call);
ImageOperands OperandsOf(const vk::CopyMemoryToImage& call);
ImageOperands OperandsOf(const vk::CopyImageToMemory& call);
ImageOperands OperandsOf(const vk::CopyImageToImage& call);

}  // namespace assay::core

#endif  // ASSAY_CORE_LAYOUTS_IMAGE_COMMANDS_H_
