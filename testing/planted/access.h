// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_PLANTED_ACCESS_H_
#define ASSAY_TESTING_PLANTED_ACCESS_H_

#include "vk/vulkan.h"

// An access to a resource. A barrier has one before it and one after it.
namespace assay::planted {

struct Access {
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_NONE;
  VkAccessFlags2 access = VK_ACCESS_2_NONE;
  // For images only.
  VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;

  // The same at other stages, with other accesses or in another layout.
  constexpr Access At(VkPipelineStageFlags2 other) const { return {other, access, layout}; }
  constexpr Access With(VkAccessFlags2 other) const { return {stages, other, layout}; }
  constexpr Access In(VkImageLayout other) const { return {stages, access, other}; }
};
constexpr Access operator|(const Access& a, const Access& b) {
  return {a.stages | b.stages, a.access | b.access, a.layout};
}

// A new resource, or one whose contents are no longer needed.
inline constexpr Access kUndefined = {VK_PIPELINE_STAGE_2_NONE, VK_ACCESS_2_NONE, VK_IMAGE_LAYOUT_UNDEFINED};

inline constexpr Access kCopySource = {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
                                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
inline constexpr Access kCopyTarget = {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
inline constexpr Access kBlitSource = kCopySource.At(VK_PIPELINE_STAGE_2_BLIT_BIT);
inline constexpr Access kBlitTarget = kCopyTarget.At(VK_PIPELINE_STAGE_2_BLIT_BIT);
inline constexpr Access kResolveSource = kCopySource.At(VK_PIPELINE_STAGE_2_RESOLVE_BIT);
inline constexpr Access kResolveTarget = kCopyTarget.At(VK_PIPELINE_STAGE_2_RESOLVE_BIT);
// Also for fills and updates of buffers.
inline constexpr Access kClearTarget = kCopyTarget.At(VK_PIPELINE_STAGE_2_CLEAR_BIT);

inline constexpr Access kComputeRead = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_READ_BIT};
inline constexpr Access kComputeWrite = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
inline constexpr Access kComputeSampled = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                                           VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
inline constexpr Access kVertexStorageRead = kComputeRead.At(VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
inline constexpr Access kFragmentStorageRead = kComputeRead.At(VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
inline constexpr Access kFragmentStorageWrite = kComputeWrite.At(VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
inline constexpr Access kFragmentSampled = kComputeSampled.At(VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
inline constexpr Access kFragmentUniform = {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_UNIFORM_READ_BIT};

inline constexpr Access kIndirect = {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT};
inline constexpr Access kVertices = {VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                                     VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT};
inline constexpr Access kIndices = {VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT};

inline constexpr Access kColorTarget = {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                        VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                                        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
inline constexpr Access kDepthTarget = {
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
    VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
inline constexpr Access kPresented = {VK_PIPELINE_STAGE_2_NONE, VK_ACCESS_2_NONE, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
inline constexpr Access kHostRead = {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT};

}  // namespace assay::planted

#endif  // ASSAY_TESTING_PLANTED_ACCESS_H_
