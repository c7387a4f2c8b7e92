// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each case of HostCopyCases and SharedCopyCases, with each command that has its rule, through the whole layer; and
// layout transitions by the host.

#include <set>
#include <string>
#include <type_traits>

#include "core/copies/cases/case_changes.h"
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
    const auto call = [&]<class Info>(VkResult (*function)(VkDevice, const Info*), const CopySide& side) {
      auto region = MakeRegion<std::remove_cvref_t<decltype(*Info::pRegions)>>(copy, side);
      if constexpr (requires { region.pHostPointer; }) region.pHostPointer = bytes_;
      const auto info = MakeInfo<Info>(copy, source, target, VK_NULL_HANDLE, region);
      function(device, &info);
    };
    if (id == vk::CommandId::kCopyMemoryToImage) call(vk.CopyMemoryToImage, copy.target);
    if (id == vk::CommandId::kCopyImageToMemory) call(vk.CopyImageToMemory, copy.source);
    if (id == vk::CommandId::kCopyImageToImage) call(vk.CopyImageToImage, copy.source);
  }

  char bytes_[65536] = {};
};

TEST_F(HostCopiesTest, EachCase) {
  const auto call = [this](vk::CommandId id, const ImageCopy& copy) { CallHost(id, copy); };
  RunEach<vk::CopyMemoryToImage, vk::CopyImageToMemory, vk::CopyImageToImage>(HostCopyCases(), HostCopy(), call);
  std::set<std::string> rules;
  RunCases<vk::CopyMemoryToImage, vk::CopyImageToMemory, vk::CopyImageToImage>(SharedCopyCases(), HostCopy(), rules,
                                                                               call);
  RunAll(SharedCopyCases(), rules);
  EXPECT_EQ(MissingRules(SharedCopyCases(), rules), "");
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
  SetSparse(copy);
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
}

struct HostTransition {
  CopySide image = HostCopy().source;
  VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageLayout new_layout = VK_IMAGE_LAYOUT_GENERAL;
  VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
};
constexpr VkImageAspectFlags kBoth = kDepth | kStencil;
void SetDepthStencil(HostTransition& t) {
  t.image.info.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  t.range.aspectMask = kBoth;
}

constexpr FamilyCase<HostTransition> kTransitionCases[] = {
    {"image-09055", [](HostTransition& t) { t.image.info.usage = VK_IMAGE_USAGE_SAMPLED_BIT; }},
    {"image-01932", [](HostTransition& t) { t.image.is_bound = false; }},
    {"newLayout-09057", [](HostTransition& t) { t.new_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL; }},
    {"oldLayout-09230", [](HostTransition& t) { t.old_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL; }},
    {"aspectMask-08702",
     [](HostTransition& t) { SetDepthStencil(t), t.new_layout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL; }},
    {"aspectMask-08703",
     [](HostTransition& t) { SetDepthStencil(t), t.new_layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL; }},
    {"image-03319", [](HostTransition& t) { SetDepthStencil(t), t.range.aspectMask = kColor; }},
    {"image-09241", [](HostTransition& t) { t.range.aspectMask = kDepth; }},
    {"image-09242", [](HostTransition& t) { SetPlanes(t.image, kPlane0), t.range.aspectMask = kPlane0; }},
    {"subresourceRange-09601",
     [](HostTransition& t) { t.image.info.format = VK_FORMAT_D32_SFLOAT, t.range.aspectMask = kBoth; }},
    {"subresourceRange-01486", [](HostTransition& t) { t.range.baseMipLevel = 2; }},
    {"subresourceRange-01724", [](HostTransition& t) { t.range.levelCount = 3; }},
    {"subresourceRange-01488", [](HostTransition& t) { t.range.baseArrayLayer = 4; }},
    {"subresourceRange-01725", [](HostTransition& t) { t.range.layerCount = 5; }},
};

class HostTransitionsTest : public ImageCopiesTest {
 protected:
  void HostTransitionOf(VkImage image, const HostTransition& t) {
    if (t.old_layout != VK_IMAGE_LAYOUT_UNDEFINED) Transition(image, t.image, t.old_layout);
    const auto info = Of<VkHostImageLayoutTransitionInfo>(image, t.old_layout, t.new_layout, t.range);
    vk.TransitionImageLayout(device, 1, &info);
  }
};

TEST_F(HostTransitionsTest, EachCase) {
  RunEach<vk::TransitionImageLayout>(
      kTransitionCases, HostTransition(),
      [this](vk::CommandId, const HostTransition& t) { HostTransitionOf(Make(t.image), t); });
}

TEST_F(HostTransitionsTest, CorrectOnes) {
  HostTransition transition = {.range = {kColor, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
  HostTransitionOf(Make(transition.image), transition);
  SetDepthStencil(transition);
  transition.range.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
  transition.new_layout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;
  HostTransitionOf(Make(transition.image), transition);
}

TEST_F(HostTransitionsTest, Disjoint) {
  HostTransition transition;
  SetPlanes(transition.image, kPlane0);
  transition.image.info.flags = VK_IMAGE_CREATE_DISJOINT_BIT;
  const VkImage image = MakeUnboundImage(transition.image.info);
  for (const VkImageAspectFlagBits plane :
       {VK_IMAGE_ASPECT_PLANE_0_BIT, VK_IMAGE_ASPECT_PLANE_1_BIT, VK_IMAGE_ASPECT_PLANE_2_BIT}) {
    const auto of = Of<VkImagePlaneMemoryRequirementsInfo>(plane);
    const auto asked = Typed(VkImageMemoryRequirementsInfo2{.pNext = &of, .image = image});
    auto requirements = Typed(VkMemoryRequirements2());
    vk.GetImageMemoryRequirements2(device, &asked, &requirements);
    const auto to = Of<VkBindImagePlaneMemoryInfo>(plane);
    const auto bind = Typed(
        VkBindImageMemoryInfo{.pNext = &to, .image = image, .memory = MakeMemory(requirements.memoryRequirements)});
    EXPECT_EQ(vk.BindImageMemory2(device, 1, &bind), VK_SUCCESS);
  }
  transition.range.aspectMask = VK_IMAGE_ASPECT_PLANE_1_BIT;
  HostTransitionOf(image, transition);
  ExpectNothing();
  transition.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  HostTransitionOf(image, transition);
  ExpectMessage("VUID-VkHostImageLayoutTransitionInfo-image-01672");
}

TEST_F(HostTransitionsTest, OneAspectWithoutSeparateLayouts) {
  Restart({}, {"separateDepthStencilLayouts"});
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
