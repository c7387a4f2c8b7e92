// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DESCRIPTORS_SET_TABLES_H_
#define ASSAY_GPUAV_DESCRIPTORS_SET_TABLES_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "gpuav/descriptors/image_numbers.h"
#include "gpuav/descriptors/table_memory.h"
#include "gpuav/device/context.h"
#include "spirv_instrument/runtime/descriptor_table.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// The tables of descriptor sets, which say of each descriptor what shaders check. A table follows its set only when
// that is needed: when a command that uses the set is recorded, and, where descriptors may change until they are used
// (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT), when it is submitted. So a program that updates many sets pays for
// those that shaders see.
namespace assay::gpuav {

// The table of some descriptors.
class SetTable {
 public:
  // `numbers` is null if images have none.
  SetTable(TableMemory& tables, ImageNumbers* numbers, const state::DescriptorContents& contents);
  ~SetTable() { tables_.Free(offset_, quads()); }
  SetTable(const SetTable&) = delete;
  SetTable& operator=(const SetTable&) = delete;

  // In quads; 0 if there is no memory.
  uint32_t offset() const { return offset_; }
  // Writes the whole table.
  void WriteAll(const state::DescriptorContents& contents);
  // Writes `count` descriptors of a binding. Like an update, goes on in the next binding.
  void Write(const state::DescriptorContents& contents, uint32_t binding, uint32_t first, uint32_t count);

 private:
  uint32_t quads() const { return static_cast<uint32_t>(table_.words().size() / 4); }

  TableMemory& tables_;
  ImageNumbers* const numbers_;
  spirv_instrument::DescriptorTable table_;
  uint32_t offset_ = 0;
};

// What a descriptor set has for us; its state owns it. Thread-safe.
class SetData : public state::ObjectSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kGpuav;
  SetData(TableMemory& tables, ImageNumbers* numbers, const state::DescriptorContents& contents);

  uint32_t offset() const { return table_.offset(); }
  // Descriptors were written, or destroyed.
  void NoteUpdate(uint32_t binding, uint32_t first, uint32_t count);
  void NoteAll();
  // Makes the table say what the set has. `destroyed` counts destroyed resources: since it was another number,
  // descriptors that need not all be valid may refer to nothing. (Where all have to be, it is known without a shader.)
  void Follow(const state::DescriptorContents& contents, uint64_t destroyed);

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

 private:
  // More than these, and the whole table is written.
  static constexpr size_t kMaxUpdates = 32;
  struct Update {
    uint32_t binding;
    uint32_t first;
    uint32_t count;
  };

  const bool may_lose_resources_;
  absl::Mutex mutex_;
  SetTable table_;
  // Whether there is anything to do; read without the lock.
  std::atomic<bool> is_behind_{true};
  bool is_all_behind_ ABSL_GUARDED_BY(mutex_) = true;
  std::vector<Update> updates_ ABSL_GUARDED_BY(mutex_);
  std::atomic<uint64_t> destroyed_{0};
};

// The hooks.
class SetTables {
 public:
  // `numbers` is null if it is of no interest which images are accessed.
  SetTables(Context& context, TableMemory& tables, ImageNumbers* numbers)
      : context_(context), tables_(tables), numbers_(numbers) {}

  void PostCallRecord(const vk::AllocateDescriptorSets& call, VkResult result);
  void PostCallRecord(const vk::UpdateDescriptorSets& call);
  void PostCallRecord(const vk::UpdateDescriptorSetWithTemplate& call);
  void PostCallRecord(const vk::DestroyBuffer&) { NoteDestroyed(); }
  void PostCallRecord(const vk::DestroyBufferView&) { NoteDestroyed(); }
  void PostCallRecord(const vk::DestroyImage&) { NoteDestroyed(); }
  void PostCallRecord(const vk::DestroyImageView& call) {
    NoteDestroyed();
    if (numbers_ != nullptr) numbers_->NoteDestroyed(call.imageView);
  }
  void PostCallRecord(const vk::DestroyAccelerationStructureKHR&) { NoteDestroyed(); }

  // Makes the table of a set say what the set has, and returns its place; 0 if it has none: there was no memory for it,
  // or the set is younger than a failure.
  uint32_t Follow(VkDescriptorSet handle);
  // A table of pushed descriptors.
  std::unique_ptr<SetTable> MakeTable(const state::DescriptorContents& contents);
  // How many resources were destroyed.
  uint64_t destroyed() const { return destroyed_.load(std::memory_order_relaxed); }

 private:
  void NoteDestroyed() { destroyed_.fetch_add(1, std::memory_order_relaxed); }

  Context& context_;
  TableMemory& tables_;
  ImageNumbers* const numbers_;
  std::atomic<uint64_t> destroyed_{0};
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DESCRIPTORS_SET_TABLES_H_
