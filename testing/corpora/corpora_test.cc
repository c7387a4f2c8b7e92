// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// corpora_test FOLDER...: the valid modules of each folder, as shader modules, as compute pipelines and as shader
// objects of a device that has everything. Nothing may be reported.

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "layer/minimal_calls_fixture.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/corpus/sweep/sweep.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/module.h"

namespace assay::test {
namespace {

using spirv_instrument::corpus::NamedModule;

std::vector<std::string>& Arguments() {
  static std::vector<std::string> arguments;
  return arguments;
}

// By the name of the module.
using Mistakes = std::map<std::string, std::set<std::string>>;

Mistakes ReadMistakes(const std::string& path) {
  Mistakes mistakes;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t space = line.find(' ');
    mistakes[line.substr(0, space)].insert(line.substr(space + 1));
  }
  EXPECT_FALSE(mistakes.empty()) << path;
  return mistakes;
}

// What a stage may find at any binding.
constexpr VkDescriptorType kTypes[] = {
    VK_DESCRIPTOR_TYPE_SAMPLER,
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
    // The last, since fragment shaders alone may have it.
    VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
};
constexpr uint32_t kSets = 8;
constexpr uint32_t kBindings = 64;
// Enough for the arrays of the corpora.
constexpr uint32_t kCount = 32;

VkShaderStageFlagBits StageOf(spv::ExecutionModel model) {
  switch (model) {
    case spv::ExecutionModel::Vertex:
      return VK_SHADER_STAGE_VERTEX_BIT;
    case spv::ExecutionModel::TessellationControl:
      return VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    case spv::ExecutionModel::TessellationEvaluation:
      return VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    case spv::ExecutionModel::Geometry:
      return VK_SHADER_STAGE_GEOMETRY_BIT;
    case spv::ExecutionModel::GLCompute:
      return VK_SHADER_STAGE_COMPUTE_BIT;
    case spv::ExecutionModel::TaskEXT:
      return VK_SHADER_STAGE_TASK_BIT_EXT;
    case spv::ExecutionModel::MeshEXT:
      return VK_SHADER_STAGE_MESH_BIT_EXT;
    case spv::ExecutionModel::Fragment:
      return VK_SHADER_STAGE_FRAGMENT_BIT;
    default:
      // Ray tracing needs groups.
      return VkShaderStageFlagBits{};
  }
}

class CorporaTest : public layer::MinimalCallsFixture {
 protected:
  CorporaTest() : MinimalCallsFixture(true) {}

  void SetUp() override {
    // For layouts that have a place for everything.
    VkPhysicalDeviceLimits& limits = driver().config().limits;
    for (uint32_t* limit : {&limits.maxPerStageDescriptorSamplers, &limits.maxPerStageDescriptorUniformBuffers,
                            &limits.maxPerStageDescriptorStorageBuffers, &limits.maxPerStageDescriptorSampledImages,
                            &limits.maxPerStageDescriptorStorageImages, &limits.maxPerStageDescriptorInputAttachments,
                            &limits.maxPerStageResources, &limits.maxDescriptorSetSamplers,
                            &limits.maxDescriptorSetUniformBuffers, &limits.maxDescriptorSetStorageBuffers,
                            &limits.maxDescriptorSetSampledImages, &limits.maxDescriptorSetStorageImages}) {
      *limit = UINT32_MAX;
    }
    limits.maxBoundDescriptorSets = kSets;
    driver().config().adjust_properties = [](VkBaseOutStructure* properties) {
      if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV) return;
      reinterpret_cast<VkPhysicalDeviceCooperativeMatrix2PropertiesNV*>(properties)
          ->cooperativeMatrixFlexibleDimensionsMaxDimension = 1024;
    };
    limits.maxPushConstantsSize = 1024;
    limits.maxComputeWorkGroupInvocations = limits.maxComputeSharedMemorySize = UINT32_MAX;
    layer::MinimalCallsFixture::SetUp();
  }

