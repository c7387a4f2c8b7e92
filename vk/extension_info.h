// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_EXTENSION_INFO_H_
#define ASSAY_VK_EXTENSION_INFO_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "vk/extension_id.h"
#include "vk/feature_info.h"  // IWYU pragma: export
#include "vk/vulkan.h"

// Extensions, with the version that promotes each.
namespace assay::vk {

struct ExtensionInfo {
  std::string_view name;
  uint32_t spec_version;
  bool instance;
  // The registry's dependency expression: '+' is and, ',' is or, e.g.
  // "VK_KHR_get_physical_device_properties2,VK_VERSION_1_1".
  std::string_view depends;
  // The core version or extension that the extension was promoted to; empty when it was not.
  std::string_view promoted_to;
  // VK_API_VERSION_1_1 and so on when promoted_to is (or leads to) a core version, else 0.
  uint32_t promoted_to_version;
  bool provisional;
};

const ExtensionInfo& GetExtensionInfo(ExtensionId id);
std::optional<ExtensionId> FindExtension(std::string_view name);

}  // namespace assay::vk

#endif  // ASSAY_VK_EXTENSION_INFO_H_
