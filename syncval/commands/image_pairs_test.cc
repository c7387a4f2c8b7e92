// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Every way to access an image after every other.

#include "syncval/fixture/sync_test.h"
#include "syncval/shaders/sampled_image.h"
#include "syncval/shaders/storage_image_read.h"
#include "syncval/shaders/storage_image_write.h"

namespace assay::syncval {
namespace {

using test::Image;

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;

// A mip level and layer of an image.
struct Part {
  Image image;
  uint32_t level = 0;
  uint32_t layer = 0;

  VkImageSubresourceLayers Layers() const { return {image.Range().aspectMask, level, layer, 1}; }
  VkImageSubresourceRange Range() const { return {image.Range().aspectMask, level, 1, layer, 1}; }
};

class SyncImagePairs : public SyncTest {
 protected:
  Image MakeColor() { return MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 32, 32, 0, 2, 2); }
  // Accesses to 8 x 8 texels of the part; see TheirExtent.
  std::vector<TargetAccess> Transfers(Part target);
  std::vector<TargetAccess> Transfers2(Part target);
  // Accesses to the whole part.
  std::vector<TargetAccess> Others(Part target);

  static constexpr VkExtent3D kExtent = {8, 8, 1};
  VkOffset3D offset_ = {4, 4, 0};

 private:
  TargetAccess ShaderAccess(std::string name, bool reads, std::span<const uint32_t> shader, VkDescriptorType type,
                            Part target);
};

std::vector<TargetAccess> SyncImagePairs::Transfers(Part target) {
  const VkOffset3D at = offset_;
  const VkOffset3D end = {at.x + 8, at.y + 8, 1};
  const VkImageSubresourceLayers layers = target.Layers(), other = {layers.aspectMask, 0, 0, 1};
  const VkImageCopy copy_from = {layers, at, other, {}, kExtent}, copy_to = {other, {}, layers, at, kExtent};
  // The corners in reverse, too.
  const VkImageBlit blit_from = {layers, {end, at}, other, {{}, {16, 16, 1}}},
                    blit_to = {other, {{}, {16, 16, 1}}, layers, {at, end}};
  const VkImageResolve resolve_from = {layers, at, other, {}, kExtent}, resolve_to = {other, {}, layers, at, kExtent};
  const VkBufferImageCopy to_buffer = {.imageSubresource = layers, .imageOffset = at, .imageExtent = kExtent};
  const VkImage image = target.image;
  return {
      {"CopyImage from", true, false,
       [=, this](VkCommandBuffer c) { vk.CmdCopyImage(c, image, kGeneral, MakeColor(), kGeneral, 1, &copy_from); }},
      {"CopyImage to", false, true,
       [=, this](VkCommandBuffer c) { vk.CmdCopyImage(c, MakeColor(), kGeneral, image, kGeneral, 1, &copy_to); }},
      {"BlitImage from", true, false,
       [=, this](VkCommandBuffer c) {
         vk.CmdBlitImage(c, image, kGeneral, MakeColor(), kGeneral, 1, &blit_from, VK_FILTER_NEAREST);
       }},
      {"BlitImage to", false, true,
       [=, this](VkCommandBuffer c) {
         vk.CmdBlitImage(c, MakeColor(), kGeneral, image, kGeneral, 1, &blit_to, VK_FILTER_NEAREST);
       }},
      {"ResolveImage from", true, false,
       [=, this](VkCommandBuffer c) {
         vk.CmdResolveImage(c, image, kGeneral, MakeColor(), kGeneral, 1, &resolve_from);
       }},
      {"ResolveImage to", false, true,
       [=, this](VkCommandBuffer c) { vk.CmdResolveImage(c, MakeColor(), kGeneral, image, kGeneral, 1, &resolve_to); }},
      {"CopyImageToBuffer", true, false,
       [=, this](VkCommandBuffer c) { vk.CmdCopyImageToBuffer(c, image, kGeneral, MakeBuffer(256), 1, &to_buffer); }},
      {"CopyBufferToImage", false, true,
       [=, this](VkCommandBuffer c) { vk.CmdCopyBufferToImage(c, MakeBuffer(256), image, kGeneral, 1, &to_buffer); }},
  };
}

std::vector<TargetAccess> SyncImagePairs::Transfers2(Part target) {
  const VkOffset3D at = offset_;
  const VkOffset3D end = {at.x + 8, at.y + 8, 1};
  const VkImageSubresourceLayers layers = target.Layers(), other = {layers.aspectMask, 0, 0, 1};
  const VkImage image = target.image;
  const auto copy = [this](VkCommandBuffer c, VkImage source, VkImage destination, const VkImageCopy2& region) {
    VkCopyImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                             .srcImage = source,
                             .srcImageLayout = kGeneral,
                             .dstImage = destination,
                             .dstImageLayout = kGeneral,
                             .regionCount = 1,
                             .pRegions = &region};
    vk.CmdCopyImage2(c, &info);
  };
  const auto blit = [this](VkCommandBuffer c, VkImage source, VkImage destination, const VkImageBlit2& region) {
    VkBlitImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                             .srcImage = source,
                             .srcImageLayout = kGeneral,
                             .dstImage = destination,
                             .dstImageLayout = kGeneral,
                             .regionCount = 1,
                             .pRegions = &region};
    vk.CmdBlitImage2(c, &info);
  };
  const auto resolve = [this](VkCommandBuffer c, VkImage source, VkImage destination, const VkImageResolve2& region) {
    VkResolveImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                .srcImage = source,
                                .srcImageLayout = kGeneral,
                                .dstImage = destination,
                                .dstImageLayout = kGeneral,
                                .regionCount = 1,
                                .pRegions = &region};
    vk.CmdResolveImage2(c, &info);
  };
  const VkImageCopy2 copy_from = {VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, layers, at, other, {}, kExtent};
  const VkImageCopy2 copy_to = {VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, other, {}, layers, at, kExtent};
  const VkImageBlit2 blit_from = {VK_STRUCTURE_TYPE_IMAGE_BLIT_2, nullptr, layers, {at, end}, other, {{}, {16, 16, 1}}};
  const VkImageBlit2 blit_to = {VK_STRUCTURE_TYPE_IMAGE_BLIT_2, nullptr, other, {{}, {16, 16, 1}}, layers, {end, at}};
  const VkImageResolve2 resolve_from = {VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, nullptr, layers, at, other, {}, kExtent};
  const VkImageResolve2 resolve_to = {VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, nullptr, other, {}, layers, at, kExtent};
  return {
      {"CopyImage2 from", true, false, [=, this](VkCommandBuffer c) { copy(c, image, MakeColor(), copy_from); }},
      {"CopyImage2 to", false, true, [=, this](VkCommandBuffer c) { copy(c, MakeColor(), image, copy_to); }},
      {"BlitImage2 from", true, false, [=, this](VkCommandBuffer c) { blit(c, image, MakeColor(), blit_from); }},
      {"BlitImage2 to", false, true, [=, this](VkCommandBuffer c) { blit(c, MakeColor(), image, blit_to); }},
      {"ResolveImage2 from", true, false,
       [=, this](VkCommandBuffer c) { resolve(c, image, MakeColor(), resolve_from); }},
      {"ResolveImage2 to", false, true, [=, this](VkCommandBuffer c) { resolve(c, MakeColor(), image, resolve_to); }},
  };
}

