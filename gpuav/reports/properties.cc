// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/reports/properties.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gpuav/reports/fault_text.h"
#include "vk/struct_info.h"

namespace assay::gpuav {
namespace {

using messages::Properties;
using messages::PropertyValue;
using spirv_instrument::ErrorCode;
using spirv_instrument::ErrorRecord;

PropertyValue Words(absl::Span<const uint32_t> words) {
  std::vector<PropertyValue> list;
  list.reserve(words.size());
  for (const uint32_t word : words) list.emplace_back(uint64_t{word});
  return list;
}

// Names the first data words.
Properties Named(absl::Span<const uint32_t> data, std::initializer_list<const char*> names) {
  Properties properties;
  size_t i = 0;
  for (const char* name : names) {
    if (i < data.size()) properties.push_back({name, uint64_t{data[i]}});
    ++i;
  }
  return properties;
}

// Two words are the address, and one more is how many bytes are accessed there.
Properties Address(absl::Span<const uint32_t> data, const char* last) {
  if (data.size() < 4) return {};
  const uint64_t address = uint64_t{data[1]} << 32 | data[0];
  Properties properties = {{"address", absl::StrCat("0x", absl::Hex(address))}, {"size", uint64_t{data[2]}}};
  if (last != nullptr) properties.push_back({last, uint64_t{data[3]}});
  return properties;
}

// Set, binding, index; the end of the access; the size of the range. An end that is too large for a word has no value.
Properties Access(absl::Span<const uint32_t> data) {
  Properties properties = Named(data, {"set", "binding", "index"});
  if (data.size() < 5) return properties;
  if (data[3] != UINT32_MAX) properties.push_back({"access_end", uint64_t{data[3]}});
  properties.push_back({"range", uint64_t{data[4]}});
  return properties;
}

Properties Values(const ErrorRecord& record) {
  switch (record.code) {
    case ErrorCode::kDescriptorIndexOutOfBounds:
      return Named(record.data, {"set", "binding", "index", "length"});
    case ErrorCode::kDescriptorNotWritten:
    case ErrorCode::kDescriptorDestroyed:
    case ErrorCode::kDescriptorNull:
    case ErrorCode::kDescriptorTypeMismatch:
      return Named(record.data, {"set", "binding", "index"});
    case ErrorCode::kDescriptorMissing:
      return Named(record.data, {"set", "binding"});
    case ErrorCode::kBufferOutOfBounds:
    case ErrorCode::kTexelBufferOutOfBounds:
      return Access(record.data);
    case ErrorCode::kAddressOutOfBounds:
      return Address(record.data, nullptr);
    case ErrorCode::kAddressAcrossEnd:
      return Address(record.data, "size_left");
    case ErrorCode::kAddressMisaligned:
      return Address(record.data, "alignment");
    default:
      return {{"words", Words(record.data)}};
  }
}

}  // namespace

Properties PropertiesOf(messages::ObjectRef object, const messages::Reporter& reporter) {
  Properties properties;
  if (const vk::HandleInfo* info = vk::FindHandle(object.type)) properties.push_back({"type", info->name});
  properties.push_back({"handle", absl::StrCat("0x", absl::Hex(object.handle))});
  if (std::string name = reporter.Name(object); !name.empty()) properties.push_back({"name", std::move(name)});
  return properties;
}

Properties PropertiesOf(const ErrorRecord& record) {
  return {{"invocation", InvocationText(record)},        {"stage_words", Words(record.stage_words)},
          {"instruction", uint64_t{record.instruction}}, {"shader_id", uint64_t{record.shader_id}},
          {"action", uint64_t{record.action}},           {"fault", Values(record)}};
}

PropertyValue LabelProperties(const std::vector<std::string>& labels) {
  std::vector<PropertyValue> list;
  list.reserve(labels.size());
  for (const std::string& label : labels) list.emplace_back(label);
  return list;
}

}  // namespace assay::gpuav
