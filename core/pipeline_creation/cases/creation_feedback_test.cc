// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What a driver must not write into VkPipelineCreationFeedback of pipelines that are made of binaries.

#include <optional>

#include "absl/strings/str_cat.h"
#include "core/pipeline_creation/cases/creation_test.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

constexpr VkPipelineCreationFeedbackFlags kValid = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
constexpr VkPipelineCreationFeedbackFlags kHit = VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
constexpr VkPipelineCreationFeedbackFlags kBase = VK_PIPELINE_CREATION_FEEDBACK_BASE_PIPELINE_ACCELERATION_BIT;

struct Command {
  // None for an execution graph.
  std::optional<MadeKind> kind;
  // The id of a chain that has VkPipelineBinaryInfoKHR; empty where it may have that.
  std::string chain_id = {};

  std::string Id(const char* number) const {
    return absl::StrCat("VUID-", kind ? CommandOf(*kind) : "vkCreateExecutionGraphPipelinesAMDX", "-binaryCount-",
                        number);
  }
};
const Command kCompute = {MadeKind::kCompute};
const Command kCommands[] = {{MadeKind::kGraphics},
                             kCompute,
                             {MadeKind::kRays},
                             {MadeKind::kRaysNv, "VUID-VkRayTracingPipelineCreateInfoNV-pNext-pNext"},
                             {{}, "VUID-VkExecutionGraphPipelineCreateInfoAMDX-pNext-pNext"}};

// What the driver does with the feedback of each pipeline of the next calls.
struct Driver {
  VkPipelineCreationFeedbackFlags whole = 0;
  VkPipelineCreationFeedbackFlags stage = 0;

  template <class C>
  void WriteOf(vk::CommandId id, const void* parameters) const {
    if (id != C::kId) return;
    const auto& call = *static_cast<const C*>(parameters);
    for (uint32_t i = 0; i < call.createInfoCount; ++i) {
      const auto* info = vk::FindInChain<VkPipelineCreationFeedbackCreateInfo>(call.pCreateInfos[i].pNext);
      if (info == nullptr) continue;
      *info->pPipelineCreationFeedback = {.flags = whole};
      for (uint32_t k = 0; k < info->pipelineStageCreationFeedbackCount; ++k)
        info->pPipelineStageCreationFeedbacks[k] = {.flags = stage};
    }
  }
};

class CreationFeedbackTest : public CreationTest {
 protected:
  void SetUp() override {
    Start(setup_.Enable("VK_KHR_pipeline_binary").Enable("VK_AMDX_shader_enqueue"));
    binary_ = MakeBinaryOfData();
    binaries_.pPipelineBinaries = &binary_;
  }
  void TearDown() override {
    driver().SetObserver({});
    DestroyBinary(binary_);
    Finish();
    ValidationTest::TearDown();
  }

  // The driver writes this from now on.
  void Write(Driver writes) {
    driver().SetObserver([writes](vk::CommandId id, const void* call) {
      writes.WriteOf<vk::CreateGraphicsPipelines>(id, call);
      writes.WriteOf<vk::CreateComputePipelines>(id, call);
      writes.WriteOf<vk::CreateRayTracingPipelinesKHR>(id, call);
      writes.WriteOf<vk::CreateRayTracingPipelinesNV>(id, call);
      writes.WriteOf<vk::CreateExecutionGraphPipelinesAMDX>(id, call);
    });
  }

  // Creates a pipeline with feedback of `stages` stages, of binary_count_ binaries.
  void MakeWith(const Command& command, uint32_t stages = 0) {
    whole_ = stage_ = {};
    feedback_.pipelineStageCreationFeedbackCount = stages;
    binaries_.pNext = feedback_.pNext = nullptr;
    if (binaries_.binaryCount != 0) feedback_.pNext = &binaries_;
    if (!command.kind) return MakeGraph(&feedback_);
    CreationSetup setup(*command.kind);
    setup.chain = &feedback_;
    setup.has_cache = has_cache_;
    Make(setup);
  }
  // Two compute pipelines with these chains.
  void MakeTwo(const void* first, const void* second) {
    VkComputePipelineCreateInfo infos[] = {ComputeInfo(), ComputeInfo()};
    infos[0].pNext = first;
    infos[1].pNext = second;
    VkPipeline pipelines[2] = {};
    vk.CreateComputePipelines(device, VK_NULL_HANDLE, 2, infos, nullptr, pipelines);
    for (VkPipeline pipeline : pipelines) vk.DestroyPipeline(device, pipeline, nullptr);
  }
  // With each command, and feedback of so many stages where there are stages.
  void MakeEach(uint32_t stages, const char* number, const char* number_of_graph) {
    for (const Command& command : kCommands) {
      SCOPED_TRACE(command.Id(""));
      MakeWith(command, command.kind ? stages : 0);
      std::vector<std::string> ids;
      if (!command.chain_id.empty() && binaries_.binaryCount != 0) ids.push_back(command.chain_id);
      const char* const expected = command.kind ? number : number_of_graph;
      if (expected != nullptr) ids.push_back(command.Id(expected));
      ExpectMessages(ids);
    }
  }
  void MakeEach(uint32_t stages, const char* number) { MakeEach(stages, number, number); }

