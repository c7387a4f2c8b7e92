// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "dispatch/dispatch.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/testing/layer_without_validators.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"
#include "vk/feature_info.h"

namespace assay::dispatch {
namespace {

// Rewrites as each test says, and notes the hooks that run.
struct TestRewriter {
  void PreCallValidate(const vk::CreateShaderModule& call, messages::Report& report) {
    if (refuses) {
      report.Error(vk::Vuid("VUID-vkCreateShaderModule-device-parameter"), {messages::Object(call.device)},
                   report.location(), "is refused by the test.");
    }
  }
  void PreCallRecord(const vk::CreateShaderModule&) { log.push_back("record"); }
  void Rewrite(const vk::CreateShaderModule& call, vk::CreateShaderModule& down, Rewriter& rewriter) {
    log.push_back("rewrite");
    if (create_module) create_module(call, down, rewriter);
  }
  void PostCallRecord(const vk::CreateShaderModule& call, VkResult) {
    log.push_back("recorded " + std::to_string(call.pCreateInfo->codeSize));
  }
  void Rewrite(const vk::CreatePipelineLayout& call, vk::CreatePipelineLayout& down, Rewriter& rewriter) {
    if (create_layout) create_layout(call, down, rewriter);
  }
  void Rewrite(const vk::QueueSubmit& call, vk::QueueSubmit& down, Slot& slot, Rewriter& rewriter) {
    if (submit) submit(call, down, slot, rewriter);
  }
  // Commands that otherwise reach the driver without a copy of their parameters.
  void Rewrite(const vk::DestroyBuffer&, vk::DestroyBuffer& down, Rewriter&) {
    log.push_back("destroy");
    destroyed = down.buffer;
  }
  void Rewrite(const vk::GetBufferMemoryRequirements&, vk::GetBufferMemoryRequirements& down, Rewriter&) {
    if (instead != VK_NULL_HANDLE) down.buffer = instead;
  }
  void Rewrite(const vk::BuildAccelerationStructuresKHR& call, vk::BuildAccelerationStructuresKHR& down,
               Rewriter& rewriter) {
    if (build) build(call, down, rewriter);
  }
  void PostCallRecord(const vk::BuildAccelerationStructuresKHR&, VkResult) { log.push_back("built"); }
  void PreCallRecord(const vk::CmdBuildAccelerationStructuresKHR&) { log.push_back("record"); }
  void Rewrite(const vk::CmdBuildAccelerationStructuresKHR& call, vk::CmdBuildAccelerationStructuresKHR& down,
               Rewriter& rewriter) {
    log.push_back("rewrite");
    if (record_build) record_build(call, down, rewriter);
  }
  void PostCallRecord(const vk::CmdBuildAccelerationStructuresKHR& call) {
    log.push_back("recorded " + std::to_string(call.pInfos->scratchData.deviceAddress));
  }
  void PreCallRecord(const vk::CreateFence&) { log.push_back("fence"); }

  template <class C>
  using Function = std::function<void(const C&, C&, Rewriter&)>;
  Function<vk::CreateShaderModule> create_module;
  Function<vk::CreatePipelineLayout> create_layout;
  Function<vk::BuildAccelerationStructuresKHR> build;
  Function<vk::CmdBuildAccelerationStructuresKHR> record_build;
  std::function<void(const vk::QueueSubmit&, vk::QueueSubmit&, Slot&, Rewriter&)> submit;
  bool refuses = false;
  VkBuffer destroyed = VK_NULL_HANDLE;
  VkBuffer instead = VK_NULL_HANDLE;
  std::vector<std::string> log;
};

struct DeviceRewriter {
  void Rewrite(const vk::CreateDevice& call, vk::CreateDevice& down, Rewriter& rewriter) {
    if (create) create(call, down, rewriter);
  }
  std::function<void(const vk::CreateDevice&, vk::CreateDevice&, Rewriter&)> create;
};

class RewritingTest : public test::ValidationTest {
 protected:
  void SetUp() override {
    SetTestValidators([this](Device& device, HookBuilder& builder) {
      device_ = &device;
      builder.Attach(first_);
      if (has_second_) builder.Attach(second_);
    });
    SetTestInstanceValidators([this](Instance&, HookBuilder& builder) { builder.Attach(device_rewriter_); });
    ValidationTest::SetUp();
  }
  void TearDown() override {
    ValidationTest::TearDown();
    SetTestValidators({});
    SetTestInstanceValidators({});
  }

