// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A member that the specification calls ignored may be garbage. Translation does not follow it.

#include "dispatch/translation/ignored_members.h"

#include <vector>

#include "dispatch/handles/handle_table.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::dispatch {
namespace {

// An invalid pointer.
template <class T>
const T* Garbage() {
  return reinterpret_cast<const T*>(0x10);
}

template <class Handle>
uint64_t Integer(Handle handle) {
  return reinterpret_cast<uint64_t>(handle);
}

class IgnoredMembersTest : public test::ValidationTest {
 protected:
  // A write to the binding of a new set. Its three pointers are garbage.
  VkWriteDescriptorSet Write(VkDescriptorType type) {
    VkDescriptorSetLayout layout = MakeSetLayout({{0, type}});
    return {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = MakeSet(layout),
            .descriptorCount = 1,
            .descriptorType = type,
            .pImageInfo = Garbage<VkDescriptorImageInfo>(),
            .pBufferInfo = Garbage<VkDescriptorBufferInfo>(),
            .pTexelBufferView = Garbage<VkBufferView>()};
  }

  // Whether a handle that the driver received is the driver's own.
  template <class Handle>
  static void ExpectDrivers(Handle at_driver, Handle application) {
    EXPECT_EQ(Integer(at_driver), HandleTable::Get().ToDriver(Integer(application)));
    EXPECT_NE(at_driver, application);
  }

  bool reached_ = false;
  template <class C, class F>
  void Expect(const F& look) {
    reached_ = false;
    driver().Observe<C>([this, look](const C& call) {
      reached_ = true;
      look(call);
    });
  }
  void TearDown() override {
    EXPECT_TRUE(reached_) << "The command did not reach the driver.";
    ValidationTest::TearDown();
  }
};

TEST_F(IgnoredMembersTest, WritesOfBuffers) {
  const test::Buffer buffer = MakeBuffer(64);
  VkDescriptorBufferInfo info = {buffer, 0, 64};
  VkWriteDescriptorSet write = Write(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
  write.pBufferInfo = &info;
  Expect<vk::UpdateDescriptorSets>([&](const vk::UpdateDescriptorSets& call) {
    ExpectDrivers(call.pDescriptorWrites[0].dstSet, write.dstSet);
    ExpectDrivers(call.pDescriptorWrites[0].pBufferInfo->buffer, info.buffer);
  });
  vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
  EXPECT_EQ(info.buffer, buffer.handle);
}

TEST_F(IgnoredMembersTest, WritesOfImages) {
  for (VkDescriptorType type : {VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}) {
    const VkImageView view = MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4));
    // The sampler of a storage image and the view of a sampler are ignored.
    const bool has_sampler = type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const auto nonsense = reinterpret_cast<VkSampler>(0x1234);
    VkDescriptorImageInfo info = {has_sampler ? MakeSampler() : nonsense, view, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write = Write(type);
    write.pImageInfo = &info;
    Expect<vk::UpdateDescriptorSets>([&](const vk::UpdateDescriptorSets& call) {
      const VkDescriptorImageInfo& at_driver = call.pDescriptorWrites[0].pImageInfo[0];
      if (has_sampler) ExpectDrivers(at_driver.sampler, info.sampler);
      ExpectDrivers(at_driver.imageView, info.imageView);
    });
    vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }
}

TEST_F(IgnoredMembersTest, WritesOfInlineUniformBlocks) {
  VkWriteDescriptorSet write = Write(VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK);
  const uint32_t words[4] = {};
  VkWriteDescriptorSetInlineUniformBlock block = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK, nullptr,
                                                  16, words};
  write.pNext = &block;
  write.descriptorCount = 16;
  Expect<vk::UpdateDescriptorSets>([&](const vk::UpdateDescriptorSets& call) {
    ExpectDrivers(call.pDescriptorWrites[0].dstSet, write.dstSet);
    EXPECT_EQ(call.pDescriptorWrites[0].pNext, &block);
  });
  vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

TEST_F(IgnoredMembersTest, ImmutableSamplersOfBindingsWithoutSamplers) {
  const VkSampler sampler = MakeSampler();
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, Garbage<VkSampler>()},
      {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, &sampler},
  };
  VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = 2;
  info.pBindings = bindings;
  Expect<vk::CreateDescriptorSetLayout>([&](const vk::CreateDescriptorSetLayout& call) {
    ExpectDrivers(call.pCreateInfo->pBindings[1].pImmutableSamplers[0], sampler);
  });
  VkDescriptorSetLayout layout;
  ASSERT_EQ(vk.CreateDescriptorSetLayout(device, &info, nullptr, &layout), VK_SUCCESS);
  vk.DestroyDescriptorSetLayout(device, layout, nullptr);
}

TEST_F(IgnoredMembersTest, InheritanceOfPrimaryCommandBuffers) {
  const VkCommandBuffer commands = MakeCommandBuffer();
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.pInheritanceInfo = Garbage<VkCommandBufferInheritanceInfo>();
  Expect<vk::BeginCommandBuffer>([](const vk::BeginCommandBuffer&) {});
  EXPECT_EQ(vk.BeginCommandBuffer(commands, &info), VK_SUCCESS);
}

