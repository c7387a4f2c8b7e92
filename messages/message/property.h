// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_MESSAGE_PROPERTY_H_
#define ASSAY_MESSAGES_MESSAGE_PROPERTY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay::messages {

// The values of a message's sentences, for programs: a text, a number, a list, or further properties.
struct Property;
// In the order in which they are to be read.
using Properties = std::vector<Property>;

struct PropertyValue {
  PropertyValue(std::string text);
  PropertyValue(std::string_view text);
  PropertyValue(const char* text);
  // Many JSON parsers keep numbers in 53 bits, so handles and flags should be text.
  PropertyValue(uint64_t number);
  PropertyValue(std::vector<PropertyValue> list);
  PropertyValue(Properties properties);

  std::variant<std::string, uint64_t, std::vector<PropertyValue>, Properties> value;
};

struct Property {
  std::string name;
  PropertyValue value;
};

inline PropertyValue::PropertyValue(std::string text) : value(std::move(text)) {}
inline PropertyValue::PropertyValue(std::string_view text) : value(std::string(text)) {}
inline PropertyValue::PropertyValue(const char* text) : value(std::string(text)) {}
inline PropertyValue::PropertyValue(uint64_t number) : value(number) {}
inline PropertyValue::PropertyValue(std::vector<PropertyValue> list) : value(std::move(list)) {}
inline PropertyValue::PropertyValue(Properties properties) : value(std::move(properties)) {}

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_MESSAGE_PROPERTY_H_
