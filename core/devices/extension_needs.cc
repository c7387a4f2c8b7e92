// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/devices/extension_needs.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "vk/extension_info.h"

namespace assay::core {
namespace {

// The registry writes what an extension needs as "VK_A+(VK_B,VK_VERSION_1_1)".
//
// Whether the expression at the beginning of `text`, which ends with a parenthesis or the text, holds if has(name) does
// for names. '+' and ',' bind alike. Takes the expression from `text`.
template <class Has>
bool TakeNeeds(std::string_view& text, const Has& has) {
  bool holds = true;
  for (char joined_by = '+'; !text.empty();) {
    const size_t end = std::min(text.find_first_of("+,()"), text.size());
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(std::max<size_t>(end, 1));
    const bool term = name.empty() ? TakeNeeds(text, has) : has(name);
    holds = joined_by == '+' ? holds && term : holds || term;
    if (text.empty()) break;
    joined_by = text.front();
    text.remove_prefix(1);
    if (joined_by == ')') break;
  }
  return holds;
}

// "VK_VERSION_1_1".
constexpr std::string_view kVersion = "VK_VERSION_";

bool IsWithin(std::string_view version, uint32_t api_version) {
  const auto digit = [&](size_t place) { return static_cast<uint32_t>(version[kVersion.size() + place] - '0'); };
  return VK_MAKE_API_VERSION(0, digit(0), digit(2), 0) <= api_version;
}

}  // namespace

void CheckExtensionNeeds(std::span<const char* const> names, const dispatch::ExtensionSet& enabled,
                         uint32_t api_version, vk::VuidIndex id, messages::ObjectRef object,
                         const messages::Location& where, messages::Report& report) {
  const auto has = [&](std::string_view name) {
    const auto extension = vk::FindExtension(name);
    return extension.has_value() && enabled[static_cast<size_t>(*extension)];
  };
  for (uint32_t i = 0; i < names.size(); ++i) {
    const auto extension = vk::FindExtension(names[i]);
    if (!extension.has_value()) continue;
    const vk::ExtensionInfo& info = vk::GetExtensionInfo(*extension);
    const auto holds = [&](bool with_all_extensions) {
      std::string_view needs = info.depends;
      return TakeNeeds(needs, [&](std::string_view name) {
        if (name.starts_with(kVersion)) return IsWithin(name, api_version);
        const auto needed = vk::FindExtension(name);
        if (with_all_extensions || !needed.has_value()) return true;
        const vk::ExtensionInfo& other = vk::GetExtensionInfo(*needed);
        const bool is_included = other.promoted_to_version != 0 && other.promoted_to_version <= api_version;
        return other.instance != info.instance || has(name) || is_included || has(other.promoted_to);
      });
    };
    if (holds(false) || !holds(true)) continue;
    report.Error(id, {object}, where.Dot("ppEnabledExtensionNames", i),
                 absl::StrCat("(", info.name, ") needs ", info.depends, "."), "Enable what it needs.");
  }
}

}  // namespace assay::core
