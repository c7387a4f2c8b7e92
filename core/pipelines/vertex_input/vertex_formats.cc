// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/vertex_input/vertex_formats.h"

#include "vk/commands.h"
#include "vk/format_info.h"

namespace assay::core {

VertexFormats::VertexFormats(const dispatch::Device& device)
    : device_(device), answers_(std::make_unique<std::atomic<Answer>[]>(vk::Formats().size())) {}

bool VertexFormats::Has(VkFormat format) const {
  const vk::FormatInfo* info = vk::GetFormatInfo(format);
  if (info == nullptr) return true;
  std::atomic<Answer>& known = answers_[info - vk::Formats().data()];
  Answer answer = known.load(std::memory_order_relaxed);
  if (answer == kUnknown) {
    const auto get = dispatch::Next<vk::GetPhysicalDeviceFormatProperties>(device_.instance.next);
    if (get == nullptr) return true;
    VkFormatProperties properties = {};
    get(device_.physical_device->handle, format, &properties);
    answer = (properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) != 0 ? kYes : kNo;
    known.store(answer, std::memory_order_relaxed);
  }
  return answer == kYes;
}

}  // namespace assay::core
