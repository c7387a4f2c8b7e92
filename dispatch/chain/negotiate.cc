// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/chain/negotiate.h"

#include "dispatch/chain/intercept_table.h"
#include "dispatch/chain/proc_addr.h"

namespace assay::dispatch {

VkResult NegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  constexpr uint32_t kVersion = 2;
  if (version == nullptr || version->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
      version->loaderLayerInterfaceVersion < kVersion) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  version->loaderLayerInterfaceVersion = kVersion;
  version->pfnGetInstanceProcAddr =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(EntryPointOf(vk::CommandId::kGetInstanceProcAddr));
  version->pfnGetDeviceProcAddr =
      reinterpret_cast<PFN_vkGetDeviceProcAddr>(EntryPointOf(vk::CommandId::kGetDeviceProcAddr));
  version->pfnGetPhysicalDeviceProcAddr = &GetPhysicalDeviceProcAddr;
  return VK_SUCCESS;
}

}  // namespace assay::dispatch
