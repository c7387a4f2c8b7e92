// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/interfaces/attribute_match.h"

#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

using Kind = InterfaceType::Kind;

Kind KindOf(const vk::FormatInfo& format) {
  const std::string_view numbers = format.components[0].numeric_format;
  if (numbers == "SINT") return Kind::kSignedInt;
  return numbers == "UINT" ? Kind::kUnsignedInt : Kind::kFloat;
}

std::string_view KindText(Kind kind) {
  if (kind == Kind::kFloat) return "floating-point";
  return kind == Kind::kSignedInt ? "signed integers" : "unsigned integers";
}

std::optional<AttributeFault> FindFormatFault(const InterfaceElement& input, uint32_t location, VkFormat format_of,
                                              bool is_legacy) {
  const vk::FormatInfo* const format = vk::GetFormatInfo(format_of);
  if (format == nullptr || format->components.empty() || format->compressed) return std::nullopt;
  const auto describe = [&](std::string_view what) {
    return absl::StrCat("but the attribute at location ", location, " is ", format->name, ", which ", what, ".");
  };
  const InterfaceType& type = input.type;
  const bool may_convert = is_legacy && type.width != 64;
  if (type.kind != Kind::kOther && type.kind != KindOf(*format) && !may_convert) {
    return AttributeFault{AttributeRule::kNumbers, describe(absl::StrCat("has ", KindText(KindOf(*format)))),
                          "Use a format of the input's numeric type."};
  }
  const bool has_64_bits = format->components[0].bits == 64;
  if (has_64_bits && type.width != 64) {
    return AttributeFault{AttributeRule::kNot64Bits, describe("has components of 64 bits"),
                          "Use a format with narrower components."};
  }
  if (!has_64_bits && type.width == 64) {
    return AttributeFault{AttributeRule::k64Bits, describe("has no components of 64 bits"),
                          "Use a format with components of 64 bits."};
  }
  // Components of 64 bits are two words each.
  const size_t used = input.component / 2 + type.components;
  if (has_64_bits && used > format->components.size()) {
    return AttributeFault{
        AttributeRule::kComponents,
        describe(absl::StrCat("has only ", format->components.size(), " of the ", used, " components")),
        "Use a format with all components of the input."};
  }
  return std::nullopt;
}

}  // namespace

std::optional<AttributeFault> FindAttributeFault(
    const InterfaceElement& input, const AttributeFeatures& features,
    absl::FunctionRef<std::optional<VkFormat>(uint32_t location)> format_of) {
  const uint32_t count = input.type.vector_count();
  for (uint32_t vector = 0; vector < count; ++vector) {
    const uint32_t location = input.location + vector * input.type.locations();
    const std::optional<VkFormat> format = format_of(location);
    if (format) {
      auto fault = FindFormatFault(input, location, *format, features.is_legacy);
      if (fault) return fault;
    } else if (!features.is_robust) {
      return AttributeFault{AttributeRule::kIsDescribed,
                            absl::StrCat("for which no attribute is described at location ", location, "."),
                            "Describe the attribute, or take the input out of the shader."};
    }
  }
  return std::nullopt;
}

}  // namespace assay::core
