// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TESTING_COLLECT_HANDLES_H_
#define ASSAY_DISPATCH_TESTING_COLLECT_HANDLES_H_

#include <cstdint>
#include <vector>

#include "vk/command_info.h"

namespace assay::dispatch {

// Every non-dispatchable handle that the parameters reach, in the order of the description. Like a driver, it does not
// follow ignored pointers, and skips unknown structures of a pNext chain.
std::vector<uint64_t> CollectHandles(const vk::CommandInfo& command, const void* call);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TESTING_COLLECT_HANDLES_H_
