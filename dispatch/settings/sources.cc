// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/sources.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "dispatch/settings/settings_types.h"
#include "messages/messages.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

std::string NameInSource(SettingSource source, std::string_view name) {
  switch (source) {
    case SettingSource::kFile:
      return absl::StrCat("assay.", name);
    case SettingSource::kEnvironment:
      return absl::StrCat("VK_ASSAY_", absl::AsciiStrToUpper(name));
    case SettingSource::kDefault:
    case SettingSource::kLayerSettings:
    case SettingSource::kValidationFeatures:
    case SettingSource::kValidationFlags:
      break;
  }
  return std::string(name);
}

messages::Message SettingProblem(std::string id, std::string text) {
  return {.severity = messages::Severity::kWarning,
          .type = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
          .id = std::move(id),
          .text = std::move(text)};
}

}  // namespace assay::dispatch
