// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

constexpr std::string_view kRayGeneration = R"(
    OpCapability RayTracingKHR
    OpExtension "SPV_KHR_ray_tracing"
    OpMemoryModel Logical GLSL450
    OpEntryPoint RayGenerationKHR %main "main"
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %main = OpFunction %void None %function
    %entry = OpLabel
    OpReturn
    OpFunctionEnd)";

// An operation that one join makes complete.
class DeferredOperations : public test::ValidationTest {
 protected:
  struct Use {
    const char* command;
    std::function<void()> call;
  };

  void SetUp() override {
    driver().config().deferred_operation_joins = 1;
    const std::vector<const char*> extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations",
                                                 "VK_KHR_ray_tracing_pipeline", "VK_EXT_opacity_micromap"};
    // What else is wrong with the calls does not matter.
    Create({.device_extensions = extensions,
            .settings = {{"object_lifetime", false}, {"stateless_param", false}},
            .features = features_.Enable(extensions, {})});
    stage_.module = MakeShader(kRayGeneration);
    info_.layout = MakePipelineLayout({});
    ASSERT_EQ(vk.CreateDeferredOperationKHR(device, nullptr, &operation_), VK_SUCCESS);
  }
  void TearDown() override {
    vk.DestroyDeferredOperationKHR(device, operation_, nullptr);
    ValidationTest::TearDown();
  }

  VkResult MakePipeline() {
    return vk.CreateRayTracingPipelinesKHR(device, operation_, VK_NULL_HANDLE, 1, &info_, nullptr, &pipeline_);
  }
  void DeferPipeline() {
    driver().FailNext<vk::CreateRayTracingPipelinesKHR>(VK_OPERATION_DEFERRED_KHR);
    EXPECT_EQ(MakePipeline(), VK_OPERATION_DEFERRED_KHR);
    ExpectNothing();
  }
  void Join() {
    while (vk.DeferredOperationJoinKHR(device, operation_) == VK_THREAD_IDLE_KHR) continue;
  }

  // A copy, of which the host's memory is valid.
  template <class Info>
  std::function<void()> Copy(VkResult(VKAPI_PTR* copy)(VkDevice, VkDeferredOperationKHR, const Info*)) {
    return [=, this] {
      Info info = {.sType = vk::kStructureTypeOf<Info>};
      if constexpr (requires { info.src.hostAddress; }) info.src.hostAddress = &memory_;
      if constexpr (requires { info.dst.hostAddress; }) info.dst.hostAddress = &memory_;
      copy(device, operation_, &info);
    };
  }
  void Build() {
    const VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .scratchData = {.hostAddress = &memory_}};
    const VkAccelerationStructureBuildRangeInfoKHR range = {};
    const VkAccelerationStructureBuildRangeInfoKHR* ranges = &range;
    vk.BuildAccelerationStructuresKHR(device, operation_, 1, &info, &ranges);
  }
  std::vector<Use> Uses() {
    return {
        {"vkCreateRayTracingPipelinesKHR",
         [this] {
           if (MakePipeline() == VK_SUCCESS) vk.DestroyPipeline(device, pipeline_, nullptr);
         }},
        {"vkBuildAccelerationStructuresKHR", [this] { Build(); }},
        {"vkCopyAccelerationStructureKHR", Copy(vk.CopyAccelerationStructureKHR)},
        {"vkCopyAccelerationStructureToMemoryKHR", Copy(vk.CopyAccelerationStructureToMemoryKHR)},
        {"vkCopyMemoryToAccelerationStructureKHR", Copy(vk.CopyMemoryToAccelerationStructureKHR)},
        {"vkCopyMicromapEXT", Copy(vk.CopyMicromapEXT)},
        {"vkCopyMicromapToMemoryEXT", Copy(vk.CopyMicromapToMemoryEXT)},
        {"vkCopyMemoryToMicromapEXT", Copy(vk.CopyMemoryToMicromapEXT)},
    };
  }
  // No use breaks the rule.
  void ExpectUsable() {
    for (const Use& use : Uses()) {
      const SkipCalls skip(*this);
      use.call();
      for (const test::Message& message : messages.Take()) EXPECT_FALSE(message.id.ends_with("-03678")) << message.text;
    }
  }

  VkDeferredOperationKHR operation_ = VK_NULL_HANDLE;

 private:
  VkPipelineShaderStageCreateInfo stage_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                            .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                            .pName = "main"};
  VkRayTracingShaderGroupCreateInfoKHR group_ = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
                                                 .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
                                                 .generalShader = 0,
                                                 .closestHitShader = VK_SHADER_UNUSED_KHR,
                                                 .anyHitShader = VK_SHADER_UNUSED_KHR,
                                                 .intersectionShader = VK_SHADER_UNUSED_KHR};
  VkRayTracingPipelineCreateInfoKHR info_ = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                             .stageCount = 1,
                                             .pStages = &stage_,
                                             .groupCount = 1,
                                             .pGroups = &group_};
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  // Serialized data begins with two UUIDs and its size.
  struct alignas(256) {
    uint8_t uuids[2][VK_UUID_SIZE];
    uint64_t size = 64;
    uint8_t data[128];
  } memory_ = {};
  test::ExtensionFeatures features_;
};

TEST_F(DeferredOperations, UsedAgain) {
  DeferPipeline();
  for (const Use& use : Uses()) {
    const SkipCalls skip(*this);
    use.call();
    messages.ExpectAmong("VUID-" + std::string(use.command) + "-deferredOperation-03678");
  }
  Join();
}

TEST_F(DeferredOperations, UsedAgainWhenComplete) {
  DeferPipeline();
  Join();
  DeferPipeline();
  Join();
  ExpectUsable();
}

// Nothing was deferred, so nothing has to be complete.
TEST_F(DeferredOperations, UsedOnce) { ExpectUsable(); }

TEST_F(DeferredOperations, Destroyed) {
  DeferPipeline();
  {
    const SkipCalls skip(*this);
    vk.DestroyDeferredOperationKHR(device, operation_, nullptr);
    ExpectMessage("VUID-vkDestroyDeferredOperationKHR-operation-03436");
  }
  Join();
}

}  // namespace
}  // namespace assay::core
