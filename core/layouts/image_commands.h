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

// The commands that copy, blit, resolve and clear images, as far as their layouts go, in one form.
namespace assay::core {

// The subresources of one image that a command says the layout of. Refers to the command's parameters.
struct ImageOperand {
  VkImageSubresourceRange RangeAt(uint32_t i) const;

  VkImage image;
  VkImageLayout layout;
  // Breaks when the subresources are in another layout.
  vk::VuidIndex rule;
  // Where the layout is: the parameter that leads to the structure, if it is in one, and its own name.
  std::string_view parameter;
  std::string_view member;
  // An array of structures that have, at an offset in bytes, VkImageSubresourceLayers or a VkImageSubresourceRange.
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

}  // namespace assay::core

#endif  // ASSAY_CORE_LAYOUTS_IMAGE_COMMANDS_H_
