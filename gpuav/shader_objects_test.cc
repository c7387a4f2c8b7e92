// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the driver gets of shader objects, over the mock driver. Shaders do not run here.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"
#include "vk/commands.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A create info that reached the driver.
struct DownShader {
  VkShaderStageFlagBits stage;
  VkShaderCreateFlagsEXT flags;
  std::vector<uint32_t> words;
  std::vector<VkDescriptorSetLayout> sets;
  uint32_t push_constants;
  std::string name;
  std::vector<uint32_t> constants = {};
  uint32_t subgroup_size = 0;
};

DownShader Read(const VkShaderCreateInfoEXT& info) {
  const auto* words = static_cast<const uint32_t*>(info.pCode);
  DownShader shader = {.stage = info.stage,
                       .flags = info.flags,
                       .words = {words, words + info.codeSize / 4},
                       .sets = {info.pSetLayouts, info.pSetLayouts + info.setLayoutCount},
                       .push_constants = info.pushConstantRangeCount != 0 ? info.pPushConstantRanges[0].size : 0,
                       .name = info.pName != nullptr ? info.pName : ""};
  if (info.pSpecializationInfo != nullptr) {
    const auto* data = static_cast<const uint32_t*>(info.pSpecializationInfo->pData);
    for (uint32_t i = 0; i < info.pSpecializationInfo->mapEntryCount; ++i) {
      shader.constants.push_back(data[info.pSpecializationInfo->pMapEntries[i].offset / 4]);
    }
  }
  const auto* link = static_cast<const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo*>(info.pNext);
  if (link != nullptr) shader.subgroup_size = link->requiredSubgroupSize;
  return shader;
}

class ShaderObjectTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    shader_object_.shaderObject = VK_TRUE;
    return {.device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME},
            .settings = {{"gpuav_enable", true}, {"validate_sync", false}},
            .features = &shader_object_};
  }
  void SetUp() override {
    test::ValidationTest::SetUp();
    set_layout_ = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
    Observe();
  }

  // Notes what reaches the driver.
  void Observe() {
    driver().SetObserver([this](vk::CommandId id, const void* parameters) {
      if (id == vk::CommandId::kCreateShadersEXT) {
        const auto& call = *static_cast<const vk::CreateShadersEXT*>(parameters);
        std::vector<DownShader>& shaders = calls_.emplace_back();
        for (uint32_t i = 0; i < call.createInfoCount; ++i) shaders.push_back(Read(call.pCreateInfos[i]));
      }
      if (id == vk::CommandId::kGetShaderBinaryDataEXT) {
        asked_.push_back(static_cast<const vk::GetShaderBinaryDataEXT*>(parameters)->shader);
      }
      if (id == vk::CommandId::kCmdBindDescriptorSets) {
        const auto& call = *static_cast<const vk::CmdBindDescriptorSets*>(parameters);
        bound_.emplace_back(call.firstSet, call.pipelineBindPoint);
      }
    });
  }

  VkShaderCreateInfoEXT InfoOf(VkShaderStageFlagBits stage, const std::vector<uint32_t>& words) const {
    return {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
            .stage = stage,
            .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
            .codeSize = words.size() * 4,
            .pCode = words.data(),
            .pName = "main",
            .setLayoutCount = 1,
            .pSetLayouts = &set_layout_};
  }
  VkShaderCreateInfoEXT Writer() const { return InfoOf(VK_SHADER_STAGE_COMPUTE_BIT, writer_); }
  std::vector<VkShaderEXT> Make(const std::vector<VkShaderCreateInfoEXT>& infos) {
    std::vector<VkShaderEXT> shaders(infos.size());
    EXPECT_EQ(vk.CreateShadersEXT(device, static_cast<uint32_t>(infos.size()), infos.data(), nullptr, shaders.data()),
              VK_SUCCESS);
    for (VkShaderEXT shader : shaders) {
      Defer(shader, [this, shader] { vk.DestroyShaderEXT(device, shader, nullptr); });
    }
    return shaders;
  }
  VkShaderEXT Make(const VkShaderCreateInfoEXT& info) { return Make(std::vector{info})[0]; }
  size_t BinarySize(VkShaderEXT shader) {
    size_t size = 77;
    EXPECT_EQ(vk.GetShaderBinaryDataEXT(device, shader, &size, nullptr), VK_SUCCESS);
    return size;
  }
  VkCommandBuffer RecordDispatch(VkShaderEXT shader) {
    const VkPipelineLayout layout = MakePipelineLayout({set_layout_});
    const VkDescriptorSet set = MakeSet(set_layout_);
    WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MakeBuffer(64));
    return Record([&](VkCommandBuffer commands) {
      const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
      vk.CmdBindShadersEXT(commands, 1, &stage, &shader);
      vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
      vk.CmdDispatch(commands, 1, 1, 1);
      vk.CmdDispatch(commands, 1, 1, 1);
    });
  }
  uint32_t AllSets() const { return std::min(driver().config().limits.maxBoundDescriptorSets, 32u); }

  VkPhysicalDeviceShaderObjectFeaturesEXT shader_object_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};
  const std::vector<uint32_t> writer_ = test::AssembleSpirv(test::ComputeShader({.writes = {0}}));
  const std::vector<uint32_t> vertex_ = test::AssembleSpirv(test::VertexShader(0));
  const std::vector<uint32_t> fragment_ = test::AssembleSpirv(test::FragmentShader(1));
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  std::vector<std::vector<DownShader>> calls_;
  std::vector<VkShaderEXT> asked_;
  std::vector<std::pair<uint32_t, VkPipelineBindPoint>> bound_;
};

