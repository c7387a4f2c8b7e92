// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HANDLES_RECORDING_H_
#define ASSAY_DISPATCH_HANDLES_RECORDING_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/handles/slot.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// The recordings of command buffers, as far as handles go: the objects that recorded commands were given, and what the
// commands do to queries and events. object_lifetimes notes the objects; state begins and ends recordings, and
// references those of submitted batches; core asks for both.
namespace assay::dispatch {

// The identity of an object: its slot, and the slot's handle at the time.
struct ObjectId {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  uint32_t slot = 0;
  uint64_t handle = 0;

  friend bool operator==(const ObjectId&, const ObjectId&) = default;
};
ObjectId IdOf(const Slot& slot);
// Whether it has not been destroyed.
bool IsAlive(const ObjectId& object);

// An object of a recorded command.
struct RecordedObject {
  ObjectId id;
  // The first command with the object.
  vk::CommandId command;
};

// The effect of a command on queries or an event, which the host can see before it knows that the batch is complete.
struct VisibleChange {
  enum class Kind : uint8_t {
    kWriteQueries,
    kResetQueries,
    kSetEvent,
    kResetEvent,
    // All effects of a secondary command buffer; `first` is its index.
    kSecondary
  };
  Kind kind;
  // Queries of a pool.
  uint32_t first = 0, count = 0;
  // The query pool or event.
  uint64_t handle = 0;
};

class Recording;

// A counted reference to a Recording. Its command buffer knows from the count whether it has the only one. Null only
// after a move.
class RecordingRef {
 public:
  // Makes a new recording.
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

// The objects of all commands that were recorded into a command buffer since its beginning, each once. A bit for each
// slot marks the objects that are noted already. A command whose objects are all noted costs a load and a test for each
// handle, of memory that no other thread touches. Bits come in pages, which are allocated only where the recording's
// objects are.
//
// The thread that records writes it; it is constant once a queue has it.
class Recording {
 public:
  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void Note(const Slot& slot, vk::CommandId command) {
    const uint32_t page = slot.index / kPageBits;
    if (page < page_count_ && (pages_[page][slot.index % kPageBits / 64] >> slot.index % 64 & 1) != 0) return;
    Add(slot, command);
  }
  // Begins a command. The objects that are noted from now on can be removed, if the command is not recorded after all.
  void Mark() { mark_ = objects_.size() * sizeof(RecordedObject); }
  void RollBack();

  void AddSecondary(const Slot& slot, RecordingRef recording);
  void AddChange(const VisibleChange& change);
  // Makes it empty.
  void Clear();

  // The use of the object, including uses in secondary command buffers; null if there is none.
  const RecordedObject* Find(const ObjectId& object) const;

  bool HasChanges() const { return !changes_.empty(); }
  // There is one.
  const VisibleChange& last_change() const { return changes_.back(); }
  // Calls f(change) for each VisibleChange in order, with those of secondary command buffers in their places.
  template <class F>
  void ForEachChange(const F& f) const {
    for (const VisibleChange& change : changes_) {
      if (change.kind == VisibleChange::Kind::kSecondary) {
        secondaries_[change.first].recording->ForEachChange(f);
      } else {
        f(change);
      }
    }
  }

  // An object that was destroyed or rerecorded, which makes the command buffer invalid.
  struct InvalidObject {
    RecordedObject object;
    // The secondary command buffer that uses the object; handle 0 if the command buffer itself does.
    ObjectId secondary;
    bool is_rerecorded = false;
  };
  // Whether objects of the type must exist until the commands that refer to them have been executed. A pipeline layout,
  // for example, is needed only while it is recorded.
  using MustOutliveUse = bool (*)(VkObjectType type);
  // Finds an invalid object; false if there is none. changes is the number of events that can make command buffers
  // invalid; the search is skipped if it has not changed since the last call.
  bool FindInvalidObject(uint64_t changes, MustOutliveUse must_outlive_use, InvalidObject* invalid) const;
  // The recording is known to be valid at that number of changes.
  void SetValid(uint64_t changes) const { valid_at_.store(changes, std::memory_order_relaxed); }

  // For tests: all that it knows, as text (recording_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  friend class RecordingRef;
  static constexpr uint32_t kPageBits = 4096;
  struct Secondary {
    ObjectId command_buffer;
    RecordingRef recording;
  };

  void Add(const Slot& slot, vk::CommandId command);
  bool SearchInvalidObject(MustOutliveUse must_outlive_use, InvalidObject* invalid) const;

  // The pages are in all_pages_. Where no bit is set, the entry is a shared page of zeros.
  uint64_t* const* pages_ = nullptr;
  uint32_t page_count_ = 0;
  std::vector<uint64_t*> all_pages_;
  std::vector<std::unique_ptr<uint64_t[]>> own_pages_;
  std::vector<RecordedObject> objects_;
  std::vector<Secondary> secondaries_;
  std::vector<VisibleChange> changes_;
  // In bytes, for which nothing is divided.
  size_t mark_ = 0;
  std::atomic<uint32_t> reference_count_{1};
  mutable std::atomic<uint64_t> valid_at_{0};
};

// The data of a command buffer, in its slot.
class CommandBufferData : public SlotData {
 public:
  // Null for an unknown handle, or one without data.
  static CommandBufferData* Of(VkCommandBuffer command_buffer) {
    const Slot* slot = DispatchableTable::Get().Find(command_buffer);
    return slot != nullptr ? In(*slot) : nullptr;
  }
  // That in the slot of a command buffer.
  static CommandBufferData* In(const Slot& slot) { return static_cast<CommandBufferData*>(slot.recording.get()); }

  // Null unless the command buffer is being recorded.
  Recording* open() const { return open_; }
  const RecordingRef& recording() const { return recording_; }

  void Begin();
  void End() { open_ = nullptr; }
  // Removes the recording.
  void Reset();

 private:
  RecordingRef recording_;
  Recording* open_ = nullptr;
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HANDLES_RECORDING_H_
