// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/runtime_memory.h"

#include <algorithm>

#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/formats.h"
#include "spirv_instrument/corpus/instrumented/bound_descriptors.h"
#include "spirv_instrument/runtime/action.h"
#include "spirv_instrument/runtime/address_table.h"
#include "spirv_instrument/runtime/descriptor_table.h"
#include "spirv_instrument/runtime/records.h"
#include "spirv_instrument/runtime/vertex_attributes.h"

namespace assay::spirv_instrument::corpus {
namespace {

constexpr size_t kQuadWords = 4;
// More than random programs and shaders of the corpus have faults.
constexpr uint32_t kCauseSlotBits = 14;
constexpr size_t kErrorWords = kStreamHeaderWords + 1024 * kErrorRecordWords;
constexpr size_t kOutputWords = kStreamHeaderWords + 4096;
constexpr size_t kWordsOfCounter = 2;

// Appends a table to the tables, and returns its offset in quads.
uint32_t Append(std::vector<uint32_t>& tables, absl::Span<const uint32_t> table) {
  const auto offset = static_cast<uint32_t>(tables.size() / kQuadWords);
  tables.insert(tables.end(), table.begin(), table.end());
  tables.resize((tables.size() + kQuadWords - 1) / kQuadWords * kQuadWords);
  return offset;
}

DescriptorTable MakeDescriptorTable(const Setup& setup, absl::Span<const BindingDescription* const> bindings) {
  std::vector<uint32_t> counts;
  for (const BindingDescription* binding : bindings) {
    counts.resize(std::max<size_t>(counts.size(), binding->binding + 1));
    counts[binding->binding] = DescriptorCount(*binding);
  }
  DescriptorTable table(counts);
  for (const BindingDescription* binding : bindings) {
    for (uint32_t i = 0; i < DescriptorCount(*binding); ++i)
      table.Set(binding->binding, i, StateOf(setup, *binding, i));
  }
  return table;
}

void AddDescriptorTables(const Setup& setup, RuntimeMemory& memory) {
  std::map<uint32_t, std::vector<const BindingDescription*>> sets;
  for (const BindingDescription& binding : setup.bindings) sets[binding.set].push_back(&binding);
  for (const auto& [set, bindings] : sets) {
    if (set >= kMaxSets) continue;
    memory.action()[kFirstSetQuad * kQuadWords + set] =
        Append(memory.parts[kTablesBinding], MakeDescriptorTable(setup, bindings).words());
  }
}

absl::StatusOr<std::vector<uint32_t>> MakeTableOfBuffers(const Setup& setup, const Addresses& addresses) {
  std::vector<AddressRange> ranges;
  for (const BufferDescription& buffer : setup.buffers) {
    const auto address = addresses.find(buffer.name);
    if (address == addresses.end() || IsDestroyed(setup, buffer.name)) continue;
    ranges.push_back({address->second, buffer.size});
  }
  return MakeAddressTable(ranges);
}

void AddDraw(const Setup& setup, std::vector<uint32_t>& action) {
  const Work& work = setup.work;
  const auto set = [&action](uint32_t word, uint32_t value) { action[kDrawQuad * kQuadWords + word] = value; };
  set(kFirstVertexWord, work.first_vertex);
  set(kFirstInstanceWord, work.first_instance);
  set(kVertexCountWord, work.vertices);
  set(kInstanceCountWord, work.instances);
  std::vector<VertexAttributeState> attributes;
  for (const VertexAttributeDescription& attribute : setup.vertex_attributes) {
    const auto bound = std::ranges::find(setup.vertex_buffers, attribute.binding, &VertexBufferDescription::binding);
    if (bound == setup.vertex_buffers.end()) continue;
    const auto buffer = std::ranges::find(setup.buffers, bound->buffer, &BufferDescription::name);
    if (buffer == setup.buffers.end()) continue;
    attributes.push_back({.location = attribute.location,
                          .range = buffer->size - std::min(bound->offset, buffer->size),
                          .stride = bound->stride,
                          .offset = attribute.offset,
                          .size = TexelSize(attribute.format),
                          .is_per_instance = bound->rate == VK_VERTEX_INPUT_RATE_INSTANCE});
  }
  SetVertexAttributes(attributes, work.first_instance, absl::MakeSpan(action));
}

std::vector<uint32_t> MakeStream(size_t size) {
  const auto header = MakeStreamHeader(size);
  std::vector<uint32_t> words(header.begin(), header.end());
  words.resize(size);
  return words;
}

}  // namespace

absl::StatusOr<RuntimeMemory> MakeRuntimeMemory(const Setup& setup, const Addresses& addresses, size_t counters) {
  RuntimeMemory memory;
  memory.action().resize(size_t{kActionQuads} * kQuadWords);
  InitializeAction(absl::MakeSpan(memory.action()));
  memory.parts[kTablesBinding].resize(kQuadWords);
  AddDescriptorTables(setup, memory);
  absl::StatusOr<std::vector<uint32_t>> address_table = MakeTableOfBuffers(setup, addresses);
  if (!address_table.ok()) return address_table.status();
  memory.action()[kTableOffsetsQuad * kQuadWords + kAddressTableWord] =
      Append(memory.parts[kTablesBinding], *address_table);
  AddDraw(setup, memory.action());
  memory.parts[kErrorsBinding] = MakeStream(kErrorWords);
  memory.parts[kOutputBinding] = MakeStream(kOutputWords);
  const auto causes = MakeCausesHeader(kCauseSlotBits);
  memory.parts[kCausesBinding].assign(causes.begin(), causes.end());
  memory.parts[kCausesBinding].resize(CausesWords(kCauseSlotBits) + size_t{kMaxNotes} * kNoteWords);
  SetFirstNote(CausesWords(kCauseSlotBits), absl::MakeSpan(memory.action()));
  memory.parts[kCountsBinding].resize(std::max(counters * kWordsOfCounter, kQuadWords));
  return memory;
}

void SetUnchecked(RuntimeMemory& memory) { InitializeUncheckedAction(absl::MakeSpan(memory.action())); }

void SetAddresses(RuntimeMemory& memory, const std::array<uint64_t, kBindingsOfReservedSet>& addresses) {
  const auto set = [&memory](uint32_t quad, uint32_t word, uint64_t address) {
    memory.action()[quad * kQuadWords + word] = static_cast<uint32_t>(address);
    memory.action()[quad * kQuadWords + word + 1] = static_cast<uint32_t>(address >> 32);
  };
  set(kTablesAndErrorsQuad, 0, addresses[kTablesBinding]);
  set(kTablesAndErrorsQuad, 2, addresses[kErrorsBinding]);
  set(kCausesAndOutputQuad, 0, addresses[kCausesBinding]);
  set(kCausesAndOutputQuad, 2, addresses[kOutputBinding]);
  set(kCountsQuad, 0, addresses[kCountsBinding]);
}

}  // namespace assay::spirv_instrument::corpus
