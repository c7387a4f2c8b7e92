// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/depth_copies.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gpuav/parameters/depth_regions.h"

namespace assay::gpuav {
namespace {

VkBufferImageCopy ToRegion(const VkBufferImageCopy& region) { return region; }
VkBufferImageCopy ToRegion(const VkBufferImageCopy2& region) {
  return {.bufferOffset = region.bufferOffset,
          .bufferRowLength = region.bufferRowLength,
          .bufferImageHeight = region.bufferImageHeight,
          .imageSubresource = region.imageSubresource,
          .imageOffset = region.imageOffset,
          .imageExtent = region.imageExtent};
}

bool IsOfFloatDepths(VkImage handle) {
  const auto* image = state::DeviceState::Get<state::Image>(handle);
  return image != nullptr && HasFloatDepths(image->create_info.format);
}

template <class Region>
void AddRegions(vk::CommandId command, VkBuffer source, VkImage target, absl::Span<const Region> given,
                const state::CommandBuffer& buffer, ParameterCopies& copies) {
  const auto* from = state::DeviceState::Get<state::Buffer>(source);
  const auto* image = state::DeviceState::Get<state::Image>(target);
  if (from == nullptr || image == nullptr) return;
  std::vector<DepthRegion> regions;
  for (size_t i = 0; i < given.size(); ++i) {
    const std::optional<DepthRegion> region =
        DepthRegionOf(ToRegion(given[i]), static_cast<uint32_t>(i), image->create_info, from->size);
    if (region) regions.push_back(*region);
  }
  copies.AddDepths(command, source, target, std::move(regions), buffer);
}

}  // namespace

bool CopiesDepths(const vk::CmdCopyBufferToImage& call) { return IsOfFloatDepths(call.dstImage); }
bool CopiesDepths(const vk::CmdCopyBufferToImage2& call) {
  return IsOfFloatDepths(call.pCopyBufferToImageInfo->dstImage);
}

void AddDepths(const vk::CmdCopyBufferToImage& call, const state::CommandBuffer& buffer, ParameterCopies& copies) {
  AddRegions(call.kId, call.srcBuffer, call.dstImage, absl::MakeConstSpan(call.pRegions, call.regionCount), buffer,
             copies);
}

void AddDepths(const vk::CmdCopyBufferToImage2& call, const state::CommandBuffer& buffer, ParameterCopies& copies) {
  const VkCopyBufferToImageInfo2& info = *call.pCopyBufferToImageInfo;
  AddRegions(call.kId, info.srcBuffer, info.dstImage, absl::MakeConstSpan(info.pRegions, info.regionCount), buffer,
             copies);
}

}  // namespace assay::gpuav
