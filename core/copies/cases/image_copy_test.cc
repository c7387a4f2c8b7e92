// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/cases/image_copy_test.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace assay::core {
namespace {

// Device-local and host-visible.
constexpr uint32_t kSharedMemoryType = 3;
// The layouts that the host copies from and to.
constexpr VkImageLayout kHostLayouts[] = {VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL,
                                          VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL};

// The driver has set the count to 0. There is room for as many as the first call said.
void WriteLayouts(uint32_t& count, VkImageLayout* layouts) {
  count = std::size(kHostLayouts);
  if (layouts != nullptr) std::copy_n(kHostLayouts, count, layouts);
}

VkFormatProperties3 FeaturesWithout(VkFormatFeatureFlags2 missing) {
  const VkFormatFeatureFlags2 features =
      (VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT |
       VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT | VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
       VK_FORMAT_FEATURE_2_BLIT_SRC_BIT | VK_FORMAT_FEATURE_2_BLIT_DST_BIT |
       VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT) &
      ~missing;
  return {.linearTilingFeatures = features, .optimalTilingFeatures = features};
}

}  // namespace

void ImageCopiesTest::SetUp() {
  test::MockConfig& config = driver().config();
  config.formats[kNoTransferSource] = FeaturesWithout(VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT);
  config.formats[kNoTransferTarget] = FeaturesWithout(VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT);
  config.formats[kNoColorAttachment] = FeaturesWithout(VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT);
  config.formats[kNoTransferDepth] = {.optimalTilingFeatures = VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT};
  config.formats[kNoLinearAttachment] = FeaturesWithout(0);
  config.formats[kNoBlitSource] = FeaturesWithout(VK_FORMAT_FEATURE_2_BLIT_SRC_BIT);
  config.formats[kNoBlitTarget] = FeaturesWithout(VK_FORMAT_FEATURE_2_BLIT_DST_BIT);
  config.formats[kNoFilter] = FeaturesWithout(VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
                                              VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT);
  config.queue_families[kTransferFamily].minImageTransferGranularity = {8, 8, 1};
  ChangeProperties<VkPhysicalDeviceProtectedMemoryProperties>([this](auto& p) { p.protectedNoFault = no_fault_; });
  ChangeProperties<VkPhysicalDeviceCopyMemoryIndirectPropertiesNV>(
      [](auto& p) { p.supportedQueues = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT; });
  ChangeProperties<VkPhysicalDeviceHostImageCopyProperties>([](auto& p) {
    WriteLayouts(p.copySrcLayoutCount, p.pCopySrcLayouts);
    WriteLayouts(p.copyDstLayoutCount, p.pCopyDstLayouts);
  });
  ValidationTest::SetUp();
}

