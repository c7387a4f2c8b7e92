// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_MEMORY_MEMORY_REQUIREMENTS_H_
#define ASSAY_CORE_MEMORY_MEMORY_REQUIREMENTS_H_

// What the driver requires of the memory of a buffer or an image. It is asked where memory is bound or dedicated, once
// for each.

#include "core/memory/memory_facts.h"
#include "dispatch/dispatch.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::core {

// All zero if the driver must not be asked: of disjoint images as a whole, and of images whose requirements are known
// when they are bound.
struct Requirements {
  VkMemoryRequirements memory = {};
  bool is_dedicated = false;
};
Requirements RequirementsOf(const dispatch::Device& device, VkBuffer buffer);
// `plane`: of a disjoint image.
Requirements RequirementsOf(const dispatch::Device& device, const state::Image& image, const ResourceFacts& facts,
                            VkImageAspectFlagBits plane = VK_IMAGE_ASPECT_NONE);

inline constexpr VkExternalMemoryHandleTypeFlags kHardwareBuffer =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID;
// What is defined as an NT handle or a global share handle.
inline constexpr VkExternalMemoryHandleTypeFlags kWin32Handles =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT | VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT_BIT |
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_TEXTURE_BIT | VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_TEXTURE_KMT_BIT |
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP_BIT | VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE_BIT;
inline constexpr VkExternalMemoryHandleTypeFlags kScreenBuffer = VK_EXTERNAL_MEMORY_HANDLE_TYPE_SCREEN_BUFFER_BIT_QNX;

// Whether the image has planes: those of a multi-planar format or, with a DRM format modifier, memory planes.
bool HasPlanes(const VkImageCreateInfo& image);
// Whether the aspect is one of the planes. True if there are none. How many a modifier has is not known here.
bool IsPlane(const VkImageCreateInfo& image, VkImageAspectFlags aspect);

}  // namespace assay::core

#endif  // ASSAY_CORE_MEMORY_MEMORY_REQUIREMENTS_H_
