// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/message.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay::messages {
namespace {

// The algorithm XXH32 of https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
uint32_t XxHash32(std::string_view text, uint32_t seed) {
  constexpr uint32_t kPrime1 = 0x9E3779B1u, kPrime2 = 0x85EBCA77u, kPrime3 = 0xC2B2AE3Du, kPrime4 = 0x27D4EB2Fu,
                     kPrime5 = 0x165667B1u;
  const auto word = [&text](size_t at) {
    uint32_t value;
    std::memcpy(&value, text.data() + at, sizeof(value));
    return value;
  };
  uint32_t hash = seed + kPrime5;
  size_t at = 0;
  if (text.size() >= 16) {
    uint32_t accumulators[] = {seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1};
    for (; at + 16 <= text.size(); at += 16) {
      for (size_t i = 0; i < 4; ++i)
        accumulators[i] = std::rotl(accumulators[i] + word(at + 4 * i) * kPrime2, 13) * kPrime1;
    }
    hash = std::rotl(accumulators[0], 1) + std::rotl(accumulators[1], 7) + std::rotl(accumulators[2], 12) +
           std::rotl(accumulators[3], 18);
  }
  hash += static_cast<uint32_t>(text.size());
  for (; at + 4 <= text.size(); at += 4) hash = std::rotl(hash + word(at) * kPrime3, 17) * kPrime4;
  for (; at < text.size(); ++at) {
    hash = std::rotl(hash + static_cast<unsigned char>(text[at]) * kPrime5, 11) * kPrime1;
  }
  hash = (hash ^ (hash >> 15)) * kPrime2;
  hash = (hash ^ (hash >> 13)) * kPrime3;
  return hash ^ (hash >> 16);
}

}  // namespace

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

int32_t MessageIdNumber(std::string_view id) { return id.empty() ? 0 : static_cast<int32_t>(XxHash32(id, 8)); }

}  // namespace assay::messages
