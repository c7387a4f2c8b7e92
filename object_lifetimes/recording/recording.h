// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_RECORDING_RECORDING_H_
#define ASSAY_OBJECT_LIFETIMES_RECORDING_RECORDING_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "dispatch/dispatch.h"
#include "vk/command_id.h"

namespace assay::object_lifetimes {

// An object at a time: a slot, and the handle that it had then.
struct ObjectId {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  uint32_t slot = 0;
  uint64_t handle = 0;

  friend bool operator==(const ObjectId&, const ObjectId&) = default;
};
ObjectId IdOf(const dispatch::Slot& slot);
// Whether it has not been destroyed.
bool IsAlive(const ObjectId& object);

// An object that a recorded command was given.
struct RecordedObject {
  ObjectId id;
  // The first command that was given it.
  vk::CommandId command;
};

class Recording;

// Counts who holds a Recording, so that its command buffer knows when nobody else does. Not null but after a move.
class RecordingRef {
 public:
  // A new one.
  RecordingRef();
  RecordingRef(const RecordingRef& other);
  RecordingRef(RecordingRef&& other) noexcept : recording_(std::exchange(other.recording_, nullptr)) {}
  RecordingRef& operator=(RecordingRef other) noexcept {
    std::swap(recording_, other.recording_);
    return *this;
  }
  ~RecordingRef();

  Recording& operator*() const { return *recording_; }
  Recording* operator->() const { return recording_; }
  bool IsUnique() const;

 private:
  Recording* recording_;
};

// The objects that the commands recorded into a command buffer, from its beginning on, were given; each once. A bit for
// each slot tells whether its object is there already, so that a command that uses what others have used costs a load
// and a test for each handle, of memory that no other thread touches. Bits come in pages, of which there are as many
// as the recording's objects are spread over.
//
// Written by the thread that records; constant once a queue has it.
class Recording {
 public:
  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void Note(const dispatch::Slot& slot, vk::CommandId command) {
    const uint32_t page = slot.index / kPageBits;
    if (page < page_count_ && (pages_[page][slot.index % kPageBits / 64] >> slot.index % 64 & 1) != 0) return;
    Add(slot, command);
  }
  // What is noted from now on can be taken back, for a command that is not recorded after all.
  void Mark() { mark_ = objects_.size(); }
  void RollBack();

  void AddSecondary(const dispatch::Slot& slot, RecordingRef recording);
  // Makes it empty.
  void Clear();

  // How the object was used, in a secondary command buffer too; null when it was not.
  const RecordedObject* Find(const ObjectId& object) const;

  // Something that was destroyed or recorded anew, which makes the command buffer invalid.
  struct InvalidObject {
    RecordedObject object;
    // The secondary command buffer that uses it; handle 0 when the command buffer itself does.
    ObjectId secondary;
    bool is_rerecorded = false;
  };
  // False when there is none. changes counts what can make command buffers invalid: nothing is looked at when it is
  // what it was last time.
  bool FindInvalidObject(uint64_t changes, InvalidObject* invalid) const;
  void SetValid(uint64_t changes) { valid_at_.store(changes, std::memory_order_relaxed); }

 private:
  friend class RecordingRef;
  static constexpr uint32_t kPageBits = 4096;
  struct Secondary {
    ObjectId command_buffer;
    RecordingRef recording;
  };

  void Add(const dispatch::Slot& slot, vk::CommandId command);
  bool SearchInvalidObject(InvalidObject* invalid) const;

  // In all_pages_. Where no bit is set the page is one that is all zeros.
  uint64_t* const* pages_ = nullptr;
  uint32_t page_count_ = 0;
  std::vector<uint64_t*> all_pages_;
  std::vector<std::unique_ptr<uint64_t[]>> own_pages_;
  std::vector<RecordedObject> objects_;
  std::vector<Secondary> secondaries_;
  size_t mark_ = 0;
  std::atomic<uint32_t> reference_count_{1};
  mutable std::atomic<uint64_t> valid_at_{0};
};

// What is kept for a command buffer, in its slot.
class CommandBufferData : public dispatch::SlotData {
 public:
  // Null for a handle that is unknown, or has none.
  static CommandBufferData* Of(VkCommandBuffer command_buffer) {
    const dispatch::Slot* slot = dispatch::DispatchableTable::Get().Find(command_buffer);
    return slot != nullptr ? static_cast<CommandBufferData*>(slot->recording.get()) : nullptr;
  }

  // Null unless the command buffer is being recorded.
  Recording* open() const { return open_; }
  const RecordingRef& recording() const { return recording_; }

  void Begin(uint64_t changes);
  void End() { open_ = nullptr; }
  // Back to nothing recorded.
  void Reset();

 private:
  RecordingRef recording_;
  Recording* open_ = nullptr;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_RECORDING_RECORDING_H_
