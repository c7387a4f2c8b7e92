// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_TEST_CASES_TEST_OBJECTS_H_
#define ASSAY_OBJECT_LIFETIMES_TEST_CASES_TEST_OBJECTS_H_

#include <string>
#include <vector>

#include "dispatch/testing/test_objects.h"
#include "object_lifetimes/rules/handle_rules.h"
#include "vk/command_info.h"

// Test-only: handles that are garbage, destroyed, of another type, of another device, or valid; and their check.
namespace assay::object_lifetimes {

using dispatch::IsOfInstance;

class TestObjects : public dispatch::TestObjects {
 public:
  // Sets the rules of Check(); the default is all. They must outlive the calls.
  void SetRules(const HandleRules& rules) { rules_ = &rules; }

  // The ids that the handle check reports for a call of the command on the first instance or device.
  std::vector<std::string> Check(const vk::CommandInfo& command, const void* call);

 private:
  const HandleRules* rules_ = &HandleRules::All();
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_TEST_CASES_TEST_OBJECTS_H_
