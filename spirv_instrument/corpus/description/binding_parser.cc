// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Directive `bind`.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "spirv_instrument/corpus/description/formats.h"
#include "spirv_instrument/corpus/description/image_types.h"
#include "spirv_instrument/corpus/description/setup_parser.h"
#include "spirv_instrument/corpus/description/values.h"

namespace assay::spirv_instrument::corpus {
namespace {

struct TypeName {
  absl::string_view name;
  VkDescriptorType type;
};

constexpr TypeName kTypes[] = {
    {"sampler", VK_DESCRIPTOR_TYPE_SAMPLER},
    {"combined", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
    {"sampled", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
    {"image", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
    {"uniform_texel", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
    {"storage_texel", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
    {"uniform", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
    {"storage", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
    {"uniform_dynamic", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC},
    {"storage_dynamic", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC},
    {"input", VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT},
    {"inline", VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK},
    {"scene", VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR},
    {"mutable", VK_DESCRIPTOR_TYPE_MUTABLE_EXT},
};

absl::Status Bad(absl::string_view what, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat("'", text, "' is no ", what));
}

absl::StatusOr<VkDescriptorType> ParseType(absl::string_view name) {
  const TypeName* found = std::ranges::find(kTypes, name, &TypeName::name);
  if (found == std::end(kTypes)) return Bad("descriptor type", name);
  return found->type;
}

// Takes what follows the last `separator` off the end of `text`. False if there is no separator.
bool TakeSuffix(absl::string_view& text, char separator, absl::string_view& suffix) {
  const size_t place = text.rfind(separator);
  if (place == absl::string_view::npos) return false;
  suffix = text.substr(place + 1);
  text = text.substr(0, place);
  return true;
}

// `data+256:64@128`, `texels/r32ui`, `layers/2d_array`, `mips#2`.
absl::Status ParseReference(absl::string_view text, Element& element) {
  const absl::string_view whole = text;
  absl::string_view suffix;
  if (TakeSuffix(text, '#', suffix)) {
    if (!absl::SimpleAtoi(suffix, &element.level)) return Bad("level", suffix);
    element.all_levels = false;
  }
  if (TakeSuffix(text, '/', suffix)) {
    element.format = FormatByName(suffix);
    element.view_type = ImageViewTypeByName(suffix);
    if (element.format == VK_FORMAT_UNDEFINED && element.view_type == VK_IMAGE_VIEW_TYPE_MAX_ENUM) {
      return Bad("format or view type", suffix);
    }
  }
  if (TakeSuffix(text, '@', suffix) && !absl::SimpleAtoi(suffix, &element.dynamic_offset)) {
    return Bad("dynamic offset", suffix);
  }
  if (TakeSuffix(text, '+', suffix)) {
    absl::string_view range;
    if (TakeSuffix(suffix, ':', range) && !absl::SimpleAtoi(range, &element.range)) return Bad("range", range);
    if (!absl::SimpleAtoi(suffix, &element.offset)) return Bad("offset", suffix);
  }
  if (text.empty()) return Bad("element", whole);
  element.resource = std::string(text);
  return absl::OkStatus();
}

absl::StatusOr<Element> ParseElement(absl::string_view text) {
  Element element;
  if (size_t equals = text.find('='); equals != absl::string_view::npos) {
    absl::StatusOr<VkDescriptorType> type = ParseType(text.substr(0, equals));
    if (!type.ok()) return type.status();
    element.type = *type;
    text = text.substr(equals + 1);
  }
  absl::string_view sampler;
  if (TakeSuffix(text, '|', sampler)) element.sampler = std::string(sampler);
  if (text == "none") {
    element.state = Element::State::kUnwritten;
    return element;
  }
  if (text == "null") {
    element.state = Element::State::kNull;
    return element;
  }
  if (absl::ConsumePrefix(&text, "gone(")) {
    if (!absl::ConsumeSuffix(&text, ")")) return Bad("element", text);
    element.state = Element::State::kDestroyed;
  }
  if (absl::Status status = ParseReference(text, element); !status.ok()) return status;
  return element;
}

absl::Status ParseElements(const std::vector<std::string>& words, size_t first, BindingDescription& binding) {
  for (size_t i = first; i < words.size(); ++i) {
    absl::string_view word = words[i];
    absl::string_view times;
    uint32_t count = 1;
    if (TakeSuffix(word, '*', times) && !absl::SimpleAtoi(times, &count)) return Bad("count", times);
    absl::StatusOr<Element> element = ParseElement(word);
    if (!element.ok()) return element.status();
    if (element->type == VK_DESCRIPTOR_TYPE_MAX_ENUM) element->type = binding.type;
    binding.elements.insert(binding.elements.end(), count, *element);
  }
  return absl::OkStatus();
}

// `storage[4]`, `storage[variable 4]` in two words, `mutable(storage,uniform)[2]`. `used` counts the words.
absl::Status ParseBindingType(const std::vector<std::string>& words, size_t& used, BindingDescription& binding) {
  std::string whole = words[used++];
  if (absl::EndsWith(whole, "[variable") && used < words.size()) {
    whole = absl::StrCat(absl::StripSuffix(whole, "variable"), words[used++]);
    binding.is_variable = true;
  }
  absl::string_view text = whole;
  absl::string_view count;
  if (absl::ConsumeSuffix(&text, "]")) {
    if (!TakeSuffix(text, '[', count) || !absl::SimpleAtoi(count, &binding.count)) return Bad("count", whole);
  }
  absl::string_view types;
  if (absl::ConsumeSuffix(&text, ")")) {
    if (!TakeSuffix(text, '(', types)) return Bad("descriptor type", whole);
    for (absl::string_view name : absl::StrSplit(types, ',')) {
      absl::StatusOr<VkDescriptorType> type = ParseType(name);
      if (!type.ok()) return type.status();
      binding.mutable_types.push_back(*type);
    }
  }
  absl::StatusOr<VkDescriptorType> type = ParseType(text);
  if (!type.ok()) return type.status();
  binding.type = *type;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BindingDescription> ParseBinding(const Directive& directive) {
  const std::vector<std::string>& words = directive.arguments;
  if (words.size() < 2) return absl::InvalidArgumentError("a binding needs a number and a type");
  BindingDescription binding;
  const std::vector<absl::string_view> numbers = absl::StrSplit(words[0], '.');
  if (numbers.size() != 2 || !absl::SimpleAtoi(numbers[0], &binding.set) ||
      !absl::SimpleAtoi(numbers[1], &binding.binding)) {
    return Bad("SET.BINDING", words[0]);
  }
  size_t used = 1;
  if (absl::Status status = ParseBindingType(words, used, binding); !status.ok()) return status;
  if (absl::Status status = ParseElements(words, used, binding); !status.ok()) return status;
  if (binding.elements.size() > binding.count) return absl::InvalidArgumentError("more elements than descriptors");
  if (binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    absl::StatusOr<Contents> contents = ParseValues(directive.values);
    if (!contents.ok()) return contents.status();
    binding.inline_contents = *std::move(contents);
  }
  return binding;
}

}  // namespace assay::spirv_instrument::corpus
