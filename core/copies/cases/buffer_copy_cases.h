// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_CASES_BUFFER_COPY_CASES_H_
#define ASSAY_CORE_COPIES_CASES_BUFFER_COPY_CASES_H_

#include <vector>

#include "absl/types/span.h"
#include "core/test_cases/family_cases.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Test-only: cases of the rules of buffer_copies.cc.
namespace assay::core {

// A copy between two buffers, or what writes to the second one.
struct BufferCopy {
  VkDeviceSize source_size = 64;
  VkDeviceSize target_size = 64;
  VkBufferUsageFlags source_usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  VkBufferUsageFlags target_usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBufferCreateFlags source_flags = 0;
  VkBufferCreateFlags target_flags = 0;
  bool is_source_bound = true;
  bool is_target_bound = true;
  // Both are the source, which has both usages.
  bool is_one_buffer = false;
  bool is_in_protected_commands = false;
  VkDeviceSize source_offset = 16;
  VkDeviceSize target_offset = 32;
  VkDeviceSize size = 16;
  // Copied, too.
  std::vector<VkBufferCopy> more;
};

absl::Span<const FamilyCase<BufferCopy>> BufferCopyCases();

// The ids of the cases, of all commands.
std::vector<vk::VuidIndex> BufferCopyIds();

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_CASES_BUFFER_COPY_CASES_H_