  // Sets in which each binding may be anything.
  std::vector<VkDescriptorSetLayout> MakeLayouts(VkShaderStageFlagBits stage) {
    const bool is_fragment = stage == VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkMutableDescriptorTypeListEXT list = {static_cast<uint32_t>(std::size(kTypes)) - (is_fragment ? 0 : 1),
                                                 kTypes};
    const std::vector<VkMutableDescriptorTypeListEXT> lists(kBindings, list);
    const VkMutableDescriptorTypeCreateInfoEXT types = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = kBindings,
        .pMutableDescriptorTypeLists = lists.data()};
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    bindings.reserve(kBindings);
    for (uint32_t i = 0; i < kBindings; ++i) {
      bindings.push_back({i, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, kCount, static_cast<VkShaderStageFlags>(stage), nullptr});
    }
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = &types,
                                                  .bindingCount = kBindings,
                                                  .pBindings = bindings.data()};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateDescriptorSetLayout(device, &info, nullptr, &layout), VK_SUCCESS);
    return std::vector<VkDescriptorSetLayout>(kSets, layout);
  }
  const std::vector<VkDescriptorSetLayout>& LayoutsOf(VkShaderStageFlagBits stage) {
    std::vector<VkDescriptorSetLayout>& layouts = layouts_[stage];
    if (layouts.empty()) layouts = MakeLayouts(stage);
    return layouts;
  }

  void MakeCompute(VkShaderModule module, const char* name) {
    if (compute_layout_ == VK_NULL_HANDLE) {
      compute_layout_ = MakePipelineLayout(LayoutsOf(VK_SHADER_STAGE_COMPUTE_BIT), kPushConstants.size);
    }
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = module,
                                                        .pName = name},
                                              .layout = compute_layout_};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
  void MakeObject(VkShaderStageFlagBits stage, const NamedModule& module, const char* name) {
    const std::vector<VkDescriptorSetLayout>& layouts = LayoutsOf(stage);
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = stage,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = module.words.size() * sizeof(uint32_t),
                                        .pCode = module.words.data(),
                                        .pName = name,
                                        .setLayoutCount = static_cast<uint32_t>(layouts.size()),
                                        .pSetLayouts = layouts.data(),
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &kPushConstants};
    VkShaderEXT shader = VK_NULL_HANDLE;
    vk.CreateShadersEXT(device, 1, &info, nullptr, &shader);
    vk.DestroyShaderEXT(device, shader, nullptr);
  }
  void MakeStages(VkShaderModule handle, const NamedModule& module) {
    const auto read = spirv_instrument::Module::Read(module.words);
    ASSERT_TRUE(read.ok());
    for (const spirv_instrument::EntryPoint& entry_point : spirv_instrument::EntryPoints(*read)) {
      const VkShaderStageFlagBits stage = StageOf(entry_point.model());
      const std::string name(entry_point.name());
      if (stage == VK_SHADER_STAGE_COMPUTE_BIT) MakeCompute(handle, name.c_str());
      if (stage != VkShaderStageFlagBits{}) MakeObject(stage, module, name.c_str());
    }
  }

  void MakeModules(const std::vector<NamedModule>& modules, Mistakes mistakes) {
    for (const NamedModule& module : modules) {
      SCOPED_TRACE(module.name);
      const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = module.words.size() * sizeof(uint32_t),
                                             .pCode = module.words.data()};
      VkShaderModule handle = VK_NULL_HANDLE;
      vk.CreateShaderModule(device, &info, nullptr, &handle);
      MakeStages(handle, module);
      vk.DestroyShaderModule(device, handle, nullptr);
      std::set<std::string> received;
      for (const Message& message : messages.Take()) received.insert(message.id);
      EXPECT_EQ(received, mistakes[module.name]);
      mistakes.erase(module.name);
    }
    EXPECT_TRUE(mistakes.empty()) << mistakes.begin()->first << " is no module.";
  }

 private:
  static constexpr VkPushConstantRange kPushConstants = {VK_SHADER_STAGE_ALL, 0, 1024};

  std::map<VkShaderStageFlagBits, std::vector<VkDescriptorSetLayout>> layouts_;
  VkPipelineLayout compute_layout_ = VK_NULL_HANDLE;
};

TEST_F(CorporaTest, OnlyMistakesAreReported) {
  ASSERT_FALSE(Arguments().empty());
  const auto modules = spirv_instrument::corpus::ReadModules(Arguments()[0]);
  ASSERT_TRUE(modules.ok()) << modules.status();
  MakeModules(*modules, Arguments().size() > 1 ? ReadMistakes(Arguments()[1]) : Mistakes());
}

}  // namespace
}  // namespace assay::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  assay::test::Arguments().assign(argv + 1, argv + argc);
  return RUN_ALL_TESTS();
}
