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

constexpr ManualRules kRules[] = {
    Manual<VkAllocationCallbacks, CheckAllocationCallbacks>("VkAllocationCallbacks"),
    Manual<vk::GetShaderBinaryDataEXT, CheckBinaryData>("vkGetShaderBinaryDataEXT"),
};

}  // namespace

std::span<const ManualRules> ManualHostRules() { return kRules; }

}  // namespace assay::stateless
