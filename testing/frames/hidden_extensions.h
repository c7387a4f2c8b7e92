// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_FRAMES_HIDDEN_EXTENSIONS_H_
#define ASSAY_TESTING_FRAMES_HIDDEN_EXTENSIONS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "vk/vulkan.h"

namespace assay::test {

// The environment variable with extensions that the device seems not to have, such as "VK_EXT_a,VK_EXT_b": a program
// then takes the way that it has for other devices.
constexpr const char* kHiddenExtensionsVariable = "ASSAY_FRAMES_HIDDEN_EXTENSIONS";

// The extensions that the list does not have.
std::vector<VkExtensionProperties> WithoutHidden(std::span<const VkExtensionProperties> extensions,
                                                 std::string_view hidden);

// What vkEnumerateDeviceExtensionProperties gives for these extensions: their number, or as many as there is room for.
VkResult Enumerate(std::span<const VkExtensionProperties> extensions, uint32_t* count,
                   VkExtensionProperties* properties);

}  // namespace assay::test

#endif  // ASSAY_TESTING_FRAMES_HIDDEN_EXTENSIONS_H_
