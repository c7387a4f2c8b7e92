// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_REPORT_REPORTER_OPTIONS_H_
#define ASSAY_MESSAGES_REPORT_REPORTER_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "messages/sinks/rendering.h"
#include "vk/vulkan.h"

namespace assay::messages {

// The user's choices about messages; see the settings in docs/settings.md.
struct ReporterOptions {
  enum class Log : uint8_t {
    // Logs while the application has no callback at all.
    kWithoutCallbacks,
    kAlways,
    kNever,
  };
  Log log = Log::kWithoutCallbacks;
  // The messages that are logged, VkDebugReportFlagBitsEXT. A callback has its own filter.
  VkDebugReportFlagsEXT log_flags = VK_DEBUG_REPORT_ERROR_BIT_EXT | VK_DEBUG_REPORT_WARNING_BIT_EXT;
  // See LogFile::Open().
  std::string log_filename = "stdout";
  // Raises SIGTRAP after a message was delivered to at least one sink, so that a debugger stops there.
  bool break_on_message = false;
  // Errors skip the Vulkan call, whatever the callbacks return. Errors over the limit do too; muted and suppressed ones
  // do not.
  bool fail_call = false;
  // Ids of messages that are not delivered; see IdPattern.
  std::vector<std::string> muted_ids;
  // How many messages of each id are delivered; 0 for all of them.
  uint32_t duplicate_message_limit = 0;
  // Whether only the first message of a cause is delivered, and the others are counted.
  bool fold_messages = true;
  RenderingOptions rendering;
  // The path of a SarifFile, "" for none. The file receives the messages of log_flags and the suppressed ones.
  std::string sarif_filename;
  // The path of a file for Suppressions, "" for none.
  std::string suppression_file;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_REPORT_REPORTER_OPTIONS_H_
