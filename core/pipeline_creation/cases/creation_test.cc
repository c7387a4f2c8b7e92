// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipeline_creation/cases/creation_test.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

constexpr std::string_view kKhrRays = "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n";
constexpr std::string_view kNvRays = "OpCapability RayTracingNV\nOpExtension \"SPV_NV_ray_tracing\"\n";

std::string IdOf(MadeKind kind, std::string_view rule) {
  if (rule.starts_with("Vk") || rule.starts_with("vk")) return absl::StrCat("VUID-", rule);
  constexpr std::string_view kOwners[] = {"VkComputePipelineCreateInfo", "VkRayTracingPipelineCreateInfoKHR",
                                          "VkRayTracingPipelineCreateInfoNV"};
  return absl::StrCat("VUID-", kOwners[static_cast<size_t>(kind)], "-", rule);
}

// A shader that does nothing. `rays` declares what a ray tracing stage needs.
std::string ShaderText(VkShaderStageFlagBits stage, std::string_view rays) {
  const bool is_compute = stage == VK_SHADER_STAGE_COMPUTE_BIT;
  static const std::map<VkShaderStageFlagBits, std::string_view> models = {
      {VK_SHADER_STAGE_COMPUTE_BIT, "GLCompute"},       {VK_SHADER_STAGE_RAYGEN_BIT_KHR, "RayGenerationKHR"},
      {VK_SHADER_STAGE_MISS_BIT_KHR, "MissKHR"},        {VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, "ClosestHitKHR"},
      {VK_SHADER_STAGE_ANY_HIT_BIT_KHR, "AnyHitKHR"},   {VK_SHADER_STAGE_INTERSECTION_BIT_KHR, "IntersectionKHR"},
      {VK_SHADER_STAGE_CALLABLE_BIT_KHR, "CallableKHR"}};
  return absl::StrCat(is_compute ? "OpCapability Shader\n" : rays, "OpMemoryModel Logical GLSL450\nOpEntryPoint ",
                      models.at(stage), " %main \"main\"\n",
                      is_compute ? "OpExecutionMode %main LocalSize 1 1 1\n" : "", R"(
      %void = OpTypeVoid
      %fn = OpTypeFunction %void
      %main = OpFunction %void None %fn
      %entry = OpLabel
      OpReturn
      OpFunctionEnd)");
}

}  // namespace

void CreationTest::Begin(CreationSetup& setup, MadeKind kind) {
  setup.kind = setup.base_kind = kind;
  if (kind == MadeKind::kCompute) {
    setup.stages = {VK_SHADER_STAGE_COMPUTE_BIT};
    return;
  }
  if (kind == MadeKind::kRaysNv) setup.Enable("VK_NV_ray_tracing");
  setup.EnableRays().Enable("VK_KHR_pipeline_library");
  setup.stages = {VK_SHADER_STAGE_RAYGEN_BIT_KHR};
  setup.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, 0);
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

VkShaderModule CreationTest::ModuleOf(const CreationSetup& setup, VkShaderStageFlagBits stage) {
  if (stage == VK_SHADER_STAGE_VERTEX_BIT) return MakeShader(test::VertexShader(1));
  return MakeShader(std::string_view(ShaderText(stage, setup.has_nv_shaders ? kNvRays : kKhrRays)));
}

std::vector<VkPipelineShaderStageCreateInfo> CreationTest::StagesOf(const CreationSetup& setup) {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  stages.reserve(setup.stages.size());
  for (const VkShaderStageFlagBits stage : setup.stages) {
    stages.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .pNext = setup.stage_chain,
                      .stage = stage,
                      .module = ModuleOf(setup, stage),
                      .pName = "main"});
  }
  return stages;
}

VkComputePipelineCreateInfo CreationTest::ComputeInfo() {
  CreationSetup setup;
  Begin(setup, MadeKind::kCompute);
  return {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
          .stage = StagesOf(setup)[0],
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
  const VkExecutionGraphPipelineCreateInfoAMDX info = {
      .sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX,
      .pNext = chain,
      .flags = flags,
      .layout = MakePipelineLayout({}),
      .basePipelineIndex = -1};
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
  std::vector<I> infos;
  infos.reserve(setup.before + 1);
  for (uint32_t i = 0; i < setup.before; ++i) {
    infos.push_back(info);
    infos.back().pNext = nullptr;
    infos.back().flags = setup.before_flags;
    infos.back().basePipelineHandle = VK_NULL_HANDLE;
    infos.back().basePipelineIndex = -1;
  }
  infos.push_back(info);
  std::vector<VkPipeline> pipelines(infos.size());
  create(static_cast<uint32_t>(infos.size()), infos.data(), pipelines.data());
  for (VkPipeline pipeline : pipelines) {
    if (pipeline != VK_NULL_HANDLE)
      Defer(pipeline, [this, pipeline] { vk.DestroyPipeline(device, pipeline, nullptr); });
  }
  return pipelines.back();
}

VkPipeline CreationTest::MakeCompute(CreationSetup& setup, VkPipeline base, VkPipelineCache cache) {
  const auto stages = StagesOf(setup);
  const VkPipelineCreateFlags flags = FlagsOf(setup);
  const VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            setup.chain,
                                            flags,
                                            stages[0],
                                            LayoutOf(setup),
                                            base,
                                            setup.base_index};
  return MakeLast(setup, info, [&](uint32_t count, const auto* infos, VkPipeline* pipelines) {
    vk.CreateComputePipelines(device, cache, count, infos, nullptr, pipelines);
  });
}

