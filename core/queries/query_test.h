// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUERIES_QUERY_TEST_H_
#define ASSAY_CORE_QUERIES_QUERY_TEST_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/vulkan.h"

// Test-only: pools of all types, and commands on their queries.
namespace assay::core {

using test::Of, test::Typed;

// A begin of a query, whose pool has four queries, and an end.
struct QueryCall {
  VkQueryType type = VK_QUERY_TYPE_OCCLUSION;
  VkQueryPipelineStatisticFlags statistics = 0;
  uint32_t query = 0;
  VkQueryControlFlags flags = 0;
  uint32_t index = 0;
  uint32_t family = 0;
  bool is_protected = false;
  // Of the rendering that the commands are in; none if it is 0.
  uint32_t view_mask = 0;
  // A query of the same type that was begun before, with an index.
  bool has_active = false;
  uint32_t active_index = 0;
};

inline VkVideoProfileInfoKHR H264Profile(VkVideoCodecOperationFlagBitsKHR operation, const void* codec) {
  constexpr auto kDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR;
  return {VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR, codec,  operation,
          VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,  kDepth, kDepth};
}

class Queries : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = features_.EnableOnly(extensions_, without_);
    options.api_version = has_core_features_ ? VK_API_VERSION_1_4 : VK_API_VERSION_1_2;
    options.settings = {{"validate_sync", false}};
    options.core_features = has_core_features_;
    return options;
  }
  void SetUp() override {
    ChangeProperties<VkPhysicalDeviceTransformFeedbackPropertiesEXT>([this](auto& limits) {
      limits.maxTransformFeedbackStreams = 4;
      limits.transformFeedbackQueries = has_stream_queries_;
    });
    ValidationTest::SetUp();
  }
  // Four queries, with what they have of each type.
  VkQueryPool MakePool(VkQueryType type, VkQueryPipelineStatisticFlags statistics, const void* next = nullptr) {
    return MakeFrom(
        VkQueryPoolCreateInfo{.pNext = next, .queryType = type, .queryCount = 4, .pipelineStatistics = statistics},
        vk.CreateQueryPool, vk.DestroyQueryPool);
  }
  // So many of the driver's counters.
  VkQueryPool MakePerformance(uint32_t count = 1) {
    static constexpr uint32_t kCounters[] = {0, 1, 2};
    const auto counters = Of<VkQueryPoolPerformanceCreateInfoKHR>(0, count, kCounters);
    return MakePool(VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR, 0, &counters);
  }
  VkQueryPool Make(const QueryCall& call) {
    return call.type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR ? MakePerformance() : MakePool(call.type, call.statistics);
  }
  VkCommandBuffer MakeCommands(const QueryCall& call) {
    return MakeCommandBuffer(call.family, VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                             call.is_protected ? VK_COMMAND_POOL_CREATE_PROTECTED_BIT : 0);
  }
  void BeginRendering(VkCommandBuffer c, uint32_t view_mask) {
    const auto info = Typed(VkRenderingInfo{.renderArea = {{0, 0}, {16, 16}}, .layerCount = 1, .viewMask = view_mask});
    vk.CmdBeginRendering(c, &info);
  }
  // Calls a command, which breaks that rule, after what breaks none.
  template <class... Parameters, class... Arguments>
  void Expect(const char* rule, void (*command)(Parameters...), Arguments... arguments) {
    SCOPED_TRACE(rule);
    ExpectNothing();
    command(arguments...);
    ExpectMessage(std::string("VUID-") + rule);
  }

  // Such as occlusionQueryPrecise and inheritedQueries.
  bool has_core_features_ = true;
  VkBool32 has_stream_queries_ = VK_TRUE;
  // But for what needs other features.
  std::set<std::string> without_ = {"multiviewMeshShader", "primitiveFragmentShadingRateMeshShader"};
  std::vector<const char*> extensions_ = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                                          VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME,
                                          VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                          VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME,
                                          VK_NV_RAY_TRACING_EXTENSION_NAME,
                                          VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                          VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME,
                                          VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                                          VK_EXT_OPACITY_MICROMAP_EXTENSION_NAME};
  test::ExtensionFeatures features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_QUERIES_QUERY_TEST_H_
