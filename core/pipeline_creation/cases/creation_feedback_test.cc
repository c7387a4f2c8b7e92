// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What a driver must not write into VkPipelineCreationFeedback of pipelines that are made of binaries.

#include "absl/strings/str_cat.h"
#include "core/pipeline_creation/cases/creation_test.h"
#include "testing/shaders.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

constexpr VkPipelineCreationFeedbackFlags kValid = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
constexpr VkPipelineCreationFeedbackFlags kHit = VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
constexpr VkPipelineCreationFeedbackFlags kBase = VK_PIPELINE_CREATION_FEEDBACK_BASE_PIPELINE_ACCELERATION_BIT;

enum class Command : uint8_t { kGraphics, kCompute, kRays, kRaysNv, kGraph };

struct CommandInfo {
  Command command;
  std::string name;
  // The id of a chain that has VkPipelineBinaryInfoKHR; empty where it may have that.
  std::string chain_id;

  std::string Id(const char* number) const { return absl::StrCat("VUID-", name, "-binaryCount-", number); }
};
const CommandInfo kCompute = {Command::kCompute, "vkCreateComputePipelines", ""};
const CommandInfo kCommands[] = {
    {Command::kGraphics, "vkCreateGraphicsPipelines", ""},
    kCompute,
    {Command::kRays, "vkCreateRayTracingPipelinesKHR", ""},
    {Command::kRaysNv, "vkCreateRayTracingPipelinesNV", "VUID-VkRayTracingPipelineCreateInfoNV-pNext-pNext"},
    {Command::kGraph, "vkCreateExecutionGraphPipelinesAMDX",
     "VUID-VkExecutionGraphPipelineCreateInfoAMDX-pNext-pNext"}};

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
  void MakeWith(Command command, uint32_t stages = 0) {
    whole_ = stage_ = {};
    feedback_.pipelineStageCreationFeedbackCount = stages;
    binaries_.pNext = feedback_.pNext = nullptr;
    if (binaries_.binaryCount != 0) feedback_.pNext = &binaries_;
    if (command == Command::kGraphics) return MakeGraphics();
    if (command == Command::kGraph) return MakeGraph(&feedback_);
    static const std::map<Command, MadeKind> kinds = {{Command::kCompute, MadeKind::kCompute},
                                                      {Command::kRays, MadeKind::kRays},
                                                      {Command::kRaysNv, MadeKind::kRaysNv}};
    CreationSetup setup(kinds.at(command));
    setup.chain = &feedback_;
    setup.has_cache = has_cache_;
    Make(setup);
  }
  void MakeGraphics() {
    const VkPipelineShaderStageCreateInfo stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                   nullptr,
                                                   0,
                                                   VK_SHADER_STAGE_VERTEX_BIT,
                                                   MakeShader(test::VertexShader(0)),
                                                   "main"};
    const VkPipelineVertexInputStateCreateInfo input = {VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &feedback_,
                                               .stageCount = 1,
                                               .pStages = &stage,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pRasterizationState = &rasterization,
                                               .layout = MakePipelineLayout({}),
                                               .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
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
  void ExpectOf(const CommandInfo& info, const char* number) {
    SCOPED_TRACE(info.name);
    std::vector<std::string> ids;
    if (!info.chain_id.empty() && binaries_.binaryCount != 0) ids.push_back(info.chain_id);
    if (number != nullptr) ids.push_back(info.Id(number));
    ExpectMessages(ids);
  }
  // With each command, and feedback of so many stages where there are stages.
  void MakeEach(uint32_t stages, const char* number) {
    for (const CommandInfo& info : kCommands) {
      MakeWith(info.command, info.command == Command::kGraph ? 0 : stages);
      ExpectOf(info, number);
    }
  }

  CreationSetup setup_{MadeKind::kRaysNv};
  VkPipelineBinaryKHR binary_ = VK_NULL_HANDLE;
  VkPipelineBinaryInfoKHR binaries_ = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, nullptr, 1, nullptr};
  VkPipelineCreationFeedback whole_ = {};
  VkPipelineCreationFeedback stage_ = {};
  VkPipelineCreationFeedbackCreateInfo feedback_ = {VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, nullptr,
                                                    &whole_, 0, &stage_};
  bool has_cache_ = false;
};

TEST_F(CreationFeedbackTest, CacheHit) {
  Write({.whole = kValid | kHit});
  MakeEach(0, "09620");
}
TEST_F(CreationFeedbackTest, BasePipeline) {
  Write({.whole = kValid | kBase});
  MakeEach(0, "09621");
}
TEST_F(CreationFeedbackTest, OfStages) {
  Write({.whole = kValid, .stage = kValid | kHit});
  for (const CommandInfo& info : kCommands) {
    if (info.command == Command::kGraph) continue;
    MakeWith(info.command, 1);
    ExpectOf(info, "09620");
  }
}
TEST_F(CreationFeedbackTest, Both) {
  Write({.whole = kValid | kHit | kBase, .stage = kValid | kHit | kBase});
  MakeWith(Command::kCompute, 1);
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
  const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                  .pNext = &feedback_,
                                                  .stageCount = 1,
                                                  .pStages = stages.data(),
                                                  .groupCount = 1,
                                                  .pGroups = setup.groups.data(),
                                                  .maxPipelineRayRecursionDepth = 1,
                                                  .layout = MakePipelineLayout({}),
                                                  .basePipelineIndex = -1};
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
  MakeWith(Command::kCompute);
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
  MakeWith(Command::kCompute);
  ExpectNothing();
}

}  // namespace
}  // namespace assay::core
