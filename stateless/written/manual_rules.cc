// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/written/manual_rules.h"

namespace assay::stateless {

WrittenCheck FindWrittenCheck(std::string_view owner) {
  for (const auto family :
       {WrittenRenderPassRules(), WrittenStateRules(), WrittenResourceRules(), WrittenInputRules()}) {
    for (const WrittenRules& rules : family) {
      if (rules.owner == owner) return rules.check;
    }
  }
  return nullptr;
}

}  // namespace assay::stateless
