// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/manual/manual_rules.h"

namespace assay::stateless {

ManualCheck FindManualCheck(std::string_view owner) {
  for (const auto family : {ManualRenderPassRules(), ManualStateRules(), ManualResourceRules(), ManualInputRules()}) {
    for (const ManualRules& rules : family) {
      if (rules.owner == owner) return rules.check;
    }
  }
  return nullptr;
}

}  // namespace assay::stateless
