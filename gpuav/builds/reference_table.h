// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_BUILDS_REFERENCE_TABLE_H_
#define ASSAY_GPUAV_BUILDS_REFERENCE_TABLE_H_

#include <cstdint>

#include "gpuav/builds/reference_buckets.h"
#include "gpuav/device/memory.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// The table of references (layout.h) in memory of ours. The device may read it at any time: an address is in it before
// the application can use it, and shaders see that without anything being recorded or submitted anew. When buckets are
// full, more take their place; those before them stay until the device goes, for who still reads them.
class ReferenceTable {
 public:
  explicit ReferenceTable(Memory& memory) : memory_(memory) {}
  ReferenceTable(const ReferenceTable&) = delete;
  ReferenceTable& operator=(const ReferenceTable&) = delete;

  // Makes the memory, unless it is there. False if there is none.
  bool Make();
  // Nothing of these does anything before Make(). Each address once.
  void Add(VkDeviceAddress address);
  void Remove(VkDeviceAddress address);
  // Whether there are structures whose addresses are not known.
  void SetUnknown(bool has_unknown);

  bool is_made() const { return static_cast<bool>(header_); }
  // 0 before Make().
  VkDeviceAddress address() const { return header_.address; }

 private:
  // More buckets with what is in the current ones. False if there is no memory: nothing is replaced from then on.
  bool Grow();
  // The buckets are the current ones.
  void Publish(const MemoryRange& range);
  void Write(uint32_t word, uint32_t value);

  Memory& memory_;
  MemoryRange header_;
  ReferenceBuckets buckets_;
  // How many arrays of buckets there were.
  uint32_t arrays_ = 0;
  bool has_unknown_ = false;
  // There was no memory.
  bool is_lost_ = false;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_BUILDS_REFERENCE_TABLE_H_
