// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that ask pipelines for data, and objects beside pipelines.

#include "core/pipeline_creation/cases/creation_test.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

constexpr MadeKind kRays = MadeKind::kRays;
constexpr VkPipelineCreateFlags2 kLibrary = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;

class PipelineObjectsTest : public CreationTest {
 protected:
  // A device with these extensions, and without these features; in place of an earlier one.
  void StartWith(std::vector<const char*> extensions, std::vector<const char*> without = {},
                 MadeKind kind = MadeKind::kCompute) {
    End();
    setup_ = std::make_unique<CreationSetup>(kind);
    for (const char* extension : extensions) setup_->Enable(extension);
    for (const char* feature : without) setup_->Disable(feature);
    Start(*setup_);
    skip_ = std::make_unique<SkipCalls>(*this);
  }
  void End() {
    if (skip_ == nullptr) return;
    skip_.reset();
    Finish();
  }
  void TearDown() override {
    End();
    CreationTest::TearDown();
  }
  VkPipeline MakeWith(VkPipelineCreateFlags2 flags, MadeKind kind = MadeKind::kCompute) {
    CreationSetup setup(kind);
    setup.flags = flags;
    setup.has_interface = kind == kRays;
    return Make(setup);
  }
  // Calls a command, which breaks that rule, or none if it is empty.
  void Try(const std::string& rule, const auto& command, const auto&... arguments) {
    SCOPED_TRACE(rule);
    command(arguments...);
    ExpectMessages(rule.empty() ? std::vector<std::string>() : std::vector{"VUID-" + rule});
  }
  // Handles of shader groups, or those for capture and replay; the rule is one of the command.
  void GetHandles(const std::string& rule, VkPipeline pipeline, uint32_t first = 0, uint32_t count = 1,
                  size_t size = 32) {
    const std::string owner =
        is_replay_ ? "vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-" : "vkGetRayTracingShaderGroupHandlesKHR-";
    Try(rule.empty() ? rule : owner + rule,
        is_replay_ ? vk.GetRayTracingCaptureReplayShaderGroupHandlesKHR : vk.GetRayTracingShaderGroupHandlesKHR, device,
        pipeline, first, count, size, data_.data());
  }
  void GetStackSize(const std::string& rule, VkPipeline pipeline, uint32_t group = 0,
                    VkShaderGroupShaderKHR shader = VK_SHADER_GROUP_SHADER_GENERAL_KHR) {
    Try(rule, vk.GetRayTracingShaderGroupStackSizeKHR, device, pipeline, group, shader);
  }
  // Calls a command that asks an executable of a pipeline for data.
  void Ask(const auto& command, const std::string& rule, VkPipeline pipeline, uint32_t index = 0) {
    const auto info = test::Of<VkPipelineExecutableInfoKHR>(pipeline, index);
    Try(rule, command, device, &info, &count_, nullptr);
  }
  void GetBinaries(const std::string& rule, const VkPipelineBinaryCreateInfoKHR& info) {
    VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
    Try(rule, vk.CreatePipelineBinariesKHR, device, &info, nullptr, &handles);
  }
  void GetBinariesOf(const std::string& rule, VkPipeline pipeline) {
    GetBinaries(rule, {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline});
  }
  void Release(const std::string& rule, VkPipeline pipeline) {
    const auto info = test::Of<VkReleaseCapturedPipelineDataInfoKHR>(pipeline);
    Try(rule, vk.ReleaseCapturedPipelineDataKHR, device, &info, nullptr);
  }

  std::unique_ptr<CreationSetup> setup_;
  std::unique_ptr<SkipCalls> skip_;
  std::vector<char> data_ = std::vector<char>(256);
  uint32_t count_ = 0;
  bool is_replay_ = false;
};

