// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipeline_creation/cases/creation_test.h"

#include "absl/strings/str_split.h"
#include "core/shader_stages/stage_text_test.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

std::string IdOf(MadeKind kind, std::string_view rule) {
  if (rule.starts_with("Vk") || rule.starts_with("vk")) return absl::StrCat("VUID-", rule);
  constexpr std::string_view kOwners[] = {"VkComputePipelineCreateInfo", "VkRayTracingPipelineCreateInfoKHR",
                                          "VkRayTracingPipelineCreateInfoNV", "VkGraphicsPipelineCreateInfo"};
  return absl::StrCat("VUID-", kOwners[static_cast<size_t>(kind)], "-", rule);
}

template <class T>
uint32_t CountOf(const std::vector<T>& values) {
  return static_cast<uint32_t>(values.size());
}

// A shader that does nothing.
std::string ShaderText(VkShaderStageFlagBits stage) {
  if (stage == VK_SHADER_STAGE_COMPUTE_BIT) return Text({});
  if (stage == VK_SHADER_STAGE_VERTEX_BIT) return test::VertexShader(0);
  static const std::map<VkShaderStageFlagBits, std::string> models = {
      {VK_SHADER_STAGE_RAYGEN_BIT_KHR, "RayGeneration"},      {VK_SHADER_STAGE_MISS_BIT_KHR, "Miss"},
      {VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, "ClosestHit"},    {VK_SHADER_STAGE_ANY_HIT_BIT_KHR, "AnyHit"},
      {VK_SHADER_STAGE_INTERSECTION_BIT_KHR, "Intersection"}, {VK_SHADER_STAGE_CALLABLE_BIT_KHR, "Callable"}};
  return Text({.model = models.at(stage) + "KHR"});
}

}  // namespace

std::string CommandOf(MadeKind kind) {
  constexpr const char* kCommands[] = {"vkCreateComputePipelines", "vkCreateRayTracingPipelinesKHR",
                                       "vkCreateRayTracingPipelinesNV", "vkCreateGraphicsPipelines"};
  return kCommands[static_cast<size_t>(kind)];
}

CreationSetup::CreationSetup(MadeKind of) : kind(of), base_kind(of) {
  if (kind == MadeKind::kCompute || kind == MadeKind::kGraphics) {
    stages = {kind == MadeKind::kCompute ? VK_SHADER_STAGE_COMPUTE_BIT : VK_SHADER_STAGE_VERTEX_BIT};
    return;
  }
  if (kind == MadeKind::kRaysNv) Enable("VK_NV_ray_tracing");
  EnableRays().Enable("VK_KHR_pipeline_library");
  stages = {VK_SHADER_STAGE_RAYGEN_BIT_KHR};
  AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, 0);
}

void CreationTest::Start(const CreationSetup& setup) {
  driver().config() = test::MockConfig();
  driver().config().disabled_features = setup.without;
  driver().config().adjust_properties = [&setup](VkBaseOutStructure* properties) {
    for (const auto& limit : setup.limits) limit(properties);
  };
  for (VkQueueFamilyProperties& family : driver().config().queue_families) family.queueFlags &= ~setup.queues_without;
  if (setup.max_stage_resources != 0) driver().config().limits.maxPerStageResources = setup.max_stage_resources;
  Create(features_.EnableOnly(setup.extensions, setup.without));
  driver().config().adjust_properties = nullptr;
}

VkPipelineLayout CreationTest::LayoutOf(const CreationSetup& setup) {
  if (setup.bindings.empty()) return MakePipelineLayout({});
  return MakePipelineLayout({MakeSetLayout(setup.bindings)});
}

std::vector<VkPipelineShaderStageCreateInfo> CreationTest::StagesOf(const CreationSetup& setup) {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  stages.reserve(setup.stages.size());
  for (const VkShaderStageFlagBits stage : setup.stages) {
    stages.push_back({VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, setup.stage_chain, 0, stage,
                      MakeShader(std::string_view(ShaderText(stage))), "main"});
  }
  return stages;
}

VkComputePipelineCreateInfo CreationTest::ComputeInfo() {
  return {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
          .stage = StagesOf(CreationSetup())[0],
          .layout = MakePipelineLayout({}),
          .basePipelineIndex = -1};
}

