// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of the images that shaders access, when they access them.

#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"
#include "testing/gpu/shaders/access_images_comp.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

constexpr char kDispatch[] = "VUID-vkCmdDispatch-None-09600";
constexpr char kCombined[] = "VUID-VkDescriptorImageInfo-imageLayout-00344";
constexpr VkImageLayout kUndefined = VK_IMAGE_LAYOUT_UNDEFINED;
constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageLayout kRead = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;

// What access_images.comp accesses.
enum Access : uint32_t { kNothing, kCombinedImage, kSampledImage, kStorageImage, kSizeOfSampledImage };

// Four images, in the array of sampled images; the first one is also the combined and the storage image.
class ImageLayoutTest : public GpuavTest {
 protected:
  void SetUp() override { CreateWith({}); }
  void CreateWith(DeviceOptions options) {
    options.settings.emplace_back("gpuav_image_layout", true);
    features2_.features.shaderSampledImageArrayDynamicIndexing = VK_TRUE;
    features12_.descriptorBindingSampledImageUpdateAfterBind = VK_TRUE;
    Create(std::move(options));
    MakeImages();
  }

  void MakeImages() {
    image_sets_ = device_.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
                                         {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                         {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                         {3, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 4},
                                         {4, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}});
    image_layout_ = device_.MakePipelineLayout({image_sets_});
    images_of_set_ = device_.MakeSet(image_sets_);
    device_.WriteBuffer(images_of_set_, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, where_);
    device_.WriteBuffer(images_of_set_, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_);
    constexpr VkImageUsageFlags kUsage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    for (uint32_t i = 0; i < 4; ++i) {
      images_.push_back(device_.MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, kUsage, i == 1 ? 2 : 1));
      views_.push_back(device_.MakeView(images_.back()));
      device_.SetName(VK_OBJECT_TYPE_IMAGE, images_.back().handle, "texture");
    }
    const VkSampler sampler = device_.MakeSampler();
    device_.WriteImage(images_of_set_, 2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, views_[0], kRead, sampler);
    device_.WriteImage(images_of_set_, 4, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, views_[0], kGeneral);
    std::vector<VkDescriptorImageInfo> infos;
    for (const VkImageView view : views_) infos.push_back({.imageView = view, .imageLayout = kRead});
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = images_of_set_,
                                        .dstBinding = 3,
                                        .descriptorCount = 4,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                        .pImageInfo = infos.data()};
    device_.vk.UpdateDescriptorSets(device_.device, 1, &write, 0, nullptr);
    pipeline_ = device_.MakeComputePipeline(image_layout_, device_.MakeShader(k_access_images_comp));
  }

  void Choose(Access access, uint32_t index = 0) {
    const uint32_t words[] = {access, index};
    std::memcpy(Map(where_), words, sizeof(words));
  }
  void Transition(VkCommandBuffer commands, uint32_t image, VkImageLayout from, VkImageLayout to) {
    Transition(commands, images_[image], images_[image].Range(), from, to);
  }
  void Transition(VkCommandBuffer commands, VkImage image, VkImageSubresourceRange range, VkImageLayout from,
                  VkImageLayout to) {
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = range,
    };
    device_.vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                                  0, nullptr, 0, nullptr, 1, &barrier);
  }
  void DispatchImages(VkCommandBuffer commands) {
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, image_layout_, 0, 1, &images_of_set_, 0,
                                     nullptr);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  }
  // Brings all images into a layout.
  void BringAll(VkImageLayout layout) {
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      for (uint32_t i = 0; i < images_.size(); ++i) Transition(commands, i, kUndefined, layout);
    }));
  }
  void Run() {
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) { DispatchImages(commands); }));
  }

  VkDescriptorSetLayout image_sets_ = VK_NULL_HANDLE;
  VkPipelineLayout image_layout_ = VK_NULL_HANDLE;
  VkDescriptorSet images_of_set_ = VK_NULL_HANDLE;
  std::vector<Image> images_;
  std::vector<VkImageView> views_;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

TEST_F(ImageLayoutTest, LayoutsOfAnEarlierSubmission) {
  BringAll(kRead);
  for (const Access access : {kNothing, kCombinedImage, kSampledImage}) {
    Choose(access);
    Run();
    log_.ExpectNothing();
  }
  // Its descriptor says another layout.
  Choose(kStorageImage);
  Run();
  const Message message = log_.Expect(kDispatch);
  EXPECT_THAT(message.text, HasSubstr("by a descriptor with the layout VK_IMAGE_LAYOUT_GENERAL, but mip level 0, array "
                                      "layer 0 of VkImage"));
  EXPECT_THAT(message.text, HasSubstr("[texture] is in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, where "
                                      "vkCmdPipelineBarrier() left it."));
  EXPECT_THAT(message.text, HasSubstr("(OpImageWrite) of the compute shader \"main\""));
  EXPECT_THAT(message.text, HasSubstr("recorded as command 3 of"));
}

