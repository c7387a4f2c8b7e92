// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/statistics.h"

#include <string_view>

namespace assay::spirv_instrument {

std::string_view NameOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kEmitted:
      return "emitted";
    case Outcome::kDominated:
      return "dominated";
    case Outcome::kSpan:
      return "in a span";
    case Outcome::kHoisted:
      return "hoisted";
    case Outcome::kHostDecided:
      return "left to the host";
    case Outcome::kAlwaysGood:
      return "always good";
    case Outcome::kUnknownPointer:
      return "unknown pointer";
    case Outcome::kDifferentArguments:
      return "different arguments";
    case Outcome::kChoiceOfPointers:
      return "a choice of pointers";
    case Outcome::kUnknownLayout:
      return "unknown layout";
    case Outcome::kUnreachable:
      return "unreachable";
    case Outcome::kLimit:
      return "over the limit";
  }
  return "";
}

}  // namespace assay::spirv_instrument
