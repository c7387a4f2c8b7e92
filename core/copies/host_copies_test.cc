// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each case of HostCopyCases, with each command that has its rule, through the whole layer; and layout transitions by
// the host.

#include <set>
#include <string>

#include "core/copies/cases/image_copy_test.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

class HostCopiesTest : public ImageCopiesTest {
 protected:
  void CallHost(vk::CommandId id, const ImageCopy& copy) {
    const VkImage source = Make(copy.source), target = Make(copy.target);
    Transition(source, copy.source, copy.source_layout);
    Transition(target, copy.target, copy.target_layout);
    if (id == vk::CommandId::kCopyMemoryToImage) {
      const VkMemoryToImageCopy region = {VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
                                          nullptr,
                                          bytes_,
                                          copy.row_length,
                                          copy.image_height,
                                          copy.target.layers,
                                          copy.target.offset,
                                          copy.extent};
      const VkCopyMemoryToImageInfo info = {VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
                                            nullptr,
                                            copy.host_flags,
                                            target,
                                            copy.target_layout,
                                            1,
                                            &region};
      vk.CopyMemoryToImage(device, &info);
    } else if (id == vk::CommandId::kCopyImageToMemory) {
      const VkImageToMemoryCopy region = {VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
                                          nullptr,
                                          bytes_,
                                          copy.row_length,
                                          copy.image_height,
                                          copy.source.layers,
                                          copy.source.offset,
                                          copy.extent};
      const VkCopyImageToMemoryInfo info = {VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
                                            nullptr,
                                            copy.host_flags,
                                            source,
                                            copy.source_layout,
                                            1,
                                            &region};
      vk.CopyImageToMemory(device, &info);
    } else {
      const VkImageCopy2 region = {VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                   nullptr,
                                   copy.source.layers,
                                   copy.source.offset,
                                   copy.target.layers,
                                   copy.target.offset,
                                   copy.extent};
      const VkCopyImageToImageInfo info = {VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO,
                                           nullptr,
                                           copy.host_flags,
                                           source,
                                           copy.source_layout,
                                           target,
                                           copy.target_layout,
                                           1,
                                           &region};
      vk.CopyImageToImage(device, &info);
    }
  }
  template <class C>
  void RunHost(std::set<std::string>& rules) {
    CallHost(C::kId, HostCopy());
    ExpectNothing();
    for (const FamilyCase<ImageCopy>& row : HostCopyCases()) {
      const vk::VuidIndex id = FindFamilyVuid<C>(row.rule);
      if (id == vk::kNoVuid) continue;
      rules.emplace(row.rule);
      ImageCopy copy = HostCopy();
      row.change(copy);
      SCOPED_TRACE(std::string(vk::GetVuid(id).id));
      CallHost(C::kId, copy);
      ExpectMessage(vk::GetVuid(id).id);
      ExpectNothing();
    }
  }

  char bytes_[65536] = {};
};

TEST_F(HostCopiesTest, EachCase) {
  std::set<std::string> rules;
  RunHost<vk::CopyMemoryToImage>(rules);
  RunHost<vk::CopyImageToMemory>(rules);
  RunHost<vk::CopyImageToImage>(rules);
  for (const FamilyCase<ImageCopy>& row : HostCopyCases())
    EXPECT_TRUE(rules.contains(std::string(row.rule))) << row.rule;
}

TEST_F(HostCopiesTest, CorrectOnes) {
  const auto call_all = [this](const ImageCopy& copy) {
    CallHost(vk::CommandId::kCopyMemoryToImage, copy);
    CallHost(vk::CommandId::kCopyImageToMemory, copy);
    CallHost(vk::CommandId::kCopyImageToImage, copy);
  };
  // Bytes of a whole level.
  ImageCopy copy = HostCopy();
  copy.host_flags = VK_HOST_IMAGE_COPY_MEMCPY;
  copy.source.layers.mipLevel = copy.target.layers.mipLevel = 1;
  copy.extent = {32, 32, 1};
  call_all(copy);
  // All layers from the last one on.
  copy = HostCopy();
  copy.source.layers = copy.target.layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, VK_REMAINING_ARRAY_LAYERS};
  call_all(copy);
  // Sparse images with memory.
  copy = HostCopy();
  copy.source.info.flags = copy.target.info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
  call_all(copy);
  // Only the stencil may be copied.
  copy = HostCopy();
  for (CopySide* side : {&copy.source, &copy.target}) {
    side->info.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
    side->info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    side->stencil_usage = VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
    side->layers = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, VK_REMAINING_ARRAY_LAYERS};
  }
  call_all(copy);
  ExpectNothing();
}

struct HostTransition {
  CopySide image = HostCopy().source;
  VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageLayout new_layout = VK_IMAGE_LAYOUT_GENERAL;
  VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
};
struct TransitionCase {
  const char* id;
  void (*change)(HostTransition& transition);
};

constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
void SetDepthStencil(HostTransition& t) {
  t.image.info.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  t.range.aspectMask = kBoth;
}