  static constexpr std::array<uint32_t, 5> kCode = {0x07230203, 0x00010000, 0, 1, 0};
  static constexpr VkShaderModuleCreateInfo kInfo = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof(kCode), .pCode = kCode.data()};

  // Creates and destroys a module, and returns the words that the driver got.
  std::vector<uint32_t> WordsBelow(const VkShaderModuleCreateInfo& info = kInfo) {
    std::vector<uint32_t> words;
    driver().Observe<vk::CreateShaderModule>([&](const vk::CreateShaderModule& call) {
      words.assign(call.pCreateInfo->pCode, call.pCreateInfo->pCode + call.pCreateInfo->codeSize / sizeof(uint32_t));
    });
    VkShaderModule module = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateShaderModule(device, &info, nullptr, &module), VK_SUCCESS);
    driver().SetObserver({});
    vk.DestroyShaderModule(device, module, nullptr);
    return words;
  }

  // A Rewrite that appends a word to the code.
  static TestRewriter::Function<vk::CreateShaderModule> Append(uint32_t word) {
    return [word](const vk::CreateShaderModule&, vk::CreateShaderModule& down, Rewriter& rewriter) {
      VkShaderModuleCreateInfo* const info = rewriter.Copy(down.pCreateInfo);
      const size_t count = info->codeSize / sizeof(uint32_t);
      rewriter.Extend(info->pCode, count, count + 1)[count] = word;
      info->codeSize += sizeof(uint32_t);
    };
  }

  bool has_second_ = false;
  Device* device_ = nullptr;
  TestRewriter first_, second_;
  DeviceRewriter device_rewriter_;
};

class TwoRewritersTest : public RewritingTest {
 protected:
  TwoRewritersTest() { has_second_ = true; }
};

TEST_F(RewritingTest, TheDriverGetsWhatReplacesTheParameters) {
  first_.create_module = Append(7);
  EXPECT_EQ(WordsBelow(), (std::vector<uint32_t>{0x07230203, 0x00010000, 0, 1, 0, 7}));
  // The application's memory is as before, and so is what is recorded.
  EXPECT_EQ(kInfo.codeSize, 20u);
  EXPECT_EQ(first_.log, (std::vector<std::string>{"record", "rewrite", "recorded 20"}));
}

TEST_F(TwoRewritersTest, EachRewritesWhatTheLastOneLeft) {
  first_.create_module = Append(7);
  second_.create_module = Append(8);
  EXPECT_EQ(WordsBelow(), (std::vector<uint32_t>{0x07230203, 0x00010000, 0, 1, 0, 7, 8}));
}

TEST_F(TwoRewritersTest, OneWithoutMemoryLeavesTheCallAsItWas) {
  VkResult finished = VK_SUCCESS;
  first_.create_module = Append(7);
  second_.create_module = [&](const vk::CreateShaderModule&, vk::CreateShaderModule& down, Rewriter& rewriter) {
    rewriter.AfterCall([&](VkResult result) { finished = result; });
    rewriter.Copy(down.pCreateInfo)->codeSize = 4;
    throw std::bad_alloc();
  };
  EXPECT_EQ(WordsBelow(), (std::vector<uint32_t>{0x07230203, 0x00010000, 0, 1, 0, 7}));
  EXPECT_EQ(finished, VK_ERROR_OUT_OF_HOST_MEMORY);
}

