// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/manual/manual_rules.h"

#include "absl/container/flat_hash_map.h"

namespace assay::stateless {
namespace {

using ChecksByOwner = absl::flat_hash_map<std::string_view, ManualCheck>;

ChecksByOwner MakeChecks() {
  ChecksByOwner checks;
  for (const auto family : {ManualRenderPassRules(), ManualStateRules(), ManualResourceRules(), ManualInputRules(),
                            ManualCacheRules(), ManualHostRules(), ManualVideoRules()}) {
    for (const ManualRules& rules : family) checks.emplace(rules.owner, rules.check);
  }
  return checks;
}

}  // namespace

ManualCheck FindManualCheck(std::string_view owner) {
  static const auto* const checks = new ChecksByOwner(MakeChecks());
  const auto found = checks->find(owner);
  return found != checks->end() ? found->second : nullptr;
}

}  // namespace assay::stateless
