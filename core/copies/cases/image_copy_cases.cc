// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/cases/image_copy_cases.h"

#include "core/copies/cases/case_changes.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using Copy = ImageCopy;

// Only the stencil aspect, of images of which one has no usage for copies of it.
void SetStencil(Copy& copy, CopySide& side, VkImageUsageFlags usage) {
  SetFormats(copy, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT);
  side.info.usage = usage;
  side.stencil_usage = VK_IMAGE_USAGE_SAMPLED_BIT;
}
// The texels of the second plane begin at an odd byte.
void SetOddPlane(Copy& copy, CopySide& side) {
  SetPlanes(side, VK_IMAGE_ASPECT_PLANE_1_BIT, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);
  copy.buffer_offset = 1;
}
// Changes of one side, for rules that both sides have.
void LoseBlockX(CopySide& side) { side.offset.x = 2; }
void LoseBlockY(CopySide& side) { side.offset.y = 2; }

// Rules that copies by the host have, too.
constexpr FamilyCase<Copy> kSharedCases[] = {
    {"srcImage-07966 srcImage-00256 srcImage-00220", [](Copy& c) { c.source.is_bound = false; }},
    {"dstImage-07966 dstImage-00258 dstImage-00225", [](Copy& c) { c.target.is_bound = false; }},
    {"srcSubresource-07967 srcSubresource-01709 srcSubresource-01705", [](Copy& c) { c.source.layers.mipLevel = 2; }},
    {"dstSubresource-07967 dstSubresource-01710 dstSubresource-01706", [](Copy& c) { c.target.layers.mipLevel = 2; }},
    {"imageSubresource-07967", [](Copy& c) { c.source.layers.mipLevel = c.target.layers.mipLevel = 2; }},
    {"srcSubresource-07968 srcSubresource-01711", [](Copy& c) { c.source.layers.baseArrayLayer = 4; }},
    {"dstSubresource-07968 dstSubresource-01712", [](Copy& c) { c.target.layers.baseArrayLayer = 4; }},
    {"imageSubresource-07968", [](Copy& c) { c.source.layers.baseArrayLayer = c.target.layers.baseArrayLayer = 4; }},
    {"pRegions-04565 pRegions-00216 dstSubresource-07970", [](Copy& c) { LeaveNoLayers(c.target); }},
    {"pRegions-04566 pRegions-00215 srcSubresource-07970", [](Copy& c) { LeaveNoLayers(c.source); }},
    {"imageSubresource-07970", [](Copy& c) { LeaveNoLayers(c.source), LeaveNoLayers(c.target); }},
    {"aspectMask-00142 aspectMask-00241 srcSubresource-09105", [](Copy& c) { c.source.layers.aspectMask = kDepth; }},
    {"aspectMask-00143 aspectMask-00242 dstSubresource-09105", [](Copy& c) { c.target.layers.aspectMask = kDepth; }},
    {"imageSubresource-09105 aspectMask-00266",
     [](Copy& c) { c.source.layers.aspectMask = c.target.layers.aspectMask = kDepth; }},
    {"srcImage-07983", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.source.layers.layerCount = 2; }},
    {"dstImage-07983", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.target.layers.baseArrayLayer = 1; }},
    {"srcOffset-00144 srcOffset-00269 imageOffset-00197 srcOffset-00243 srcSubresource-07971",
     [](Copy& c) { c.source.offset.x = 49; }},
    {"srcOffset-00145 srcOffset-00270 imageOffset-00198 srcOffset-00244 srcSubresource-07972",
     [](Copy& c) { c.source.offset.y = 49; }},
    {"dstOffset-00150 dstOffset-00274 pRegions-06223 dstOffset-00248 dstSubresource-07971",
     [](Copy& c) { c.target.offset.x = 49; }},
    {"dstOffset-00151 dstOffset-00275 pRegions-06224 dstOffset-00249 dstSubresource-07972",
     [](Copy& c) { c.target.offset.y = 49; }},
    {"imageSubresource-07971", [](Copy& c) { c.source.offset.x = c.target.offset.x = 49; }},
    {"srcOffset-00147 srcOffset-00246 srcOffset-09104",
     [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.source.offset.z = 4; }},
    {"dstOffset-00153 dstOffset-00251 dstOffset-09104",
     [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.target.offset.z = 4; }},
    {"imageOffset-09104", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.source.offset.z = c.target.offset.z = 4; }},
    {"srcImage-01787 srcImage-07980 srcImage-00273 srcImage-00247", [](Copy& c) { c.source.offset.z = 1; }},
    {"dstImage-01788 dstImage-07980 dstImage-00278 dstImage-00252", [](Copy& c) { c.target.offset.z = 1; }},
    {"pRegions-07278 srcImage-07274", [](Copy& c) { SetFormats(c, kBlocks), LoseBlockX(c.source); }},
    {"pRegions-07279 srcImage-07275", [](Copy& c) { SetFormats(c, kBlocks), LoseBlockY(c.source); }},
    {"pRegions-07281 dstImage-07274", [](Copy& c) { SetFormats(c, kBlocks), LoseBlockX(c.target); }},
    {"pRegions-07282 dstImage-07275", [](Copy& c) { SetFormats(c, kBlocks), LoseBlockY(c.target); }},
    {"bufferRowLength-09106 memoryRowLength-09106", [](Copy& c) { SetFormats(c, kBlocks), c.row_length = 18; }},
    {"bufferImageHeight-09107 memoryImageHeight-09107", [](Copy& c) { SetFormats(c, kBlocks), c.image_height = 18; }},
};

