// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message.h"

#include <cstdint>
#include <string_view>

#include "vk/vuid.h"

namespace assay::messages {

VkDebugUtilsMessageSeverityFlagBitsEXT ToDebugUtilsSeverity(Severity severity) {
  switch (severity) {
    case Severity::kVerbose:
      return VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT;
    case Severity::kInformation:
      return VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
    case Severity::kWarning:
      return VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
    case Severity::kError:
      break;
  }
  return VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
}

VkDebugReportFlagBitsEXT ToDebugReportFlag(const Message& message) {
  switch (message.severity) {
    case Severity::kVerbose:
      return VK_DEBUG_REPORT_DEBUG_BIT_EXT;
    case Severity::kInformation:
      return VK_DEBUG_REPORT_INFORMATION_BIT_EXT;
    case Severity::kWarning:
      return (message.type & VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT) != 0
                 ? VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT
                 : VK_DEBUG_REPORT_WARNING_BIT_EXT;
    case Severity::kError:
      break;
  }
  return VK_DEBUG_REPORT_ERROR_BIT_EXT;
}

VkDebugReportFlagsEXT ToDebugReportFlags(Severity severity) {
  return ToDebugReportFlag({.severity = severity, .type = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT}) |
         ToDebugReportFlag({.severity = severity, .type = VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT});
}

int32_t MessageIdNumber(std::string_view id) {
  if (id.empty()) return 0;
  const uint64_t hash = vk::VuidHash(id);
  return static_cast<int32_t>(static_cast<uint32_t>(hash ^ (hash >> 32)));
}

}  // namespace assay::messages