TEST_F(RewritingTest, ASkippedCallIsNotRewritten) {
  first_.refuses = true;
  const SkipCalls skip(*this);
  VkShaderModule module = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateShaderModule(device, &kInfo, nullptr, &module), VK_ERROR_VALIDATION_FAILED_EXT);
  ExpectMessage("VUID-vkCreateShaderModule-device-parameter");
  EXPECT_TRUE(first_.log.empty());
}

TEST_F(RewritingTest, AfterTheCallTheReturnedHandlesAreTheApplications) {
  std::vector<VkResult> results;
  VkShaderModule seen = VK_NULL_HANDLE;
  first_.create_module = [&](const vk::CreateShaderModule& call, vk::CreateShaderModule&, Rewriter& rewriter) {
    rewriter.AfterCall([&, call](VkResult result) {
      results.push_back(result);
      if (result == VK_SUCCESS) seen = *call.pShaderModule;
      first_.log.push_back("after");
    });
  };
  VkShaderModule module = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateShaderModule(device, &kInfo, nullptr, &module), VK_SUCCESS);
  EXPECT_EQ(seen, module);
  EXPECT_NE(HandleTable::Get().Find(VK_OBJECT_TYPE_SHADER_MODULE, reinterpret_cast<uint64_t>(seen)), nullptr);
  EXPECT_EQ(first_.log, (std::vector<std::string>{"record", "rewrite", "after", "recorded 20"}));
  vk.DestroyShaderModule(device, module, nullptr);

  driver().FailNext<vk::CreateShaderModule>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(vk.CreateShaderModule(device, &kInfo, nullptr, &module), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(results, (std::vector<VkResult>{VK_SUCCESS, VK_ERROR_OUT_OF_DEVICE_MEMORY}));
}

// The application's handles are the driver's already, so that one of the validator's own may stand beside them.
TEST_F(RewritingTest, InternalObjectsGoDownBesideTheApplications) {
  const VkDescriptorSetLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  VkDescriptorSetLayout internal = VK_NULL_HANDLE;
  ASSERT_EQ(CallNext(*device_, vk::CreateDescriptorSetLayout{device_->handle, &layout_info, nullptr, &internal}),
            VK_SUCCESS);
  EXPECT_EQ(HandleTable::Get().FindWrapped(reinterpret_cast<uint64_t>(internal)), nullptr);
  VkDescriptorSetLayout applications = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateDescriptorSetLayout(device, &layout_info, nullptr, &applications), VK_SUCCESS);

  first_.create_layout = [&](const vk::CreatePipelineLayout& call, vk::CreatePipelineLayout& down, Rewriter& rewriter) {
    EXPECT_EQ(call.pCreateInfo->pSetLayouts[0], applications);
    VkPipelineLayoutCreateInfo* const info = rewriter.Copy(down.pCreateInfo);
    rewriter.Extend(info->pSetLayouts, 1, 3)[2] = internal;
    info->setLayoutCount = 3;
  };
  std::vector<VkDescriptorSetLayout> below;
  driver().Observe<vk::CreatePipelineLayout>([&](const vk::CreatePipelineLayout& call) {
    below.assign(call.pCreateInfo->pSetLayouts, call.pCreateInfo->pSetLayouts + call.pCreateInfo->setLayoutCount);
  });
  const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &applications};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreatePipelineLayout(device, &info, nullptr, &layout), VK_SUCCESS);
  driver().SetObserver({});
  EXPECT_EQ(below, (std::vector<VkDescriptorSetLayout>{DriverHandle(applications), VkDescriptorSetLayout{}, internal}));
  vk.DestroyPipelineLayout(device, layout, nullptr);
  vk.DestroyDescriptorSetLayout(device, applications, nullptr);
  CallNext(*device_, vk::DestroyDescriptorSetLayout{device_->handle, internal, nullptr});
}