  CreationSetup setup_{MadeKind::kRaysNv};
  VkPipelineBinaryKHR binary_ = VK_NULL_HANDLE;
  VkPipelineBinaryInfoKHR binaries_ = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, nullptr, 1, nullptr};
  VkPipelineCreationFeedback whole_ = {};
  VkPipelineCreationFeedback stage_ = {};
  VkPipelineCreationFeedbackCreateInfo feedback_ = {VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, nullptr,
                                                    &whole_, 0, &stage_};
  bool has_cache_ = false;
};

TEST_F(CreationFeedbackTest, Each) {
  Write({.whole = kValid | kHit});
  MakeEach(0, "09620");
  Write({.whole = kValid | kBase});
  MakeEach(0, "09621");
  Write({.whole = kValid, .stage = kValid | kHit});
  MakeEach(1, "09620", nullptr);
}
TEST_F(CreationFeedbackTest, Both) {
  Write({.whole = kValid | kHit | kBase, .stage = kValid | kHit | kBase});
  MakeWith(kCompute, 1);
  ExpectMessages({kCompute.Id("09620"), kCompute.Id("09621")});
}
TEST_F(CreationFeedbackTest, SecondPipeline) {
  Write({.whole = kValid | kBase});
  feedback_.pNext = &binaries_;
  MakeTwo(nullptr, &feedback_);
  ExpectMessage(kCompute.Id("09621"));
}

// The driver writes both the feedback and the pipeline when the operation is joined.
TEST_F(CreationFeedbackTest, Deferred) {
  VkDeferredOperationKHR operation = VK_NULL_HANDLE;
  vk.CreateDeferredOperationKHR(device, nullptr, &operation);
  const CreationSetup setup(MadeKind::kRays);
  const std::vector<VkPipelineShaderStageCreateInfo> stages = StagesOf(setup);
  feedback_.pNext = &binaries_;
  const auto info = test::Typed(VkRayTracingPipelineCreateInfoKHR{.pNext = &feedback_,
                                                                  .stageCount = 1,
                                                                  .pStages = stages.data(),
                                                                  .groupCount = 1,
                                                                  .pGroups = setup.groups.data(),
                                                                  .maxPipelineRayRecursionDepth = 1,
                                                                  .layout = MakePipelineLayout({}),
                                                                  .basePipelineIndex = -1});
  VkPipeline pipeline = VK_NULL_HANDLE;
  driver().FailNext<vk::CreateRayTracingPipelinesKHR>(VK_OPERATION_DEFERRED_KHR);
  vk.CreateRayTracingPipelinesKHR(device, operation, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  ExpectNothing();
  whole_.flags = kValid | kHit;
  pipeline = reinterpret_cast<VkPipeline>(uintptr_t{0xb2});
  EXPECT_EQ(vk.DeferredOperationJoinKHR(device, operation), VK_SUCCESS);
  ExpectMessage("VUID-vkCreateRayTracingPipelinesKHR-binaryCount-09620");
  vk.DestroyDeferredOperationKHR(device, operation, nullptr);
  driver().FailNext<vk::DestroyPipeline>(VK_SUCCESS);
  vk.DestroyPipeline(device, pipeline, nullptr);
  driver().TakeMisuses();
}

TEST_F(CreationFeedbackTest, CorrectFlags) {
  for (const Driver writes : {Driver{.whole = kValid}, Driver{.whole = kHit | kBase, .stage = kHit | kBase}}) {
    Write(writes);
    MakeEach(1, nullptr);
  }
}
TEST_F(CreationFeedbackTest, WithoutBinaries) {
  Write({.whole = kValid | kHit | kBase, .stage = kValid | kHit | kBase});
  binaries_.binaryCount = 0;
  MakeEach(1, nullptr);
  feedback_.pNext = &binaries_;
  MakeTwo(&feedback_, nullptr);
  ExpectNothing();
}
// The cache is a mistake of the application, after which the driver may find the pipeline there.
TEST_F(CreationFeedbackTest, WithCache) {
  Write({.whole = kValid | kHit});
  has_cache_ = true;
  MakeWith(kCompute);
  ExpectMessage("VUID-vkCreateComputePipelines-pNext-09616");
}
// The other pipeline may be the one that its base accelerated.
TEST_F(CreationFeedbackTest, SharedPlace) {
  Write({.whole = kValid | kBase});
  VkPipelineCreationFeedbackCreateInfo of_binaries = feedback_;
  of_binaries.pNext = &binaries_;
  MakeTwo(&of_binaries, &feedback_);
  ExpectNothing();
}
TEST_F(CreationFeedbackTest, FailedCreation) {
  Write({.whole = kValid | kHit});
  driver().FailNext<vk::CreateComputePipelines>(VK_ERROR_OUT_OF_HOST_MEMORY);
  MakeWith(kCompute);
  ExpectNothing();
}

}  // namespace
}  // namespace assay::core