TEST_F(ShaderObjectTest, HasOtherWordsAndOneSetMore) {
  std::vector<VkDescriptorSetLayout> of_layout;
  driver().Observe<vk::CreatePipelineLayout>([&](const vk::CreatePipelineLayout& call) {
    of_layout.assign(call.pCreateInfo->pSetLayouts, call.pCreateInfo->pSetLayouts + call.pCreateInfo->setLayoutCount);
  });
  MakePipelineLayout({set_layout_});
  Observe();
  Make(Writer());
  ASSERT_EQ(calls_.size(), 1u);
  EXPECT_GT(calls_[0][0].words.size(), writer_.size());
  EXPECT_EQ(calls_[0][0].sets, of_layout);
  EXPECT_EQ(of_layout.size(), AllSets());
}

TEST_F(ShaderObjectTest, ShadersWithNothingToCheckHaveTheSameSets) {
  Make({InfoOf(VK_SHADER_STAGE_FRAGMENT_BIT, fragment_), Writer()});
  ASSERT_EQ(calls_.size(), 1u);
  EXPECT_EQ(calls_[0][0].words, fragment_);
  EXPECT_EQ(calls_[0][0].sets, calls_[0][1].sets);
}

TEST_F(ShaderObjectTest, SetIsBoundForEachAction) {
  RecordDispatch(Make(Writer()));
  const std::pair ours(AllSets() - 1, VK_PIPELINE_BIND_POINT_COMPUTE);
  EXPECT_THAT(bound_, ElementsAre(std::pair(0u, VK_PIPELINE_BIND_POINT_COMPUTE), ours, ours));
}

TEST_F(ShaderObjectTest, BinaryIsThatOfWhatTheApplicationGave) {
  VkShaderCreateInfoEXT info = Writer();
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  const VkSpecializationMapEntry entry = {.constantID = 5, .offset = 4, .size = 4};
  const uint32_t data[] = {1, 2};
  const VkSpecializationInfo specialization = {1, &entry, sizeof(data), data};
  info.pSpecializationInfo = &specialization;
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
  subgroup.requiredSubgroupSize = 32;
  info.pNext = &subgroup;
  const VkShaderEXT shader = Make(info);
  EXPECT_EQ(calls_.size(), 1u);
  // The application may destroy it; the driver's is there while the shader may need it.
  DestroyNow(set_layout_);
  BinarySize(shader);
  BinarySize(shader);
  ASSERT_EQ(calls_.size(), 2u);
  const DownShader& original = calls_[1][0];
  EXPECT_EQ(original.words, writer_);
  EXPECT_EQ(original.sets, std::vector(1, calls_[0][0].sets[0]));
  EXPECT_EQ(original.push_constants, 16u);
  EXPECT_EQ(original.name, "main");
  EXPECT_THAT(original.constants, ElementsAre(2));
  EXPECT_EQ(original.subgroup_size, 32u);
  ASSERT_EQ(asked_.size(), 2u);
  EXPECT_EQ(asked_[0], asked_[1]);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_SHADER_EXT), 2u);
  DestroyNow(shader);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_SHADER_EXT), 0u);
}

