// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_HOST_MEMORY_HOST_MAPPINGS_H_
#define ASSAY_CORE_COPIES_HOST_MEMORY_HOST_MAPPINGS_H_

#include <cstdint>
#include <map>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "state/state.h"
#include "vk/vulkan.h"

// Where the host's memory is memory of the device. The host's own copies take a pointer to texels. Of most memory only
// the application knows whose it is and how much of it there is; of a mapping, these follow from vkMapMemory.
//
// CopyRules keeps the mappings of its device, if its host may copy images.
namespace assay::core {

// The mappings of a device. Thread safe: memory may be mapped while another thread copies to an image in it.
class HostMappings {
 public:
  // `bytes` are relative to the memory; `data` is where the host sees the first of them. `is_placed` says that the
  // application chose that place (VkMemoryMapPlacedInfoEXT).
  void Add(const state::DeviceMemory& memory, const state::ByteRange& bytes, const void* data, bool is_placed);
  void Remove(VkDeviceMemory memory);

  // The bytes of the device memory, in the AddressSpace, that the host has from the pointer on, as far as `size`; empty
  // for other memory of the host.
  state::ByteRange Find(const state::DeviceMemory& memory, const void* pointer, uint64_t size) const;
  // How many bytes the host has from the pointer on; nothing for memory that is not mapped. What lies behind a mapping
  // is not the application's, unless it chose the place of the mapping or imported the memory: then nothing is known,
  // too.
  std::optional<uint64_t> BytesFrom(const void* pointer) const;

 private:
  struct Mapping {
    state::ByteRange bytes;
    // Of the host.
    uint64_t address;
  };
  mutable absl::Mutex mutex_;
  // By the handle of the memory.
  absl::flat_hash_map<uint64_t, Mapping> mappings_ ABSL_GUARDED_BY(mutex_);
  // By the address of the host: where a mapping ends, of those that BytesFrom looks at. They do not overlap.
  std::map<uint64_t, uint64_t> ends_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_HOST_MEMORY_HOST_MAPPINGS_H_
