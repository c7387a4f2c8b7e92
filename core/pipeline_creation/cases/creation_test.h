// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINE_CREATION_CASES_CREATION_TEST_H_
#define ASSAY_CORE_PIPELINE_CREATION_CASES_CREATION_TEST_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

// Test-only: a device and a pipeline, as structures that a case changes. Of graphics pipelines, there is what they
// share with the other kinds.
namespace assay::core {

enum class MadeKind : uint8_t { kCompute, kRays, kRaysNv, kGraphics };
// "vkCreateComputePipelines".
std::string CommandOf(MadeKind kind);

// It begins as a correct pipeline: a compute or vertex shader, or a ray generation shader in a group of its own.
struct CreationSetup {
  explicit CreationSetup(MadeKind of = MadeKind::kCompute);
  CreationSetup(const CreationSetup&) = delete;
  CreationSetup& operator=(const CreationSetup&) = delete;

  // Adds a structure to the chain of the create info.
  template <class T>
  T& Chain(T more) {
    return Add(chain, more);
  }
  template <class T>
  T& ChainToStage(T more) {
    return Add(stage_chain, more);
  }
  // Enables an extension, with all features of its structures but those in `without`.
  CreationSetup& Enable(const char* extension) {
    extensions.push_back(extension);
    return *this;
  }
  CreationSetup& Disable(const char* feature) {
    without.emplace(feature);
    return *this;
  }
  CreationSetup& EnableRays() {
    return Enable("VK_KHR_acceleration_structure")
        .Enable("VK_KHR_deferred_host_operations")
        .Enable("VK_KHR_ray_tracing_pipeline");
  }
  CreationSetup& EnableGeneratedComputeNv() {
    return Enable("VK_NV_device_generated_commands").Enable("VK_NV_device_generated_commands_compute");
  }
  // Changes a structure of the physical device's properties.
  template <class T>
  void Limit(std::function<void(T&)> change) {
    limits.emplace_back([change](VkBaseOutStructure* s) {
      if (s->sType == vk::kStructureTypeOf<T>) change(*reinterpret_cast<T*>(s));
    });
  }
  // Adds a stage, and returns its index.
  uint32_t AddStage(VkShaderStageFlagBits stage) {
    stages.push_back(stage);
    return static_cast<uint32_t>(stages.size() - 1);
  }
  VkRayTracingShaderGroupCreateInfoKHR& AddGroup(VkRayTracingShaderGroupTypeKHR type,
                                                 uint32_t general = VK_SHADER_UNUSED_KHR) {
    return groups.emplace_back(VkRayTracingShaderGroupCreateInfoKHR{
        VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR, nullptr, type, general, VK_SHADER_UNUSED_KHR,
        VK_SHADER_UNUSED_KHR, VK_SHADER_UNUSED_KHR, nullptr});
  }
  // Links a library with these flags.
  CreationSetup& AddLibrary(VkPipelineCreateFlags2 with) {
    has_interface = true;
    libraries.emplace_back([with](CreationSetup& library) { library.flags |= with; });
    return *this;
  }

  MadeKind kind;
  std::vector<const char*> extensions;
  std::set<std::string> without;
  std::vector<std::function<void(VkBaseOutStructure*)>> limits;
  VkQueueFlags queues_without = 0;
  // The bindings of set 0; without a set if it is empty.
  std::vector<test::Binding> bindings;
  // Of the physical device; 0 for that of the driver.
  uint32_t max_stage_resources = 0;

  const void* chain = nullptr;
  const void* stage_chain = nullptr;
  // In VkPipelineCreateFlags2CreateInfo if the create info has no room for them.
  VkPipelineCreateFlags2 flags = 0;
  VkPipelineCreateFlags raw_flags = 0;
  bool has_flags2 = false;
  bool has_cache = false;
  bool is_deferred = false;
  // Copies of the create info before it, with these flags.
  uint32_t before = 0;
  VkPipelineCreateFlags before_flags = 0;
  int32_t base_index = -1;
  // A pipeline of that kind, with these flags.
  bool has_base = false;
  MadeKind base_kind;
  VkPipelineCreateFlags base_flags = 0;

  std::vector<VkShaderStageFlagBits> stages;
  std::vector<VkRayTracingShaderGroupCreateInfoKHR> groups;
  uint32_t depth = 1;
  std::vector<VkDynamicState> dynamic;
  bool has_interface = false;
  VkRayTracingPipelineInterfaceCreateInfoKHR interface = {
      VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR, nullptr, 16, 8};
  // Each is a library with a miss shader, changed by the function.
  std::vector<std::function<void(CreationSetup&)>> libraries;

 private:
  template <class T>
  T& Add(const void*& to, T more) {
    auto& kept = kept_.emplace_back(new char[sizeof(T)], [](void* p) { delete[] static_cast<char*>(p); });
    T& result = *new (kept.get()) T(more);
    result.sType = vk::kStructureTypeOf<T>;
    result.pNext = const_cast<void*>(to);
    to = &result;
    return result;
  }
  std::vector<std::unique_ptr<void, void (*)(void*)>> kept_;
};

// The change of a case.
using Setup = CreationSetup;
using Change = void (*)(Setup&);
// Around the changes of a row that are several statements.
constexpr Change By(Change change) { return change; }
struct CreationCase {
  // Empty for a correct pipeline: "flags-07984" for a rule of the create info, and
  // "vkCreateComputePipelines-flags-00695" for one of the command or another structure.
  std::string_view id;
  Change change;
};
constexpr CreationCase Correct(Change change) { return {"", change}; }

// Through the whole layer.
class CreationTest : public test::ValidationTest {
 protected:
  void SetUp() override {}
  // Makes the device.
  void Start(const CreationSetup& setup);
  // Creates the pipeline, which the device destroys; null if that fails.
  VkPipeline Make(CreationSetup& setup);
  void Finish();
  // A correct compute pipeline.
  VkComputePipelineCreateInfo ComputeInfo();
  std::vector<VkPipelineShaderStageCreateInfo> StagesOf(const CreationSetup& setup);
  // Creates and destroys a pipeline of an empty execution graph.
  void MakeGraph(const void* chain, VkPipelineCache cache = VK_NULL_HANDLE, VkPipelineCreateFlags flags = 0);
  // The device destroys it; null if that fails.
  VkPipelineCache MakeCache(VkPipelineCacheCreateFlags flags = 0);
  // The driver itself would make none; the handle is not one that it knows.
  VkPipelineBinaryKHR MakeBinary(const VkPipelineBinaryCreateInfoKHR& info);
  // Of data that the application has.
  VkPipelineBinaryKHR MakeBinaryOfData();
  void DestroyBinary(VkPipelineBinaryKHR binary);
  // `ids` are those of CreationCases, joined by spaces.
  void Run(MadeKind kind, std::string_view ids, const std::function<void(CreationSetup&)>& change);
  void Run(MadeKind kind, std::span<const CreationCase> rows);

 private:
  VkPipelineLayout LayoutOf(const CreationSetup& setup);
  VkPipelineCreateFlags FlagsOf(CreationSetup& setup) const;
  VkPipeline MakeRays(CreationSetup& setup);
  VkPipeline MakeRaysNv(CreationSetup& setup);
  VkPipeline MakeGraphics(CreationSetup& setup);
  // Adds what the create infos of all kinds have.
  template <class I, class F>
  VkPipeline MakeLast(CreationSetup& setup, I info, const F& create);

  test::ExtensionFeatures features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINE_CREATION_CASES_CREATION_TEST_H_
