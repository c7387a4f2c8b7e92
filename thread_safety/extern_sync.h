// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_THREAD_SAFETY_EXTERN_SYNC_H_
#define ASSAY_THREAD_SAFETY_EXTERN_SYNC_H_

#include <array>
#include <cstdint>
#include <vector>

#include "vk/command_info.h"
#include "vk/struct_info.h"

namespace assay::thread_safety {

// A path from a command's parameters to handles: a parameter, or a member of the structures that a parameter points to.
struct HandlePath {
  const vk::MemberInfo* parameter = nullptr;
  // Null when the parameter is the handle.
  const vk::MemberInfo* member = nullptr;
  // The structure that member is in.
  const vk::StructInfo* structure = nullptr;
  bool writes = false;
  // Leaves out descriptor sets that threads may update concurrently.
  bool unless_concurrent = false;
  // Whether the command destroys the objects. There is no mark to remove then.
  bool destroyed = false;

  // The type of the objects when they are non-dispatchable and all of one type, else VK_OBJECT_TYPE_UNKNOWN.
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;

  const vk::MemberInfo& handle() const { return member != nullptr ? *member : *parameter; }
};

// The objects that a command accesses, besides the pool of the command buffer that it is recorded to.
struct ExternSync {
  // Objects that are marked for the time of the call.
  std::vector<HandlePath> marked_handles;
  // Handles of objects that are only checked for another thread's write. Offsets in bytes from the beginning of the
  // parameters.
  std::vector<uint32_t> checked_offsets;
  // Whether all queues of the device are marked.
  bool all_queues = false;
  // The offset in bytes of the parameter that names a pool whose descriptor sets are all marked. 0 when there is none,
  // since a pool is never the first parameter.
  uint32_t sets_of_pool = 0;

  // Whether there is none of the above.
  bool empty = true;
};

// The ExternSync of every command, from the registry's marks and sentences. Built at the first call.
using ExternSyncTable = std::array<ExternSync, vk::kCommandCount>;
const ExternSyncTable& GetExternSyncTable();

}  // namespace assay::thread_safety

#endif  // ASSAY_THREAD_SAFETY_EXTERN_SYNC_H_
