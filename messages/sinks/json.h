// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_SINKS_JSON_H_
#define ASSAY_MESSAGES_SINKS_JSON_H_

#include <span>
#include <string>
#include <string_view>

#include "messages/message/message.h"
#include "nlohmann/json_fwd.hpp"

namespace assay::messages {

// The message as one JSON object on one line, all ASCII. object_names are the names of message.objects, one for each.
// Members whose value would be empty are left out:
//
//     {"severity":"error","types":["validation"],"id":"VUID-...","id_number":-33825123,"location":"vkCmdDraw(): ...",
//      "text":"...","specification":"...","related_ids":["VUID-..."],"fix":"...","note":"...",
//      "properties":{"resource":{"type":"VkBuffer","offset":0,"size":256}},
//      "objects":[{"type":"VkBuffer","handle":"0x12","name":"staging"}],
//      "queue_labels":[{"name":"frame 7","color":[0,0,0,1]}],"command_buffer_labels":[{"name":"shadows"}]}
//
// Handles are strings, since many JSON parsers keep numbers in 53 bits.
std::string FormatJson(const Message& message, std::span<const std::string> object_names,
                       std::string_view application_name = {});

// "error", "warning", "information", "verbose".
std::string_view SeverityName(Severity severity);

// [{"type":...}, ...], as in FormatJson().
nlohmann::ordered_json ObjectsToJson(const Message& message, std::span<const std::string> object_names);
nlohmann::ordered_json LabelsToJson(const std::vector<Label>& labels);
nlohmann::ordered_json PropertiesToJson(const Properties& properties);

// One line, all ASCII. Bytes of strings that are not UTF-8 become U+FFFD.
std::string ToOneLine(const nlohmann::ordered_json& json);

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_SINKS_JSON_H_
