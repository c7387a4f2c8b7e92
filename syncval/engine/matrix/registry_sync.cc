// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/matrix/registry_sync.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"

namespace assay::syncval::matrix {
namespace {

// The value of an attribute in `tag`, the text between < and >. Empty if it does not have the attribute.
std::string_view AttributeOf(std::string_view tag, std::string_view attribute) {
  const std::string begin = " " + std::string(attribute) + "=\"";
  const size_t found = tag.find(begin);
  if (found == std::string_view::npos) return {};
  tag.remove_prefix(found + begin.size());
  return tag.substr(0, tag.find('"'));
}

// Calls visit(tag, text up to the next tag).
template <typename Visit>
void ForEachTag(std::string_view xml, Visit&& visit) {
  for (size_t begin = xml.find('<'); begin != std::string_view::npos;) {
    const size_t end = xml.find('>', begin);
    if (end == std::string_view::npos) return;
    const size_t next = xml.find('<', end);
    visit(xml.substr(begin + 1, end - begin - 1),
          xml.substr(end + 1, next == std::string_view::npos ? next : next - end - 1));
    begin = next;
  }
}

// The values of stage and access flags by all of their names.
class FlagValues {
 public:
  explicit FlagValues(std::string_view xml) {
    ForEachTag(xml, [this](std::string_view tag, std::string_view) {
      const std::string_view name = AttributeOf(tag, "name");
      if (!absl::StartsWith(tag, "enum ") ||
          !(absl::StartsWith(name, "VK_PIPELINE_STAGE_2_") || absl::StartsWith(name, "VK_ACCESS_2_"))) {
        return;
      }
      const std::string_view position = AttributeOf(tag, "bitpos");
      const std::string_view alias = AttributeOf(tag, "alias");
      if (!position.empty()) values_[name] = uint64_t{1} << std::atoi(std::string(position).c_str());
      if (!alias.empty()) aliases_[name] = alias;
    });
  }

  // The union of the values of names, separated by commas.
  uint64_t Of(std::string_view names) const {
    uint64_t result = 0;
    for (std::string_view name : absl::StrSplit(names, ',')) {
      for (auto alias = aliases_.find(name); alias != aliases_.end(); alias = aliases_.find(name)) name = alias->second;
      if (const auto value = values_.find(name); value != values_.end()) result |= value->second;
    }
    return result;
  }

 private:
  std::map<std::string_view, uint64_t> values_;
  std::map<std::string_view, std::string_view> aliases_;
};

// The element of a flag. It is added if there is none yet.
template <typename Element>
Element& ElementOf(std::vector<Element>& elements, std::string_view name, uint64_t bit) {
  const auto found = std::ranges::find(elements, bit, &Element::bit);
  if (found != elements.end()) return *found;
  return elements.emplace_back(Element{.name = std::string(name), .bit = bit});
}

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \n\t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \n\t") - begin + 1);
}

}  // namespace

RegistrySync ParseRegistrySync(std::string_view xml) {
  const FlagValues values(xml);
  RegistrySync result;
  RegistrySync::Stage* stage = nullptr;
  RegistrySync::Access* access = nullptr;
  const size_t begin = xml.find("<sync ");
  if (begin == std::string_view::npos) return result;
  ForEachTag(xml.substr(begin, xml.find("</sync>") - begin), [&](std::string_view tag, std::string_view text) {
    const std::string_view element = tag.substr(0, tag.find_first_of(" /", 1));
    const std::string_view name = AttributeOf(tag, "name");
    if (element == "syncstage") {
      access = nullptr;
      stage = &ElementOf(result.stages, name, values.Of(name));
    } else if (element == "syncaccess") {
      stage = nullptr;
      access = &ElementOf(result.accesses, name, values.Of(name));
    } else if (element == "syncequivalent") {
      if (stage != nullptr) stage->parts |= values.Of(AttributeOf(tag, "stage"));
      if (access != nullptr) access->parts |= values.Of(AttributeOf(tag, "access"));
    } else if (element == "syncsupport" && access != nullptr) {
      access->stages |= values.Of(AttributeOf(tag, "stage"));
    } else if (element == "syncpipeline") {
      result.pipelines.emplace_back();
    } else if (element == "syncpipelinestage") {
      result.pipelines.back().push_back({.stage = values.Of(Trimmed(text)),
                                         .is_ordered = AttributeOf(tag, "order") != "None",
                                         .before = values.Of(AttributeOf(tag, "before"))});
    }
  });
  return result;
}

RegistrySync ReadRegistrySync() {
  const std::ifstream file(std::string(std::getenv("TEST_SRCDIR")) +
                           "/vulkan_headers/usr/share/vulkan/registry/vk.xml");
  std::ostringstream xml;
  xml << file.rdbuf();
  return ParseRegistrySync(xml.str());
}

}  // namespace assay::syncval::matrix
