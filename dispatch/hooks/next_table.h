// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HOOKS_NEXT_TABLE_H_
#define ASSAY_DISPATCH_HOOKS_NEXT_TABLE_H_

#include <array>
#include <cstddef>

#include "vk/command_id.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// The next layer's or driver's function for every command, or null. An alias's function stands in for a missing one.
using NextTable = std::array<PFN_vkVoidFunction, vk::kCommandCount>;

// The next layer's or driver's function for one command, or null.
template <class C>
typename C::Function Next(const NextTable& table) {
  return reinterpret_cast<typename C::Function>(table[static_cast<size_t>(C::kId)]);
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HOOKS_NEXT_TABLE_H_
