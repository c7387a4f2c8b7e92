// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DESCRIPTORS_KNOWN_DESCRIPTORS_H_
#define ASSAY_GPUAV_DESCRIPTORS_KNOWN_DESCRIPTORS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "gpuav/descriptors/address_tables.h"
#include "gpuav/descriptors/buffer_ranges.h"
#include "gpuav/device/context.h"
#include "gpuav/device/memory.h"
#include "spirv_instrument/runtime/address_table.h"
#include "spirv_instrument/runtime/descriptor_buffers.h"
#include "spirv_instrument/runtime/descriptor_table.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// What vkGetDescriptorEXT has returned: for the bytes of each descriptor, of what it is. Shaders look it up by the
// bytes that they find in descriptor buffers (spirv_instrument/runtime/descriptor_buffers.h), so that it does not
// matter how these came there.
//
// *The same bytes* may be those of several descriptors: views that are alike, ranges that begin at one address, and a
// new resource in the place of one that was destroyed. Then they count as those of a buffer with the largest range, and
// as destroyed when all of these resources are, until vkGetDescriptorEXT returns them again.
//
// *A buffer* is known by the address alone. Its descriptors count as destroyed while no buffer is there.
//
// *Unknown bytes* are those of no descriptor, unless they may come from another run (descriptorBufferCaptureReplay), or
// vkGetDescriptorEXT was asked for more or fewer bytes than a descriptor has, or has returned so many contents that not
// all of them are kept. Then unknown bytes are not reported.
namespace assay::gpuav {

// These are hooks of their own, which are attached only if is_used(). Thread-safe.
class KnownDescriptors {
 public:
  // `submissions` counts submissions with shaders that are instrumented. `addresses` is attached before.
  KnownDescriptors(Context& context, Memory& memory, AddressTables& addresses,
                   const std::atomic<uint64_t>& submissions);
  KnownDescriptors(const KnownDescriptors&) = delete;
  KnownDescriptors& operator=(const KnownDescriptors&) = delete;

  // Whether there may be descriptor buffers, and their descriptors are to be checked.
  bool is_used() const { return is_used_; }
  // What action blocks need (kKnownDescriptorsWord); 0 if there is none, or no memory.
  VkDeviceAddress Place();
  // Records of submissions up to this number were read.
  void ForgetUpTo(uint64_t submission);
  // Gives up the memory, before the device goes.
  void Clear();

  // The driver writes to a place of ours: the application's may be slow to read.
  static void Rewrite(const vk::GetDescriptorEXT& call, vk::GetDescriptorEXT& down, dispatch::Rewriter& rewriter);
  void PostCallRecord(const vk::GetDescriptorEXT& call);
  void PreCallRecord(const vk::DestroyImageView& call);
  void PreCallRecord(const vk::DestroyImage& call);
  void PostCallRecord(const vk::CreateBuffer& call, VkResult result);
  void PostCallRecord(const vk::BindBufferMemory& call, VkResult result);
  void PostCallRecord(const vk::BindBufferMemory2& call, VkResult result);
  void PreCallRecord(const vk::DestroyBuffer& call);

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

 private:
  // What is returned, and for which resource.
  struct Returned {
    spirv_instrument::DescriptorState state;
    VkImageView view = VK_NULL_HANDLE;
    VkImage image = VK_NULL_HANDLE;
    // Of a buffer.
    VkDeviceAddress address = 0;
  };
  // By its key (spirv_instrument::DescriptorKey::value).
  struct Entry {
    std::vector<uint32_t> words;
    size_t slot = 0;
    spirv_instrument::DescriptorState state;
    // Live ones.
    std::vector<VkImageView> views;
    VkDeviceAddress address = 0;
    // It is of something that is not tracked.
    bool is_permanent = false;
    // The key is that of different things, so that nothing can be said.
    bool is_unchecked = false;
  };
  struct View {
    VkImage image = VK_NULL_HANDLE;
    std::vector<uint64_t> keys;
  };
  struct Old {
    MemoryRange range;
    uint64_t submission;
  };

  static Returned Describe(const VkDescriptorGetInfoEXT& info);
  void Learn(const Returned& returned, absl::Span<const uint32_t> words);
  bool MakeFirst() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Makes a table with room for one more key, and publishes it. Without memory, unknown bytes are accepted.
  bool Grow() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether one more key may be kept.
  bool MakeRoom() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool AddSlot(uint64_t key, Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Merge(uint64_t key, Entry& entry, const Returned& returned) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Track(uint64_t key, Entry& entry, const Returned& returned) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Says nothing of these bytes any more.
  void Uncheck(Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetSlot(const Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AcceptUnknown() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Writes words of the table that the device may be reading.
  void Write(size_t first, size_t count) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Forgets descriptors of images that were destroyed, if these are most: their bytes stand for nothing that exists.
  void DropDestroyed() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetDestroyed(Entry& entry, bool is_destroyed) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnDestroy(VkImageView view) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddBuffer(VkBuffer buffer);
  // Descriptors of buffers in the range count as destroyed, or not, as there is a buffer at their addresses.
  void FollowBuffers(const spirv_instrument::AddressRange& range) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Context& context_;
  Memory& memory_;
  AddressTables& addresses_;
  const std::atomic<uint64_t>& submissions_;
  const bool is_used_;
  absl::Mutex mutex_;
  // Has the address of the table's memory.
  MemoryRange place_ ABSL_GUARDED_BY(mutex_);
  std::atomic<VkDeviceAddress> place_address_{0};
  bool accepts_unknown_ ABSL_GUARDED_BY(mutex_);
  // There were more keys than are kept.
  bool is_full_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<spirv_instrument::KnownDescriptorTable> table_ ABSL_GUARDED_BY(mutex_);
  MemoryRange memory_of_table_ ABSL_GUARDED_BY(mutex_);
  // Tables that submissions may still have.
  std::vector<Old> old_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<uint64_t, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<VkImageView, View> views_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<VkImage, std::vector<VkImageView>> images_ ABSL_GUARDED_BY(mutex_);
  // Keys of descriptors of buffers.
  std::multimap<VkDeviceAddress, uint64_t> by_address_ ABSL_GUARDED_BY(mutex_);
  BufferRanges buffers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DESCRIPTORS_KNOWN_DESCRIPTORS_H_
