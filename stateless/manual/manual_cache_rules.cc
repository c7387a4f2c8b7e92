// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <span>

#include "absl/strings/str_cat.h"
#include "cache/cache.h"
#include "stateless/manual/manual_rules.h"
#include "vk/commands.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

using vk::Vuid;

// VkPipelineCache and VkValidationCacheEXT.
template <class C>
void CheckMergedCaches(const C& call, vk::VuidIndex vuid, const RuleContext& context) {
  // An invalid dstCache is an error of handles.
  if (call.dstCache == VK_NULL_HANDLE) return;
  const auto sources = Elements(call.pSrcCaches, call.srcCacheCount);
  const auto found = std::ranges::find(sources, call.dstCache);
  if (found == sources.end()) return;
  context.Report(vuid, {{"pSrcCaches", static_cast<uint32_t>(found - sources.begin())}}, "is dstCache.",
                 "Leave dstCache out of the source caches: it keeps what it has.");
}

void CheckMergedPipelineCaches(const vk::MergePipelineCaches& call, const RuleContext& context) {
  CheckMergedCaches(call, Vuid("VUID-vkMergePipelineCaches-dstCache-00770"), context);
}

void CheckMergedValidationCaches(const vk::MergeValidationCachesEXT& call, const RuleContext& context) {
  CheckMergedCaches(call, Vuid("VUID-vkMergeValidationCachesEXT-dstCache-01536"), context);
}

// Data of other software and of other builds is correct: it is ignored. Only what no vkGetValidationCacheDataEXT can
// have returned is an error.
void CheckValidationCache(const VkValidationCacheCreateInfoEXT& create, const RuleContext& context) {
  if (create.initialDataSize == 0 || !vk::IsAddress(create.pInitialData)) return;
  const cache::KeyData data = cache::ReadKeyData(
      {static_cast<const uint8_t*>(create.pInitialData), create.initialDataSize}, cache::UuidOfThisLibrary());
  const char* const fix = "Keep the data and its size as vkGetValidationCacheDataEXT returned them, or use none.";
  switch (data.state) {
    case cache::KeyDataState::kSound:
    case cache::KeyDataState::kForeign:
      return;
    case cache::KeyDataState::kOtherSize:
      context.Report(
          Vuid("VUID-VkValidationCacheCreateInfoEXT-initialDataSize-01534"), {{"initialDataSize"}},
          absl::StrCat("(", create.initialDataSize, ") is not the size of pInitialData when it was retrieved",
                       data.expected_bytes ? absl::StrCat(" (", *data.expected_bytes, ").") : "."),
          fix);
      return;
    case cache::KeyDataState::kNoHeader:
      context.Report(Vuid("VUID-VkValidationCacheCreateInfoEXT-initialDataSize-01535"), {{"pInitialData"}},
                     absl::StrCat("has initialDataSize (", create.initialDataSize,
                                  ") bytes that do not begin with the header of a validation cache."),
                     fix);
      return;
    case cache::KeyDataState::kDamaged:
      context.Report(Vuid("VUID-VkValidationCacheCreateInfoEXT-initialDataSize-01535"), {{"pInitialData"}},
                     "was changed since it was retrieved: its checksum is not that of its content.", fix);
      return;
  }
}

constexpr ManualRules kRules[] = {
    Manual<vk::MergePipelineCaches, CheckMergedPipelineCaches>("vkMergePipelineCaches"),
    Manual<vk::MergeValidationCachesEXT, CheckMergedValidationCaches>("vkMergeValidationCachesEXT"),
    Manual<VkValidationCacheCreateInfoEXT, CheckValidationCache>("VkValidationCacheCreateInfoEXT"),
};

}  // namespace

std::span<const ManualRules> ManualCacheRules() { return kRules; }

}  // namespace assay::stateless
