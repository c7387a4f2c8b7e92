// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Results of queries, through the whole layer.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

class QueryResults : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.device_extensions = {VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME, VK_INTEL_PERFORMANCE_QUERY_EXTENSION_NAME,
                                  VK_KHR_VIDEO_QUEUE_EXTENSION_NAME, VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME,
                                  VK_KHR_VIDEO_DECODE_H264_EXTENSION_NAME, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME},
            .settings = {{"validate_sync", false}},
            .features = &features_};
  }
  void SetUp() override {
    driver().config().adjust_properties = [this](VkBaseOutStructure* properties) {
      if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_PROPERTIES_KHR) return;
      reinterpret_cast<VkPhysicalDevicePerformanceQueryPropertiesKHR*>(properties)->allowCommandBufferQueryCopies =
          may_copy_performance_;
    };
    ValidationTest::SetUp();
  }
  // Four queries that were reset.
  VkQueryPool Make(VkQueryType type, VkQueryPipelineStatisticFlags statistics = 0) {
    const VkQueryPool pool = MakeQueryPool(type, 4, statistics);
    vk.ResetQueryPool(device, pool, 0, 4);
    return pool;
  }
  VkQueryPool MakePerformance() {
    static constexpr std::array<uint32_t, 3> kCounters = {0, 1, 2};
    const VkQueryPoolPerformanceCreateInfoKHR counters = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
        .counterIndexCount = kCounters.size(),
        .pCounterIndices = kCounters.data()};
    return Make(VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR, &counters);
  }
  VkQueryPool Make(VkQueryType type, const void* next) {
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .pNext = next, .queryType = type, .queryCount = 4};
    VkQueryPool pool = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
    Defer(pool, [=, this] { vk.DestroyQueryPool(device, pool, nullptr); });
    vk.ResetQueryPool(device, pool, 0, 4);
    return pool;
  }

  struct Range {
    uint32_t first = 0;
    uint32_t count = 4;
    VkDeviceSize stride = 4;
    VkQueryResultFlags flags = 0;
  };
  void Copy(VkQueryPool pool, const Range& range, VkBuffer buffer, VkDeviceSize offset = 0) {
    Record([&](VkCommandBuffer c) {
      vk.CmdCopyQueryPoolResults(c, pool, range.first, range.count, buffer, offset, range.stride, range.flags);
    });
  }
  void Copy(VkQueryPool pool, const Range& range) { Copy(pool, range, MakeBuffer(4096)); }
  // To memory that is aligned for all types.
  void Get(VkQueryPool pool, const Range& range, size_t size = 256, size_t offset = 0) {
    alignas(16) std::array<std::byte, 512> data;
    vk.GetQueryPoolResults(device, pool, range.first, range.count, size, data.data() + offset, range.stride,
                           range.flags);
  }

  VkBool32 may_copy_performance_ = VK_TRUE;

 private:
  VkPhysicalDevicePerformanceQueryFeaturesKHR features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
      .performanceCounterQueryPools = VK_TRUE};
};
class CopiedResults : public QueryResults {};
class GottenResults : public QueryResults {};

std::string OfCopy(const char* rule) { return std::string("VUID-vkCmdCopyQueryPoolResults-") + rule; }
std::string OfGet(const char* rule) { return std::string("VUID-vkGetQueryPoolResults-") + rule; }

TEST_F(CopiedResults, Queries) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  Copy(pool, {.first = 3, .count = 1});
  ExpectNothing();
  Copy(pool, {.first = 4, .count = 1});
  EXPECT_THAT(ExpectMessage(OfCopy("firstQuery-09436")).text,
              HasSubstr("firstQuery (4) is not less than the number of queries of VkQueryPool "));
  Copy(pool, {.first = 3, .count = 2});
  ExpectMessage(OfCopy("firstQuery-09437"));
  Copy(pool, {.first = 1, .count = ~0u});
  ExpectMessage(OfCopy("firstQuery-09437"));
}

