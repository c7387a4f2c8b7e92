// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/sinks/json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "messages/message/specification_url.h"
#include "nlohmann/json.hpp"
#include "vk/struct_info.h"

namespace assay::messages {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<VkDebugUtilsMessageTypeFlagBitsEXT, const char*> kTypes[] = {
    {VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, "general"},
    {VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, "validation"},
    {VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT, "performance"},
    {VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, "device address binding"},
};

Json TypesToJson(VkDebugUtilsMessageTypeFlagsEXT types) {
  Json result = Json::array();
  for (const auto& [bit, name] : kTypes) {
    if ((types & bit) != 0) result.push_back(name);
  }
  return result;
}

void AddUnlessEmpty(Json& json, const char* name, std::string_view value) {
  if (!value.empty()) json[name] = value;
}

void AddJsonUnlessEmpty(Json& json, const char* name, Json value) {
  if (!value.empty()) json[name] = std::move(value);
}

struct ToJson {
  Json operator()(const std::string& text) const { return text; }
  Json operator()(uint64_t number) const { return number; }
  Json operator()(const std::vector<PropertyValue>& list) const {
    Json result = Json::array();
    for (const PropertyValue& element : list) result.push_back(std::visit(*this, element.value));
    return result;
  }
  Json operator()(const Properties& properties) const {
    Json result = Json::object();
    for (const Property& property : properties) result[property.name] = std::visit(*this, property.value.value);
    return result;
  }
};

}  // namespace

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kVerbose:
      return "verbose";
    case Severity::kInformation:
      return "information";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      break;
  }
  return "error";
}

Json ObjectsToJson(const Message& message, std::span<const std::string> object_names) {
  Json result = Json::array();
  for (size_t i = 0; i < message.objects.size(); ++i) {
    const ObjectRef object = message.objects[i];
    const vk::HandleInfo* info = vk::FindHandle(object.type);
    Json described;
    described["type"] =
        info != nullptr ? std::string(info->name) : absl::StrCat("VkObjectType ", static_cast<int>(object.type));
    described["handle"] = absl::StrCat("0x", absl::Hex(object.handle));
    AddUnlessEmpty(described, "name", object_names[i]);
    result.push_back(std::move(described));
  }
  return result;
}

Json LabelsToJson(const std::vector<Label>& labels) {
  Json result = Json::array();
  for (const Label& label : labels) {
    Json described;
    described["name"] = label.name;
    if (std::ranges::any_of(label.color, [](float part) { return part != 0; })) described["color"] = label.color;
    result.push_back(std::move(described));
  }
  return result;
}

Json PropertiesToJson(const Properties& properties) { return ToJson()(properties); }

std::string FormatJson(const Message& message, std::span<const std::string> object_names,
                       std::string_view application_name) {
  Json json;
  json["severity"] = SeverityName(message.severity);
  json["types"] = TypesToJson(message.type);
  AddUnlessEmpty(json, "application", application_name);
  AddUnlessEmpty(json, "id", message.id);
  if (!message.id.empty()) json["id_number"] = MessageIdNumber(message.id);
  AddUnlessEmpty(json, "location", message.location);
  AddUnlessEmpty(json, "text", message.text);
  AddUnlessEmpty(json, "specification", message.specification);
  AddUnlessEmpty(json, "specification_url", SpecificationUrl(message.id));
  AddJsonUnlessEmpty(json, "related_ids", message.related_ids);
  AddUnlessEmpty(json, "fix", message.fix);
  AddUnlessEmpty(json, "note", message.note);
  AddJsonUnlessEmpty(json, "properties", PropertiesToJson(message.properties));
  AddJsonUnlessEmpty(json, "objects", ObjectsToJson(message, object_names));
  AddJsonUnlessEmpty(json, "queue_labels", LabelsToJson(message.queue_labels));
  AddJsonUnlessEmpty(json, "command_buffer_labels", LabelsToJson(message.command_buffer_labels));
  return ToOneLine(json);
}

std::string ToOneLine(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

}  // namespace assay::messages
