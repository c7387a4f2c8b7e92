// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that ask pipelines for data, and objects beside pipelines.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/pipeline_creation/cases/creation_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

constexpr VkPipelineCreateFlags2 kCaptureReplay =
    VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;

class PipelineObjectsTest : public CreationTest {
 protected:
  // A device with these extensions, and without these features.
  void StartWith(std::vector<const char*> extensions, std::vector<const char*> without = {},
                 MadeKind kind = MadeKind::kCompute) {
    setup_ = std::make_unique<CreationSetup>();
    Begin(*setup_, kind);
    for (const char* extension : extensions) setup_->Enable(extension);
    for (const char* feature : without) setup_->Disable(feature);
    Start(*setup_);
    skip_ = std::make_unique<SkipCalls>(*this);
  }
  void End() {
    skip_.reset();
    Finish();
  }
  VkPipeline MakeWith(VkPipelineCreateFlags2 flags, MadeKind kind = MadeKind::kCompute) {
    CreationSetup setup;
    Begin(setup, kind);
    setup.flags = flags;
    setup.has_interface = kind == MadeKind::kRays;
    return Make(setup);
  }
  void GetHandles(VkPipeline pipeline, uint32_t first, uint32_t count, size_t size) {
    std::vector<char> data(256);
    vk.GetRayTracingShaderGroupHandlesKHR(device, pipeline, first, count, size, data.data());
  }
  void GetCaptureReplayHandles(VkPipeline pipeline, uint32_t first, uint32_t count, size_t size) {
    std::vector<char> data(256);
    vk.GetRayTracingCaptureReplayShaderGroupHandlesKHR(device, pipeline, first, count, size, data.data());
  }
  void MakeCache(VkPipelineCacheCreateFlags flags) {
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .flags = flags};
    VkPipelineCache cache = VK_NULL_HANDLE;
    vk.CreatePipelineCache(device, &info, nullptr, &cache);
    if (cache != VK_NULL_HANDLE) vk.DestroyPipelineCache(device, cache, nullptr);
  }
  void GetExecutables(VkPipeline pipeline) {
    const VkPipelineInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, pipeline};
    uint32_t count = 0;
    vk.GetPipelineExecutablePropertiesKHR(device, &info, &count, nullptr);
  }
  void GetStatistics(VkPipeline pipeline, uint32_t index = 0) {
    const VkPipelineExecutableInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr, pipeline, index};
    uint32_t count = 0;
    vk.GetPipelineExecutableStatisticsKHR(device, &info, &count, nullptr);
  }
  void GetRepresentations(VkPipeline pipeline) {
    const VkPipelineExecutableInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr, pipeline, 0};
    uint32_t count = 0;
    vk.GetPipelineExecutableInternalRepresentationsKHR(device, &info, &count, nullptr);
  }
  void GetBinaries(const VkPipelineBinaryCreateInfoKHR& info) {
    VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
    vk.CreatePipelineBinariesKHR(device, &info, nullptr, &handles);
  }
  void GetBinariesOf(VkPipeline pipeline) {
    GetBinaries({.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline});
  }
  void Release(VkPipeline pipeline) {
    const VkReleaseCapturedPipelineDataInfoKHR info = {VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR,
                                                       nullptr, pipeline};
    vk.ReleaseCapturedPipelineDataKHR(device, &info, nullptr);
  }

  std::unique_ptr<CreationSetup> setup_;
  std::unique_ptr<SkipCalls> skip_;
};

TEST_F(PipelineObjectsTest, GroupHandles) {
  StartWith({}, {}, MadeKind::kRays);
  const VkPipeline rays = MakeWith(0, MadeKind::kRays);
  GetHandles(rays, 0, 1, 32);
  GetHandles(rays, 0, 0, 32);
  ExpectNothing();
  GetHandles(MakeWith(0), 0, 1, 32);
  ExpectMessage("VUID-vkGetRayTracingShaderGroupHandlesKHR-pipeline-04619");
  GetHandles(rays, 1, 1, 32);
  ExpectMessage("VUID-vkGetRayTracingShaderGroupHandlesKHR-firstGroup-04050");
  GetHandles(rays, 0, 2, 64);
  ExpectMessage("VUID-vkGetRayTracingShaderGroupHandlesKHR-firstGroup-02419");
  GetHandles(rays, 0, 1, 31);
  ExpectMessage("VUID-vkGetRayTracingShaderGroupHandlesKHR-dataSize-02420");
  GetHandles(MakeWith(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR, MadeKind::kRays), 0, 1, 32);
  ExpectMessage("VUID-vkGetRayTracingShaderGroupHandlesKHR-pipeline-07828");
  End();
}