TEST_F(CopiedResults, Buffer) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  const test::Buffer buffer = MakeBuffer(info);
  Copy(pool, {.stride = 16}, buffer, 12);
  ExpectNothing();
  Copy(pool, {.stride = 16}, buffer, 16);
  EXPECT_THAT(ExpectMessage(OfCopy("dstBuffer-00824")).text,
              HasSubstr("has 48 bytes from dstOffset (16) to its end, fewer than the 52 bytes that the results of 4 "
                        "queries have with a stride of 16."));
  Copy(pool, {}, buffer, 64);
  ExpectMessage(OfCopy("dstOffset-00819"));
  Copy(pool, {.stride = VkDeviceSize{1} << 62}, buffer);
  ExpectMessage(OfCopy("dstBuffer-00824"));
  Copy(pool, {}, MakeBuffer(64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT));
  ExpectMessage(OfCopy("dstBuffer-00825"));
  Copy(pool, {}, MakeUnboundBuffer(info));
  ExpectMessage(OfCopy("dstBuffer-00826"));
  VkBufferCreateInfo sparse = info;
  sparse.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
  Copy(pool, {}, MakeUnboundBuffer(sparse));
  ExpectNothing();
}

// One query, to a buffer that has exactly its bytes, and to one with four less.
TEST_F(CopiedResults, Sizes) {
  constexpr VkQueryResultFlags k64 = VK_QUERY_RESULT_64_BIT, kAvailability = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  struct Case {
    VkQueryPool pool;
    VkQueryResultFlags flags;
    VkDeviceSize size;
  };
  const VkQueryPool statistics =
      Make(VK_QUERY_TYPE_PIPELINE_STATISTICS, VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT |
                                                  VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |
                                                  VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT);
  for (const Case& it : {
           Case{Make(VK_QUERY_TYPE_TIMESTAMP), k64, 8},
           Case{Make(VK_QUERY_TYPE_OCCLUSION), kAvailability, 8},
           Case{statistics, 0, 12},
           Case{statistics, k64 | kAvailability, 32},
           Case{Make(VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT), k64, 16},
           Case{MakePerformance(), 0, 24},
       }) {
    const Range range = {.count = 1, .stride = 32, .flags = it.flags};
    Copy(it.pool, range, MakeBuffer(it.size));
    ExpectNothing();
    Copy(it.pool, range, MakeBuffer(it.size - 4));
    ExpectMessage(OfCopy("dstBuffer-00824"));
  }
}

TEST_F(CopiedResults, Flags) {
  const VkQueryPool timestamps = Make(VK_QUERY_TYPE_TIMESTAMP), samples = Make(VK_QUERY_TYPE_OCCLUSION);
  Copy(samples, {.flags = VK_QUERY_RESULT_PARTIAL_BIT});
  ExpectNothing();
  Copy(timestamps, {.flags = VK_QUERY_RESULT_PARTIAL_BIT});
  ExpectMessage(OfCopy("queryType-09439"));
  const VkQueryPool performance = MakePerformance();
  Copy(performance, {.stride = 24, .flags = VK_QUERY_RESULT_WAIT_BIT});
  ExpectNothing();
  for (const VkQueryResultFlags flag :
       {VK_QUERY_RESULT_WITH_AVAILABILITY_BIT, VK_QUERY_RESULT_PARTIAL_BIT, VK_QUERY_RESULT_64_BIT}) {
    Copy(performance, {.stride = 24, .flags = flag});
    ExpectMessage(OfCopy("queryType-09440"));
  }
}

TEST_F(CopiedResults, Status) {
  const VkVideoDecodeH264ProfileInfoKHR h264 = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR};
  const VkVideoProfileInfoKHR profile = {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
                                         .pNext = &h264,
                                         .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
                                         .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
                                         .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
                                         .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
  const VkQueryPool pool = Make(VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, &profile);
  Copy(pool, {.flags = VK_QUERY_RESULT_WITH_STATUS_BIT_KHR});
  ExpectNothing();
  Copy(pool, {});
  ExpectMessage(OfCopy("queryType-09442"));
}

TEST_F(CopiedResults, OfOtherTypes) {
  const VkQueryPoolPerformanceQueryCreateInfoINTEL intel = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_QUERY_CREATE_INFO_INTEL,
      .performanceCountersSampling = VK_QUERY_POOL_SAMPLING_MODE_MANUAL_INTEL};
  Copy(Make(VK_QUERY_TYPE_PERFORMANCE_QUERY_INTEL, &intel), {});
  ExpectMessage(OfCopy("queryType-02734"));
}