TargetAccess SyncImagePairs::ShaderAccess(std::string name, bool reads, std::span<const uint32_t> shader,
                                          VkDescriptorType type, Part target) {
  const VkImageView view = MakeView(VkImageViewCreateInfo{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                                          .image = target.image,
                                                          .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                                          .format = target.image.info.format,
                                                          .subresourceRange = target.Range()});
  const std::vector<uint32_t> words(shader.begin(), shader.end());
  const VkSampler sampler = MakeSampler();
  return {name, reads, !reads, [=, this](VkCommandBuffer c) {
            Compute compute = MakeCompute(words, {{0, type}, {1}});
            WriteImage(compute.set, 0, type, view, kGeneral, sampler);
            WriteStorage(compute, 1, MakeBuffer(64));
            Dispatch(c, compute);
          }};
}

std::vector<TargetAccess> SyncImagePairs::Others(Part target) {
  const VkImageSubresourceRange range = target.Range();
  const VkImage image = target.image;
  return {
      {"ClearColorImage", false, true, [=, this](VkCommandBuffer c) { Clear(c, image, range); }},
      ShaderAccess("sampled image", true, k_sampled_image, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, target),
      ShaderAccess("storage image, read", true, k_storage_image_read, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, target),
      ShaderAccess("storage image, written", false, k_storage_image_write, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, target),
  };
}

class NegativeSyncImagePairs : public SyncImagePairs {};
class PositiveSyncImagePairs : public SyncImagePairs {};

TEST_F(NegativeSyncImagePairs, Transfers) { CheckAllPairs(Transfers({MakeColor(), 1, 1})); }
TEST_F(NegativeSyncImagePairs, Sync2Transfers) { CheckAllPairs(Transfers2({MakeColor(), 1, 1})); }
TEST_F(NegativeSyncImagePairs, Others) {
  const Part target = {MakeColor(), 1, 1};
  std::vector<TargetAccess> accesses = Others(target);
  accesses.push_back(Transfers(target)[0]);
  accesses.push_back(Transfers(target)[3]);
  CheckAllPairs(accesses);
}

TEST_F(PositiveSyncImagePairs, OtherTexels) {
  const Part target = {MakeColor(), 1, 1};
  const std::vector<TargetAccess> here = Transfers(target);
  for (VkOffset3D next : {VkOffset3D{8, 0, 0}, VkOffset3D{0, 8, 0}, VkOffset3D{8, 8, 0}}) {
    offset_ = {0, 0, 0};
    const std::vector<TargetAccess> first = Transfers(target);
    offset_ = next;
    CheckIndependent(first, Transfers2(target));
  }
}

TEST_F(PositiveSyncImagePairs, OtherSubresources) {
  const Image image = MakeColor();
  std::vector<TargetAccess> here = Transfers({image, 1, 1});
  for (const TargetAccess& access : Others({image, 1, 1})) here.push_back(access);
  for (const Part& part : {Part{image, 0, 1}, Part{image, 1, 0}, Part{image, 0, 0}}) {
    std::vector<TargetAccess> there = Transfers2(part);
    for (const TargetAccess& access : Others(part)) there.push_back(access);
    CheckIndependent(here, there);
    CheckIndependent(there, here);
  }
}

}  // namespace
}  // namespace assay::syncval
