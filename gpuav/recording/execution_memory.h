// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_EXECUTION_MEMORY_H_
#define ASSAY_GPUAV_RECORDING_EXECUTION_MEMORY_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"

#include "gpuav/descriptors/image_numbers.h"
#include "gpuav/descriptors/table_memory.h"
#include "gpuav/device/memory.h"
#include "gpuav/device/reserved_set.h"
#include "spirv_instrument/runtime/layout.h"
#include "state/state.h"

namespace assay::gpuav {

// An action block, as a set and an offset lead to it, or an address.
struct ActionBlock {
  VkDescriptorSet set = VK_NULL_HANDLE;
  // The dynamic offset.
  uint32_t offset = 0;
  // A set that leads to this block alone, without a dynamic offset; null if there is none.
  VkDescriptorSet fixed_set = VK_NULL_HANDLE;
  // See MemoryRange.
  VkDeviceAddress address = 0;
  uint32_t* words = nullptr;

  explicit operator bool() const { return words != nullptr; }
};

class ExecutionMemory;

// What recordings use that get no memory: their shaders check nothing.
struct Sink {
  std::shared_ptr<ExecutionMemory> memory;
  ActionBlock block;
};

// What the shaders of one recording read and write: an action block for each action, errors, causes and the output of
// debugPrintf. Executions of the recording that overlap share it. Destroyed when neither the recording nor an execution
// that was not read yet has it.
class ExecutionMemory {
 public:
  // What all of them are made of.
  struct Sources {
    Memory& read;
    Memory& written;
    Memory& instances;
    ReservedSet& reserved;
    ReservedSet& fixed;
    TableMemory& tables;
    // Bytes between action blocks.
    uint32_t block_stride;
    // Bytes for debugPrintf; 0 if nothing prints.
    uint32_t output_bytes;
    // Null unless it is noted which images are accessed.
    const ImageNumbers* image_numbers;
  };

  // Null if there is no memory.
  static std::shared_ptr<ExecutionMemory> Make(const Sources& sources);
  ~ExecutionMemory();
  ExecutionMemory(const ExecutionMemory&) = delete;
  ExecutionMemory& operator=(const ExecutionMemory&) = delete;

  // A block whose contents are whatever they were. Nothing if there is no memory.
  ActionBlock AddBlock();
  // Gives the block that was added last a fixed_set. False if there is none to be had.
  bool AddFixedSet(ActionBlock& block);
  // Tells the block that was added last the addresses of all else: sets them in its words.
  void SetAddresses(absl::Span<uint32_t> words) const;
  // Tells all blocks where the device addresses are: so many quads of the tables from `offset` on. The host may do that
  // while the device reads other words.
  void SetAddressTable(uint32_t offset, uint32_t quads);
  // Makes errors, causes and output empty. No execution is pending.
  void Empty();
  // Room for the notes of an action (runtime/host_limit.h), all of them empty: where in the causes it begins, in words.
  // Where there is no more, what shaders note counts as lost, and nothing is returned: they write to lost_notes().
  std::optional<uint32_t> AddNotes(uint32_t count);
  static uint32_t lost_notes();
  // Room for notes of so many images, all of them empty: where in the causes it begins, in words. Nothing if there is
  // no more.
  std::optional<uint32_t> AddImageNotes(uint32_t count);
  // Before an execution while none is pending: notes of images are those of one execution.
  void EmptyImageNotes();
  // Memory for parameters of commands, all zero. Nothing if there is none.
  MemoryRange AddParameters(VkDeviceSize bytes);
  // Memory of one of the sources, whose contents are whatever they were. Nothing if there is none.
  MemoryRange Add(Memory& of, VkDeviceSize bytes);
  const Sources& sources() const { return sources_; }

  absl::Span<const uint32_t> errors() const { return ranges_[spirv_instrument::kErrorsBinding].words(); }
  // Without notes of images.
  absl::Span<const uint32_t> causes() const;
  // With them.
  absl::Span<const uint32_t> all_causes() const { return ranges_[spirv_instrument::kCausesBinding].words(); }
  absl::Span<const uint32_t> output() const { return ranges_[spirv_instrument::kOutputBinding].words(); }
  // Whether shaders wrote something: two loads.
  bool has_records() const;

  // The records that are in the memory, those lost not counted.
  struct Records {
    size_t errors = 0;
    size_t prints = 0;
    bool has_lost = false;
    bool has_notes = false;
  };
  Records CountRecords() const;

  // Completion's lock guards these: how many executions are pending, whether one was before, and how many of the
  // records were read.
  uint32_t pending = 0;
  // Since one began while none was pending.
  uint32_t executions = 0;
  bool was_executed = false;
  // Of the last execution; null if they are not known. How many executions had their layouts here since none was read.
  std::shared_ptr<const state::ExecutionLayouts> layouts;
  uint32_t layouts_set = 0;
  size_t read_errors = 0;
  size_t read_prints = 0;
  // The words at which notes begin that were read; how many faults without notes were reported.
  absl::flat_hash_set<uint32_t> read_notes;
  uint32_t read_lost_notes = 0;

 private:
  struct Chunk {
    ReservedRanges ranges;
    VkDescriptorSet set;
    std::shared_ptr<const TableMemory::Array> tables;

    // The memory of its blocks.
    const MemoryRange& blocks() const { return ranges[spirv_instrument::kActionBinding]; }
  };

  explicit ExecutionMemory(const Sources& sources) : sources_(sources) {}
  bool AddChunk();

  const Sources sources_;
  // Without blocks and tables.
  ReservedRanges ranges_;
  std::vector<Chunk> chunks_;
  std::vector<VkDescriptorSet> fixed_sets_;
  // Other memory, and what it is of.
  std::vector<std::pair<Memory*, MemoryRange>> others_;
  // So many words of the causes are used.
  uint32_t notes_end_ = lost_notes() + spirv_instrument::kMaxNotes * spirv_instrument::kNoteWords;
  // So many words behind all others are used for notes of images.
  uint32_t image_notes_ = 0;
  // Blocks of the last chunk that were given.
  uint32_t blocks_used_ = 0;
  // The offset that all blocks have, but those whose tables do not reach so far; these have 0.
  uint32_t address_table_ = 0;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_EXECUTION_MEMORY_H_