TEST_F(ImageLayoutTest, CombinedImagesHaveARuleOfTheirOwn) {
  BringAll(kGeneral);
  Choose(kStorageImage);
  Run();
  log_.ExpectNothing();
  Choose(kCombinedImage);
  Run();
  log_.Expect(kCombined);
}

TEST_F(ImageLayoutTest, OnlyWhatIsAccessedCounts) {
  BringAll(kRead);
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) { Transition(commands, 2, kRead, kGeneral); }));
  for (const uint32_t index : {0u, 1u, 3u}) {
    Choose(kSampledImage, index);
    Run();
    log_.ExpectNothing();
  }
  // The size is not in the image.
  Choose(kSizeOfSampledImage, 2);
  Run();
  log_.ExpectNothing();
  Choose(kSampledImage, 2);
  Run();
  log_.Expect(kDispatch);
}

TEST_F(ImageLayoutTest, ChangesBetweenCommandsOfOneCommandBuffer) {
  BringAll(kRead);
  Choose(kSampledImage, 2);
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    DispatchImages(commands);
    Transition(commands, 2, kRead, kGeneral);
    Transition(commands, 2, kGeneral, kRead);
    DispatchImages(commands);
  }));
  log_.ExpectNothing();
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer c) {
    DispatchImages(c);
    Transition(c, 2, kRead, kGeneral);
    DispatchImages(c);
    Transition(c, 2, kGeneral, kRead);
    DispatchImages(c);
  });
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect(kDispatch).text, HasSubstr("recorded as command 7 of"));
  // It leaves the layout that it found.
  Choose(kSampledImage, 1);
  SubmitAndWait(commands);
  log_.ExpectNothing();
}

TEST_F(ImageLayoutTest, EachSubmissionFindsLayoutsOfItsOwn) {
  BringAll(kRead);
  Choose(kSampledImage, 3);
  const VkCommandBuffer dispatch = device_.Record([&](VkCommandBuffer commands) { DispatchImages(commands); });
  const auto change = [&](VkImageLayout from, VkImageLayout to) {
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) { Transition(commands, 3, from, to); }));
  };
  SubmitAndWait(dispatch);
  log_.ExpectNothing();
  change(kRead, kGeneral);
  SubmitAndWait(dispatch);
  log_.Expect(kDispatch);
  change(kGeneral, kRead);
  SubmitAndWait(dispatch);
  log_.ExpectNothing();
}

TEST_F(ImageLayoutTest, OneLevelInAnotherLayout) {
  BringAll(kRead);
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    Transition(commands, images_[1], {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1}, kRead, kGeneral);
  }));
  Choose(kSampledImage, 1);
  Run();
  EXPECT_THAT(log_.Expect(kDispatch).text, HasSubstr("but mip level 1, array layer 0 of"));
}

TEST_F(ImageLayoutTest, AnImageThatNothingHasAccessed) {
  Choose(kSampledImage, 0);
  Run();
  EXPECT_THAT(log_.Expect(kDispatch).text, HasSubstr("is in VK_IMAGE_LAYOUT_UNDEFINED, where vkCreateImage() left it"));
}

// What was noted may be of either execution, and each found another layout.
TEST_F(ImageLayoutTest, ExecutionsThatOverlapAreNotCompared) {
  BringAll(kRead);
  Choose(kSampledImage, 0);
  const VkCommandBuffer dispatch = device_.MakeCommandBuffer();
  device_.Begin(dispatch, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  DispatchImages(dispatch);
  device_.End(dispatch);
  const VkCommandBuffer change =
      device_.Record([&](VkCommandBuffer commands) { Transition(commands, 0, kRead, kGeneral); });
  EXPECT_EQ(device_.Submit(device_.Queue(), {dispatch, change, dispatch}), VK_SUCCESS);
  EXPECT_EQ(device_.vk.QueueWaitIdle(device_.Queue()), VK_SUCCESS);
  log_.ExpectNothing();
  SubmitAndWait(dispatch);
  log_.Expect(kDispatch);
}

// A secondary command buffer finds what its primary has left, and those that were executed before.
TEST_F(ImageLayoutTest, SecondaryCommandBuffers) {
  BringAll(kRead);
  Choose(kSampledImage, 0);
  const auto record = [this](const std::function<void(VkCommandBuffer)>& commands) {
    const VkCommandBuffer secondary = device_.MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    device_.Begin(secondary);
    commands(secondary);
    device_.End(secondary);
    return secondary;
  };
  const auto run = [this](std::initializer_list<VkCommandBuffer> secondaries, bool changes = false) {
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      if (changes) Transition(commands, 0, kRead, kGeneral);
      device_.vk.CmdExecuteCommands(commands, static_cast<uint32_t>(secondaries.size()), secondaries.begin());
      if (changes) Transition(commands, 0, kGeneral, kRead);
    }));
  };
  const VkCommandBuffer dispatch = record([&](VkCommandBuffer commands) { DispatchImages(commands); });
  const VkCommandBuffer to_general =
      record([&](VkCommandBuffer commands) { Transition(commands, 0, kRead, kGeneral); });
  const VkCommandBuffer to_read = record([&](VkCommandBuffer commands) { Transition(commands, 0, kGeneral, kRead); });
  run({dispatch});
  run({dispatch, to_general});
  run({to_read, dispatch});
  log_.ExpectNothing();
  run({to_general, dispatch, to_read});
  EXPECT_THAT(log_.Expect(kDispatch).text, HasSubstr("VK_IMAGE_LAYOUT_GENERAL, where vkCmdPipelineBarrier() left it"));
  run({dispatch}, true);
  EXPECT_THAT(log_.Expect(kDispatch).text, HasSubstr("recorded as command 3 of"));
  const VkCommandBuffer own = record([&](VkCommandBuffer commands) {
    DispatchImages(commands);
    Transition(commands, 0, kRead, kGeneral);
    DispatchImages(commands);
    Transition(commands, 0, kGeneral, kRead);
  });
  run({own});
  EXPECT_THAT(log_.Expect(kDispatch).text, HasSubstr("recorded as command 7 of"));
  run({dispatch});
  log_.ExpectNothing();
}

