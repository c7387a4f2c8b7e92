// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HANDLES_DESTROYED_HANDLES_H_
#define ASSAY_DISPATCH_HANDLES_DESTROYED_HANDLES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "vk/command_id.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// The record of an object that has been destroyed.
struct DestroyedObject {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  vk::CommandId destroyed_by{};
  // The name that the application had given it; mostly empty.
  std::string name;
};

// Records of destroyed objects by the driver's handles. These are as many as there are addresses, if the program runs
// for long enough. So there are kEntries places, and each handle has one, where the last record stays.
class DestroyedHandles {
  static constexpr int kBits = 12;

 public:
  static constexpr size_t kEntries = size_t{1} << kBits;

  // handle: not 0.
  void Add(uint64_t handle, DestroyedObject object) {
    if (entries_.empty()) entries_.resize(kEntries);
    entries_[PlaceOf(handle)] = {handle, std::move(object)};
  }
  // The last record of a handle; null if there is none.
  const DestroyedObject* Find(uint64_t handle) const {
    if (entries_.empty()) return nullptr;
    const Entry& entry = entries_[PlaceOf(handle)];
    return entry.handle == handle ? &entry.object : nullptr;
  }

 private:
  struct Entry {
    uint64_t handle = 0;
    DestroyedObject object;
  };

  // Multiplicative hashing: 2^64 divided by the golden ratio.
  static size_t PlaceOf(uint64_t handle) { return (handle * 0x9E3779B97F4A7C15) >> (64 - kBits); }

  // Empty before the first record.
  std::vector<Entry> entries_;
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HANDLES_DESTROYED_HANDLES_H_
