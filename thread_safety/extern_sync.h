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

// One way from a command's parameters to handles: a parameter, or a member of the structures that a parameter points
// to.
struct HandlePath {
  const vk::MemberInfo* parameter = nullptr;
  // Null when the parameter is the handle.
  const vk::MemberInfo* member = nullptr;
  // The structure that member is in.
  const vk::StructInfo* structure = nullptr;
  bool writes = false;
  // Only descriptor sets that may not be updated by several threads at once.
  bool unless_shareable = false;
  // Whether the command destroys the objects, after which there is no mark to be taken away.
  bool destroyed = false;

  // Of objects of one type that are known by handles of ours; VK_OBJECT_TYPE_UNKNOWN for others.
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;

  const vk::MemberInfo& handle() const { return member != nullptr ? *member : *parameter; }
};

// The objects that a command uses, besides the pool of the command buffer that it is recorded to.
struct ExternSync {
  // Objects that are marked as used for the time of the call.
  std::vector<HandlePath> marked_handles;
  // Bytes from the beginning of the parameters to handles of which it is only looked whether another thread writes to
  // the object.
  std::vector<uint32_t> checked_offsets;
  // All queues of the device.
  bool all_queues = false;
  // All descriptor sets of the pool that the parameter at that offset names; 0 for none, since no pool comes first.
  uint32_t sets_of_pool = 0;

  bool empty() const { return marked_handles.empty() && checked_offsets.empty() && !all_queues; }
};

// Of every command, from the registry's marks and words. Built at the first call.
using ExternSyncTable = std::array<ExternSync, vk::kCommandCount>;
const ExternSyncTable& GetExternSyncTable();

}  // namespace assay::thread_safety

#endif  // ASSAY_THREAD_SAFETY_EXTERN_SYNC_H_