// An attachment is in its final layout when the render pass instance has ended.
TEST_F(ImageLayoutTest, RenderPassesLeaveFinalLayouts) {
  const Image image = device_.MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4,
                                        VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  const VkImageView view = device_.MakeView(image);
  const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                               .format = VK_FORMAT_R8G8B8A8_UNORM,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                               .finalLayout = kRead};
  const VkAttachmentReference2 color = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                        .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkSubpassDescription2 subpass = {
      .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .colorAttachmentCount = 1, .pColorAttachments = &color};
  const VkRenderPass pass = device_.MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                                    .attachmentCount = 1,
                                                    .pAttachments = &attachment,
                                                    .subpassCount = 1,
                                                    .pSubpasses = &subpass});
  const VkFramebuffer framebuffer = device_.MakeFramebuffer(pass, {view}, 4, 4);
  BringAll(kRead);
  device_.WriteImage(images_of_set_, 3, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, view, kRead);
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer c) {
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = framebuffer,
                                         .renderArea = {{0, 0}, {4, 4}}};
    device_.vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    device_.vk.CmdEndRenderPass(c);
    DispatchImages(c);
  });
  Choose(kSampledImage, 0);
  SubmitAndWait(commands);
  log_.ExpectNothing();
  device_.WriteImage(images_of_set_, 3, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, view, kGeneral);
  SubmitAndWait(device_.Record([&](VkCommandBuffer c) { DispatchImages(c); }));
  EXPECT_THAT(log_.Expect(kDispatch).text,
              HasSubstr("is in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, where vkCmdBeginRenderPass() left it."));
}

// Numbers of destroyed views are given to others.
TEST_F(ImageLayoutTest, ViewsThatComeAndGo) {
  BringAll(kRead);
  for (int i = 0; i < 8; ++i) {
    const Image image = device_.MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, VK_IMAGE_USAGE_SAMPLED_BIT);
    const VkImageView view = device_.MakeView(image);
    device_.WriteImage(images_of_set_, 3, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, view, kRead);
    Choose(kSampledImage, 0);
    const bool is_wrong = i % 3 == 2;
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      Transition(commands, image, image.Range(), kUndefined, is_wrong ? kGeneral : kRead);
      DispatchImages(commands);
    }));
    if (is_wrong) log_.Expect(kDispatch);
    log_.ExpectNothing();
    device_.WriteImage(images_of_set_, 3, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, views_[0], kRead);
    device_.DestroyNow(view);
    device_.DestroyNow(image);
  }
}

class UntrackedLayoutTest : public ImageLayoutTest {
 protected:
  void SetUp() override { CreateWith({.settings = {{"check_image_layout", false}}}); }
};

TEST_F(UntrackedLayoutTest, NothingIsComparedWithoutLayouts) {
  BringAll(kGeneral);
  Choose(kSampledImage, 0);
  Run();
}

class LayoutsByDefaultTest : public ImageLayoutTest {
 protected:
  void SetUp() override {
    features2_.features.shaderSampledImageArrayDynamicIndexing = VK_TRUE;
    Create({});
    MakeImages();
  }
};

TEST_F(LayoutsByDefaultTest, NothingIsCompared) {
  BringAll(kGeneral);
  Choose(kSampledImage, 0);
  Run();
}

}  // namespace
}  // namespace assay::test
