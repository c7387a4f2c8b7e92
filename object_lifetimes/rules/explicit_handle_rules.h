// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_RULES_EXPLICIT_HANDLE_RULES_H_
#define ASSAY_OBJECT_LIFETIMES_RULES_EXPLICIT_HANDLE_RULES_H_

#include <string_view>

#include "object_lifetimes/rules/handle_rules.h"

namespace assay::object_lifetimes {

// The explicit rule that a handle must be valid under a condition; null if there is none.
const ExplicitHandleRule* FindExplicitHandleRule(std::string_view structure, std::string_view member);

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_RULES_EXPLICIT_HANDLE_RULES_H_
