// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Results of queries, through the whole layer.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/queries/query_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

class QueryResults : public Queries {
 protected:
  QueryResults() {
    extensions_ = {"VK_KHR_performance_query",  "VK_INTEL_performance_query", "VK_KHR_video_queue",
                   "VK_KHR_video_decode_queue", "VK_KHR_video_decode_h264",   "VK_EXT_transform_feedback"};
  }
  void SetUp() override {
    ChangeProperties<VkPhysicalDevicePerformanceQueryPropertiesKHR>(
        [this](auto& limits) { limits.allowCommandBufferQueryCopies = may_copy_performance_; });
    Queries::SetUp();
  }
  // Queries that were reset.
  VkQueryPool Reset(VkQueryPool pool) {
    vk.ResetQueryPool(device, pool, 0, 4);
    return pool;
  }
  VkQueryPool Make(VkQueryType type, VkQueryPipelineStatisticFlags statistics = 0, const void* next = nullptr) {
    return Reset(MakePool(type, statistics, next));
  }
  VkQueryPool MakePerformance() { return Reset(Queries::MakePerformance(3)); }

  struct Range {
    uint32_t first = 0;
    uint32_t count = 4;
    VkDeviceSize stride = 4;
    VkQueryResultFlags flags = 0;
  };
  // What these calls break, or nothing if `rule` is empty; they return the message's text.
  std::string Copy(const char* rule, VkQueryPool pool, const Range& range, VkBuffer buffer, VkDeviceSize offset = 0) {
    Record([&](VkCommandBuffer c) {
      vk.CmdCopyQueryPoolResults(c, pool, range.first, range.count, buffer, offset, range.stride, range.flags);
    });
    return Expect("vkCmdCopyQueryPoolResults-", rule);
  }
  std::string Copy(const char* rule, VkQueryPool pool, const Range& range) {
    return Copy(rule, pool, range, MakeBuffer(4096));
  }
  // To memory that is aligned for all types.
  std::string Get(const char* rule, VkQueryPool pool, const Range& range, size_t size = 256, size_t offset = 0) {
    alignas(16) std::array<std::byte, 512> data;
    vk.GetQueryPoolResults(device, pool, range.first, range.count, size, data.data() + offset, range.stride,
                           range.flags);
    return Expect("vkGetQueryPoolResults-", rule);
  }
  std::string Both(const char* rule, VkQueryPool pool, const Range& range) {
    Get(rule, pool, range);
    return Copy(rule, pool, range);
  }
  std::string Expect(const std::string& owner, const std::string& rule) {
    SCOPED_TRACE(rule);
    std::string text;
    if (!rule.empty()) text = ExpectMessage("VUID-" + owner + rule).text;
    ExpectNothing();
    return text;
  }

  VkBool32 may_copy_performance_ = VK_TRUE;
};
class CopiedResults : public QueryResults {};
class GottenResults : public QueryResults {};

TEST_F(QueryResults, Queries) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  Both("", pool, {.first = 3, .count = 1});
  EXPECT_THAT(Both("firstQuery-09436", pool, {.first = 4, .count = 1}),
              HasSubstr("firstQuery (4) is not less than the number of queries of VkQueryPool "));
  Both("firstQuery-09437", pool, {.first = 3, .count = 2});
  Copy("firstQuery-09437", pool, {.first = 1, .count = ~0u});
  vk.ResetQueryPool(device, pool, 4, 1);
  ExpectMessage("VUID-vkResetQueryPool-firstQuery-09436");
  vk.ResetQueryPool(device, pool, 3, 2);
  ExpectMessage("VUID-vkResetQueryPool-firstQuery-09437");
}

TEST_F(CopiedResults, Buffer) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  VkBufferCreateInfo info = {.size = 64, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  const test::Buffer buffer = MakeBuffer(info);
  Copy("", pool, {.stride = 16}, buffer, 12);
  EXPECT_THAT(Copy("dstBuffer-00824", pool, {.stride = 16}, buffer, 16),
              HasSubstr("has 48 bytes from dstOffset (16) to its end, fewer than the 52 bytes that the results of 4 "
                        "queries have with a stride of 16."));
  Copy("dstOffset-00819", pool, {}, buffer, 64);
  Copy("dstBuffer-00824", pool, {.stride = VkDeviceSize{1} << 62}, buffer);
  Copy("dstBuffer-00825", pool, {}, MakeBuffer(64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT));
  Copy("dstBuffer-00826", pool, {}, MakeUnboundBuffer(info));
  info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
  Copy("", pool, {}, MakeUnboundBuffer(info));
}

// One query, to a buffer that has exactly its bytes, and to one with four less.
TEST_F(CopiedResults, Sizes) {
  constexpr VkQueryResultFlags k64 = VK_QUERY_RESULT_64_BIT, kAvailability = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  const auto copy = [&](VkQueryPool pool, VkQueryResultFlags flags, VkDeviceSize size) {
    const Range range = {.count = 1, .stride = 32, .flags = flags};
    Copy("", pool, range, MakeBuffer(size));
    Copy("dstBuffer-00824", pool, range, MakeBuffer(size - 4));
  };
  const VkQueryPool statistics =
      Make(VK_QUERY_TYPE_PIPELINE_STATISTICS, VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT |
                                                  VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |
                                                  VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT);
  copy(Make(VK_QUERY_TYPE_TIMESTAMP), k64, 8);
  copy(Make(VK_QUERY_TYPE_OCCLUSION), kAvailability, 8);
  copy(statistics, 0, 12);
  copy(statistics, k64 | kAvailability, 32);
  copy(Make(VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT), k64, 16);
  copy(MakePerformance(), 0, 24);
}

