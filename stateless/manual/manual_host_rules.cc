// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about the application's own functions and memory.

#include <cstdint>

#include "stateless/manual/manual_rules.h"
#include "vk/commands.h"

namespace assay::stateless {
namespace {

using vk::Vuid;

void CheckAllocationCallbacks(const VkAllocationCallbacks& callbacks, const RuleContext& context) {
  const auto require = [&](bool has_function, vk::VuidIndex rule, std::string_view member) {
    if (!has_function) context.Report(rule, {{member}}, "is NULL.", "Name a function.");
  };
  require(callbacks.pfnAllocation != nullptr, Vuid("VUID-VkAllocationCallbacks-pfnAllocation-00632"), "pfnAllocation");
  require(callbacks.pfnReallocation != nullptr, Vuid("VUID-VkAllocationCallbacks-pfnReallocation-00633"),
          "pfnReallocation");
  require(callbacks.pfnFree != nullptr, Vuid("VUID-VkAllocationCallbacks-pfnFree-00634"), "pfnFree");
  const bool has_internal = callbacks.pfnInternalAllocation != nullptr;
  if (has_internal == (callbacks.pfnInternalFree != nullptr)) return;
  context.Report(Vuid("VUID-VkAllocationCallbacks-pfnInternalAllocation-00635"),
                 {{has_internal ? "pfnInternalFree" : "pfnInternalAllocation"}},
                 has_internal ? "is NULL, but pfnInternalAllocation is not." : "is NULL, but pfnInternalFree is not.",
                 "Name both functions, or none.");
}

void CheckBinaryData(const vk::GetShaderBinaryDataEXT& call, const RuleContext& context) {
  if (reinterpret_cast<uintptr_t>(call.pData) % 16 == 0) return;
  context.Report(Vuid("VUID-vkGetShaderBinaryDataEXT-None-08499"), {{"pData"}}, "is not aligned to 16 bytes.",
                 "Allocate the memory with an alignment of 16.");
}

// Arrays that the driver fills. Those that are null ask for nothing.
void CheckFaultInfo(const vk::GetDeviceFaultInfoEXT& call, const RuleContext& context) {
  if (!vk::IsAddress(call.pFaultCounts) || !vk::IsAddress(call.pFaultInfo)) return;
  const auto check = [&](uint64_t count, const void* array, vk::VuidIndex rule, std::string_view member) {
    if (count == 0 || array == nullptr || vk::IsAddress(array)) return;
    context.Report(rule, {{"pFaultInfo"}, {member}}, "is no valid pointer.", "Name an array, or NULL.");
  };
  const VkDeviceFaultCountsEXT& counts = *call.pFaultCounts;
  check(counts.addressInfoCount, call.pFaultInfo->pAddressInfos,
        Vuid("VUID-vkGetDeviceFaultInfoEXT-pFaultCounts-07337"), "pAddressInfos");
  check(counts.vendorInfoCount, call.pFaultInfo->pVendorInfos, Vuid("VUID-vkGetDeviceFaultInfoEXT-pFaultCounts-07338"),
        "pVendorInfos");
  check(counts.vendorBinarySize, call.pFaultInfo->pVendorBinaryData,
        Vuid("VUID-vkGetDeviceFaultInfoEXT-pFaultCounts-07339"), "pVendorBinaryData");
}

constexpr ManualRules kRules[] = {
    Manual<VkAllocationCallbacks, CheckAllocationCallbacks>("VkAllocationCallbacks"),
    Manual<vk::GetDeviceFaultInfoEXT, CheckFaultInfo>("vkGetDeviceFaultInfoEXT"),
    Manual<vk::GetShaderBinaryDataEXT, CheckBinaryData>("vkGetShaderBinaryDataEXT"),
};

}  // namespace

std::span<const ManualRules> ManualHostRules() { return kRules; }

}  // namespace assay::stateless