TEST_F(RewritingTest, CommandBuffersAreAddedToASubmission) {
  const VkCommandBuffer application = MakeCommandBuffer();
  const VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VkCommandPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(CallNext(*device_, vk::CreateCommandPool{device_->handle, &pool_info, nullptr, &pool}), VK_SUCCESS);
  const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
  VkCommandBuffer internal = VK_NULL_HANDLE;
  ASSERT_EQ(AllocateInternalCommandBuffers(*device_, info, &internal), VK_SUCCESS);
  EXPECT_EQ(DispatchableTable::Get().Find(internal), nullptr);

  const VkQueue queue = Queue();
  first_.submit = [&](const vk::QueueSubmit&, vk::QueueSubmit& down, Slot& slot, Rewriter& rewriter) {
    EXPECT_EQ(slot.application_handle, reinterpret_cast<uint64_t>(queue));
    VkSubmitInfo* const submit = rewriter.Copy(down.pSubmits, down.submitCount);
    rewriter.Extend(submit->pCommandBuffers, 1, 2)[1] = internal;
    submit->commandBufferCount = 2;
  };
  std::vector<VkCommandBuffer> below;
  driver().Observe<vk::QueueSubmit>([&](const vk::QueueSubmit& call) {
    below.assign(call.pSubmits->pCommandBuffers, call.pSubmits->pCommandBuffers + call.pSubmits->commandBufferCount);
  });
  const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &application};
  EXPECT_EQ(vk.QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  driver().SetObserver({});
  EXPECT_EQ(below, (std::vector<VkCommandBuffer>{application, internal}));
  CallNext(*device_, vk::DestroyCommandPool{device_->handle, pool, nullptr});
}

// The only commands that are recorded and rewritten.
TEST_F(RewritingTest, BuildsThatAreRecorded) {
  first_.record_build = [](const auto&, vk::CmdBuildAccelerationStructuresKHR& down, Rewriter& rewriter) {
    rewriter.Copy(down.pInfos)->scratchData.deviceAddress = 512;
  };
  VkDeviceAddress scratch = 0;
  driver().Observe<vk::CmdBuildAccelerationStructuresKHR>(
      [&](const vk::CmdBuildAccelerationStructuresKHR& call) { scratch = call.pInfos->scratchData.deviceAddress; });
  const VkAccelerationStructureBuildGeometryInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR, .scratchData = {.deviceAddress = 256}};
  const VkAccelerationStructureBuildRangeInfoKHR* const ranges = nullptr;
  Record([&](VkCommandBuffer commands) { vk.CmdBuildAccelerationStructuresKHR(commands, 1, &info, &ranges); });
  driver().SetObserver({});
  EXPECT_EQ(scratch, 512u);
  EXPECT_EQ(first_.log, (std::vector<std::string>{"record", "rewrite", "recorded 256"}));
}

// These have a faster way down where nobody rewrites them.
TEST_F(RewritingTest, DestroyedAndDirectHandles) {
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 16, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
  VkBuffer buffer = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateBuffer(device, &info, nullptr, &buffer), VK_SUCCESS);
  VkBufferCreateInfo large = info;
  large.size = 1 << 20;
  ASSERT_EQ(CallNext(*device_, vk::CreateBuffer{device_->handle, &large, nullptr, &first_.instead}), VK_SUCCESS);
  VkMemoryRequirements requirements = {};
  vk.GetBufferMemoryRequirements(device, buffer, &requirements);
  EXPECT_GE(requirements.size, VkDeviceSize{1} << 20);

  const VkBuffer below = DriverHandle(buffer);
  vk.DestroyBuffer(device, buffer, nullptr);
  EXPECT_EQ(first_.destroyed, below);
  EXPECT_EQ(HandleTable::Get().FindWrapped(reinterpret_cast<uint64_t>(buffer)), nullptr);
  CallNext(*device_, vk::DestroyBuffer{device_->handle, first_.instead, nullptr});
}

