// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_TEST_CASES_DISPATCHED_TEST_CASES_H_
#define ASSAY_OBJECT_LIFETIMES_TEST_CASES_DISPATCHED_TEST_CASES_H_

#include <functional>
#include <string>

#include "object_lifetimes/test_cases/test_objects.h"
#include "vk/vuid.h"

namespace assay::object_lifetimes {

// Test-only: the negative test of the id that every command has for the object that it is dispatched on, through the
// layer's own entry points: garbage, an object that was destroyed, and an object of another type. Calls visit for each
// with what went wrong, which is empty when nothing did.
void TestDispatched(TestObjects& objects,
                    const std::function<void(vk::VuidIndex rule, const std::string& wrong)>& visit);

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_TEST_CASES_DISPATCHED_TEST_CASES_H_
