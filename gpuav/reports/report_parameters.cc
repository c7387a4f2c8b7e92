// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/reports/report_parameters.h"

#include <string>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "vk/command_info.h"
#include "vk/vuid.h"

namespace assay::gpuav {
namespace {

// Where the structure, or the number of structures, is.
std::string PlaceText(const Context& context, const CopiedParameters& parameters, const ParameterFault& fault) {
  const IndirectCommand& from = parameters.from;
  const std::string_view command = vk::GetCommandInfo(from.command).name;
  const bool is_count = fault.vuid == vk::FindVuidOf(command, kDrawCountInBufferRule);
  const VkBuffer buffer = is_count ? from.count_buffer : from.buffer;
  const VkDeviceSize offset =
      is_count ? from.count_offset : from.offset + VkDeviceSize{from.stride} * VkDeviceSize{fault.first};
  std::string text = absl::StrCat(" The command has read this at byte ", offset, " of ",
                                  context.reporter().Describe(messages::Object(buffer)));
  if (!is_count && from.most > 1) absl::StrAppend(&text, ", in structure ", fault.first);
  if (fault.count > 1) {
    absl::StrAppend(&text, "; it is the first of ", fault.count, " structures that violate the rule");
  }
  return absl::StrCat(text, ".");
}

void ReportFault(const Context& context, const CopiedParameters& parameters, const ParameterFault& fault) {
  messages::Report report(context.reporter(), parameters.from.command);
  messages::Message message;
  // The same command of the program, whichever frame it is in.
  message.cause = absl::HashOf(static_cast<uint32_t>(fault.vuid), parameters.from.command, parameters.pipeline,
                               parameters.from.buffer, parameters.labels);
  if (message.cause == 0) message.cause = 1;
  if (report.CountIfDuplicate(message.cause)) return;
  message.severity = messages::Severity::kError;
  message.id = std::string(vk::GetVuid(fault.vuid).id);
  message.specification = std::string(vk::GetVuid(fault.vuid).text);
  message.objects = {messages::Object(parameters.command_buffer), messages::Object(parameters.from.buffer)};
  if (parameters.pipeline != VK_NULL_HANDLE) message.objects.push_back(messages::Object(parameters.pipeline));
  message.text = absl::StrCat(fault.text, PlaceText(context, parameters, fault), " It was recorded as command ",
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
