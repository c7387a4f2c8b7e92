// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DESCRIPTORS_ADDRESS_TABLES_H_
#define ASSAY_GPUAV_DESCRIPTORS_ADDRESS_TABLES_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "gpuav/descriptors/table_memory.h"
#include "gpuav/device/context.h"
#include "spirv_instrument/runtime/address_table.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// The table of live device addresses. A table that the device may be reading is never changed: when buffers came or
// went, the next submission gets a new one, and the old one goes when the submissions that have it are read.
// Thread-safe.
class AddressTables {
 public:
  // A place in the tables, in quads. The offset is 0 while there is no buffer with an address.
  struct Place {
    uint32_t offset = 0;
    uint32_t quads = 0;
  };

  AddressTables(Context& context, TableMemory& tables) : context_(context), tables_(tables) {}
  AddressTables(const AddressTables&) = delete;
  AddressTables& operator=(const AddressTables&) = delete;

  // A buffer that may have an address has it from here on, whether or not the application asks for it: it may know the
  // address from another buffer in the same memory, or from an earlier run.
  void PostCallRecord(const vk::CreateBuffer& call, VkResult result);
  void PostCallRecord(const vk::BindBufferMemory& call, VkResult result);
  void PostCallRecord(const vk::BindBufferMemory2& call, VkResult result);
  void PreCallRecord(const vk::DestroyBuffer& call);

  // The addresses of a live buffer; none if it has no address.
  spirv_instrument::AddressRange RangeOf(VkBuffer buffer);

  // The table for a submission that gets the next number. Submissions up to `last` may have the table before it; those
  // up to `read` have none any more.
  Place Follow(uint64_t last, uint64_t read);

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

 private:
  struct Old {
    Place place;
    uint64_t submission;
  };

  void Add(VkBuffer handle);

  Context& context_;
  TableMemory& tables_;
  absl::Mutex mutex_;
  absl::flat_hash_map<VkBuffer, spirv_instrument::AddressRange> ranges_ ABSL_GUARDED_BY(mutex_);
  bool is_behind_ ABSL_GUARDED_BY(mutex_) = false;
  Place place_ ABSL_GUARDED_BY(mutex_);
  std::vector<Old> old_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DESCRIPTORS_ADDRESS_TABLES_H_