TEST_F(PipelineObjectsTest, HandlesOfLibraries) {
  StartWith({"VK_EXT_pipeline_library_group_handles"}, {}, MadeKind::kRays);
  GetHandles(MakeWith(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR, MadeKind::kRays), 0, 1, 32);
  GetCaptureReplayHandles(MakeWith(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR | kCaptureReplay, MadeKind::kRays), 0, 1, 32);
  End();
}

TEST_F(PipelineObjectsTest, CaptureReplayHandles) {
  StartWith({}, {}, MadeKind::kRays);
  const VkPipeline rays = MakeWith(kCaptureReplay, MadeKind::kRays);
  GetCaptureReplayHandles(rays, 0, 1, 32);
  ExpectNothing();
  GetCaptureReplayHandles(MakeWith(0), 0, 1, 32);
  ExpectMessage("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-pipeline-04620");
  GetCaptureReplayHandles(rays, 1, 1, 32);
  ExpectMessage("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-firstGroup-04051");
  GetCaptureReplayHandles(rays, 0, 2, 64);
  ExpectMessage("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-firstGroup-03483");
  GetCaptureReplayHandles(rays, 0, 1, 31);
  ExpectMessage("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-dataSize-03484");
  GetCaptureReplayHandles(MakeWith(0, MadeKind::kRays), 0, 1, 32);
  ExpectMessage("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-pipeline-03607");
  GetCaptureReplayHandles(MakeWith(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR | kCaptureReplay, MadeKind::kRays), 0, 1, 32);
  ExpectMessage("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-pipeline-07829");
  End();
  StartWith(
      {}, {"rayTracingPipelineShaderGroupHandleCaptureReplay", "rayTracingPipelineShaderGroupHandleCaptureReplayMixed"},
      MadeKind::kRays);
  GetCaptureReplayHandles(MakeWith(0, MadeKind::kRays), 0, 1, 32);
  ExpectMessage(
      "VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-rayTracingPipelineShaderGroupHandleCaptureReplay-03606");
  End();
}

TEST_F(PipelineObjectsTest, StackSize) {
  StartWith({}, {}, MadeKind::kRays);
  const VkPipeline rays = MakeWith(0, MadeKind::kRays);
  const VkPipeline compute = MakeWith(0);
  vk.GetRayTracingShaderGroupStackSizeKHR(device, rays, 0, VK_SHADER_GROUP_SHADER_GENERAL_KHR);
  ExpectNothing();
  vk.GetRayTracingShaderGroupStackSizeKHR(device, compute, 0, VK_SHADER_GROUP_SHADER_GENERAL_KHR);
  ExpectMessage("VUID-vkGetRayTracingShaderGroupStackSizeKHR-pipeline-04622");
  vk.GetRayTracingShaderGroupStackSizeKHR(device, rays, 1, VK_SHADER_GROUP_SHADER_GENERAL_KHR);
  ExpectMessage("VUID-vkGetRayTracingShaderGroupStackSizeKHR-group-03608");
  for (const VkShaderGroupShaderKHR shader :
       {VK_SHADER_GROUP_SHADER_CLOSEST_HIT_KHR, VK_SHADER_GROUP_SHADER_ANY_HIT_KHR,
        VK_SHADER_GROUP_SHADER_INTERSECTION_KHR}) {
    vk.GetRayTracingShaderGroupStackSizeKHR(device, rays, 0, shader);
    ExpectMessage("VUID-vkGetRayTracingShaderGroupStackSizeKHR-groupShader-03609");
  }
  End();
}

TEST_F(PipelineObjectsTest, DeferredCompilation) {
  StartWith({}, {}, MadeKind::kRaysNv);
  vk.CompileDeferredNV(device, MakeWith(VK_PIPELINE_CREATE_2_DEFER_COMPILE_BIT_NV, MadeKind::kRaysNv), 0);
  ExpectNothing();
  vk.CompileDeferredNV(device, MakeWith(0), 0);
  ExpectMessage("VUID-vkCompileDeferredNV-pipeline-04621");
  vk.CompileDeferredNV(device, MakeWith(0, MadeKind::kRaysNv), 0);
  ExpectMessage("VUID-vkCompileDeferredNV-pipeline-02237");
  End();
}

TEST_F(PipelineObjectsTest, Caches) {
  constexpr VkPipelineCacheCreateFlags kExternal = VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT;
  constexpr VkPipelineCacheCreateFlags kMerges = VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR;
  StartWith({"VK_KHR_maintenance8"});
  MakeCache(0);
  MakeCache(kExternal);
  MakeCache(kMerges);
  ExpectNothing();
  MakeCache(kExternal | kMerges);
  ExpectMessage("VUID-VkPipelineCacheCreateInfo-flags-10201");
  End();
  StartWith({"VK_KHR_maintenance8"}, {"pipelineCreationCacheControl", "maintenance8"});
  MakeCache(kExternal);
  ExpectMessage("VUID-VkPipelineCacheCreateInfo-pipelineCreationCacheControl-02892");
  MakeCache(kMerges);
  ExpectMessage("VUID-VkPipelineCacheCreateInfo-maintenance8-10200");
  End();
}

