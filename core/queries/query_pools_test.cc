// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pools of performance queries, and of the feedback of video encoding.

#include <set>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

class QueryPools : public test::ValidationTest {
 protected:
  void SetUp() override {}
  void Start(const std::set<std::string>& without = {}) {
    driver().config().disabled_features = without;
    Create(features_.EnableAll(without));
    messages.Take();
  }
  void Make(std::string_view rule, VkQueryType type, const void* chain) {
    SCOPED_TRACE(rule);
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .pNext = chain, .queryType = type, .queryCount = 4};
    // The driver has four counters.
    using Ask = vk::EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR;
    driver().Observe<Ask>([](const Ask& call) { *call.pCounterCount = 4; });
    driver().FailNext<Ask>(VK_SUCCESS);
    const SkipCalls skip(*this);
    CreateOnce(vk.CreateQueryPool, vk.DestroyQueryPool, info);
    ExpectAlone(rule.empty() ? "" : absl::StrCat("VUID-VkQueryPool", rule));
  }
  test::ExtensionFeatures features_;
};

TEST_F(QueryPools, Performance) {
  Start();
  constexpr auto kType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR;
  uint32_t index = 3;
  VkQueryPoolPerformanceCreateInfoKHR counters = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
                                                  .counterIndexCount = 1,
                                                  .pCounterIndices = &index};
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
  VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
      VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR, nullptr,
      VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BUFFER_OFFSET_BIT_KHR};
  Make("CreateInfo-queryType-07133", VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR, &feedback);
  VkVideoEncodeH264ProfileInfoKHR codec = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR};
  const VkVideoProfileInfoKHR profile = {
      VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,     &codec,
      VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
      VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,       VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
  feedback.pNext = &profile;
  Make("", VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR, &feedback);
}

}  // namespace
}  // namespace assay::core
