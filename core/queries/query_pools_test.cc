// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pools of performance queries, and of the feedback of video encoding.

#include <set>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/queries/query_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

class QueryPools : public Queries {
 protected:
  void SetUp() override {}
  void Start(const std::set<std::string>& without = {}) {
    driver().config().disabled_features = without;
    Create(features_.EnableAll(without));
    messages.Take();
  }
  void Make(std::string_view rule, VkQueryType type, const void* chain) {
    SCOPED_TRACE(rule);
    // The driver has four counters.
    using Ask = vk::EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR;
    driver().Observe<Ask>([](const Ask& call) { *call.pCounterCount = 4; });
    driver().FailNext<Ask>(VK_SUCCESS);
    const SkipCalls skip(*this);
    CreateOnce(vk.CreateQueryPool, vk.DestroyQueryPool, {.pNext = chain, .queryType = type, .queryCount = 4});
    ExpectAlone(rule.empty() ? "" : absl::StrCat("VUID-VkQueryPool", rule));
  }
};

TEST_F(QueryPools, Performance) {
  Start();
  constexpr auto kType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR;
  uint32_t index = 3;
  auto counters = Of<VkQueryPoolPerformanceCreateInfoKHR>(0, 1, &index);
  Make("", kType, &counters);
  index = 4;
  Make("PerformanceCreateInfoKHR-pCounterIndices-03321", kType, &counters);
  index = 3, counters.queueFamilyIndex = 3;
  Make("PerformanceCreateInfoKHR-queueFamilyIndex-03236", kType, &counters);
  counters.queueFamilyIndex = 0;
  Destroy();
  Start({"performanceCounterQueryPools", "performanceCounterMultipleQueryPools"});
  Make("PerformanceCreateInfoKHR-performanceCounterQueryPools-03237", kType, &counters);
}

TEST_F(QueryPools, EncodeFeedback) {
  Start();
  auto feedback =
      Of<VkQueryPoolVideoEncodeFeedbackCreateInfoKHR>(VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BUFFER_OFFSET_BIT_KHR);
  Make("CreateInfo-queryType-07133", VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR, &feedback);
  const auto codec = Typed(VkVideoEncodeH264ProfileInfoKHR());
  const auto profile = H264Profile(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, &codec);
  feedback.pNext = &profile;
  Make("", VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR, &feedback);
}

}  // namespace
}  // namespace assay::core