VkPipeline CreationTest::MakeRays(CreationSetup& setup, VkPipeline base, VkPipelineCache cache) {
  const auto stages = StagesOf(setup);
  std::vector<VkPipeline> libraries;
  libraries.reserve(setup.libraries.size());
  for (const auto& change : setup.libraries) {
    CreationSetup library;
    Begin(library, MadeKind::kRays);
    library.stages = {VK_SHADER_STAGE_MISS_BIT_KHR};
    library.flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
    library.has_interface = true;
    change(library);
    libraries.push_back(MakeRays(library, VK_NULL_HANDLE, VK_NULL_HANDLE));
    messages.ExpectNothing();
  }
  const VkPipelineLibraryCreateInfoKHR linked = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr,
                                                 static_cast<uint32_t>(libraries.size()), libraries.data()};
  const VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, nullptr, 0,
                                                    static_cast<uint32_t>(setup.dynamic.size()), setup.dynamic.data()};
  const VkPipelineCreateFlags flags = FlagsOf(setup);
  const VkRayTracingPipelineCreateInfoKHR info = {VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                  setup.chain,
                                                  flags,
                                                  static_cast<uint32_t>(stages.size()),
                                                  stages.data(),
                                                  static_cast<uint32_t>(setup.groups.size()),
                                                  setup.groups.data(),
                                                  setup.depth,
                                                  libraries.empty() ? nullptr : &linked,
                                                  setup.has_interface ? &setup.interface : nullptr,
                                                  setup.dynamic.empty() ? nullptr : &dynamic,
                                                  LayoutOf(setup),
                                                  base,
                                                  setup.base_index};
  VkDeferredOperationKHR operation = VK_NULL_HANDLE;
  if (setup.is_deferred) {
    vk.CreateDeferredOperationKHR(device, nullptr, &operation);
    Defer(operation, [=, this] { vk.DestroyDeferredOperationKHR(device, operation, nullptr); });
  }
  return MakeLast(setup, info, [&](uint32_t count, const auto* infos, VkPipeline* pipelines) {
    vk.CreateRayTracingPipelinesKHR(device, operation, cache, count, infos, nullptr, pipelines);
  });
}

VkPipeline CreationTest::MakeRaysNv(CreationSetup& setup, VkPipeline base, VkPipelineCache cache) {
  const auto stages = StagesOf(setup);
  std::vector<VkRayTracingShaderGroupCreateInfoNV> groups;
  groups.reserve(setup.groups.size());
  for (const auto& group : setup.groups) {
    groups.push_back({VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_NV, nullptr, group.type,
                      group.generalShader, group.closestHitShader, group.anyHitShader, group.intersectionShader});
  }
  const VkPipelineCreateFlags flags = FlagsOf(setup);
  const VkRayTracingPipelineCreateInfoNV info = {VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_NV,
                                                 setup.chain,
                                                 flags,
                                                 static_cast<uint32_t>(stages.size()),
                                                 stages.data(),
                                                 static_cast<uint32_t>(groups.size()),
                                                 groups.data(),
                                                 setup.depth,
                                                 LayoutOf(setup),
                                                 base,
                                                 setup.base_index};
  return MakeLast(setup, info, [&](uint32_t count, const auto* infos, VkPipeline* pipelines) {
    vk.CreateRayTracingPipelinesNV(device, cache, count, infos, nullptr, pipelines);
  });
}

VkPipeline CreationTest::Make(CreationSetup& setup) {
  VkPipeline base = VK_NULL_HANDLE;
  if (setup.has_base) {
    CreationSetup of_base;
    Begin(of_base, setup.base_kind);
    of_base.flags = setup.base_flags;
    base = Make(of_base);
  }
  const VkPipelineCache cache = setup.has_cache ? MakeCache() : VK_NULL_HANDLE;
  switch (setup.kind) {
    case MadeKind::kCompute:
      return MakeCompute(setup, base, cache);
    case MadeKind::kRays:
      return MakeRays(setup, base, cache);
    default:
      return MakeRaysNv(setup, base, cache);
  }
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

void CreationTest::Run(MadeKind kind, std::string_view id, const std::function<void(CreationSetup&)>& change) {
  SCOPED_TRACE(id.empty() ? "correct" : id);
  CreationSetup setup;
  Begin(setup, kind);
  change(setup);
  Start(setup);
  {
    const SkipCalls skip(*this);
    Make(setup);
    if (!id.empty()) ExpectMessage(IdOf(kind, id));
  }
  Finish();
}

void CreationTest::Run(MadeKind kind, std::span<const CreationCase> rows) {
  for (const CreationCase& row : rows) Run(kind, row.id, row.change);
}

}  // namespace assay::core
