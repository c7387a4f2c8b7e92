// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The entry points of one eighth of the commands: ASSAY_SHARD is 0 to 7.

#include "dispatch/chain/intercept.h"
#include "dispatch/chain/intercept_table.h"

#define ASSAY_CONCATENATE_(a, b) a##b
#define ASSAY_CONCATENATE(a, b) ASSAY_CONCATENATE_(a, b)

namespace assay::dispatch {
namespace {

template <class C>
void FillEntry(InterceptTable& table) {
  // dispatch registers the objects that a command returns, and unregisters those that it destroys, even when handles
  // are not wrapped.
  table[static_cast<size_t>(C::kId)] = {
      .function = EntryPoint<C>(),
      .always = HasCallOverride<C> || HasCallDownOverride<C> || C::kLifetime != vk::LifetimeEffect::kNone,
      .reaches_handle = kReachesHandle<C>,
  };
}

}  // namespace

void ASSAY_CONCATENATE(FillShard, ASSAY_SHARD)(InterceptTable& table) {
#define ASSAY_FILL(Name) FillEntry<vk::Name>(table);
  ASSAY_CONCATENATE(ASSAY_VK_COMMANDS_, ASSAY_SHARD)(ASSAY_FILL)
#undef ASSAY_FILL
}

}  // namespace assay::dispatch
