// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "dispatch/dispatch.h"
#include "dispatch/testing/layer_without_validators.h"
#include "dispatch/testing/live_handles.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;

constexpr uint32_t kEmptyModule[5] = {0x07230203, 0x10000, 0, 1, 0};

// A deferred vkCreateRayTracingPipelinesKHR.
class DeferredOperationTest : public test::ValidationTest {
 protected:
  void SetUp() override {
    ValidationTest::SetUp();
    ASSERT_EQ(vk.CreateDeferredOperationKHR(device, nullptr, &operation_), VK_SUCCESS);
    driver().CheckHandles(false);
    driver().SetObserver([this](CommandId id, const void* parameters) {
      if (id == CommandId::kCreateRayTracingPipelinesKHR) {
        at_driver_ = *static_cast<const vk::CreateRayTracingPipelinesKHR*>(parameters);
      }
    });
    driver().FailNext<vk::CreateRayTracingPipelinesKHR>(VK_OPERATION_DEFERRED_KHR);
    stage_.module = MakeShader(kEmptyModule);
    info_.stageCount = 1;
    info_.pStages = &stage_;
    EXPECT_EQ(vk.CreateRayTracingPipelinesKHR(device, operation_, VK_NULL_HANDLE, 1, &info_, nullptr, &pipeline_),
              VK_OPERATION_DEFERRED_KHR);
  }

  // Does the driver's work: reads the parameters and writes the result while the application joins.
  void Work() {
    EXPECT_EQ(Integer(at_driver_.pCreateInfos[0].pStages[0].module),
              HandleTable::Get().ToDriver(Integer(stage_.module)));
    EXPECT_EQ(Integer(at_driver_.deferredOperation), HandleTable::Get().ToDriver(Integer(operation_)));
    at_driver_.pPipelines[0] = reinterpret_cast<VkPipeline>(0x100);
  }
  void ExpectComplete() {
    EXPECT_TRUE(IsLive(pipeline_));
    EXPECT_EQ(HandleTable::Get().ToDriver(Integer(pipeline_)), 0x100u);
  }

  VkDeferredOperationKHR operation_ = VK_NULL_HANDLE;
  VkPipelineShaderStageCreateInfo stage_ = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  VkRayTracingPipelineCreateInfoKHR info_ = {VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR};
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  vk::CreateRayTracingPipelinesKHR at_driver_{};
};

TEST_F(DeferredOperationTest, ReturnsHandlesWhenItIsJoined) {
  EXPECT_EQ(pipeline_, VK_NULL_HANDLE);
  driver().FailNext<vk::DeferredOperationJoinKHR>(VK_THREAD_IDLE_KHR);
  EXPECT_EQ(vk.DeferredOperationJoinKHR(device, operation_), VK_THREAD_IDLE_KHR);
  EXPECT_EQ(pipeline_, VK_NULL_HANDLE);
  Work();
  EXPECT_EQ(vk.DeferredOperationJoinKHR(device, operation_), VK_SUCCESS);
  ExpectComplete();
  const VkPipeline once = pipeline_;
  EXPECT_EQ(vk.GetDeferredOperationResultKHR(device, operation_), VK_SUCCESS);
  EXPECT_EQ(pipeline_, once);
  vk.DestroyDeferredOperationKHR(device, operation_, nullptr);
}

TEST_F(DeferredOperationTest, ReturnsHandlesWithItsResult) {
  driver().FailNext<vk::GetDeferredOperationResultKHR>(VK_NOT_READY);
  EXPECT_EQ(vk.GetDeferredOperationResultKHR(device, operation_), VK_NOT_READY);
  EXPECT_EQ(pipeline_, VK_NULL_HANDLE);
  Work();
  EXPECT_EQ(vk.GetDeferredOperationResultKHR(device, operation_), VK_SUCCESS);
  ExpectComplete();
  vk.DestroyDeferredOperationKHR(device, operation_, nullptr);
}

TEST_F(DeferredOperationTest, ReturnsHandlesWhenItIsDestroyed) {
  Work();
  vk.DestroyDeferredOperationKHR(device, operation_, nullptr);
  ExpectComplete();
}

TEST_F(DeferredOperationTest, MayBeUsedAgain) {
  Work();
  EXPECT_EQ(vk.DeferredOperationJoinKHR(device, operation_), VK_SUCCESS);
  const VkPipeline first = pipeline_;
  driver().FailNext<vk::CreateRayTracingPipelinesKHR>(VK_OPERATION_DEFERRED_KHR);
  EXPECT_EQ(vk.CreateRayTracingPipelinesKHR(device, operation_, VK_NULL_HANDLE, 1, &info_, nullptr, &pipeline_),
            VK_OPERATION_DEFERRED_KHR);
  Work();
  EXPECT_EQ(vk.DeferredOperationJoinKHR(device, operation_), VK_SUCCESS);
  ExpectComplete();
  EXPECT_NE(pipeline_, first);
  vk.DestroyDeferredOperationKHR(device, operation_, nullptr);
}

TEST_F(DeferredOperationTest, EndsWithTheDevice) { Work(); }

}  // namespace
}  // namespace assay::dispatch
