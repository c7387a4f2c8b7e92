// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/buffer_views/buffer_view_rules.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "state/state.h"
#include "vk/feature_info.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

// The bytes of a texel or, where they are a multiple of three, of one of its three components; 0 if unknown.
VkDeviceSize SingleTexelAlignment(VkFormat format) {
  const vk::FormatInfo* const info = vk::GetFormatInfo(format);
  if (info == nullptr || info->compressed || info->texels_per_block != 1) return 0;
  return info->block_size % 3 == 0 ? info->block_size / 3 : info->block_size;
}

}  // namespace

BufferViewRules::BufferViewRules(const dispatch::Device& device) {
  if (!device.HasFeature(vk::FeatureId::kTexelBufferAlignment)) return;
  const auto* const limits = device.physical_device->Find<VkPhysicalDeviceTexelBufferAlignmentProperties>();
  if (limits == nullptr) return;
  storage_ = {limits->storageTexelBufferOffsetAlignmentBytes,
              limits->storageTexelBufferOffsetSingleTexelAlignment == VK_TRUE};
  uniform_ = {limits->uniformTexelBufferOffsetAlignmentBytes,
              limits->uniformTexelBufferOffsetSingleTexelAlignment == VK_TRUE};
}

void BufferViewRules::PreCallValidate(const vk::CreateBufferView& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const VkBufferViewCreateInfo& info = *call.pCreateInfo;
  const auto* const buffer = state::DeviceState::Get<state::Buffer>(info.buffer);
  if (buffer == nullptr) return;
  const auto check = [&](VkBufferUsageFlags usage, const Alignment& limit, vk::VuidIndex vuid, std::string_view name) {
    if ((buffer->usage & usage) == 0 || limit.bytes == 0) return;
    VkDeviceSize alignment = limit.bytes;
    if (limit.is_single_texel) alignment = std::min(alignment, SingleTexelAlignment(info.format));
    if (alignment == 0 || info.offset % alignment == 0) return;
    report.Error(vuid, {messages::Object(info.buffer)}, report.location().Dot("pCreateInfo").Dot("offset"),
                 absl::StrCat("(", info.offset, ") is not a multiple of ", alignment,
                              alignment == limit.bytes ? absl::StrCat(", which is ", name)
                                                       : ", which is the size of a texel or of its components",
                              "."),
                 absl::StrCat("Let the view begin at ", info.offset - info.offset % alignment, " or ",
                              info.offset - info.offset % alignment + alignment, "."));
  };
  check(VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, storage_, vk::Vuid("VUID-VkBufferViewCreateInfo-buffer-02750"),
        "storageTexelBufferOffsetAlignmentBytes");
  check(VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, uniform_, vk::Vuid("VUID-VkBufferViewCreateInfo-buffer-02751"),
        "uniformTexelBufferOffsetAlignmentBytes");
}

}  // namespace assay::core
