// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/hooks/hooks.h"

#include <algorithm>

namespace assay::dispatch {

void HookBuilder::Add(vk::CommandId id, Phase phase, const Hook& hook, int position) {
  pending_[static_cast<size_t>(id)][phase].push_back({hook, position});
}

void HookBuilder::Build(HookTable& table) {
  size_t total = 0;
  for (const auto& command : pending_) {
    for (const auto& phase : command) total += phase.size();
  }
  table.storage_ = std::make_unique<Hook[]>(total);
  Hook* next = table.storage_.get();
  for (size_t i = 0; i < pending_.size(); ++i) {
    CommandHooks& hooks = table.commands_[i];
    hooks = {};
    const Hook* first = next;
    for (auto& phase : pending_[i]) {
      std::stable_sort(phase.begin(), phase.end(),
                       [](const Pending& a, const Pending& b) { return a.position < b.position; });
      for (const Pending& pending : phase) *next++ = pending.hook;
    }
    hooks.validate_count = static_cast<uint16_t>(pending_[i][kValidate].size());
    hooks.pre_record_count = static_cast<uint16_t>(pending_[i][kPreRecord].size());
    hooks.post_record_count = static_cast<uint16_t>(pending_[i][kPostRecord].size());
    hooks.skipped_count = static_cast<uint16_t>(pending_[i][kSkipped].size());
    if (next != first) hooks.hooks = first;
    for (auto& phase : pending_[i]) phase.clear();
  }
}

}  // namespace assay::dispatch