constexpr FamilyCase<Copy> kCases[] = {
    // The images.
    {"aspect-06662 srcImage-00186 srcImage-06762 srcImage-00219",
     [](Copy& c) { c.source.info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT; }},
    {"aspect-06663 dstImage-00177 dstImage-06764 dstImage-00224",
     [](Copy& c) { c.target.info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT; }},
    {"aspect-06664", [](Copy& c) { SetStencil(c, c.source, VK_IMAGE_USAGE_TRANSFER_DST_BIT); }},
    {"aspect-06665", [](Copy& c) { SetStencil(c, c.target, VK_IMAGE_USAGE_TRANSFER_SRC_BIT); }},
    // The stencil's usage is no usage of depth.
    {"aspect-06662",
     [](Copy& c) {
       SetFormats(c, VK_FORMAT_D32_SFLOAT_S8_UINT, kDepth);
       c.source.info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
       c.source.stencil_usage = kUsages;
     }},
    {"commandBuffer-01825 commandBuffer-01831 commandBuffer-01837 commandBuffer-01834",
     [](Copy& c) { c.source.info.flags = VK_IMAGE_CREATE_PROTECTED_BIT; }},
    {"commandBuffer-01826 commandBuffer-01829 commandBuffer-01838 commandBuffer-01835",
     [](Copy& c) { c.target.info.flags = VK_IMAGE_CREATE_PROTECTED_BIT; }},
    {"commandBuffer-01827 commandBuffer-01830 commandBuffer-01833 commandBuffer-01839 commandBuffer-01836",
     [](Copy& c) { c.is_in_protected_commands = true; }},
    {"commandBuffer-01828 commandBuffer-01832", [](Copy& c) { c.buffer_flags = VK_BUFFER_CREATE_PROTECTED_BIT; }},
    {"srcImage-01995 srcImage-01998 srcImage-06763", [](Copy& c) { SetFormats(c, kNoTransferSource); }},
    {"dstImage-01996 dstImage-01997 dstImage-06765", [](Copy& c) { SetFormats(c, kNoTransferTarget); }},
    {"dstImage-02003", [](Copy& c) { SetFormats(c, kNoColorAttachment); }},
    {"srcImage-07973 srcImage-00136 srcImage-00233",
     [](Copy& c) { c.source.info.samples = VK_SAMPLE_COUNT_4_BIT, c.source.info.mipLevels = 1; }},
    {"dstImage-07973 dstImage-00259 dstImage-00234",
     [](Copy& c) { c.target.info.samples = VK_SAMPLE_COUNT_4_BIT, c.target.info.mipLevels = 1; }},
    {"srcImage-07969 dstImage-02545", [](Copy& c) { SetSubsampled(c.source); }},
    {"dstImage-07969 dstImage-02546 dstImage-02545", [](Copy& c) { SetSubsampled(c.target); }},
    {"srcImage-00257", [](Copy& c) { c.source.info.samples = VK_SAMPLE_COUNT_1_BIT; }},
    {"srcImage-01386", [](Copy& c) { c.target.info.format = VK_FORMAT_B8G8R8A8_UNORM; }},
    {"srcImage-01548", [](Copy& c) { c.target.info.format = VK_FORMAT_R8G8_UNORM; }},
    {"srcImage-09247",
     [](Copy& c) {
       c.source.info.format = VK_FORMAT_ASTC_8x8_UNORM_BLOCK;
       c.target.info.format = VK_FORMAT_ASTC_4x4_UNORM_BLOCK;
     }},

    // Subresources.
    {"srcImage-08713", [](Copy& c) { SetPlanes(c.source, kColor), c.target.info.format = VK_FORMAT_R8_UNORM; }},
    {"dstImage-08714", [](Copy& c) { SetPlanes(c.target, kColor), c.source.info.format = VK_FORMAT_R8_UNORM; }},
    {"srcImage-07981", [](Copy& c) { SetPlanes(c.source, kColor); }},
    {"dstImage-07981", [](Copy& c) { SetPlanes(c.target, kColor); }},
    {"None-01549", [](Copy& c) { SetPlanes(c.source, kPlane0); }},
    {"srcImage-01551 aspectMask-00238",
     [](Copy& c) { SetFormats(c, VK_FORMAT_D32_SFLOAT_S8_UINT, kDepth), c.target.layers.aspectMask = kStencil; }},
    {"srcImage-01556", [](Copy& c) { SetPlanes(c.source, kPlane0), SetFormat(c.target, VK_FORMAT_S8_UINT, kStencil); }},
    {"dstImage-01557", [](Copy& c) { SetPlanes(c.target, kPlane0), SetFormat(c.source, VK_FORMAT_S8_UINT, kStencil); }},
    {"srcImage-04443", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.source.layers.baseArrayLayer = 1; }},
    {"dstImage-04444", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.target.layers.layerCount = 2; }},
    {"srcImage-04446 srcImage-01791 srcImage-00240",
     [](Copy& c) { SetType(c.target, VK_IMAGE_TYPE_3D), c.source.layers.layerCount = 2; }},
    {"srcImage-04447", [](Copy& c) { SetType(c.target, VK_IMAGE_TYPE_3D), c.target.layers.layerCount = 2; }},
    {"srcImage-08793 layerCount-08803 layerCount-08800", [](Copy& c) { c.target.layers.layerCount = 2; }},
    {"srcImage-08794 layerCount-08804", [](Copy& c) { c.target.layers.layerCount = VK_REMAINING_ARRAY_LAYERS; }},
    {"srcImage-01790", [](Copy& c) { c.extent.depth = 2; }},
    {"dstImage-01792", [](Copy& c) { SetType(c.source, VK_IMAGE_TYPE_3D), c.target.layers.layerCount = 2; }},

    // Texels.
    {"srcOffset-00144 srcOffset-00243", [](Copy& c) { c.source.offset.x = -1; }},
    {"imageSubresource-07972", [](Copy& c) { c.source.offset.y = c.target.offset.y = 49; }},
    {"dstOffset-00277", [](Copy& c) { SetType(c.target, VK_IMAGE_TYPE_3D), c.target.offset.z = 4; }},
    {"srcImage-00146 srcImage-00245", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_1D), c.source.offset.y = 1; }},
    {"dstImage-00152 dstImage-00250", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_1D), c.target.offset.y = 1; }},
    {"dstImage-00276",
     [](Copy& c) { SetType(c.target, VK_IMAGE_TYPE_1D), c.extent = {16, 1, 1}, c.target.offset.y = 1; }},
    {"srcImage-07979 dstImage-07979", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_1D), c.extent.height = 2; }},
    {"srcImage-01785", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_1D), c.source.offset.z = 1; }},
    {"dstImage-01786", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_1D), c.target.offset.z = 1; }},
    // The extent reaches to the end of the other image.
    {"srcImage-01728", [](Copy& c) { SetFormats(c, kBlocks), c.extent.width = c.target.info.extent.width = 14; }},
    {"srcImage-01729", [](Copy& c) { SetFormats(c, kBlocks), c.extent.height = c.target.info.extent.height = 14; }},
    {"dstImage-01732", [](Copy& c) { SetFormats(c, kBlocks), c.extent.width = c.source.info.extent.width = 14; }},
    {"dstImage-01733", [](Copy& c) { SetFormats(c, kBlocks), c.extent.height = c.source.info.extent.height = 14; }},
    {"srcImage-00207 dstImage-00207", [](Copy& c) { SetFormats(c, kBlocks), c.extent.width = 14; }},
    {"srcImage-00208 dstImage-00208", [](Copy& c) { SetFormats(c, kBlocks), c.extent.height = 14; }},
    {"srcOffset-01783 imageOffset-07747", [](Copy& c) { c.family = kTransferFamily, c.source.offset.x = 4; }},
    {"dstOffset-01784 imageOffset-07738", [](Copy& c) { c.family = kTransferFamily, c.target.offset.y = 4; }},
    {"srcSubresource-10209", [](Copy& c) { SetFormat(c.target, VK_FORMAT_D32_SFLOAT, kDepth); }},
    {"srcSubresource-10210", [](Copy& c) { SetFormat(c.source, VK_FORMAT_D32_SFLOAT, kDepth); }},
    {"pRegions-00124 pRegions-00217", [](Copy& c) { c.is_one_image = true, c.target.offset = {15, 15, 0}; }},

    // The buffer.
    {"srcBuffer-00174", [](Copy& c) { c.buffer_usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT; }},
    {"dstBuffer-00191", [](Copy& c) { c.buffer_usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT; }},
    {"srcBuffer-00176 dstBuffer-00192", [](Copy& c) { c.is_buffer_bound = false; }},
    {"pRegions-00171", [](Copy& c) { c.buffer_size = 1020; }},
    {"pRegions-00171", [](Copy& c) { c.buffer_size = 15 * 32 * 4 + 16 * 4 - 1, c.row_length = 32; }},
    {"pRegions-00183", [](Copy& c) { c.buffer_offset = 65536 - 1020; }},
    {"dstImage-07975 srcImage-07975", [](Copy& c) { c.buffer_offset = 2; }},
    {"dstImage-07976", [](Copy& c) { SetOddPlane(c, c.target); }},
    {"srcImage-07976", [](Copy& c) { SetOddPlane(c, c.source); }},
    {"dstImage-07978 srcImage-07978", [](Copy& c) { SetFormats(c, VK_FORMAT_D16_UNORM, kDepth), c.buffer_offset = 2; }},
    {"commandBuffer-07737 commandBuffer-07746",
     [](Copy& c) { SetFormats(c, VK_FORMAT_R8_UNORM), c.family = kTransferFamily, c.buffer_offset = 2; }},
    {"commandBuffer-07739 commandBuffer-10216",
     [](Copy& c) { SetFormats(c, VK_FORMAT_D16_UNORM, kDepth), c.family = kComputeFamily; }},
    {"bufferRowLength-09108", [](Copy& c) { c.row_length = 0x20000000, c.extent.height = 1; }},

    // All objects.
    {"pRegions-00173 pRegions-00184 pRegions-00255", [](Copy& c) { c.is_one_memory = true; }},
};

