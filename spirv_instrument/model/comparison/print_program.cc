// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/comparison/print_program.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "spirv-tools/libspirv.hpp"

namespace assay::spirv_instrument::model {
namespace {

std::string Quoted(const std::string& text) { return absl::StrCat("\"", text, "\""); }

std::string Bytes(const std::vector<uint8_t>& bytes) {
  std::string text = "{";
  for (size_t i = 0; i < bytes.size(); ++i) absl::StrAppend(&text, i == 0 ? "" : ", ", static_cast<uint32_t>(bytes[i]));
  return text + "}";
}

std::string ContentsCode(const corpus::Contents& contents) {
  std::string text = absl::StrCat("{", Bytes(contents.bytes), ", {");
  for (const corpus::AddressInContents& address : contents.addresses) {
    absl::StrAppend(&text, "{", address.offset, ", ", Quoted(address.buffer), ", ", address.addend, "}, ");
  }
  return text + "}}";
}

std::string ElementCode(const corpus::Element& element) {
  constexpr const char* kStates[] = {"kWritten", "kUnwritten", "kNull", "kDestroyed"};
  std::string text = absl::StrCat("{.state = corpus::Element::State::", kStates[static_cast<size_t>(element.state)]);
  if (!element.resource.empty()) absl::StrAppend(&text, ", .resource = ", Quoted(element.resource));
  if (element.offset != 0) absl::StrAppend(&text, ", .offset = ", element.offset);
  if (element.range != VK_WHOLE_SIZE) absl::StrAppend(&text, ", .range = ", element.range);
  if (element.format != VK_FORMAT_UNDEFINED) {
    absl::StrAppend(&text, ", .format = VkFormat{", static_cast<uint32_t>(element.format), "}");
  }
  absl::StrAppend(&text, ", .type = VkDescriptorType{", static_cast<uint32_t>(element.type), "}");
  return text + "}";
}

std::string BindingCode(const corpus::BindingDescription& binding) {
  std::string text =
      absl::StrCat("{.set = ", binding.set, ", .binding = ", binding.binding, ", .type = VkDescriptorType{",
                   static_cast<uint32_t>(binding.type), "}, .count = ", binding.count, ", .elements = {");
  for (const corpus::Element& element : binding.elements) absl::StrAppend(&text, ElementCode(element), ", ");
  return text + "}}";
}

std::string ImageCode(const corpus::ImageDescription& image) {
  return absl::StrCat("{.name = ", Quoted(image.name), ", .type = VkImageViewType{", static_cast<uint32_t>(image.type),
                      "}, .format = VkFormat{", static_cast<uint32_t>(image.format), "}, .extent = {",
                      image.extent.width, ", ", image.extent.height, ", ", image.extent.depth,
                      "}, .levels = ", image.levels, ", .layers = ", image.layers,
                      ", .contents = ", ContentsCode(image.contents), "}");
}

std::string Disassemble(const std::vector<uint32_t>& words) {
  std::string text;
  const spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  if (!tools.Disassemble(words, &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER)) return "; no valid SPIR-V\n";
  return text;
}

}  // namespace

std::string ToCode(const corpus::Setup& setup) {
  std::string text = "{\n    .buffers = {";
  for (const corpus::BufferDescription& buffer : setup.buffers) {
    absl::StrAppend(&text, "\n        {", Quoted(buffer.name), ", ", buffer.size, ", ", ContentsCode(buffer.contents),
                    "},");
  }
  text += "},\n    .images = {";
  for (const corpus::ImageDescription& image : setup.images)
    absl::StrAppend(&text, "\n        ", ImageCode(image), ",");
  text += "},\n    .bindings = {";
  for (const corpus::BindingDescription& binding : setup.bindings) {
    absl::StrAppend(&text, "\n        ", BindingCode(binding), ",");
  }
  absl::StrAppend(&text, "},\n    .push_constants = ", ContentsCode(setup.push_constants), ",\n    .work = {.size = {",
                  setup.work.size[0], ", ", setup.work.size[1], ", ", setup.work.size[2], "}},\n}");
  return text;
}

std::string ToCode(const corpus::Program& program) {
  return absl::StrCat("constexpr char kShader[] = R\"(\n", Disassemble(program.stages[0].words),
                      ")\";\nconst corpus::Setup kSetup = ", ToCode(program.inputs[0].setup), ";\n");
}

}  // namespace assay::spirv_instrument::model