TEST_F(ShaderObjectTest, BinariesOfLinkedShadersAreThoseOfLinkedOnes) {
  std::vector<VkShaderCreateInfoEXT> infos = {InfoOf(VK_SHADER_STAGE_VERTEX_BIT, vertex_), Writer(),
                                              InfoOf(VK_SHADER_STAGE_FRAGMENT_BIT, fragment_)};
  infos[0].flags = infos[2].flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
  infos[0].nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
  const std::vector<VkShaderEXT> shaders = Make(infos);
  BinarySize(shaders[2]);
  BinarySize(shaders[0]);
  ASSERT_EQ(calls_.size(), 2u);
  ASSERT_EQ(calls_[1].size(), 2u);
  EXPECT_EQ(calls_[1][0].words, vertex_);
  EXPECT_EQ(calls_[1][1].words, fragment_);
  EXPECT_EQ(calls_[1][1].flags, VkShaderCreateFlagsEXT{VK_SHADER_CREATE_LINK_STAGE_BIT_EXT});
  EXPECT_NE(asked_[0], asked_[1]);
}

TEST_F(ShaderObjectTest, ShaderOfABinaryStaysAsItIs) {
  VkShaderCreateInfoEXT info = Writer();
  info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
  const VkShaderEXT shader = Make(info);
  ASSERT_EQ(calls_.size(), 1u);
  EXPECT_EQ(calls_[0][0].words, writer_);
  EXPECT_EQ(calls_[0][0].sets.size(), 1u);
  BinarySize(shader);
  EXPECT_EQ(calls_.size(), 1u);
  RecordDispatch(shader);
  EXPECT_EQ(bound_.size(), 1u);
}

TEST_F(ShaderObjectTest, OriginalIsMadeBeforeSamplersMayGo) {
  const VkSampler sampler = MakeSampler();
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, &sampler};
  const VkDescriptorSetLayoutCreateInfo layout_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
  VkDescriptorSetLayout with_sampler = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateDescriptorSetLayout(device, &layout_info, nullptr, &with_sampler), VK_SUCCESS);
  VkShaderCreateInfoEXT info = Writer();
  const VkDescriptorSetLayout layouts[] = {set_layout_, with_sampler};
  info.setLayoutCount = 2;
  info.pSetLayouts = layouts;
  const VkShaderEXT shader = Make(info);
  vk.DestroyDescriptorSetLayout(device, with_sampler, nullptr);
  EXPECT_EQ(calls_.size(), 2u);
  DestroyNow(sampler);
  BinarySize(shader);
  EXPECT_EQ(calls_.size(), 2u);
}

TEST_F(ShaderObjectTest, NoBinaryIfTheOriginalCannotBeMade) {
  const VkShaderEXT shader = Make(Writer());
  driver().FailNext<vk::CreateShadersEXT>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(BinarySize(shader), 0u);
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-disabled").text,
              HasSubstr("could not make a shader object (VK_ERROR_OUT_OF_HOST_MEMORY)"));
  EXPECT_EQ(BinarySize(shader), 0u);
  // What comes later has our set, but the application's words.
  Make(Writer());
  EXPECT_EQ(calls_.back()[0].words, writer_);
  EXPECT_EQ(calls_.back()[0].sets.size(), AllSets());
}

TEST_F(ShaderObjectTest, WithoutALayoutOfOursNoOtherWords) {
  driver().FailNext<vk::CreatePipelineLayout>(VK_ERROR_OUT_OF_HOST_MEMORY);
  const VkShaderEXT shader = Make(Writer());
  ExpectMessage("ASSAY-gpuav-disabled");
  EXPECT_EQ(calls_[0][0].words, writer_);
  RecordDispatch(shader);
  EXPECT_EQ(bound_.size(), 1u);
}

TEST_F(ShaderObjectTest, CallThatFails) {
  driver().FailNext<vk::CreateShadersEXT>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  const VkShaderCreateInfoEXT info = Writer();
  VkShaderEXT shader = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateShadersEXT(device, 1, &info, nullptr, &shader), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE_LAYOUT), 0u);
}

TEST_F(ShaderObjectTest, ShadersWithAllSetsStayAsTheyAre) {
  VkShaderCreateInfoEXT info = Writer();
  const std::vector<VkDescriptorSetLayout> layouts(AllSets(), set_layout_);
  info.setLayoutCount = AllSets();
  info.pSetLayouts = layouts.data();
  Make(info);
  EXPECT_EQ(calls_[0][0].words, writer_);
  EXPECT_EQ(calls_[0][0].sets.size(), AllSets());
}