TEST_F(PipelineObjectsTest, GroupHandles) {
  for (const bool is_replay : {false, true}) {
    is_replay_ = is_replay;
    const VkPipelineCreateFlags2 flags =
        is_replay ? VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR : 0;
    StartWith({}, {}, kRays);
    const VkPipeline rays = MakeWith(flags, kRays);
    for (const uint32_t count : {0, 1}) GetHandles("", rays, 0, count);
    GetHandles(is_replay ? "pipeline-04620" : "pipeline-04619", MakeWith(0));
    GetHandles(is_replay ? "firstGroup-04051" : "firstGroup-04050", rays, 1);
    GetHandles(is_replay ? "firstGroup-03483" : "firstGroup-02419", rays, 0, 2, 64);
    GetHandles(is_replay ? "dataSize-03484" : "dataSize-02420", rays, 0, 1, 31);
    GetHandles(is_replay ? "pipeline-07829" : "pipeline-07828", MakeWith(kLibrary | flags, kRays));
    if (is_replay) GetHandles("pipeline-03607", MakeWith(0, kRays));
    StartWith({"VK_EXT_pipeline_library_group_handles"}, {}, kRays);
    GetHandles("", MakeWith(kLibrary | flags, kRays));
  }
  constexpr char kFeature[] = "rayTracingPipelineShaderGroupHandleCaptureReplay";
  StartWith({}, {kFeature, "rayTracingPipelineShaderGroupHandleCaptureReplayMixed"}, kRays);
  GetHandles(std::string(kFeature) + "-03606", MakeWith(0, kRays));
}

TEST_F(PipelineObjectsTest, StackSize) {
  StartWith({}, {}, kRays);
  const VkPipeline rays = MakeWith(0, kRays);
  const VkPipeline compute = MakeWith(0);
  GetStackSize("", rays);
  GetStackSize("vkGetRayTracingShaderGroupStackSizeKHR-pipeline-04622", compute);
  GetStackSize("vkGetRayTracingShaderGroupStackSizeKHR-group-03608", rays, 1);
  for (const VkShaderGroupShaderKHR shader :
       {VK_SHADER_GROUP_SHADER_CLOSEST_HIT_KHR, VK_SHADER_GROUP_SHADER_ANY_HIT_KHR,
        VK_SHADER_GROUP_SHADER_INTERSECTION_KHR}) {
    GetStackSize("vkGetRayTracingShaderGroupStackSizeKHR-groupShader-03609", rays, 0, shader);
  }
}

TEST_F(PipelineObjectsTest, DeferredCompilation) {
  StartWith({}, {}, MadeKind::kRaysNv);
  Try("", vk.CompileDeferredNV, device, MakeWith(VK_PIPELINE_CREATE_2_DEFER_COMPILE_BIT_NV, MadeKind::kRaysNv), 0);
  Try("vkCompileDeferredNV-pipeline-04621", vk.CompileDeferredNV, device, MakeWith(0), 0);
  Try("vkCompileDeferredNV-pipeline-02237", vk.CompileDeferredNV, device, MakeWith(0, MadeKind::kRaysNv), 0);
}

TEST_F(PipelineObjectsTest, Caches) {
  constexpr VkPipelineCacheCreateFlags kExternal = VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT;
  constexpr VkPipelineCacheCreateFlags kMerges = VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR;
  StartWith({"VK_KHR_maintenance8"});
  for (const VkPipelineCacheCreateFlags flags : {VkPipelineCacheCreateFlags{0}, kExternal, kMerges}) MakeCache(flags);
  ExpectNothing();
}

TEST_F(PipelineObjectsTest, Executables) {
  constexpr VkPipelineCreateFlags2 kBoth =
      VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR | VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  StartWith({"VK_KHR_pipeline_executable_properties"});
  VkPipeline pipeline = MakeWith(kBoth);
  const auto info = test::Of<VkPipelineInfoKHR>(pipeline);
  const auto statistics = vk.GetPipelineExecutableStatisticsKHR;
  const auto representations = vk.GetPipelineExecutableInternalRepresentationsKHR;
  Ask(statistics, "", pipeline);
  Ask(representations, "", pipeline);
  Try("", vk.GetPipelineExecutablePropertiesKHR, device, &info, &count_, nullptr);
  Ask(statistics, "VkPipelineExecutableInfoKHR-executableIndex-03275", pipeline, 1000);
  pipeline = MakeWith(0);
  Ask(statistics, "vkGetPipelineExecutableStatisticsKHR-pipeline-03274", pipeline);
  Ask(representations, "vkGetPipelineExecutableInternalRepresentationsKHR-pipeline-03278", pipeline);
}