TEST_F(PipelineObjectsTest, Executables) {
  constexpr VkPipelineCreateFlags2 kBoth =
      VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR | VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  StartWith({"VK_KHR_pipeline_executable_properties"});
  VkPipeline pipeline = MakeWith(kBoth);
  GetStatistics(pipeline);
  GetRepresentations(pipeline);
  GetExecutables(pipeline);
  ExpectNothing();
  GetStatistics(pipeline, 1000);
  ExpectMessage("VUID-VkPipelineExecutableInfoKHR-executableIndex-03275");
  pipeline = MakeWith(0);
  GetStatistics(pipeline);
  ExpectMessage("VUID-vkGetPipelineExecutableStatisticsKHR-pipeline-03274");
  GetRepresentations(pipeline);
  ExpectMessage("VUID-vkGetPipelineExecutableInternalRepresentationsKHR-pipeline-03278");
  End();
  StartWith({"VK_KHR_pipeline_executable_properties"}, {"pipelineExecutableInfo"});
  pipeline = MakeWith(kBoth);
  GetExecutables(pipeline);
  ExpectMessage("VUID-vkGetPipelineExecutablePropertiesKHR-pipelineExecutableInfo-03270");
  GetStatistics(pipeline);
  ExpectMessage("VUID-vkGetPipelineExecutableStatisticsKHR-pipelineExecutableInfo-03272");
  GetRepresentations(pipeline);
  ExpectMessage("VUID-vkGetPipelineExecutableInternalRepresentationsKHR-pipelineExecutableInfo-03276");
  End();
}

TEST_F(PipelineObjectsTest, Properties) {
  VkPipelinePropertiesIdentifierEXT properties = {.sType = VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT};
  auto* base = reinterpret_cast<VkBaseOutStructure*>(&properties);
  StartWith({"VK_EXT_pipeline_properties"});
  VkPipelineInfoEXT info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, MakeWith(0)};
  vk.GetPipelinePropertiesEXT(device, &info, base);
  ExpectNothing();
  base->sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
  vk.GetPipelinePropertiesEXT(device, &info, base);
  ExpectMessage("VUID-vkGetPipelinePropertiesEXT-pPipelineProperties-06739");
  End();
  base->sType = VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT;
  StartWith({"VK_EXT_pipeline_properties"}, {"pipelinePropertiesIdentifier"});
  info.pipeline = MakeWith(0);
  vk.GetPipelinePropertiesEXT(device, &info, base);
  ExpectMessage("VUID-vkGetPipelinePropertiesEXT-None-06766");
  End();
}

TEST_F(PipelineObjectsTest, CapturedData) {
  StartWith({"VK_KHR_pipeline_binary"});
  const VkPipeline pipeline = MakeWith(VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR);
  GetBinariesOf(pipeline);
  ExpectNothing();
  GetBinariesOf(MakeWith(0));
  ExpectMessage("VUID-VkPipelineBinaryCreateInfoKHR-pipeline-09607");
  GetBinaries({.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR});
  ExpectMessage("VUID-VkPipelineBinaryCreateInfoKHR-pKeysAndDataInfo-09619");
  Release(MakeWith(0));
  ExpectMessage("VUID-VkReleaseCapturedPipelineDataInfoKHR-pipeline-09613");
  Release(pipeline);
  ExpectNothing();
  GetBinariesOf(pipeline);
  ExpectMessage("VUID-VkPipelineBinaryCreateInfoKHR-pipeline-09608");
  Release(pipeline);
  ExpectMessage("VUID-VkReleaseCapturedPipelineDataInfoKHR-pipeline-09618");
  End();
}