template <class... C>
void AddIds(absl::Span<const FamilyCase<Copy>> cases, std::vector<vk::VuidIndex>& ids) {
  for (const FamilyCase<Copy>& row : cases) AddFamilyIds<C...>({&row.rule, 1}, ids);
}

}  // namespace

ImageCopy ResolveCopy() {
  ImageCopy copy;
  copy.source.info.samples = VK_SAMPLE_COUNT_4_BIT;
  copy.source.info.mipLevels = 1;
  return copy;
}

absl::Span<const FamilyCase<ImageCopy>> ImageCopyCases() { return kCases; }
absl::Span<const FamilyCase<ImageCopy>> SharedCopyCases() { return kSharedCases; }

std::vector<vk::VuidIndex> ImageCopyIds() {
  std::vector<vk::VuidIndex> ids;
  for (const auto& cases : {ImageCopyCases(), SharedCopyCases(), ImageBlitCases(), OldImageCopyCases(),
                            OldestImageCopyCases(), Maintenance8Cases(), LinearResolveCases()}) {
    AddIds<vk::CmdCopyImage, vk::CmdCopyImage2, vk::CmdCopyBufferToImage, vk::CmdCopyBufferToImage2,
           vk::CmdCopyImageToBuffer, vk::CmdCopyImageToBuffer2, vk::CmdResolveImage, vk::CmdResolveImage2,
           vk::CmdBlitImage, vk::CmdBlitImage2>(cases, ids);
  }
  for (const auto& cases : {HostCopyCases(), SharedCopyCases()})
    AddIds<vk::CopyMemoryToImage, vk::CopyImageToMemory, vk::CopyImageToImage>(cases, ids);
  // The first form of these commands has nothing that turns regions.
  AddIds<vk::CmdCopyBufferToImage2, vk::CmdCopyImageToBuffer2>(TurnedCopyCases(), ids);
  AddIds<vk::CmdBlitImage2>(ChainedBlitCases(), ids);
  AddIds<vk::CmdCopyMemoryToImageIndirectNV>(IndirectCopyCases(), ids);
  // Their cases break another rule, too, and are in the test.
  AddFamilyIds<vk::CmdCopyImage, vk::CmdCopyImage2, vk::CmdBlitImage, vk::CmdBlitImage2>(
      {"srcImage-09459", "srcImage-09460"}, ids);
  AddFamilyIds<vk::CmdResolveImage, vk::CmdResolveImage2>({"srcImage-00271", "srcOffset-00272"}, ids);
  return ids;
}

}  // namespace assay::core
