// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_IMPLICIT_PATH_H_
#define ASSAY_STATELESS_IMPLICIT_PATH_H_

#include <cstdint>
#include <string_view>

#include "stateless/implicit/program.h"

namespace assay::stateless {

// One step of the walk's path. Steps are on the stack, and each points to the one before. A message makes its
// messages::Location from them. A step costs a few stores.
struct Step {
  static constexpr uint32_t kNoIndex = 0xffffffff;

  // Null for the first.
  const Step* previous = nullptr;
  // A member or parameter. Empty for an element of the array that the step before leads to, and for a chained structure
  // as a whole.
  std::string_view member;
  // Not empty for a structure in a pNext chain.
  std::string_view chained;
  uint32_t index = kNoIndex;
  // The rule that the member is a valid structure. Only the structure's own rules can violate it.
  vk::VuidIndex struct_rule = vk::kNoVuid;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_IMPLICIT_PATH_H_
