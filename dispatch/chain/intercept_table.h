// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_INTERCEPT_TABLE_H_
#define ASSAY_DISPATCH_CHAIN_INTERCEPT_TABLE_H_

#include "vk/command_id.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// The layer's function for a command.
PFN_vkVoidFunction EntryPointOf(vk::CommandId id);

// Whether a command must pass through the layer even when no validator has a hook for it. dispatch itself has work to
// do around the call then, or handles have to be translated.
bool MustIntercept(vk::CommandId id, bool wraps_handles);

// The table has an entry for every command. Eight shards fill it in; intercept_shard.cc is compiled once for each.
struct InterceptEntry {
  PFN_vkVoidFunction function = nullptr;
  // dispatch has work to do around the call, whatever the settings.
  bool always = false;
  bool reaches_handle = false;
};
using InterceptTable = InterceptEntry[vk::kCommandCount];
void FillShard0(InterceptTable& table);
void FillShard1(InterceptTable& table);
void FillShard2(InterceptTable& table);
void FillShard3(InterceptTable& table);
void FillShard4(InterceptTable& table);
void FillShard5(InterceptTable& table);
void FillShard6(InterceptTable& table);
void FillShard7(InterceptTable& table);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_INTERCEPT_TABLE_H_