constexpr TransitionCase kTransitionCases[] = {
    {"VUID-VkHostImageLayoutTransitionInfo-image-09055",
     [](HostTransition& t) { t.image.info.usage = VK_IMAGE_USAGE_SAMPLED_BIT; }},
    {"VUID-VkHostImageLayoutTransitionInfo-image-01932", [](HostTransition& t) { t.image.is_bound = false; }},
    {"VUID-VkHostImageLayoutTransitionInfo-newLayout-09057",
     [](HostTransition& t) { t.new_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL; }},
    {"VUID-VkHostImageLayoutTransitionInfo-oldLayout-09230",
     [](HostTransition& t) { t.old_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL; }},
    {"VUID-VkHostImageLayoutTransitionInfo-aspectMask-08702",
     [](HostTransition& t) { SetDepthStencil(t), t.new_layout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL; }},
    {"VUID-VkHostImageLayoutTransitionInfo-aspectMask-08703",
     [](HostTransition& t) { SetDepthStencil(t), t.new_layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL; }},
    {"VUID-VkHostImageLayoutTransitionInfo-image-03319",
     [](HostTransition& t) { SetDepthStencil(t), t.range.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT; }},
    {"VUID-VkHostImageLayoutTransitionInfo-image-09241",
     [](HostTransition& t) { t.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT; }},
    {"VUID-VkHostImageLayoutTransitionInfo-image-09242",
     [](HostTransition& t) {
       t.image.info.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
       t.image.info.mipLevels = t.image.info.arrayLayers = 1;
       t.range.aspectMask = VK_IMAGE_ASPECT_PLANE_0_BIT;
     }},
    {"VUID-VkHostImageLayoutTransitionInfo-subresourceRange-09601",
     [](HostTransition& t) { t.image.info.format = VK_FORMAT_D32_SFLOAT, t.range.aspectMask = kBoth; }},
    {"VUID-VkHostImageLayoutTransitionInfo-subresourceRange-01486",
     [](HostTransition& t) { t.range.baseMipLevel = 2; }},
    {"VUID-VkHostImageLayoutTransitionInfo-subresourceRange-01724", [](HostTransition& t) { t.range.levelCount = 3; }},
    {"VUID-VkHostImageLayoutTransitionInfo-subresourceRange-01488",
     [](HostTransition& t) { t.range.baseArrayLayer = 4; }},
    {"VUID-VkHostImageLayoutTransitionInfo-subresourceRange-01725", [](HostTransition& t) { t.range.layerCount = 5; }},
};

class HostTransitionsTest : public ImageCopiesTest {
 protected:
  void HostTransitionOf(VkImage image, const HostTransition& transition) {
    if (transition.old_layout != VK_IMAGE_LAYOUT_UNDEFINED) Transition(image, transition.image, transition.old_layout);
    const VkHostImageLayoutTransitionInfo info = {VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
                                                  nullptr,
                                                  image,
                                                  transition.old_layout,
                                                  transition.new_layout,
                                                  transition.range};
    vk.TransitionImageLayout(device, 1, &info);
  }
};

TEST_F(HostTransitionsTest, EachCase) {
  for (const TransitionCase& row : kTransitionCases) {
    SCOPED_TRACE(row.id);
    HostTransition transition;
    row.change(transition);
    HostTransitionOf(Make(transition.image), transition);
    ExpectMessage(row.id);
    ExpectNothing();
  }
}

TEST_F(HostTransitionsTest, CorrectOnes) {
  HostTransition transition;
  transition.range.levelCount = VK_REMAINING_MIP_LEVELS;
  transition.range.layerCount = VK_REMAINING_ARRAY_LAYERS;
  HostTransitionOf(Make(transition.image), transition);
  SetDepthStencil(transition);
  transition.range.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
  transition.new_layout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;
  HostTransitionOf(Make(transition.image), transition);
  ExpectNothing();
}

TEST_F(HostTransitionsTest, Disjoint) {
  HostTransition transition;
  VkImageCreateInfo info = transition.image.info;
  info.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
  info.mipLevels = info.arrayLayers = 1;
  info.flags = VK_IMAGE_CREATE_DISJOINT_BIT;
  const VkImage image = MakeUnboundImage(info);
  for (const VkImageAspectFlagBits plane :
       {VK_IMAGE_ASPECT_PLANE_0_BIT, VK_IMAGE_ASPECT_PLANE_1_BIT, VK_IMAGE_ASPECT_PLANE_2_BIT}) {
    const VkImagePlaneMemoryRequirementsInfo of = {VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, nullptr,
                                                   plane};
    const VkImageMemoryRequirementsInfo2 asked = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, &of, image};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vk.GetImageMemoryRequirements2(device, &asked, &requirements);
    const VkBindImagePlaneMemoryInfo to = {VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, nullptr, plane};
    const VkBindImageMemoryInfo bind = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &to, image,
                                        MakeMemory(requirements.memoryRequirements), 0};
    EXPECT_EQ(vk.BindImageMemory2(device, 1, &bind), VK_SUCCESS);
  }
  transition.range.aspectMask = VK_IMAGE_ASPECT_PLANE_1_BIT;
  HostTransitionOf(image, transition);
  ExpectNothing();
  transition.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  HostTransitionOf(image, transition);
  ExpectMessage("VUID-VkHostImageLayoutTransitionInfo-image-01672");
}

class WithoutSeparateLayouts : public HostTransitionsTest {
 protected:
  void SetUp() override {
    driver().config().disabled_features = {"separateDepthStencilLayouts"};
    HostTransitionsTest::SetUp();
  }
};
TEST_F(WithoutSeparateLayouts, OneAspect) {
  HostTransition transition;
  SetDepthStencil(transition);
  HostTransitionOf(Make(transition.image), transition);
  ExpectNothing();
  transition.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  HostTransitionOf(Make(transition.image), transition);
  ExpectMessage("VUID-VkHostImageLayoutTransitionInfo-image-03320");
}

}  // namespace
}  // namespace assay::core
