// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// "Vertex Input Interface".

#include <string>

#include "absl/strings/str_cat.h"
#include "core/interfaces/pipeline_stages.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

using messages::Object;
using messages::Report;
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

class VertexInputCheck {
 public:
  VertexInputCheck(const CheckedStage& vertex, const VkPipelineVertexInputStateCreateInfo& state, Report& report)
      : vertex_(vertex),
        attributes_(state::Items(state.pVertexAttributeDescriptions, state.vertexAttributeDescriptionCount)),
        report_(report) {}

  void Check(const InterfaceElement& input, bool is_robust) {
    const uint32_t count = input.type.vector_count();
    for (uint32_t vector = 0; vector < count; ++vector) {
      const uint32_t location = input.location + vector * input.type.locations();
      const VkVertexInputAttributeDescription* const attribute = Find(location);
      if (attribute != nullptr) {
        if (!CheckAttribute(input, *attribute)) return;
      } else if (!is_robust) {
        return Say(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-Input-07904"), input,
                   absl::StrCat("for which pVertexInputState describes no attribute at location ", location, "."),
                   "Describe the attribute, or take the input out of the shader.");
      }
    }
  }

 private:
  const VkVertexInputAttributeDescription* Find(uint32_t location) const {
    for (const auto& attribute : attributes_) {
      if (attribute.location == location) return &attribute;
    }
    return nullptr;
  }

  // False if it has reported something.
  bool CheckAttribute(const InterfaceElement& input, const VkVertexInputAttributeDescription& attribute) {
    const vk::FormatInfo* const format = vk::GetFormatInfo(attribute.format);
    if (format == nullptr || format->components.empty() || format->compressed) return true;
    const InterfaceType& type = input.type;
    const auto describe = [&](std::string_view what) {
      return absl::StrCat("but the attribute at location ", attribute.location, " is ", format->name, ", which ", what,
                          ".");
    };
    if (type.kind != Kind::kOther && type.kind != KindOf(*format)) {
      Say(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-Input-08733"), input,
          describe(absl::StrCat("has ", KindText(KindOf(*format)))), "Use a format of the input's numeric type.");
      return false;
    }
    const bool has_64_bits = format->components[0].bits == 64;
    if (has_64_bits && type.width != 64) {
      Say(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-08929"), input,
          describe("has components of 64 bits"), "Use a format with narrower components.");
      return false;
    }
    if (!has_64_bits && type.width == 64) {
      Say(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-08930"), input,
          describe("has no components of 64 bits"), "Use a format with components of 64 bits.");
      return false;
    }
    // Components of 64 bits are two words each.
    const size_t used = input.component / 2 + type.components;
    if (has_64_bits && used > format->components.size()) {
      Say(vk::Vuid("VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-09198"), input,
          describe(absl::StrCat("has only ", format->components.size(), " of the ", used, " components")),
          "Use a format with all components of the input.");
      return false;
    }
    return true;
  }

  void Say(vk::VuidIndex id, const InterfaceElement& input, const std::string& wrong, const char* fix) {
    report_.Error(id, {Object(vertex_.module)}, vertex_.where,
                  absl::StrCat("is a vertex shader with the input ", vertex_.Texts().Of(input), ", ", wrong), fix);
  }

  const CheckedStage& vertex_;
  const absl::Span<const VkVertexInputAttributeDescription> attributes_;
  Report& report_;
};

}  // namespace

void CheckVertexInput(const CheckedStage& vertex, const VkPipelineVertexInputStateCreateInfo& state, bool is_robust,
                      Report& report) {
  VertexInputCheck check(vertex, state, report);
  for (const InterfaceElement& input : vertex.interface->inputs.elements) check.Check(input, is_robust);
}

}  // namespace assay::core
