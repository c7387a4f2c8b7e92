// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_TEST_CASES_HANDLE_RULE_TEST_CASES_H_
#define ASSAY_OBJECT_LIFETIMES_TEST_CASES_HANDLE_RULE_TEST_CASES_H_

#include <string>
#include <vector>

#include "object_lifetimes/rules/handle_rules.h"
#include "object_lifetimes/test_cases/struct_routes.h"
#include "object_lifetimes/test_cases/test_objects.h"

// Test-only: every rule that the registry has about a handle, with the calls that break it and their correct twin.
namespace assay::object_lifetimes {

enum class HandleRuleKind : uint8_t {
  // -parameter, or what stands for it as explicit valid usage.
  kValid,
  // -parent, of the instance or device.
  kParent,
  // -parent, of a pool or video session that is another member.
  kOwner,
  kCommonParent
};

struct HandleRule {
  vk::VuidIndex vuid;
  HandleRuleKind kind;
  // To the structure that has the handle.
  StructRoute route;
  const StructRules* owner;
  // Null for kCommonParent.
  const Step* step;
};

// Every rule about a handle, except those about objects that commands are dispatched on (dispatched_test_cases.h).
std::vector<HandleRule> HandleRulesOfRegistry();

// Runs the rule's test. Returns an empty string if it passes, else what went wrong.
std::string TestHandleRule(TestObjects& objects, const HandleRule& rule);

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_TEST_CASES_HANDLE_RULE_TEST_CASES_H_
