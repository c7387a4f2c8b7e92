// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Names of any bytes: a message as JSON, and a SARIF result, are one line of printable ASCII that a parser accepts.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "messages/message/message.h"
#include "messages/sinks/json.h"
#include "messages/sinks/sarif_file.h"
#include "nlohmann/json.hpp"

namespace {

void ExpectParses(const std::string& text) {
  if (nlohmann::json::parse(text, nullptr, false).is_discarded()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using assay::messages::Message;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Message message = {.id = bytes,
                           .location = bytes,
                           .text = bytes,
                           .specification = bytes,
                           .fix = bytes,
                           .objects = {{VK_OBJECT_TYPE_BUFFER, 1}},
                           .queue_labels = {{bytes}},
                           .command_buffer_labels = {{bytes}}};
  const std::string names[] = {bytes};
  const std::string json = assay::messages::FormatJson(message, names, bytes);
  for (char c : json) {
    if (c < 0x20 || c >= 0x7f) std::abort();
  }
  ExpectParses(json);

  std::FILE* const file = std::tmpfile();
  if (file == nullptr) return 0;
  // The SarifFile closes the file it is given.
  std::FILE* const reader = fdopen(dup(fileno(file)), "r+b");
  {
    assay::messages::SarifFile sarif(file);
    sarif.Add(message, names, bytes);
    sarif.Finish();
  }
  std::string written;
  std::rewind(reader);
  for (int c = std::fgetc(reader); c != EOF; c = std::fgetc(reader)) written += static_cast<char>(c);
  std::fclose(reader);
  ExpectParses(written);
  return 0;
}