VkImage ImageCopiesTest::Make(const CopySide& side) {
  const auto stencil = Typed(VkImageStencilUsageCreateInfo{.stencilUsage = side.stencil_usage});
  VkImageCreateInfo info = side.info;
  if (side.stencil_usage != 0) info.pNext = &stencil;
  if (shared_memory_ != VK_NULL_HANDLE) {
    const VkImage image = MakeUnboundImage(info);
    // As an application asks before it binds.
    RequirementsOf(image);
    EXPECT_EQ(vk.BindImageMemory(device, image, shared_memory_, 0), VK_SUCCESS);
    return image;
  }
  const bool is_sparse = (info.flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0;
  if (side.is_bound && !is_sparse) return MakeImage(info).handle;
  const VkImage image = MakeUnboundImage(info);
  if (side.is_bound) BindSparse(image);
  return image;
}

void ImageCopiesTest::BindSparse(VkImage image) {
  const VkMemoryRequirements requirements = RequirementsOf(image);
  const VkSparseMemoryBind bind = {.size = requirements.size, .memory = MakeMemory(requirements)};
  const VkSparseImageOpaqueMemoryBindInfo opaque = {image, 1, &bind};
  const auto info = Typed(VkBindSparseInfo{.imageOpaqueBindCount = 1, .pImageOpaqueBinds = &opaque});
  EXPECT_EQ(vk.QueueBindSparse(Queue(), 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
  vk.QueueWaitIdle(Queue());
}

void ImageCopiesTest::Transition(VkImage image, const CopySide& side, VkImageLayout layout) {
  if (!side.is_bound) return;
  const auto barrier =
      Typed(VkImageMemoryBarrier{.newLayout = layout,
                                 .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                 .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                 .image = image,
                                 .subresourceRange = test::Image{image, VK_NULL_HANDLE, side.info}.Range()});
  Submit(Queue(), {Record([&](VkCommandBuffer commands) {
           vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0,
                                 0, nullptr, 0, nullptr, 1, &barrier);
         })});
  vk.QueueWaitIdle(Queue());
}

VkBuffer ImageCopiesTest::MakeCopiedBuffer(const ImageCopy& copy) {
  const auto info =
      Typed(VkBufferCreateInfo{.flags = copy.buffer_flags, .size = copy.buffer_size, .usage = copy.buffer_usage});
  if (shared_memory_ != VK_NULL_HANDLE) {
    const VkBuffer buffer = MakeUnboundBuffer(info);
    // As an application asks before it binds.
    RequirementsOf(buffer);
    EXPECT_EQ(vk.BindBufferMemory(device, buffer, shared_memory_, 0), VK_SUCCESS);
    return buffer;
  }
  return copy.is_buffer_bound ? MakeBuffer(info).handle : MakeUnboundBuffer(info);
}

void ImageCopiesTest::Call(vk::CommandId id, const ImageCopy& copy) {
  shared_memory_ = copy.is_one_memory ? MakeMemory(VkDeviceSize{1} << 24, kSharedMemoryType) : VK_NULL_HANDLE;
  const VkImage source = Make(copy.source);
  const VkImage target = copy.is_one_image ? source : Make(copy.target);
  const VkBuffer buffer = MakeCopiedBuffer(copy);
  const bool is_to_image = id == vk::CommandId::kCmdCopyBufferToImage || id == vk::CommandId::kCmdCopyBufferToImage2;
  const CopySide& side = is_to_image ? copy.target : copy.source;
  const auto texels = MakeRegion<VkBufferImageCopy>(copy, side);
  const auto region = MakeRegion<VkImageCopy>(copy, side);
  const auto resolve = MakeRegion<VkImageResolve>(copy, side);
  const auto blit = MakeRegion<VkImageBlit>(copy, side);
  const auto transform = Of<VkCopyCommandTransformInfoQCOM>(copy.transform);
  const auto weights = Of<VkBlitImageCubicWeightsInfoQCOM>(VK_CUBIC_FILTER_WEIGHTS_B_SPLINE_QCOM);
  const VkCommandBuffer commands = MakeCommands(copy);
  const VkImageLayout from = copy.source_layout, to = copy.target_layout;
  // The command's second form.
  const auto call = [&]<class Info>(void (*command)(VkCommandBuffer, const Info*)) {
    auto own_region = MakeRegion<std::remove_cvref_t<decltype(*Info::pRegions)>>(copy, side);
    if (copy.transform != 0) own_region.pNext = &transform;
    auto info = MakeInfo<Info>(copy, source, target, buffer, own_region);
    if (copy.has_other_weights) info.pNext = &weights;
    command(commands, &info);
  };
  Begin(commands);
  using enum vk::CommandId;
  if (id == kCmdCopyImage) vk.CmdCopyImage(commands, source, from, target, to, 1, &region);
  if (id == kCmdCopyImage2) call(vk.CmdCopyImage2);
  if (id == kCmdCopyBufferToImage) vk.CmdCopyBufferToImage(commands, buffer, target, to, 1, &texels);
  if (id == kCmdCopyBufferToImage2) call(vk.CmdCopyBufferToImage2);
  if (id == kCmdCopyImageToBuffer) vk.CmdCopyImageToBuffer(commands, source, from, buffer, 1, &texels);
  if (id == kCmdCopyImageToBuffer2) call(vk.CmdCopyImageToBuffer2);
  if (id == kCmdBlitImage) vk.CmdBlitImage(commands, source, from, target, to, 1, &blit, copy.filter);
  if (id == kCmdBlitImage2) call(vk.CmdBlitImage2);
  if (id == kCmdResolveImage) vk.CmdResolveImage(commands, source, from, target, to, 1, &resolve);
  if (id == kCmdResolveImage2) call(vk.CmdResolveImage2);
  End(commands);
}

void ImageCopiesTest::RunAll(absl::Span<const FamilyCase<ImageCopy>> cases, std::set<std::string>& rules) {
  RunCases<vk::CmdCopyImage, vk::CmdCopyImage2, vk::CmdCopyBufferToImage, vk::CmdCopyBufferToImage2,
           vk::CmdCopyImageToBuffer, vk::CmdCopyImageToBuffer2, vk::CmdBlitImage, vk::CmdBlitImage2>(cases, ImageCopy(),
                                                                                                     rules, Caller());
  RunCases<vk::CmdResolveImage, vk::CmdResolveImage2>(cases, ResolveCopy(), rules, Caller());
}

}  // namespace assay::core
