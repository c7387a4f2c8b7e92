// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/handles/recording.h"

#include <algorithm>

#include "dispatch/handles/handle_table.h"

namespace assay::dispatch {
namespace {

// Stands for every page that has no bit set; never written to.
uint64_t no_bits[64] = {};

}  // namespace

ObjectId IdOf(const Slot& slot) { return {slot.type, slot.index, slot.application_handle}; }

bool IsAlive(const ObjectId& object) {
  Slot* const slot = HandleTable::Get().AtIndex(object.slot);
  return std::atomic_ref(slot->application_handle).load(std::memory_order_relaxed) == object.handle;
}

RecordingRef::RecordingRef() : recording_(new Recording) {}
RecordingRef::RecordingRef(const RecordingRef& other) : recording_(other.recording_) {
  recording_->reference_count_.fetch_add(1, std::memory_order_relaxed);
}
RecordingRef::~RecordingRef() {
  if (recording_ != nullptr && recording_->reference_count_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete recording_;
}
bool RecordingRef::IsUnique() const { return recording_->reference_count_.load(std::memory_order_acquire) == 1; }

void Recording::Add(const Slot& slot, vk::CommandId command) {
  // vkCmdPreprocessGeneratedCommandsEXT takes state from a command buffer, and does not execute it.
  if (slot.type == VK_OBJECT_TYPE_COMMAND_BUFFER && command != vk::CommandId::kCmdExecuteCommands) return;
  static_assert(sizeof(no_bits) * 8 == kPageBits);
  const uint32_t page = slot.index / kPageBits;
  if (page >= page_count_) {
    all_pages_.resize(page + 1, no_bits);
    pages_ = all_pages_.data();
    page_count_ = page + 1;
  }
  if (pages_[page] == no_bits) {
    all_pages_[page] = own_pages_.emplace_back(std::make_unique<uint64_t[]>(std::size(no_bits))).get();
  }
  pages_[page][slot.index % kPageBits / 64] |= uint64_t{1} << slot.index % 64;
  objects_.push_back({IdOf(slot), command});
  // Read first: all threads that record with the object share the flag's cache line.
  auto& is_recorded = const_cast<Slot&>(slot).is_recorded;
  if (!is_recorded.load(std::memory_order_relaxed)) is_recorded.store(true, std::memory_order_relaxed);
}

void Recording::RollBack() {
  for (; objects_.size() * sizeof(RecordedObject) > mark_; objects_.pop_back()) {
    const uint32_t slot = objects_.back().id.slot;
    pages_[slot / kPageBits][slot % kPageBits / 64] &= ~(uint64_t{1} << slot % 64);
  }
}

void Recording::AddSecondary(const Slot& slot, RecordingRef recording) {
  if (recording->HasChanges()) {
    changes_.push_back({VisibleChange::Kind::kSecondary, static_cast<uint32_t>(secondaries_.size())});
  }
  secondaries_.push_back({IdOf(slot), std::move(recording)});
}

void Recording::AddChange(const VisibleChange& change) {
  // Commands mostly write one query each, in order.
  if (!changes_.empty() && change.count != 0) {
    VisibleChange& last = changes_.back();
    if (last.kind == change.kind && last.handle == change.handle && last.first + last.count == change.first) {
      last.count += change.count;
      return;
    }
  }
  changes_.push_back(change);
}

void Recording::Clear() {
  mark_ = 0;
  RollBack();
  secondaries_.clear();
  changes_.clear();
}

const RecordedObject* Recording::Find(const ObjectId& object) const {
  const uint32_t page = object.slot / kPageBits;
  if (page < page_count_ && (pages_[page][object.slot % kPageBits / 64] >> object.slot % 64 & 1) != 0) {
    // The slot may have had another object.
    const auto found = std::ranges::find(objects_, object, &RecordedObject::id);
    if (found != objects_.end()) return &*found;
  }
  for (const Secondary& secondary : secondaries_) {
    if (const RecordedObject* found = secondary.recording->Find(object)) return found;
  }
  return nullptr;
}

bool Recording::FindInvalidObject(uint64_t changes, MustOutliveUse must_outlive_use, InvalidObject* invalid) const {
  if (valid_at_.load(std::memory_order_relaxed) == changes) return false;
  if (SearchInvalidObject(must_outlive_use, invalid)) return true;
  valid_at_.store(changes, std::memory_order_relaxed);
  return false;
}

bool Recording::SearchInvalidObject(MustOutliveUse must_outlive_use, InvalidObject* invalid) const {
  for (const RecordedObject& object : objects_) {
    if (IsAlive(object.id) || !must_outlive_use(object.id.type)) continue;
    *invalid = {.object = object};
    return true;
  }
  for (const Secondary& secondary : secondaries_) {
    const Slot* slot = HandleTable::Get().AtIndex(secondary.command_buffer.slot);
    const auto* data = static_cast<const CommandBufferData*>(slot->recording.get());
    // Freed command buffers are found among the objects.
    if (!IsAlive(secondary.command_buffer) || data == nullptr) continue;
    if (&*data->recording() != &*secondary.recording) {
      *invalid = {.object = {secondary.command_buffer, vk::CommandId::kCmdExecuteCommands}, .is_rerecorded = true};
      return true;
    }
    if (!secondary.recording->SearchInvalidObject(must_outlive_use, invalid)) continue;
    invalid->secondary = secondary.command_buffer;
    return true;
  }
  return false;
}

void CommandBufferData::Begin() {
  Reset();
  open_ = &*recording_;
}

void CommandBufferData::Reset() {
  open_ = nullptr;
  if (recording_.IsUnique()) {
    recording_->Clear();
  } else {
    recording_ = RecordingRef();
  }
}

}  // namespace assay::dispatch
