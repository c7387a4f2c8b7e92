// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <span>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/devices/device_rules.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/enum_to_string.h"

namespace assay::core {

using messages::Location;
using messages::Report;
using vk::Vuid;

DeviceRules::DeviceRules(const dispatch::Device& device, const VkDeviceCreateInfo& info) : device_(device) {
  const auto queues = state::Items(info.pQueueCreateInfos, info.queueCreateInfoCount);
  queues_.assign(queues.begin(), queues.end());
}

struct DeviceRules::QueueIds {
  vk::VuidIndex family;
  vk::VuidIndex flags;
  vk::VuidIndex index;
};

void DeviceRules::CheckQueue(const VkDeviceQueueInfo2& asked, const QueueIds& ids, const Location& where,
                             Report& report) const {
  const auto is_of_family = [&](const auto& queue) { return queue.queueFamilyIndex == asked.queueFamilyIndex; };
  const auto fits = [&](const auto& queue) { return is_of_family(queue) && queue.flags == asked.flags; };
  const auto error = [&](vk::VuidIndex id, std::string_view member, uint32_t value, std::string_view text) {
    report.Error(id, {messages::Object(device_.handle)}, where.Dot(member), absl::StrCat("(", value, ") ", text));
  };
  const auto found = std::ranges::find_if(queues_, fits);
  if (found != queues_.end()) {
    if (asked.queueIndex >= found->queueCount)
      error(ids.index, "queueIndex", asked.queueIndex,
            absl::StrCat("is not less than the number of queues with which the device was created (", found->queueCount,
                         ")."));
  } else if (std::ranges::any_of(queues_, is_of_family)) {
    error(ids.flags, "queueFamilyIndex", asked.queueFamilyIndex,
          absl::StrCat("is of queues that were created with other flags than ", asked.flags, "."));
  } else {
    error(ids.family, "queueFamilyIndex", asked.queueFamilyIndex,
          "is no family of pQueueCreateInfos at vkCreateDevice().");
  }
}

void DeviceRules::PreCallValidate(const vk::GetDeviceQueue& call, Report& report) const {
  CheckQueue({.queueFamilyIndex = call.queueFamilyIndex, .queueIndex = call.queueIndex},
             {Vuid("VUID-vkGetDeviceQueue-queueFamilyIndex-00384"), Vuid("VUID-vkGetDeviceQueue-flags-01841"),
              Vuid("VUID-vkGetDeviceQueue-queueIndex-00385")},
             report.location(), report);
}

void DeviceRules::PreCallValidate(const vk::GetDeviceQueue2& call, Report& report) const {
  if (call.pQueueInfo == nullptr) return;
  CheckQueue(*call.pQueueInfo,
             {Vuid("VUID-VkDeviceQueueInfo2-queueFamilyIndex-01842"), Vuid("VUID-VkDeviceQueueInfo2-flags-06225"),
              Vuid("VUID-VkDeviceQueueInfo2-queueIndex-01843")},
             report.location().Dot("pQueueInfo"), report);
}

void DeviceRules::PreCallValidate(const vk::GetCalibratedTimestampsKHR& call, Report& report) const {
  const auto asked = state::Items(call.pTimestampInfos, call.timestampCount);
  const auto get = dispatch::Next<vk::GetPhysicalDeviceCalibrateableTimeDomainsKHR>(device_.instance.next);
  const VkPhysicalDevice physical_device = device_.physical_device->handle;
  uint32_t count = 0;
  std::vector<VkTimeDomainKHR> domains;
  if (get != nullptr && get(physical_device, &count, nullptr) == VK_SUCCESS) {
    domains.resize(count);
    if (get(physical_device, &count, domains.data()) != VK_SUCCESS) domains.clear();
  }
  for (uint32_t i = 0; i < asked.size(); ++i) {
    const VkTimeDomainKHR domain = asked[i].timeDomain;
    const auto error = [&](vk::VuidIndex id, std::string_view text) {
      report.Error(id, {messages::Object(call.device)}, report.location().Dot("pTimestampInfos", i).Dot("timeDomain"),
                   absl::StrCat("(", vk::ToString(domain), ") ", text));
    };
    if (!domains.empty() && std::ranges::count(domains, domain) == 0) {
      error(Vuid("VUID-VkCalibratedTimestampInfoKHR-timeDomain-02354"), "is none of the physical device's domains.");
    } else if (std::ranges::count(asked.subspan(0, i), domain, &VkCalibratedTimestampInfoKHR::timeDomain) != 0) {
      error(Vuid("VUID-vkGetCalibratedTimestampsKHR-timeDomain-09246"), "is that of an earlier element, too.");
    }
  }
}

void DeviceRules::PreCallValidate(const vk::CreateQueryPool& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const auto* const info = vk::FindInChain<VkQueryPoolPerformanceCreateInfoKHR>(call.pCreateInfo->pNext);
  if (info == nullptr || call.pCreateInfo->queryType != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR) return;
  const auto error = [&](vk::VuidIndex id, std::string_view member, uint32_t value, std::string_view what,
                         size_t count) {
    report.Error(id, {messages::Object(call.device)},
                 report.location().Dot("pCreateInfo").Next("VkQueryPoolPerformanceCreateInfoKHR", member),
                 absl::StrCat("(", value, ") is not less than the number of ", what, " (", count, ")."));
  };
  const size_t families = device_.physical_device->queue_families.size();
  if (info->queueFamilyIndex >= families) {
    return error(Vuid("VUID-VkQueryPoolPerformanceCreateInfoKHR-queueFamilyIndex-03236"), "queueFamilyIndex",
                 info->queueFamilyIndex, "queue families", families);
  }
  using Counters = vk::EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR;
  const auto get = dispatch::Next<Counters>(device_.instance.next);
  uint32_t count = 0;
  const VkPhysicalDevice device = device_.physical_device->handle;
  if (get == nullptr || get(device, info->queueFamilyIndex, &count, nullptr, nullptr) != VK_SUCCESS || count == 0)
    return;
  for (const uint32_t counter : state::Items(info->pCounterIndices, info->counterIndexCount)) {
    if (counter >= count)
      error(Vuid("VUID-VkQueryPoolPerformanceCreateInfoKHR-pCounterIndices-03321"), "pCounterIndices", counter,
            "counters", count);
  }
}

void DeviceRules::PreCallValidate(const vk::CmdSetPerformanceStreamMarkerINTEL& call, Report& report) const {
  if (call.pMarkerInfo == nullptr || !dispatch::HasNext<vk::GetPerformanceParameterINTEL>(device_)) return;
  VkPerformanceValueINTEL bits = {};
  const vk::GetPerformanceParameterINTEL get = {device_.handle,
                                                VK_PERFORMANCE_PARAMETER_TYPE_STREAM_MARKER_VALID_BITS_INTEL, &bits};
  if (dispatch::CallNext(device_, get) != VK_SUCCESS || bits.type != VK_PERFORMANCE_VALUE_TYPE_UINT32_INTEL) return;
  const uint32_t count = bits.data.value32;
  if (count == 0 || count >= 32 || call.pMarkerInfo->marker >> count == 0) return;
  report.Error(Vuid("VUID-VkPerformanceStreamMarkerInfoINTEL-marker-02735"), {messages::Object(call.commandBuffer)},
               report.location().Dot("pMarkerInfo").Dot("marker"),
               absl::StrCat("(", call.pMarkerInfo->marker, ") has more bits than are valid (", count, ")."));
}

}  // namespace assay::core
