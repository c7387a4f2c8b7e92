// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/cases/image_copy_test.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "vk/format_info.h"

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

void AdjustProperties(VkBaseOutStructure* properties, VkBool32 no_fault) {
  if (properties->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES)
    reinterpret_cast<VkPhysicalDeviceProtectedMemoryProperties*>(properties)->protectedNoFault = no_fault;
  if (properties->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_PROPERTIES_NV) {
    reinterpret_cast<VkPhysicalDeviceCopyMemoryIndirectPropertiesNV*>(properties)->supportedQueues =
        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  }
  if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES) return;
  auto& host = *reinterpret_cast<VkPhysicalDeviceHostImageCopyProperties*>(properties);
  WriteLayouts(host.copySrcLayoutCount, host.pCopySrcLayouts);
  WriteLayouts(host.copyDstLayoutCount, host.pCopyDstLayouts);
}

VkFormatProperties3 FeaturesWithout(VkFormatFeatureFlags2 missing) {
  const VkFormatFeatureFlags2 features =
      (VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT |
       VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT | VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
       VK_FORMAT_FEATURE_2_BLIT_SRC_BIT | VK_FORMAT_FEATURE_2_BLIT_DST_BIT |
       VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT) &
      ~missing;
  return {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3,
          .linearTilingFeatures = features,
          .optimalTilingFeatures = features};
}

}  // namespace

void ImageCopiesTest::SetUp() {
  test::MockConfig& config = driver().config();
  config.formats[kNoTransferSource] = FeaturesWithout(VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT);
  config.formats[kNoTransferTarget] = FeaturesWithout(VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT);
  config.formats[kNoColorAttachment] = FeaturesWithout(VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT);
  config.formats[kNoTransferDepth] = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3,
                                      .optimalTilingFeatures = VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT};
  config.formats[kNoLinearAttachment] = FeaturesWithout(0);
  config.formats[kNoBlitSource] = FeaturesWithout(VK_FORMAT_FEATURE_2_BLIT_SRC_BIT);
  config.formats[kNoBlitTarget] = FeaturesWithout(VK_FORMAT_FEATURE_2_BLIT_DST_BIT);
  config.formats[kNoFilter] = FeaturesWithout(VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
                                              VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT);
  config.queue_families[kTransferFamily].minImageTransferGranularity = {8, 8, 1};
  config.adjust_properties = [this](VkBaseOutStructure* properties) { AdjustProperties(properties, no_fault_); };
  ValidationTest::SetUp();
}

VkImage ImageCopiesTest::Make(const CopySide& side) {
  const VkImageStencilUsageCreateInfo stencil = {.sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
                                                 .stencilUsage = side.stencil_usage};
  VkImageCreateInfo info = side.info;
  if (side.stencil_usage != 0) info.pNext = &stencil;
  if (shared_memory_ != VK_NULL_HANDLE) {
    const VkImage image = MakeUnboundImage(info);
    VkMemoryRequirements requirements = {};
    vk.GetImageMemoryRequirements(device, image, &requirements);
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
  VkMemoryRequirements requirements = {};
  vk.GetImageMemoryRequirements(device, image, &requirements);
  const VkSparseMemoryBind bind = {.size = requirements.size, .memory = MakeMemory(requirements)};
  const VkSparseImageOpaqueMemoryBindInfo opaque = {image, 1, &bind};
  const VkBindSparseInfo info = {
      .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .imageOpaqueBindCount = 1, .pImageOpaqueBinds = &opaque};
  EXPECT_EQ(vk.QueueBindSparse(Queue(), 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
  vk.QueueWaitIdle(Queue());
}

void ImageCopiesTest::Transition(VkImage image, const CopySide& side, VkImageLayout layout) {
  if (!side.is_bound) return;
  const vk::FormatInfo& format = *vk::GetFormatInfo(side.info.format);
  const VkImageAspectFlags aspects =
      format.planes.empty() ? format.aspects : VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT};
  const VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .newLayout = layout,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
  Submit(Queue(), {Record([&](VkCommandBuffer commands) {
           vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0,
                                 0, nullptr, 0, nullptr, 1, &barrier);
         })});
  vk.QueueWaitIdle(Queue());
}

VkBuffer ImageCopiesTest::MakeCopiedBuffer(const ImageCopy& copy) {
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                   .flags = copy.buffer_flags,
                                   .size = copy.buffer_size,
                                   .usage = copy.buffer_usage};
  if (shared_memory_ != VK_NULL_HANDLE) {
    const VkBuffer buffer = MakeUnboundBuffer(info);
    VkMemoryRequirements requirements = {};
    vk.GetBufferMemoryRequirements(device, buffer, &requirements);
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
  const VkCopyCommandTransformInfoQCOM transform = {VK_STRUCTURE_TYPE_COPY_COMMAND_TRANSFORM_INFO_QCOM, nullptr,
                                                    copy.transform};
  const VkBlitImageCubicWeightsInfoQCOM weights = {VK_STRUCTURE_TYPE_BLIT_IMAGE_CUBIC_WEIGHTS_INFO_QCOM, nullptr,
                                                   VK_CUBIC_FILTER_WEIGHTS_B_SPLINE_QCOM};
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