TEST_F(CopiedResults, ActiveQueries) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  const test::Buffer buffer = MakeBuffer(64);
  Record([&](VkCommandBuffer c) {
    vk.CmdBeginQuery(c, pool, 2, 0);
    vk.CmdCopyQueryPoolResults(c, pool, 0, 2, buffer, 0, 4, 0);
    ExpectNothing();
    vk.CmdCopyQueryPoolResults(c, pool, 1, 2, buffer, 0, 4, 0);
    EXPECT_THAT(ExpectMessage(OfCopy("None-07429")).text,
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
  Copy(MakePerformance(), {.stride = 24});
  ExpectMessage(OfCopy("queryType-03232"));
  Copy(Make(VK_QUERY_TYPE_OCCLUSION), {});
  ExpectNothing();
}

TEST_F(GottenResults, Queries) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  Get(pool, {.first = 3, .count = 1});
  ExpectNothing();
  Get(pool, {.first = 4, .count = 1});
  ExpectMessage(OfGet("firstQuery-09436"));
  Get(pool, {.first = 3, .count = 2});
  ExpectMessage(OfGet("firstQuery-09437"));
  vk.ResetQueryPool(device, pool, 4, 1);
  ExpectMessage("VUID-vkResetQueryPool-firstQuery-09436");
  vk.ResetQueryPool(device, pool, 3, 2);
  ExpectMessage("VUID-vkResetQueryPool-firstQuery-09437");
}

TEST_F(GottenResults, Uninitialized) {
  const VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_OCCLUSION, 4);
  Get(pool, {});
  ExpectMessage(OfGet("None-09401"));
  Record([&](VkCommandBuffer c) { vk.CmdResetQueryPool(c, pool, 0, 2); });
  Get(pool, {.count = 2});
  ExpectNothing();
  Get(pool, {.count = 3});
  EXPECT_THAT(ExpectMessage(OfGet("None-09401")).text, HasSubstr("of which nothing has reset query 2 since"));
}

TEST_F(GottenResults, Flags) {
  const VkQueryPool timestamps = Make(VK_QUERY_TYPE_TIMESTAMP);
  Get(timestamps, {.stride = 8, .flags = VK_QUERY_RESULT_64_BIT});
  ExpectNothing();
  Get(timestamps, {.flags = VK_QUERY_RESULT_PARTIAL_BIT});
  ExpectMessage(OfGet("queryType-09439"));
  Get(MakePerformance(), {.stride = 24, .flags = VK_QUERY_RESULT_PARTIAL_BIT});
  ExpectMessage(OfGet("queryType-09440"));
}

TEST_F(GottenResults, Alignment) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  Get(pool, {.stride = 12}, 256, 4);
  ExpectNothing();
  Get(pool, {.stride = 6});
  ExpectMessage(OfGet("flags-02828"));
  Get(pool, {}, 256, 2);
  ExpectMessage(OfGet("flags-02828"));
  Get(pool, {.stride = 12, .flags = VK_QUERY_RESULT_64_BIT});
  ExpectMessage(OfGet("flags-00815"));
  const VkQueryPool performance = MakePerformance();
  Get(performance, {.stride = 32});
  ExpectNothing();
  Get(performance, {.stride = 28});
  ExpectMessage(OfGet("queryType-03229"));
}

TEST_F(GottenResults, Sizes) {
  const VkQueryPool pool = Make(VK_QUERY_TYPE_OCCLUSION);
  constexpr VkQueryResultFlags kAvailability = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  Get(pool, {.stride = 8, .flags = kAvailability}, 32);
  ExpectNothing();
  Get(pool, {.stride = 4, .flags = kAvailability}, 32);
  ExpectMessage(OfGet("stride-08993"));
  Get(pool, {.stride = 8, .flags = kAvailability}, 28);
  ExpectMessage(OfGet("dataSize-00817"));
  Get(MakePerformance(), {.stride = 16});
  ExpectMessage(OfGet("queryType-04519"));
  // One query has no next one.
  Get(pool, {.count = 1, .stride = 0, .flags = kAvailability}, 8);
  ExpectNothing();
}

TEST_F(GottenResults, Status) {
  const VkVideoDecodeH264ProfileInfoKHR h264 = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR};
  const VkVideoProfileInfoKHR profile = {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
                                         .pNext = &h264,
                                         .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
                                         .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
                                         .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
                                         .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
  const VkQueryPool pool = Make(VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, &profile);
  Get(pool, {.flags = VK_QUERY_RESULT_WITH_STATUS_BIT_KHR});
  ExpectNothing();
  Get(pool, {});
  ExpectMessage(OfGet("queryType-09442"));
}

}  // namespace
}  // namespace assay::core