TEST_F(PipelineObjectsTest, Properties) {
  VkPipelinePropertiesIdentifierEXT properties = {.sType = VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT};
  auto* base = reinterpret_cast<VkBaseOutStructure*>(&properties);
  StartWith({"VK_EXT_pipeline_properties"});
  const VkPipelineInfoEXT info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, MakeWith(0)};
  Try("", vk.GetPipelinePropertiesEXT, device, &info, base);
  base->sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
  Try("vkGetPipelinePropertiesEXT-pPipelineProperties-06739", vk.GetPipelinePropertiesEXT, device, &info, base);
}

TEST_F(PipelineObjectsTest, CapturedData) {
  StartWith({"VK_KHR_pipeline_binary"});
  const VkPipeline pipeline = MakeWith(VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR);
  GetBinariesOf("", pipeline);
  GetBinariesOf("VkPipelineBinaryCreateInfoKHR-pipeline-09607", MakeWith(0));
  GetBinaries("VkPipelineBinaryCreateInfoKHR-pKeysAndDataInfo-09619",
              {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR});
  Release("VkReleaseCapturedPipelineDataInfoKHR-pipeline-09613", MakeWith(0));
  Release("", pipeline);
  GetBinariesOf("VkPipelineBinaryCreateInfoKHR-pipeline-09608", pipeline);
  Release("VkReleaseCapturedPipelineDataInfoKHR-pipeline-09618", pipeline);
}

TEST_F(PipelineObjectsTest, BinariesOfCreateInfos) {
  CreationSetup setup;
  setup.Enable("VK_KHR_pipeline_binary");
  VkBool32 has_cache = VK_TRUE;
  setup.Limit<VkPhysicalDevicePipelineBinaryPropertiesKHR>(
      [&](auto& properties) { properties.pipelineBinaryInternalCache = has_cache; });
  for (const VkBool32 value : {VK_TRUE, VK_FALSE}) {
    has_cache = value;
    Start(setup);
    const SkipCalls skip(*this);
    VkComputePipelineCreateInfo compute = ComputeInfo();
    const VkPipelineCreateInfoKHR outer = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR, &compute};
    const auto info = test::Typed(VkPipelineBinaryCreateInfoKHR{.pPipelineCreateInfo = &outer});
    VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
    GetBinaries(has_cache ? "" : "VkPipelineBinaryCreateInfoKHR-pipelineBinaryInternalCache-09609", info);
    if (has_cache) {
      Try("", vk.GetPipelineKeyKHR, device, &outer, &key);
      const VkPipelineBinaryKHR binary = MakeBinary(info);
      const VkPipelineBinaryInfoKHR binaries = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, nullptr, 1, &binary};
      compute.pNext = &binaries;
      Try("vkGetPipelineKeyKHR-pNext-09605", vk.GetPipelineKeyKHR, device, &outer, &key);
      GetBinaries("VkPipelineBinaryCreateInfoKHR-pPipelineCreateInfo-09606", info);
      VkPipeline pipeline = VK_NULL_HANDLE;
      Try("vkCreateComputePipelines-pNext-09616", vk.CreateComputePipelines, device, MakeCache(), 1, &compute, nullptr,
          &pipeline);
      compute.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
      Try("vkCreateComputePipelines-binaryCount-09622", vk.CreateComputePipelines, device, VK_NULL_HANDLE, 1, &compute,
          nullptr, &pipeline);
      DestroyBinary(binary);
    }
    Finish();
  }
}

TEST_F(PipelineObjectsTest, ShaderModules) {
  const std::vector<uint32_t> code(64, 0x07230203);
  const auto info = test::Typed(VkShaderModuleCreateInfo{.codeSize = 61, .pCode = code.data()});
  VkShaderModule module = VK_NULL_HANDLE;
  StartWith({});
  Try("VkShaderModuleCreateInfo-codeSize-08735", vk.CreateShaderModule, device, &info, nullptr, &module);
}

TEST_F(PipelineObjectsTest, ShaderModuleIdentifiers) {
  VkShaderModuleIdentifierEXT identifier = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
  const std::vector<uint32_t> words = test::AssembleSpirv(test::ComputeShader({}));
  const auto info =
      test::Typed(VkShaderModuleCreateInfo{.codeSize = words.size() * sizeof(uint32_t), .pCode = words.data()});
  StartWith({"VK_EXT_shader_module_identifier"});
  vk.GetShaderModuleIdentifierEXT(device, MakeShader(words), &identifier);
  vk.GetShaderModuleCreateInfoIdentifierEXT(device, &info, &identifier);
}

}  // namespace
}  // namespace assay::core
