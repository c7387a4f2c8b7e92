// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEVICES_EXTENSION_NEEDS_H_
#define ASSAY_CORE_DEVICES_EXTENSION_NEEDS_H_

// Which extensions and versions an extension needs, as the registry writes it: "VK_A+(VK_B,VK_VERSION_1_1)".

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/extension_info.h"
#include "vk/vuid.h"

// Private to the package.
namespace assay::core {

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

// Reports each extension of the list without extensions that it needs. Only those of the same kind, instance or device,
// must be in the list. What the version includes is as good, and what it lacks is no matter of the list.
void CheckExtensionNeeds(std::span<const char* const> names, const dispatch::ExtensionSet& enabled,
                         uint32_t api_version, vk::VuidIndex id, messages::ObjectRef object,
                         const messages::Location& where, messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_DEVICES_EXTENSION_NEEDS_H_