TEST_F(IgnoredMembersTest, InheritanceOfSecondaryCommandBuffersIsTranslated) {
  const VkCommandBuffer commands = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkRenderPassCreateInfo2 pass_info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
  VkSubpassDescription2 subpass = {VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
  pass_info.subpassCount = 1;
  pass_info.pSubpasses = &subpass;
  const VkRenderPass render_pass = MakeRenderPass(pass_info);
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inheritance.renderPass = render_pass;
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
  info.pInheritanceInfo = &inheritance;
  Expect<vk::BeginCommandBuffer>([&](const vk::BeginCommandBuffer& call) {
    ExpectDrivers(call.pBeginInfo->pInheritanceInfo->renderPass, render_pass);
  });
  EXPECT_EQ(vk.BeginCommandBuffer(commands, &info), VK_SUCCESS);
  EXPECT_EQ(inheritance.renderPass, render_pass);
}

TEST_F(IgnoredMembersTest, AttachmentsOfImagelessFramebuffers) {
  VkRenderPassCreateInfo2 pass_info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
  VkSubpassDescription2 subpass = {VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
  pass_info.subpassCount = 1;
  pass_info.pSubpasses = &subpass;
  const VkRenderPass render_pass = MakeRenderPass(pass_info);
  VkFramebufferCreateInfo info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
  info.renderPass = render_pass;
  info.attachmentCount = 1;
  info.pAttachments = Garbage<VkImageView>();
  info.width = info.height = info.layers = 1;
  Expect<vk::CreateFramebuffer>(
      [&](const vk::CreateFramebuffer& call) { ExpectDrivers(call.pCreateInfo->renderPass, render_pass); });
  VkFramebuffer framebuffer;
  driver().CheckHandles(false);
  ASSERT_EQ(vk.CreateFramebuffer(device, &info, nullptr, &framebuffer), VK_SUCCESS);
  vk.DestroyFramebuffer(device, framebuffer, nullptr);
}

TEST_F(IgnoredMembersTest, StagesOfPipelineLibrariesWithoutShaders) {
  VkGraphicsPipelineLibraryCreateInfoEXT library = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};
  library.flags = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &library};
  info.stageCount = 2;
  info.pStages = Garbage<VkPipelineShaderStageCreateInfo>();
  Expect<vk::CreateGraphicsPipelines>([](const vk::CreateGraphicsPipelines&) {});
  VkPipeline pipeline;
  ASSERT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  vk.DestroyPipeline(device, pipeline, nullptr);
}

TEST_F(IgnoredMembersTest, StagesOfPipelinesThatLinkLibraries) {
  VkGraphicsPipelineLibraryCreateInfoEXT parts = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};
  parts.flags = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &parts};
  info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  VkPipeline library = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &library), VK_SUCCESS);
  VkPipelineLibraryCreateInfoKHR libraries = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, 1, &library};
  info.pNext = &libraries;
  info.flags = 0;
  info.stageCount = 2;
  info.pStages = Garbage<VkPipelineShaderStageCreateInfo>();
  Expect<vk::CreateGraphicsPipelines>([&](const vk::CreateGraphicsPipelines& call) {
    const auto* linked = static_cast<const VkPipelineLibraryCreateInfoKHR*>(call.pCreateInfos[0].pNext);
    ExpectDrivers(linked->pLibraries[0], library);
  });
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  vk.DestroyPipeline(device, pipeline, nullptr);
  vk.DestroyPipeline(device, library, nullptr);
}

// The selector of a union decides.
TEST_F(IgnoredMembersTest, AlternativesThatAreNotSelected) {
  const VkSampler sampler = MakeSampler();
  VkDescriptorGetInfoEXT info = {VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT};
  info.type = VK_DESCRIPTOR_TYPE_SAMPLER;
  info.data.pSampler = &sampler;
  char descriptor[64];
  Expect<vk::GetDescriptorEXT>(
      [&](const vk::GetDescriptorEXT& call) { ExpectDrivers(*call.pDescriptorInfo->data.pSampler, sampler); });
  vk.GetDescriptorEXT(device, &info, sizeof(descriptor), descriptor);

  const VkImageView view = MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4));
  const VkDescriptorImageInfo image = {sampler, view, VK_IMAGE_LAYOUT_GENERAL};
  info.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  info.data.pCombinedImageSampler = &image;
  Expect<vk::GetDescriptorEXT>([&](const vk::GetDescriptorEXT& call) {
    ExpectDrivers(call.pDescriptorInfo->data.pCombinedImageSampler->imageView, view);
    ExpectDrivers(call.pDescriptorInfo->data.pCombinedImageSampler->sampler, sampler);
  });
  vk.GetDescriptorEXT(device, &info, sizeof(descriptor), descriptor);

  // An address, which looks like a pointer of another alternative.
  info.type = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
  info.data.accelerationStructure = 0x10;
  Expect<vk::GetDescriptorEXT>(
      [&](const vk::GetDescriptorEXT& call) { EXPECT_EQ(call.pDescriptorInfo->data.accelerationStructure, 0x10u); });
  vk.GetDescriptorEXT(device, &info, sizeof(descriptor), descriptor);
}

}  // namespace
}  // namespace assay::dispatch
