// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_CASES_IMAGE_CLEAR_CASES_H_
#define ASSAY_CORE_COPIES_CASES_IMAGE_CLEAR_CASES_H_

#include <vector>

#include "absl/types/span.h"
#include "core/copies/cases/image_copy_cases.h"
#include "core/test_cases/family_cases.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Test-only: cases of the rules of image_clears.cc.
namespace assay::core {

struct ImageClear {
  CopySide image;
  VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  bool is_in_protected_commands = false;
  VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
  bool has_color = true;
  float depth = 0;
};

// What clears of depth and stencil begin with.
ImageClear DepthStencilClear();

absl::Span<const FamilyCase<ImageClear>> ImageClearCases();

// The ids of the cases, of both commands.
std::vector<vk::VuidIndex> ImageClearIds();

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_CASES_IMAGE_CLEAR_CASES_H_