// The driver may read the parameters of a deferred operation until it is complete.
TEST_F(RewritingTest, ADeferredOperationKeepsWhatItWasGiven) {
  VkAccelerationStructureBuildGeometryInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR};
  const VkAccelerationStructureBuildRangeInfoKHR* ranges = nullptr;
  const VkAccelerationStructureBuildGeometryInfoKHR* below = nullptr;
  first_.build = [&](const vk::BuildAccelerationStructuresKHR&, vk::BuildAccelerationStructuresKHR& down,
                     Rewriter& rewriter) {
    rewriter.Copy(down.pInfos)->flags = VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR;
    below = down.pInfos;
    rewriter.AfterCall([&](VkResult result) {
      EXPECT_EQ(result, VK_SUCCESS);
      EXPECT_EQ(below->flags, VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR);
      first_.log.push_back("after");
    });
  };
  VkDeferredOperationKHR operation = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateDeferredOperationKHR(device, nullptr, &operation), VK_SUCCESS);
  driver().FailNext<vk::BuildAccelerationStructuresKHR>(VK_OPERATION_DEFERRED_KHR);
  EXPECT_EQ(vk.BuildAccelerationStructuresKHR(device, operation, 1, &info, &ranges), VK_OPERATION_DEFERRED_KHR);
  EXPECT_TRUE(first_.log.empty());
  EXPECT_EQ(vk.DeferredOperationJoinKHR(device, operation), VK_SUCCESS);
  EXPECT_EQ(first_.log, (std::vector<std::string>{"after", "built"}));
  vk.DestroyDeferredOperationKHR(device, operation, nullptr);

  // At once, when it is not deferred.
  EXPECT_EQ(vk.BuildAccelerationStructuresKHR(device, VK_NULL_HANDLE, 1, &info, &ranges), VK_SUCCESS);
  EXPECT_EQ(first_.log, (std::vector<std::string>{"after", "built", "after", "built"}));
}

TEST_F(RewritingTest, InternalCallsRunNoHooks) {
  const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  const size_t before = driver().LiveObjects(VK_OBJECT_TYPE_FENCE);
  VkFence fence = VK_NULL_HANDLE;
  ASSERT_TRUE(HasNext<vk::CreateFence>(*device_));
  ASSERT_EQ(CallNext(*device_, vk::CreateFence{device_->handle, &info, nullptr, &fence}), VK_SUCCESS);
  EXPECT_TRUE(first_.log.empty());
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_FENCE), before + 1);
  CallNext(*device_, vk::DestroyFence{device_->handle, fence, nullptr});
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_FENCE), before);
}

// What the application enables and what the driver is asked for are known apart.
class RewrittenDeviceTest : public RewritingTest {
 protected:
  test::DeviceOptions Options() override {
    device_rewriter_.create = [this](const vk::CreateDevice&, vk::CreateDevice& down, Rewriter& rewriter) {
      VkDeviceCreateInfo* const info = rewriter.Copy(down.pCreateInfo);
      auto* features = rewriter.CopyLinked<VkPhysicalDeviceFeatures2>(*info);
      if (features != nullptr) {
        features->features.robustBufferAccess = VK_TRUE;
      } else {
        VkPhysicalDeviceFeatures* const core =
            rewriter.Extend(info->pEnabledFeatures, info->pEnabledFeatures != nullptr ? 1 : 0, 1);
        core->robustBufferAccess = VK_TRUE;
      }
      rewriter.AfterCall([this](VkResult result) { created_.push_back(result); });
    };
    test::DeviceOptions options;
    options.core_features = false;
    return options;
  }
  std::vector<VkResult> created_;
};

TEST_F(RewrittenDeviceTest, HasMoreFeaturesBelow) {
  const auto feature = vk::FindFeature("robustBufferAccess");
  ASSERT_TRUE(feature.has_value());
  EXPECT_FALSE(device_->HasFeature(*feature));
  EXPECT_TRUE(device_->features_below[static_cast<size_t>(*feature)]);
  EXPECT_EQ(device_->extensions_below, device_->enabled_extensions);
  EXPECT_EQ(created_, (std::vector<VkResult>{VK_SUCCESS}));
}

}  // namespace
}  // namespace assay::dispatch