VkPipelineCache CreationTest::MakeCache(VkPipelineCacheCreateFlags flags) {
  const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .flags = flags};
  VkPipelineCache cache = VK_NULL_HANDLE;
  vk.CreatePipelineCache(device, &info, nullptr, &cache);
  if (cache != VK_NULL_HANDLE) Defer(cache, [this, cache] { vk.DestroyPipelineCache(device, cache, nullptr); });
  return cache;
}

void CreationTest::MakeGraph(const void* chain, VkPipelineCache cache, VkPipelineCreateFlags flags) {
  const auto info = test::Typed(VkExecutionGraphPipelineCreateInfoAMDX{
      .pNext = chain, .flags = flags, .layout = MakePipelineLayout({}), .basePipelineIndex = -1});
  VkPipeline pipeline = VK_NULL_HANDLE;
  vk.CreateExecutionGraphPipelinesAMDX(device, cache, 1, &info, nullptr, &pipeline);
  vk.DestroyPipeline(device, pipeline, nullptr);
}

VkPipelineCreateFlags CreationTest::FlagsOf(CreationSetup& setup) const {
  if (setup.flags > 0x7fffffff || setup.has_flags2) {
    setup.Chain<VkPipelineCreateFlags2CreateInfo>({.flags = setup.flags});
    return 0;
  }
  return static_cast<VkPipelineCreateFlags>(setup.flags) | setup.raw_flags;
}

template <class I, class F>
VkPipeline CreationTest::MakeLast(CreationSetup& setup, I info, const F& create) {
  info.sType = vk::kStructureTypeOf<I>;
  info.flags = setup.before_flags;
  info.layout = LayoutOf(setup);
  info.basePipelineIndex = -1;
  std::vector<I> infos(setup.before + 1, info);
  I& last = infos.back();
  last.flags = FlagsOf(setup);
  last.pNext = setup.chain;
  last.basePipelineIndex = setup.base_index;
  if (setup.has_base) {
    CreationSetup base(setup.base_kind);
    base.flags = setup.base_flags;
    last.basePipelineHandle = Make(base);
  }
  const VkPipelineCache cache = setup.has_cache ? MakeCache() : VK_NULL_HANDLE;
  std::vector<VkPipeline> pipelines(infos.size());
  create(device, cache, CountOf(infos), infos.data(), nullptr, pipelines.data());
  for (VkPipeline pipeline : pipelines) {
    if (pipeline != VK_NULL_HANDLE)
      Defer(pipeline, [this, pipeline] { vk.DestroyPipeline(device, pipeline, nullptr); });
  }
  return pipelines.back();
}

VkPipeline CreationTest::MakeRays(CreationSetup& setup) {
  const auto stages = StagesOf(setup);
  std::vector<VkPipeline> libraries;
  for (const auto& change : setup.libraries) {
    CreationSetup library(MadeKind::kRays);
    library.stages = {VK_SHADER_STAGE_MISS_BIT_KHR};
    library.flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
    library.has_interface = true;
    change(library);
    libraries.push_back(MakeRays(library));
    messages.ExpectNothing();
  }
  const auto linked = test::Of<VkPipelineLibraryCreateInfoKHR>(CountOf(libraries), libraries.data());
  const auto dynamic = test::Of<VkPipelineDynamicStateCreateInfo>(0, CountOf(setup.dynamic), setup.dynamic.data());
  const VkRayTracingPipelineCreateInfoKHR info = {.stageCount = CountOf(stages),
                                                  .pStages = stages.data(),
                                                  .groupCount = CountOf(setup.groups),
                                                  .pGroups = setup.groups.data(),
                                                  .maxPipelineRayRecursionDepth = setup.depth,
                                                  .pLibraryInfo = libraries.empty() ? nullptr : &linked,
                                                  .pLibraryInterface = setup.has_interface ? &setup.interface : nullptr,
                                                  .pDynamicState = setup.dynamic.empty() ? nullptr : &dynamic};
  VkDeferredOperationKHR operation = VK_NULL_HANDLE;
  if (setup.is_deferred) {
    vk.CreateDeferredOperationKHR(device, nullptr, &operation);
    Defer(operation, [=, this] { vk.DestroyDeferredOperationKHR(device, operation, nullptr); });
  }
  const auto create = [&](VkDevice, VkPipelineCache cache, const auto&... others) {
    vk.CreateRayTracingPipelinesKHR(device, operation, cache, others...);
  };
  return MakeLast(setup, info, create);
}

