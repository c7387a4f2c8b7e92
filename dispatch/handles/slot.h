// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HANDLES_SLOT_H_
#define ASSAY_DISPATCH_HANDLES_SLOT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "vk/command_id.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

class Device;
class Instance;

// Data of one object that ends with the object's slot. The entries of an update template and a pending deferred
// operation are such data.
class SlotData {
 public:
  virtual ~SlotData() = default;
};

// The record of one object that the application holds a handle of.
//
// No access to a slot takes a lock. A slot is written while its object is created or destroyed, and the application
// synchronizes that with every other use of the handle. At other times the slot is only read; the atomic members are
// the exception.
//
// Five packages keep their data here: dispatch, state, thread_safety, object_lifetimes and core. The comments name
// the owner of each group of members. The first cache line has the members that a look-up, a translation and the checks
// of a call read.
struct alignas(64) Slot {
  // dispatch: the handle that the application holds. It is a wrapped one (generation and index, see HandleTable), or
  // the driver's.
  uint64_t application_handle = 0;
  // The handle that the next layer or driver gave.
  uint64_t driver_handle = 0;

  // state: the state tracker's object, which owns itself. Null when nothing tracks the type.
  void* state = nullptr;

  // thread_safety: which thread is in which command with the object, as thread_safety::ThreadUse encodes it; 0 when
  // none is. Threads write it without synchronization by the application.
  std::atomic<uint64_t> thread_use{0};

  // dispatch: the owner, the place among other slots, and the type.
  Device* device = nullptr;
  // The pool or swapchain that the object is from. parent is its index; see first_child.
  Slot* parent_slot = nullptr;
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  uint32_t index = 0;
  uint32_t parent = 0;
  bool alive = false;
  // The level of a command buffer.
  bool is_secondary = false;

  // object_lifetimes: whether pAllocator was given when the object was created.
  bool has_allocator = false;

  // thread_safety: whether threads may update a descriptor set concurrently, or the sets of a layout. Bindings that may
  // be updated after they are bound or while they are pending allow it.
  bool allows_concurrent_update : 1 = false;
  // dispatch, for object_lifetimes: whether several physical devices returned the object, a display or display mode.
  bool has_several_physical_devices : 1 = false;

  // dispatch, second cache line: the owner, and data that ends with the object. dispatch_data is mostly null.
  Instance* instance = nullptr;
  std::unique_ptr<SlotData> dispatch_data;
  // Starts at 1 and grows with each object that the slot holds. 0 marks a free slot's handle as never valid.
  uint32_t generation = 0;
  // A list of the slots of a pool's descriptor sets or command buffers, or of a swapchain's images. The members are
  // slot indices; HandleTable::kNone ends the list. The external synchronization of the parent guards it.
  uint32_t first_child = 0;
  uint32_t next_sibling = 0;
  uint32_t previous_sibling = 0;

  // dispatch: the object that the slot held before, for HandleTable::FindDestroyed. The table's lock guards it.
  // destroyed_name is null when the object had no name.
  uint32_t destroyed_generation = 0;
  VkObjectType destroyed_type = VK_OBJECT_TYPE_UNKNOWN;
  std::unique_ptr<std::string> destroyed_name;
  vk::CommandId destroyed_by{};

  // dispatch (recording.h): whether a command that was given the object has been recorded.
  std::atomic<bool> is_recorded{false};
  // core: whether another object refers to this one, as a view refers to an image.
  std::atomic<bool> is_referenced{false};
  // The CommandBufferData of a command buffer (recording.h), which state makes. Ends with the object.
  std::unique_ptr<SlotData> recording;
};

// std::unique_ptr has no standard layout, so Slot has none either. Compilers that we know support offsetof all the
// same.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(offsetof(Slot, instance) == 64 && sizeof(Slot) == 128);
#pragma GCC diagnostic pop

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HANDLES_SLOT_H_
