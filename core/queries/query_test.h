// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUERIES_QUERY_TEST_H_
#define ASSAY_CORE_QUERIES_QUERY_TEST_H_

#include <cstdint>

#include "testing/fixture.h"
#include "vk/vulkan.h"

// Test-only: pools of all types, and commands on their queries.
namespace assay::core {

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

class Queries : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {
        .device_extensions = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                              VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME, VK_EXT_MESH_SHADER_EXTENSION_NAME,
                              VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME, VK_NV_RAY_TRACING_EXTENSION_NAME,
                              VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                              VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME,
                              VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_EXT_OPACITY_MICROMAP_EXTENSION_NAME},
        .settings = {{"validate_sync", false}},
        .features = &streams_};
  }
  void SetUp() override {
    driver().config().adjust_properties = [this](VkBaseOutStructure* properties) {
      if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT) return;
      auto& limits = *reinterpret_cast<VkPhysicalDeviceTransformFeedbackPropertiesEXT*>(properties);
      limits.maxTransformFeedbackStreams = 4;
      limits.transformFeedbackQueries = has_stream_queries_;
    };
    ValidationTest::SetUp();
  }
  VkQueryPool Make(const QueryCall& call) {
    const uint32_t counter = 0;
    const VkQueryPoolPerformanceCreateInfoKHR counters = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
        .counterIndexCount = 1,
        .pCounterIndices = &counter};
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .pNext = call.type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR ? &counters : nullptr,
                                        .queryType = call.type,
                                        .queryCount = 4,
                                        .pipelineStatistics = call.statistics};
    VkQueryPool pool = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
    Defer(pool, [=, this] { vk.DestroyQueryPool(device, pool, nullptr); });
    return pool;
  }
  VkCommandBuffer MakeCommands(const QueryCall& call) {
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = MakeCommandPool(call.family, call.is_protected ? VK_COMMAND_POOL_CREATE_PROTECTED_BIT : 0),
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    EXPECT_EQ(vk.AllocateCommandBuffers(device, &info, &commands), VK_SUCCESS);
    return commands;
  }
  void BeginRendering(VkCommandBuffer c, uint32_t view_mask) {
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {{0, 0}, {16, 16}},
                                  .layerCount = 1,
                                  .viewMask = view_mask};
    vk.CmdBeginRendering(c, &info);
  }
  VkBool32 has_stream_queries_ = VK_TRUE;
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, .accelerationStructure = VK_TRUE};
  VkPhysicalDeviceOpacityMicromapFeaturesEXT micromaps_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_EXT,
      .pNext = &structures_,
      .micromap = VK_TRUE};
  VkPhysicalDevicePerformanceQueryFeaturesKHR performance_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
      .pNext = &micromaps_,
      .performanceCounterQueryPools = VK_TRUE};
  VkPhysicalDeviceMeshShaderFeaturesEXT mesh_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                                                 .pNext = &performance_,
                                                 .meshShader = VK_TRUE,
                                                 .meshShaderQueries = VK_TRUE};
  VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT generated_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
      .pNext = &mesh_,
      .primitivesGeneratedQuery = VK_TRUE,
      .primitivesGeneratedQueryWithNonZeroStreams = VK_TRUE};
  VkPhysicalDeviceTransformFeedbackFeaturesEXT streams_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
      .pNext = &generated_,
      .transformFeedback = VK_TRUE,
      .geometryStreams = VK_TRUE};
};

}  // namespace assay::core

#endif  // ASSAY_CORE_QUERIES_QUERY_TEST_H_
