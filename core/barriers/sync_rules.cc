// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/barriers/sync_rules.h"

#include <utility>

namespace assay::core {

SyncRules::SyncRules(const state::DeviceState& state, std::function<bool(vk::VuidIndex)> leave_out)
    : limits_(state.device(), std::move(leave_out)) {}

}  // namespace assay::core
