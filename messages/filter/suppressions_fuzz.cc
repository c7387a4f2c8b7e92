// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Any file of suppressions: mistakes in it are reported, and the other entries apply.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "messages/filter/suppressions.h"
#include "messages/message/message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using assay::messages::Message;
  using assay::messages::Suppressions;
  const std::string_view contents(reinterpret_cast<const char*>(data), size);
  std::vector<Message> problems;
  const auto suppressions = Suppressions::Parse(contents, "file", "2026-11-21", &problems);
  if (suppressions == nullptr) std::abort();
  for (const Message& problem : problems) {
    if (problem.text.empty()) std::abort();
  }
  // A message that has the file's own text for a name and a label.
  const Message message = {.id = "SYNC-HAZARD-READ-AFTER-WRITE",
                           .text = "a",
                           .objects = {{VK_OBJECT_TYPE_BUFFER, 1}},
                           .command_buffer_labels = {{std::string(contents)}}};
  const std::string names[] = {std::string(contents)};
  const auto reason = suppressions->Find(message, names);
  // An entry must have a reason, and one that has matched is not unused.
  if (reason.has_value() && (reason->empty() || suppressions->empty())) std::abort();
  if (suppressions->empty() && !suppressions->ReportUnused().empty()) std::abort();
  return 0;
}
