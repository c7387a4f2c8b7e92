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

namespace assay::core {
namespace {

using test::Of, test::Typed;

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
      auto info = Typed(Info());
      if constexpr (requires { info.src.hostAddress; }) info.src.hostAddress = &memory_;
      if constexpr (requires { info.dst.hostAddress; }) info.dst.hostAddress = &memory_;
      copy(device, operation_, &info);
    };
  }
  void Build() {
    const auto info = Typed(VkAccelerationStructureBuildGeometryInfoKHR{.scratchData = {.hostAddress = &memory_}});
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
  VkPipelineShaderStageCreateInfo stage_ =
      Of<VkPipelineShaderStageCreateInfo>(0, VK_SHADER_STAGE_RAYGEN_BIT_KHR, VkShaderModule{}, "main");
  // The first stage, and none for hits.
  VkRayTracingShaderGroupCreateInfoKHR group_ =
      Of<VkRayTracingShaderGroupCreateInfoKHR>(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, 0, VK_SHADER_UNUSED_KHR,
                                               VK_SHADER_UNUSED_KHR, VK_SHADER_UNUSED_KHR);
  VkRayTracingPipelineCreateInfoKHR info_ = Of<VkRayTracingPipelineCreateInfoKHR>(0, 1, &stage_, 1, &group_);
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