TEST_F(ShaderObjectTest, LinkedShadersStayAsTheyAreIfOneDoes) {
  std::vector<VkShaderCreateInfoEXT> infos = {InfoOf(VK_SHADER_STAGE_VERTEX_BIT, vertex_),
                                              InfoOf(VK_SHADER_STAGE_FRAGMENT_BIT, fragment_)};
  infos[0].flags = infos[1].flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
  infos[0].nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
  const std::vector<VkDescriptorSetLayout> layouts(AllSets(), set_layout_);
  infos[0].setLayoutCount = AllSets();
  infos[0].pSetLayouts = layouts.data();
  Make(infos);
  EXPECT_EQ(calls_[0][1].sets.size(), 1u);
}

TEST_F(ShaderObjectTest, NothingIsLeft) {
  const VkShaderEXT shader = Make(Writer());
  Submit(Queue(), {RecordDispatch(shader)});
  vk.QueueWaitIdle(Queue());
  BinarySize(shader);
  Destroy();
  for (const VkObjectType type : {VK_OBJECT_TYPE_SHADER_EXT, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT,
                                  VK_OBJECT_TYPE_PIPELINE_LAYOUT, VK_OBJECT_TYPE_BUFFER}) {
    EXPECT_EQ(driver().LiveObjects(type), 0u) << type;
  }
}

class PrintingShaderObjectTest : public ShaderObjectTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ShaderObjectTest::Options();
    options.settings.emplace_back("printf_enable", true);
    return options;
  }
};

TEST_F(PrintingShaderObjectTest, FormatThatDoesNotFit) {
  const std::vector<uint32_t> words = test::AssembleSpirv(R"(
               OpCapability Shader
               OpExtension "SPV_KHR_non_semantic_info"
      %print = OpExtInstImport "NonSemantic.DebugPrintf"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
       %good = OpString "here"
      %wrong = OpString "i = %d"
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %main = OpFunction %void None %function
      %begin = OpLabel
      %first = OpExtInst %void %print 1 %good
     %second = OpExtInst %void %print 1 %wrong
               OpReturn
               OpFunctionEnd
)");
  const VkShaderEXT shader = Make(InfoOf(VK_SHADER_STAGE_COMPUTE_BIT, words));
  const test::Message message = ExpectMessage("DEBUG-PRINTF-FORMATTING");
  EXPECT_THAT(message.text, HasSubstr("vkCreateShadersEXT(): "));
  ASSERT_EQ(message.objects.size(), 1u);
  EXPECT_EQ(message.objects[0].handle, reinterpret_cast<uint64_t>(shader));
}

class EverySetShaderObjectTest : public ShaderObjectTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ShaderObjectTest::Options();
    options.settings.emplace_back("gpuav_reserve_binding_slot", false);
    return options;
  }
};

TEST_F(EverySetShaderObjectTest, PushConstantsHaveAnAddressMoreUnlessForBinaries) {
  const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 16};
  VkShaderCreateInfoEXT info = Writer();
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  BinarySize(Make(info));
  EXPECT_EQ(calls_[0][0].push_constants, driver().config().limits.maxPushConstantsSize);
  EXPECT_EQ(calls_.back()[0].push_constants, 16u);
}

class DescriptorBufferShaderObjectTest : public ShaderObjectTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ShaderObjectTest::Options();
    options.device_extensions.push_back(VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME);
    descriptor_buffer_.descriptorBuffer = VK_TRUE;
    descriptor_buffer_.pNext = options.features;
    options.features = &descriptor_buffer_;
    return options;
  }

  VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
};

TEST_F(DescriptorBufferShaderObjectTest, ShadersOfDescriptorBuffersGetNoSet) {
  const VkDescriptorSetLayout in_buffer = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}},
                                                        VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  VkShaderCreateInfoEXT info = Writer();
  info.pSetLayouts = &in_buffer;
  Make(info);
  // Without a set layout, nothing tells which it is.
  VkShaderCreateInfoEXT without = InfoOf(VK_SHADER_STAGE_FRAGMENT_BIT, fragment_);
  without.setLayoutCount = 0;
  Make(without);
  Make(Writer());
  ASSERT_EQ(calls_.size(), 3u);
  EXPECT_NE(calls_[0][0].words, writer_);
  EXPECT_EQ(calls_[0][0].sets.size(), 1u);
  EXPECT_EQ(calls_[1][0].sets.size(), 0u);
  EXPECT_EQ(calls_[2][0].sets.size(), AllSets());
}

}  // namespace
}  // namespace assay::gpuav