TEST_F(PipelineObjectsTest, BinariesOfCreateInfos) {
  CreationSetup setup;
  Begin(setup, MadeKind::kCompute);
  setup.Enable("VK_KHR_pipeline_binary");
  VkBool32 has_cache = VK_TRUE;
  static VkBool32* has_cache_of_driver = nullptr;
  has_cache_of_driver = &has_cache;
  setup.Limit<VkPhysicalDevicePipelineBinaryPropertiesKHR>(
      [](auto& properties) { properties.pipelineBinaryInternalCache = *has_cache_of_driver; });
  for (const VkBool32 value : {VK_TRUE, VK_FALSE}) {
    has_cache = value;
    Start(setup);
    const SkipCalls skip(*this);
    VkComputePipelineCreateInfo compute = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                           .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                     .module = MakeShader(test::ComputeShader({})),
                                                     .pName = "main"},
                                           .layout = MakePipelineLayout({}),
                                           .basePipelineIndex = -1};
    const VkPipelineCreateInfoKHR outer = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR, &compute};
    const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                                .pPipelineCreateInfo = &outer};
    VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
    GetBinaries(info);
    if (value == VK_FALSE) {
      ExpectMessage("VUID-VkPipelineBinaryCreateInfoKHR-pipelineBinaryInternalCache-09609");
    } else {
      vk.GetPipelineKeyKHR(device, &outer, &key);
      ExpectNothing();
      const VkPipelineBinaryKHR binary = MakeBinary(info);
      const VkPipelineBinaryInfoKHR binaries = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, nullptr, 1, &binary};
      compute.pNext = &binaries;
      vk.GetPipelineKeyKHR(device, &outer, &key);
      ExpectMessage("VUID-vkGetPipelineKeyKHR-pNext-09605");
      GetBinaries(info);
      ExpectMessage("VUID-VkPipelineBinaryCreateInfoKHR-pPipelineCreateInfo-09606");
      const VkPipelineCacheCreateInfo cache_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
      VkPipelineCache cache = VK_NULL_HANDLE;
      vk.CreatePipelineCache(device, &cache_info, nullptr, &cache);
      VkPipeline pipeline = VK_NULL_HANDLE;
      vk.CreateComputePipelines(device, cache, 1, &compute, nullptr, &pipeline);
      ExpectMessage("VUID-vkCreateComputePipelines-pNext-09616");
      compute.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
      vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &compute, nullptr, &pipeline);
      ExpectMessage("VUID-vkCreateComputePipelines-binaryCount-09622");
      vk.DestroyPipelineCache(device, cache, nullptr);
      DestroyBinary(binary);
    }
    skip_.reset();
    Finish();
  }
}

TEST_F(PipelineObjectsTest, RayTracingPipelinesOfBinaries) {
  CreationSetup setup;
  Begin(setup, MadeKind::kRays);
  setup.Enable("VK_KHR_pipeline_binary");
  Start(setup);
  const VkComputePipelineCreateInfo compute = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                               .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                         .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                         .module = MakeShader(test::ComputeShader({})),
                                                         .pName = "main"},
                                               .layout = MakePipelineLayout({}),
                                               .basePipelineIndex = -1};
  const VkPipelineCreateInfoKHR outer = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
                                         const_cast<VkComputePipelineCreateInfo*>(&compute)};
  const VkPipelineBinaryKHR binary =
      MakeBinary({.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pPipelineCreateInfo = &outer});
  setup.Chain<VkPipelineBinaryInfoKHR>({.binaryCount = 1, .pPipelineBinaries = &binary});
  Make(setup);
  ExpectNothing();
  {
    const SkipCalls skip(*this);
    setup.has_cache = true;
    Make(setup);
    ExpectMessage("VUID-vkCreateRayTracingPipelinesKHR-pNext-09616");
    setup.has_cache = false;
    setup.flags = VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    Make(setup);
    ExpectMessage("VUID-vkCreateRayTracingPipelinesKHR-binaryCount-09622");
  }
  DestroyBinary(binary);
  Finish();
}

TEST_F(PipelineObjectsTest, ShaderModules) {
  const std::vector<uint32_t> code(64, 0x07230203);
  VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 61, .pCode = code.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  StartWith({});
  vk.CreateShaderModule(device, &info, nullptr, &module);
  ExpectMessage("VUID-VkShaderModuleCreateInfo-codeSize-08735");
  info.codeSize = 0;
  vk.CreateShaderModule(device, &info, nullptr, &module);
  ExpectMessage("VUID-VkShaderModuleCreateInfo-codeSize-01085");
  End();
}

TEST_F(PipelineObjectsTest, ShaderModuleIdentifiers) {
  VkShaderModuleIdentifierEXT identifier = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
  const std::vector<uint32_t> words = test::AssembleSpirv(test::ComputeShader({}));
  const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                         .codeSize = words.size() * sizeof(uint32_t),
                                         .pCode = words.data()};
  StartWith({"VK_EXT_shader_module_identifier"});
  vk.GetShaderModuleIdentifierEXT(device, MakeShader(words), &identifier);
  vk.GetShaderModuleCreateInfoIdentifierEXT(device, &info, &identifier);
  End();
  StartWith({"VK_EXT_shader_module_identifier"}, {"shaderModuleIdentifier"});
  vk.GetShaderModuleIdentifierEXT(device, MakeShader(words), &identifier);
  ExpectMessage("VUID-vkGetShaderModuleIdentifierEXT-shaderModuleIdentifier-06884");
  vk.GetShaderModuleCreateInfoIdentifierEXT(device, &info, &identifier);
  ExpectMessage("VUID-vkGetShaderModuleCreateInfoIdentifierEXT-shaderModuleIdentifier-06885");
  End();
}

}  // namespace
}  // namespace assay::core
