// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What pools of performance queries need. core/devices has the rules of their counters.

#include "core/queries/query_rules.h"
#include "vk/chain.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {

using messages::Location;
using vk::Vuid;

void QueryRules::PreCallValidate(const vk::CreateQueryPool& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const auto* const counters = vk::FindInChain<VkQueryPoolPerformanceCreateInfoKHR>(call.pCreateInfo->pNext);
  if (counters == nullptr || call.pCreateInfo->queryType != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR ||
      device_.HasFeature(vk::FeatureId::kPerformanceCounterQueryPools))
    return;
  const Location command = report.location();
  const Location info = command.Dot("pCreateInfo");
  report.Error(Vuid("VUID-VkQueryPoolPerformanceCreateInfoKHR-performanceCounterQueryPools-03237"),
               {messages::Object(call.device)}, info.Dot("queryType"),
               "is VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR, but the feature performanceCounterQueryPools is not enabled.");
}

}  // namespace assay::core
