// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/reports/report_parameters.h"

#include <string>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "gpuav/parameters/parameter_faults.h"
#include "gpuav/parameters/parameter_rules.h"
#include "gpuav/reports/properties.h"
#include "messages/messages.h"
#include "vk/command_info.h"
#include "vk/vuid.h"

namespace assay::gpuav {
namespace {

// Where that is which violates a rule.
struct Place {
  VkBuffer buffer = VK_NULL_HANDLE;
  // Bytes, in the buffer.
  VkDeviceSize offset = 0;
  // Whether it is a structure that has an index: not the number of structures, nor a depth.
  bool is_structure = true;
};

Place PlaceOf(const CopiedParameters& parameters, const ParameterFault& fault) {
  const IndirectCommand& from = parameters.from;
  if (fault.vuid == vk::FindVuidOf(vk::GetCommandInfo(from.command).name, kDrawCountRule)) {
    return {.buffer = from.count_buffer, .offset = from.count_offset, .is_structure = false};
  }
  return {
      .buffer = from.buffer, .offset = from.offset + fault.byte, .is_structure = from.kind != ParameterKind::kDepths};
}

std::string PlaceText(const Context& context, const Place& place, const CopiedParameters& parameters,
                      const ParameterFault& fault) {
  std::string text = absl::StrCat(" The command has read this at byte ", place.offset, " of ",
                                  context.reporter().Describe(messages::Object(place.buffer)));
  if (place.is_structure && parameters.from.most > 1) absl::StrAppend(&text, ", in structure ", fault.first);
  if (fault.count > 1) {
    absl::StrAppend(&text, "; it is the first of ", fault.count, place.is_structure ? " structures" : " depths",
                    " that violate the rule");
  }
  absl::StrAppend(&text, ".");
  if (parameters.image != VK_NULL_HANDLE) {
    absl::StrAppend(&text, " The image is ", context.reporter().Describe(messages::Object(parameters.image)), ".");
  }
  return text;
}

messages::Properties FaultProperties(const Context& context, const Place& place, const CopiedParameters& parameters,
                                     const ParameterFault& fault) {
  messages::Properties properties = {{"command", vk::GetCommandInfo(parameters.from.command).name},
                                     {"position", uint64_t{parameters.position}},
                                     {"buffer", PropertiesOf(messages::Object(place.buffer), context.reporter())},
                                     {"byte", place.offset}};
  if (place.is_structure) {
    properties.push_back({"structure", uint64_t{fault.first}});
    properties.push_back({"structures", uint64_t{fault.count}});
  }
  if (parameters.image != VK_NULL_HANDLE) {
    properties.push_back({"image", PropertiesOf(messages::Object(parameters.image), context.reporter())});
    properties.push_back({"region", uint64_t{fault.first}});
    properties.push_back({"depths", uint64_t{fault.count}});
  }
  return properties;
}

void ReportFault(const Context& context, const CopiedParameters& parameters, const ParameterFault& fault) {
  messages::Report report(context.reporter(), parameters.from.command);
  messages::Message message;
  // The same command of the program, whichever frame it is in.
  message.cause = absl::HashOf(static_cast<uint32_t>(fault.vuid), parameters.from.command, parameters.pipeline,
                               parameters.from.buffer, parameters.image, parameters.labels);
  if (message.cause == 0) message.cause = 1;
  if (report.CountIfDuplicate(message.cause)) return;
  message.severity = messages::Severity::kError;
  message.id = std::string(vk::GetVuid(fault.vuid).id);
  message.specification = std::string(vk::GetVuid(fault.vuid).text);
  message.objects = {messages::Object(parameters.command_buffer), messages::Object(parameters.from.buffer)};
  if (parameters.pipeline != VK_NULL_HANDLE) message.objects.push_back(messages::Object(parameters.pipeline));
  if (parameters.image != VK_NULL_HANDLE) message.objects.push_back(messages::Object(parameters.image));
  const Place place = PlaceOf(parameters, fault);
  message.properties = FaultProperties(context, place, parameters, fault);
  message.text = absl::StrCat(fault.text, PlaceText(context, place, parameters, fault), " It was recorded as command ",
                              parameters.position, " of ",
                              context.reporter().Describe(messages::Object(parameters.command_buffer)), ".");
  for (const std::string& label : parameters.labels) message.command_buffer_labels.push_back({label});
  report.Deliver(std::move(message));
}

}  // namespace

void ReportParameters(const Context& context, const Written& written) {
  for (const auto& [index, fault] : written.parameter_faults) {
    ReportFault(context, written.log->parameters[index], fault);
  }
}

}  // namespace assay::gpuav
