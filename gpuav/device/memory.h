// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DEVICE_MEMORY_H_
#define ASSAY_GPUAV_DEVICE_MEMORY_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "gpuav/device/context.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// A part of a buffer that host and device share, but for Memory::Use::kInstances. Coherent, and aligned for any
// descriptor of a buffer.
struct MemoryRange {
  VkBuffer buffer = VK_NULL_HANDLE;
  // Bytes.
  VkDeviceSize offset = 0;
  VkDeviceSize size = 0;
  // Null of kInstances.
  uint32_t* mapped = nullptr;
  // For shaders; 0 unless Context::uses_addresses().
  VkDeviceAddress address = 0;

  explicit operator bool() const { return buffer != VK_NULL_HANDLE; }
  absl::Span<uint32_t> words() const { return {mapped, static_cast<size_t>(size) / sizeof(uint32_t)}; }
};

// What was written to mapped memory comes to the device before what is written later, also where writes are combined.
inline void FlushWrites() { std::atomic_thread_fence(std::memory_order_seq_cst); }

// The memory of the package: buffers of which ranges are handed out, so that thousands of recordings take few of the
// allocations that a device has. Ranges have a power of two of bytes, 4 KiB or more. Thread-safe.
class Memory {
 public:
  enum class Use : uint8_t {
    // Read by every invocation: on the device, if the host can write there.
    kRead,
    // Written where a fault is, and read by the host: in the host's cache.
    kWritten,
    // Written and read by the device alone: instances that structures are built of, and the ranges of indirect builds.
    // Has addresses.
    kInstances,
  };

  Memory(Context& context, Use use) : context_(context), use_(use) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Nothing if there is no memory: Context::Fail is called then. The contents are whatever they were.
  MemoryRange Allocate(VkDeviceSize bytes);
  void Free(const MemoryRange& range);
  // Destroys everything, before the device goes.
  void Clear();

 private:
  static constexpr uint32_t kSmallest = 12;
  static constexpr VkDeviceSize kBlock = VkDeviceSize{1} << 20;

  struct Block {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
  };

  // The memory type for these requirements; one that is not there if there is none.
  uint32_t ChooseType(uint32_t allowed) const;
  VkDeviceAddress AddressOf(VkBuffer buffer) const;
  VkBufferUsageFlags Usage() const;
  VkResult Make(VkDeviceSize bytes, Block& block, void*& mapped) const;
  bool AddBlock(uint32_t size_class) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Destroy(const Block& block) const;

  Context& context_;
  const Use use_;
  absl::Mutex mutex_;
  std::vector<Block> blocks_ ABSL_GUARDED_BY(mutex_);
  // Free ranges by the logarithm of their size.
  std::array<std::vector<MemoryRange>, 64> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DEVICE_MEMORY_H_
