// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The driver's interface to the Vulkan loader.

#include <algorithm>
#include <string_view>

#include "testing/mock_driver/entry_points.h"
#include "testing/mock_driver/icd.h"
#include "vk/command_info.h"

namespace assay::test {
namespace {

// Version 5: the driver accepts an apiVersion that is newer than its own.
constexpr uint32_t kInterfaceVersion = 5;

}  // namespace
}  // namespace assay::test

extern "C" {

VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version) {
  *version = std::min(*version, assay::test::kInterfaceVersion);
  return VK_SUCCESS;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance, const char* name) {
  std::string_view wanted = name;
  if (wanted == "vk_icdGetPhysicalDeviceProcAddr") {
    return reinterpret_cast<PFN_vkVoidFunction>(&vk_icdGetPhysicalDeviceProcAddr);
  }
  if (wanted == "vk_icdNegotiateLoaderICDInterfaceVersion") {
    return reinterpret_cast<PFN_vkVoidFunction>(&vk_icdNegotiateLoaderICDInterfaceVersion);
  }
  return assay::test::FindEntryPoint(wanted);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance, const char* name) {
  auto id = assay::vk::FindCommand(name);
  bool matches = id && assay::vk::GetCommandInfo(*id).dispatch == assay::vk::DispatchLevel::kPhysicalDevice;
  return matches ? assay::test::FindEntryPoint(name) : nullptr;
}

}  // extern "C"
