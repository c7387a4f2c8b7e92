// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "gtest/gtest.h"
#include "stateless/manual/manual_rules_test.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

TEST(NegativeManualHostRules, AllocationCallbacks) {
  using Callbacks = VkAllocationCallbacks;
  const Callbacks correct = {
      .pfnAllocation = [](void*, size_t size, size_t, VkSystemAllocationScope) { return std::malloc(size); },
      .pfnReallocation = [](void*, void* old, size_t size, size_t,
                            VkSystemAllocationScope) { return std::realloc(old, size); },
      .pfnFree = [](void*, void* memory) { std::free(memory); }};
  static constexpr auto kInternal = [](void*, size_t, VkInternalAllocationType, VkSystemAllocationScope) {};
  TryAll<Callbacks>("VkAllocationCallbacks", correct,
                    {{"pfnAllocation-00632", [](Callbacks& c) { c.pfnAllocation = nullptr; }},
                     {"pfnReallocation-00633", [](Callbacks& c) { c.pfnReallocation = nullptr; }},
                     {"pfnFree-00634", [](Callbacks& c) { c.pfnFree = nullptr; }},
                     {"pfnInternalAllocation-00635", [](Callbacks& c) { c.pfnInternalAllocation = kInternal; }},
                     {"pfnInternalAllocation-00635", [](Callbacks& c) { c.pfnInternalFree = kInternal; }}});
}

TEST(NegativeManualHostRules, FaultInfo) {
  static VkDeviceFaultCountsEXT counts = {VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT, nullptr, 1, 1, 1};
  static VkDeviceFaultInfoEXT correct = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT}, infos[3];
  std::ranges::fill(infos, correct);
  infos[0].pAddressInfos = reinterpret_cast<VkDeviceFaultAddressInfoEXT*>(8);
  infos[1].pVendorInfos = reinterpret_cast<VkDeviceFaultVendorInfoEXT*>(8);
  infos[2].pVendorBinaryData = reinterpret_cast<void*>(8);
  using Call = vk::GetDeviceFaultInfoEXT;
  TryAll<Call>({nullptr, &counts, &correct}, {{"pFaultCounts-07337", [](Call& c) { c.pFaultInfo = &infos[0]; }},
                                              {"pFaultCounts-07338", [](Call& c) { c.pFaultInfo = &infos[1]; }},
                                              {"pFaultCounts-07339", [](Call& c) { c.pFaultInfo = &infos[2]; }}});
}

TEST(NegativeManualHostRules, ShaderBinaryData) {
  alignas(16) static std::byte data[64];
  static size_t size = 32;
  using Call = vk::GetShaderBinaryDataEXT;
  TryAll<Call>({.pDataSize = &size, .pData = data}, {{"None-08499", [](Call& c) { c.pData = data + 8; }}});
}

}  // namespace
}  // namespace assay::stateless
