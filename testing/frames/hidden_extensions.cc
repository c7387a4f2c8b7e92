// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/frames/hidden_extensions.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>

#include "absl/strings/str_split.h"

namespace assay::test {

std::vector<VkExtensionProperties> WithoutHidden(std::span<const VkExtensionProperties> extensions,
                                                 std::string_view hidden) {
  const std::set<std::string_view> names = absl::StrSplit(hidden, ',');
  std::vector<VkExtensionProperties> left;
  std::ranges::copy_if(extensions, std::back_inserter(left), [&](const VkExtensionProperties& extension) {
    return !names.contains(extension.extensionName);
  });
  return left;
}

VkResult Enumerate(std::span<const VkExtensionProperties> extensions, uint32_t* count,
                   VkExtensionProperties* properties) {
  const auto all = static_cast<uint32_t>(extensions.size());
  if (properties == nullptr) {
    *count = all;
    return VK_SUCCESS;
  }
  *count = std::min(*count, all);
  std::ranges::copy(extensions.first(*count), properties);
  return *count < all ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace assay::test