TEST_F(QueryResults, Flags) {
  const VkQueryPool timestamps = Make(VK_QUERY_TYPE_TIMESTAMP), samples = Make(VK_QUERY_TYPE_OCCLUSION);
  Copy("", samples, {.flags = VK_QUERY_RESULT_PARTIAL_BIT});
  Both("queryType-09439", timestamps, {.flags = VK_QUERY_RESULT_PARTIAL_BIT});
  Get("", timestamps, {.stride = 8, .flags = VK_QUERY_RESULT_64_BIT});
  const VkQueryPool performance = MakePerformance();
  Copy("", performance, {.stride = 24, .flags = VK_QUERY_RESULT_WAIT_BIT});
  for (const VkQueryResultFlags flag :
       {VK_QUERY_RESULT_WITH_AVAILABILITY_BIT, VK_QUERY_RESULT_PARTIAL_BIT, VK_QUERY_RESULT_64_BIT}) {
    Copy("queryType-09440", performance, {.stride = 24, .flags = flag});
  }
  Get("queryType-09440", performance, {.stride = 24, .flags = VK_QUERY_RESULT_PARTIAL_BIT});
}

TEST_F(QueryResults, Status) {
  const auto h264 = Typed(VkVideoDecodeH264ProfileInfoKHR());
  const auto profile = H264Profile(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, &h264);
  const VkQueryPool pool = Make(VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 0, &profile);
  Both("", pool, {.flags = VK_QUERY_RESULT_WITH_STATUS_BIT_KHR});
  Both("queryType-09442", pool, {});
}

TEST_F(CopiedResults, OfOtherTypes) {
  const auto intel = Of<VkQueryPoolPerformanceQueryCreateInfoINTEL>(VK_QUERY_POOL_SAMPLING_MODE_MANUAL_INTEL);
  Copy("queryType-02734", Make(VK_QUERY_TYPE_PERFORMANCE_QUERY_INTEL, 0, &intel), {});
}

TEST_F(CopiedResults, ActiveQueries) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  const test::Buffer buffer = MakeBuffer(64);
  Record([&](VkCommandBuffer c) {
    vk.CmdBeginQuery(c, pool, 2, 0);
    vk.CmdCopyQueryPoolResults(c, pool, 0, 2, buffer, 0, 4, 0);
    ExpectNothing();
    vk.CmdCopyQueryPoolResults(c, pool, 1, 2, buffer, 0, 4, 0);
    EXPECT_THAT(ExpectMessage("VUID-vkCmdCopyQueryPoolResults-None-07429").text,
                HasSubstr("query 2 was begun in this command buffer and not ended yet."));
    vk.CmdEndQuery(c, pool, 2);
    vk.CmdCopyQueryPoolResults(c, pool, 1, 2, buffer, 0, 4, 0);
    ExpectNothing();
  });
}

class NoPerformanceCopies : public QueryResults {
 protected:
  NoPerformanceCopies() { may_copy_performance_ = VK_FALSE; }
};

TEST_F(NoPerformanceCopies, AreReported) {
  Copy("queryType-03232", MakePerformance(), {.stride = 24});
  Copy("", Make(VK_QUERY_TYPE_OCCLUSION), {});
}

TEST_F(GottenResults, Uninitialized) {
  const VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_OCCLUSION, 4);
  Get("None-09401", pool, {});
  Record([&](VkCommandBuffer c) { vk.CmdResetQueryPool(c, pool, 0, 2); });
  Get("", pool, {.count = 2});
  EXPECT_THAT(Get("None-09401", pool, {.count = 3}), HasSubstr("of which nothing has reset query 2 since"));
}

TEST_F(GottenResults, Alignment) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  Get("", pool, {.stride = 12}, 256, 4);
  Get("flags-02828", pool, {.stride = 6});
  Get("flags-02828", pool, {}, 256, 2);
  Get("flags-00815", pool, {.stride = 12, .flags = VK_QUERY_RESULT_64_BIT});
  const VkQueryPool performance = MakePerformance();
  Get("", performance, {.stride = 32});
  Get("queryType-03229", performance, {.stride = 28});
}

TEST_F(GottenResults, Sizes) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  constexpr VkQueryResultFlags kAvailability = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  Get("", pool, {.stride = 8, .flags = kAvailability}, 32);
  Get("stride-08993", pool, {.stride = 4, .flags = kAvailability}, 32);
  Get("dataSize-00817", pool, {.stride = 8, .flags = kAvailability}, 28);
  Get("queryType-04519", MakePerformance(), {.stride = 16});
  // One query has no next one.
  Get("", pool, {.count = 1, .stride = 0, .flags = kAvailability}, 8);
}

}  // namespace
}  // namespace assay::core