VkPipeline CreationTest::MakeRaysNv(CreationSetup& setup) {
  const auto stages = StagesOf(setup);
  std::vector<VkRayTracingShaderGroupCreateInfoNV> groups;
  groups.reserve(setup.groups.size());
  for (const auto& group : setup.groups) {
    groups.push_back({VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_NV, nullptr, group.type,
                      group.generalShader, group.closestHitShader, group.anyHitShader, group.intersectionShader});
  }
  const VkRayTracingPipelineCreateInfoNV info = {.stageCount = CountOf(stages),
                                                 .pStages = stages.data(),
                                                 .groupCount = CountOf(groups),
                                                 .pGroups = groups.data(),
                                                 .maxRecursionDepth = setup.depth};
  return MakeLast(setup, info, vk.CreateRayTracingPipelinesNV);
}

// Without rasterization.
VkPipeline CreationTest::MakeGraphics(CreationSetup& setup) {
  const auto stages = StagesOf(setup);
  const auto input = test::Of<VkPipelineVertexInputStateCreateInfo>();
  const auto assembly = test::Of<VkPipelineInputAssemblyStateCreateInfo>();
  const auto rasterization =
      test::Typed(VkPipelineRasterizationStateCreateInfo{.rasterizerDiscardEnable = VK_TRUE, .lineWidth = 1});
  const VkGraphicsPipelineCreateInfo info = {.stageCount = CountOf(stages),
                                             .pStages = stages.data(),
                                             .pVertexInputState = &input,
                                             .pInputAssemblyState = &assembly,
                                             .pRasterizationState = &rasterization};
  return MakeLast(setup, info, vk.CreateGraphicsPipelines);
}

VkPipeline CreationTest::Make(CreationSetup& setup) {
  if (setup.kind == MadeKind::kRays) return MakeRays(setup);
  if (setup.kind == MadeKind::kRaysNv) return MakeRaysNv(setup);
  if (setup.kind == MadeKind::kGraphics) return MakeGraphics(setup);
  const VkComputePipelineCreateInfo info = {.stage = StagesOf(setup)[0]};
  return MakeLast(setup, info, vk.CreateComputePipelines);
}

VkPipelineBinaryKHR CreationTest::MakeBinary(const VkPipelineBinaryCreateInfoKHR& info) {
  VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
  VkPipelineBinaryHandlesInfoKHR handles = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR, nullptr, 1, &binary};
  driver().Observe<vk::CreatePipelineBinariesKHR>([](const vk::CreatePipelineBinariesKHR& call) {
    *call.pBinaries->pPipelineBinaries = reinterpret_cast<VkPipelineBinaryKHR>(uintptr_t{0xb1});
  });
  driver().FailNext<vk::CreatePipelineBinariesKHR>(VK_SUCCESS);
  EXPECT_EQ(vk.CreatePipelineBinariesKHR(device, &info, nullptr, &handles), VK_SUCCESS);
  driver().SetObserver({});
  return binary;
}

VkPipelineBinaryKHR CreationTest::MakeBinaryOfData() {
  static constexpr uint8_t kBytes[4] = {};
  const VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR, .keySize = 4};
  const VkPipelineBinaryDataKHR data = {sizeof(kBytes), const_cast<uint8_t*>(kBytes)};
  const VkPipelineBinaryKeysAndDataKHR keys = {1, &key, &data};
  return MakeBinary({.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pKeysAndDataInfo = &keys});
}

void CreationTest::DestroyBinary(VkPipelineBinaryKHR binary) {
  driver().FailNext<vk::DestroyPipelineBinaryKHR>(VK_SUCCESS);
  vk.DestroyPipelineBinaryKHR(device, binary, nullptr);
  driver().TakeMisuses();
}

void CreationTest::Finish() {
  ExpectNothing();
  Destroy();
  driver().config() = test::MockConfig();
}

void CreationTest::Run(MadeKind kind, std::string_view ids, const std::function<void(CreationSetup&)>& change) {
  SCOPED_TRACE(ids.empty() ? "correct" : ids);
  CreationSetup setup(kind);
  change(setup);
  Start(setup);
  {
    const SkipCalls skip(*this);
    Make(setup);
    std::vector<std::string> expected;
    for (const std::string_view id : absl::StrSplit(ids, ' ', absl::SkipEmpty())) expected.push_back(IdOf(kind, id));
    ExpectMessages(expected);
  }
  Finish();
}

void CreationTest::Run(MadeKind kind, std::span<const CreationCase> rows) {
  for (const CreationCase& row : rows) Run(kind, row.id, row.change);
}

}  // namespace assay::core
