// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/execution_memory.h"

#include <algorithm>
#include <array>
#include <utility>

#include "spirv_instrument/runtime/host_limit.h"
#include "spirv_instrument/runtime/records.h"

namespace assay::gpuav {

using spirv_instrument::kActionBinding;
using spirv_instrument::kCausesBinding;
using spirv_instrument::kCountsBinding;
using spirv_instrument::kErrorsBinding;
using spirv_instrument::kOutputBinding;
using spirv_instrument::kTablesBinding;

namespace {

constexpr uint32_t kCauseSlotBits = 10;
// For the notes of actions, in words. All that the causes are takes a little less than 32 KiB.
constexpr uint32_t kNotesWords = 896 * spirv_instrument::kNoteWords;
// For the notes of images: 2 MiB, which is enough for 64 times 2,048 descriptors.
constexpr uint32_t kImageNotesWords = 1u << 19;
constexpr VkDeviceSize kErrorBytes = VkDeviceSize{1} << 14;
constexpr VkDeviceSize kChunkBytes = VkDeviceSize{1} << 14;
// Where the notes of images begin.
uint32_t FirstImageNote() {
  return ExecutionMemory::lost_notes() + spirv_instrument::kMaxNotes * spirv_instrument::kNoteWords + kNotesWords;
}
constexpr size_t kAddressTable = size_t{spirv_instrument::kTableOffsetsQuad} * 4 + spirv_instrument::kAddressTableWord;

}  // namespace

std::shared_ptr<ExecutionMemory> ExecutionMemory::Make(const Sources& sources) {
  std::shared_ptr<ExecutionMemory> memory(new ExecutionMemory(sources));
  ReservedRanges& ranges = memory->ranges_;
  ranges[kErrorsBinding] = sources.written.Allocate(kErrorBytes);
  const uint32_t image_notes = sources.image_numbers != nullptr ? kImageNotesWords : 0;
  ranges[kCausesBinding] =
      sources.written.Allocate((memory->notes_end_ + kNotesWords + image_notes) * sizeof(uint32_t));
  if (!ranges[kErrorsBinding] || !ranges[kCausesBinding]) return nullptr;
  if (sources.output_bytes != 0) {
    ranges[kOutputBinding] = sources.written.Allocate(sources.output_bytes);
    if (!ranges[kOutputBinding]) return nullptr;
  }
  memory->Empty();
  if (!memory->AddChunk()) return nullptr;
  return memory;
}

ExecutionMemory::~ExecutionMemory() {
  for (const Chunk& chunk : chunks_) {
    sources_.reserved.Free(chunk.set);
    sources_.read.Free(chunk.blocks());
  }
  for (VkDescriptorSet set : fixed_sets_) sources_.fixed.Free(set);
  for (const MemoryRange& range : ranges_) sources_.written.Free(range);
  for (const auto& [of, range] : others_) of->Free(range);
}

bool ExecutionMemory::AddChunk() {
  // Recordings with many actions get larger chunks.
  const VkDeviceSize bytes = kChunkBytes << std::min<size_t>(chunks_.size(), 6);
  const MemoryRange range = sources_.read.Allocate(bytes);
  std::shared_ptr<const TableMemory::Array> tables = sources_.tables.Current();
  if (!range || tables == nullptr) {
    sources_.read.Free(range);
    return false;
  }
  ReservedRanges ranges = ranges_;
  ranges[kActionBinding] = range;
  ranges[kTablesBinding] = tables->range();
  // What no shader uses needs a buffer all the same.
  ranges[kCountsBinding] = ranges[kErrorsBinding];
  if (!ranges[kOutputBinding]) ranges[kOutputBinding] = ranges[kErrorsBinding];
  const VkDescriptorSet set = sources_.reserved.Allocate(ranges);
  if (set == VK_NULL_HANDLE) {
    sources_.read.Free(range);
    return false;
  }
  chunks_.push_back({ranges, set, std::move(tables)});
  blocks_used_ = 0;
  return true;
}

ActionBlock ExecutionMemory::AddBlock() {
  const auto is_full = [this] {
    return (VkDeviceSize{blocks_used_} + 1) * sources_.block_stride > chunks_.back().blocks().size;
  };
  // A set of which the table is in a later array needs that array.
  if ((is_full() || !sources_.tables.IsCurrent(*chunks_.back().tables)) && !AddChunk()) return {};
  const Chunk& chunk = chunks_.back();
  const uint32_t offset = blocks_used_++ * sources_.block_stride;
  const MemoryRange& blocks = chunk.blocks();
  return {.set = chunk.set,
          .offset = offset,
          .address = blocks.address != 0 ? blocks.address + offset : 0,
          .words = blocks.mapped + offset / sizeof(uint32_t)};
}

bool ExecutionMemory::AddFixedSet(ActionBlock& block) {
  ReservedRanges ranges = chunks_.back().ranges;
  ranges[kActionBinding].offset += block.offset;
  block.fixed_set = sources_.fixed.Allocate(ranges);
  if (block.fixed_set == VK_NULL_HANDLE) return false;
  fixed_sets_.push_back(block.fixed_set);
  return true;
}

void ExecutionMemory::SetAddresses(absl::Span<uint32_t> words) const {
  constexpr std::array kPlaces = {
      std::pair(kTablesBinding, spirv_instrument::kTablesAndErrorsQuad * 4),
      std::pair(kErrorsBinding, spirv_instrument::kTablesAndErrorsQuad * 4 + 2),
      std::pair(kCausesBinding, spirv_instrument::kCausesAndOutputQuad * 4),
      std::pair(kOutputBinding, spirv_instrument::kCausesAndOutputQuad * 4 + 2),
      std::pair(kCountsBinding, spirv_instrument::kCountsQuad * 4),
  };
  for (const auto& [binding, word] : kPlaces) {
    const VkDeviceAddress address = chunks_.back().ranges[binding].address;
    words[word] = static_cast<uint32_t>(address);
    words[word + 1] = static_cast<uint32_t>(address >> 32);
  }
}

MemoryRange ExecutionMemory::AddParameters(VkDeviceSize bytes) {
  const MemoryRange range = Add(sources_.written, bytes);
  if (range) std::ranges::fill(range.words(), 0u);
  return range;
}

MemoryRange ExecutionMemory::Add(Memory& of, VkDeviceSize bytes) {
  const MemoryRange range = of.Allocate(bytes);
  if (range) others_.emplace_back(&of, range);
  return range;
}

uint32_t ExecutionMemory::lost_notes() { return spirv_instrument::CausesWords(kCauseSlotBits); }

std::optional<uint32_t> ExecutionMemory::AddNotes(uint32_t count) {
  const absl::Span<uint32_t> words = ranges_[kCausesBinding].words();
  const uint32_t end = notes_end_ + count * spirv_instrument::kNoteWords;
  if (end > FirstImageNote()) return std::nullopt;
  std::ranges::fill(words.subspan(notes_end_, end - notes_end_), 0u);
  return std::exchange(notes_end_, end);
}

std::optional<uint32_t> ExecutionMemory::AddImageNotes(uint32_t count) {
  const absl::Span<uint32_t> words = ranges_[kCausesBinding].words();
  const uint32_t first = FirstImageNote() + image_notes_;
  const uint32_t added = count * spirv_instrument::kImageNoteWords;
  if (first >= words.size() || words.size() - first < added) return std::nullopt;
  std::ranges::fill(words.subspan(first, added), 0u);
  image_notes_ += added;
  return first;
}

absl::Span<const uint32_t> ExecutionMemory::causes() const { return all_causes().first(FirstImageNote()); }

void ExecutionMemory::EmptyImageNotes() {
  if (image_notes_ == 0) return;
  std::ranges::fill(ranges_[kCausesBinding].words().subspan(FirstImageNote(), image_notes_), 0u);
}

void ExecutionMemory::SetAddressTable(uint32_t offset, uint32_t quads) {
  if (offset == address_table_) return;
  address_table_ = offset;
  for (const Chunk& chunk : chunks_) {
    // Tables of an older array do not have it; then addresses are not checked.
    const uint32_t here = uint64_t{offset} + quads <= chunk.tables->quads() ? offset : 0;
    const size_t stride = sources_.block_stride / sizeof(uint32_t);
    const MemoryRange& blocks = chunk.blocks();
    const size_t count = &chunk == &chunks_.back() ? blocks_used_ : blocks.size / sources_.block_stride;
    for (size_t i = 0; i < count; ++i) blocks.mapped[i * stride + kAddressTable] = here;
  }
}

void ExecutionMemory::Empty() {
  const auto empty = [](const MemoryRange& range) {
    if (!range) return;
    const auto header = spirv_instrument::MakeStreamHeader(range.words().size());
    std::ranges::fill(range.words(), 0u);
    std::ranges::copy(header, range.mapped);
  };
  empty(ranges_[kErrorsBinding]);
  empty(ranges_[kOutputBinding]);
  const MemoryRange& causes = ranges_[kCausesBinding];
  std::ranges::fill(causes.words().first(notes_end_), 0u);
  std::ranges::copy(spirv_instrument::MakeCausesHeader(kCauseSlotBits), causes.mapped);
}

bool ExecutionMemory::has_records() const {
  const auto has = [](const MemoryRange& range) {
    return range && (range.mapped[spirv_instrument::kReservedWord] | range.mapped[spirv_instrument::kLostFaultsWord] |
                     range.mapped[spirv_instrument::kLostRecordsWord]) != 0;
  };
  return has(ranges_[kErrorsBinding]) || has(ranges_[kOutputBinding]) || spirv_instrument::HasNotes(causes());
}

ExecutionMemory::Records ExecutionMemory::CountRecords() const {
  const spirv_instrument::ErrorStream errors_written = spirv_instrument::ReadErrors(errors());
  const spirv_instrument::ErrorStream prints = spirv_instrument::ReadErrors(output());
  return {.errors = errors_written.records.size(),
          .prints = prints.records.size(),
          .has_lost = (errors_written.lost_faults | errors_written.lost_records | prints.lost_records) != 0,
          .has_notes = spirv_instrument::HasNotes(causes())};
}

}  // namespace assay::gpuav
