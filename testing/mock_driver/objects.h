// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_OBJECTS_H_
#define ASSAY_TESTING_MOCK_DRIVER_OBJECTS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vk/vulkan.h"

// The driver's objects and their handles.
//
// A non-dispatchable handle holds a tag, a generation and the index of a slot. So a look-up takes no lock, and a
// destroyed handle differs from its successor. A dispatchable handle is the address of memory that begins with the
// loader's word.
namespace assay::test {

// The driver's data of an object. The object's type decides which members have a meaning.
struct Object {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  // The pool or swapchain whose destruction destroys this object too, or 0.
  uint64_t parent = 0;
  // The size in bytes of a buffer, a memory allocation, or an image's memory.
  VkDeviceSize size = 0;
  // The status of a fence or event, the counter of a semaphore, the next image of a swapchain, or the remaining joins
  // of a deferred operation.
  std::atomic<uint64_t> value = 0;
  // The device address of a buffer, micromap or acceleration structure, or the usage of a buffer.
  VkDeviceAddress address = 0;
  // Handles that are destroyed with this one: command buffers, descriptor sets, swapchain images.
  std::vector<uint64_t> children;
  // The bytes of a memory allocation, from the first time it is mapped.
  std::unique_ptr<std::byte[]> bytes;
  // The create info, without its pointers.
  VkImageCreateInfo image = {};
};

class ObjectTable {
 public:
  static ObjectTable& Get();

  // Creates an object with the type and default values.
  uint64_t Create(VkObjectType type, Object** object = nullptr);

  // Null if the handle is 0, not the driver's, or destroyed.
  Object* Find(uint64_t handle);

  // Destroys an object and its children. 0 is allowed. If the handle is not an object of that type, this is a misuse by
  // `command`.
  void Destroy(uint64_t handle, VkObjectType type, std::string_view command);
  void DestroyChildren(Object& object, std::string_view command);

  // The number of objects of the type that are alive.
  size_t Count(VkObjectType type) const;

 private:
  static constexpr uint64_t kTag = 0x5dull << 56;
  static constexpr uint32_t kChunkBits = 10;
  static constexpr uint32_t kChunkSize = 1u << kChunkBits;
  static constexpr uint32_t kMaxChunks = 1u << 14;

  struct Slot {
    // Odd while the slot holds an object.
    std::atomic<uint32_t> generation = 0;
    Object object;
  };

  Slot* FindSlot(uint64_t handle);

  std::array<std::atomic<Slot*>, kMaxChunks> chunks_ = {};
  mutable std::mutex mutex_;
  uint32_t slot_count_ = 0;
  std::vector<uint32_t> free_;
  std::unordered_map<VkObjectType, size_t> counts_;
};

// The memory of a dispatchable handle.
struct DispatchableObject {
  // The loader's word: a magic number until the loader stores its own value.
  uintptr_t loader_word;
  VkObjectType type;
  // The index among the objects of the same parent for a physical device, the family for a queue.
  uint32_t index;
  // The handle of the parent: the pool for a command buffer, the device for a queue, the physical device for a device.
  uint64_t parent;
  std::vector<DispatchableObject*> children;
};

DispatchableObject* CreateDispatchable(VkObjectType type, uint32_t index, uint64_t parent);
// Destroys the object and its children. Null is allowed. If the pointer is not such an object, this is a misuse by
// `command`.
void DestroyDispatchable(void* handle, VkObjectType type, std::string_view command);
bool IsDispatchable(const void* handle, VkObjectType type);
size_t CountDispatchable(VkObjectType type);

template <class Handle>
uint64_t ToInteger(Handle handle) {
  return reinterpret_cast<uint64_t>(handle);
}
template <class Handle>
Handle ToHandle(uint64_t handle) {
  return reinterpret_cast<Handle>(handle);
}

// The object behind a handle of any type, or null.
template <class Handle>
Object* FindObject(Handle handle) {
  return ObjectTable::Get().Find(ToInteger(handle));
}

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_OBJECTS_H_
