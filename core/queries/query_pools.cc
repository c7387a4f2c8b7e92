// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What pools of queries are created with.

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/queries/query_rules.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::Vuid;

// How many counters the queue family has; nothing if it is not known.
uint32_t CountersOf(const dispatch::Device& device, uint32_t family) {
  const auto ask =
      dispatch::Next<vk::EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR>(device.instance.next);
  uint32_t count = 0;
  if (ask != nullptr) ask(device.physical_device->handle, family, &count, nullptr, nullptr);
  return count;
}

}  // namespace

void QueryRules::PreCallValidate(const vk::CreateQueryPool& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const Location command = report.location();
  const Location info = command.Dot("pCreateInfo");
  const auto require = [&](bool holds, vk::VuidIndex rule, const Location& where, std::string text) {
    if (!holds) report.Error(rule, {messages::Object(call.device)}, where, std::move(text));
  };
  const void* const chain = call.pCreateInfo->pNext;
  if (call.pCreateInfo->queryType == VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR) {
    const auto* const profile = vk::FindInChain<VkVideoProfileInfoKHR>(chain);
    const std::string_view operation =
        profile != nullptr ? vk::EnumName(vk::EnumId::kVideoCodecOperationFlagBitsKHR, profile->videoCodecOperation)
                           : "";
    require(profile != nullptr && !absl::StrContains(operation, "_DECODE_"),
            Vuid("VUID-VkQueryPoolCreateInfo-queryType-07133"), info.Dot("pNext"),
            "has no VkVideoProfileInfoKHR of an encode operation.");
  }
  const auto* const counters = vk::FindInChain<VkQueryPoolPerformanceCreateInfoKHR>(chain);
  if (counters == nullptr || call.pCreateInfo->queryType != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR) return;
  const Location where = info.Next("VkQueryPoolPerformanceCreateInfoKHR");
  require(device_.HasFeature(vk::FeatureId::kPerformanceCounterQueryPools),
          Vuid("VUID-VkQueryPoolPerformanceCreateInfoKHR-performanceCounterQueryPools-03237"), info.Dot("queryType"),
          "is VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR, but the feature performanceCounterQueryPools is not enabled.");
  const size_t families = device_.physical_device->queue_families.size();
  if (counters->queueFamilyIndex >= families) {
    return require(families == 0, Vuid("VUID-VkQueryPoolPerformanceCreateInfoKHR-queueFamilyIndex-03236"),
                   where.Dot("queueFamilyIndex"),
                   absl::StrCat("(", counters->queueFamilyIndex, ") is not less than the number of queue families (",
                                families, ")."));
  }
  const uint32_t count = CountersOf(device_, counters->queueFamilyIndex);
  for (uint32_t i = 0; i < state::Items(counters->pCounterIndices, counters->counterIndexCount).size(); ++i) {
    const uint32_t index = counters->pCounterIndices[i];
    require(count == 0 || index < count, Vuid("VUID-VkQueryPoolPerformanceCreateInfoKHR-pCounterIndices-03321"),
            where.Dot("pCounterIndices", i),
            absl::StrCat("(", index, ") is not one of the ", count, " counters of the queue family."));
  }
}

}  // namespace assay::core
