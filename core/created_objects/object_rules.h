// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_CREATED_OBJECTS_OBJECT_RULES_H_
#define ASSAY_CORE_CREATED_OBJECTS_OBJECT_RULES_H_

// What commands need of the objects that they name: that a buffer or an image was created with a usage or a flag, is
// bound to memory, is large enough for a range. Hundreds of rules say this in few words, so that the rows are read from
// the sentences (registry/created) and one function checks them all. A command's rows are found when its check is
// compiled: a command without any has none.
//
// Copies, barriers, queries and descriptors have checks of their own, which know more.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/object_rules.h"

namespace assay::core {

// The rows of a command.
template <class C>
consteval std::span<const vk::ObjectRule> ObjectRulesOf() {
  const auto is_of = [](const vk::ObjectRule& rule) { return rule.command == C::kId; };
  const auto* const first = std::ranges::find_if(vk::kObjectRules, is_of);
  return {first, static_cast<size_t>(std::ranges::count_if(vk::kObjectRules, is_of))};
}

template <class C>
concept HasObjectRules = !ObjectRulesOf<C>().empty();

// Checks the call, which is the command's parameters, against the rows.
void CheckObjects(std::span<const vk::ObjectRule> rules, const void* call, const state::DeviceState& state,
                  messages::Report& report);

// The validator.
class ObjectRules {
 public:
  // `state` must outlive this.
  explicit ObjectRules(const state::DeviceState& state) : state_(state) {}

  template <HasObjectRules C>
  void PreCallValidate(const C& call, messages::Report& report) const {
    CheckObjects(ObjectRulesOf<C>(), &call, state_, report);
  }

 private:
  const state::DeviceState& state_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_CREATED_OBJECTS_OBJECT_RULES_H_
