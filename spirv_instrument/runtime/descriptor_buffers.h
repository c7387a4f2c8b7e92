// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_DESCRIPTOR_BUFFERS_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_DESCRIPTOR_BUFFERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "spirv_instrument/runtime/descriptor_table.h"

// Descriptors that are in memory, as bytes of which the driver alone knows the meaning. A shader reads the bytes of the
// descriptor that it is about to use, and looks them up among those that the driver has ever made: so it does not
// matter who wrote them there, and when.
namespace assay::spirv_instrument {

// A binding of a set layout.
struct BufferedBinding {
  // From the begin of the set to the first descriptor, in bytes, and how many bytes a descriptor has. Where one of them
  // is no multiple of 4, the bytes are not looked at; 0 bytes say the same.
  uint64_t offset = 0;
  uint32_t bytes = 0;
  // 0xffffffff for a binding of which nothing is to be checked.
  uint32_t count = 0xffffffff;
  DescriptorType type = DescriptorType::kNone;
  // Whether there are fewer where the buffer has bytes for fewer.
  bool is_variable = false;
};

// The table of a set layout, with the bindings by number.
std::vector<uint32_t> MakeBufferLayoutTable(absl::Span<const BufferedBinding> bindings);

// The quad of a set's place, of which the buffer has so many bytes more.
std::array<uint32_t, 4> EncodeSetPlace(uint64_t address, uint64_t room, uint32_t layout_table);

// What stands for a type and bytes.
struct DescriptorKey {
  uint32_t low = 0;
  uint32_t high = 0;

  uint64_t value() const { return uint64_t{high} << 32 | low; }
  friend bool operator==(const DescriptorKey& a, const DescriptorKey& b) = default;
};
DescriptorKey KeyOfDescriptor(DescriptorType type, absl::Span<const uint32_t> words);

// The table of known descriptors. Keys are only ever added: while the device reads the words, the host may write to it
// those of a slot that is new, the descriptor's before the key's, or a descriptor's.
class KnownDescriptorTable {
 public:
  // At most half of the slots are used. With `accepts_unknown`, an unknown descriptor counts as a valid one of any
  // size, and as one that was not written without.
  KnownDescriptorTable(uint32_t slot_bits, bool accepts_unknown);

  // The slot of a key that is not there yet: its offset in words. Nothing if there are too many already.
  std::optional<size_t> Add(DescriptorKey key);
  void Set(size_t slot, const DescriptorState& state);
  // The same for a descriptor of which nothing can be said.
  void SetUnchecked(size_t slot);
  // From here on, unknown descriptors are accepted.
  void AcceptUnknown();

  absl::Span<const uint32_t> words() const { return words_; }
  uint32_t slot_bits() const;
  size_t size() const { return size_; }

 private:
  std::vector<uint32_t> words_;
  size_t size_ = 0;
};

// What the shader would find: the quad of the descriptor, or that of unknown ones. For tests.
absl::Span<const uint32_t> FindKnownDescriptor(absl::Span<const uint32_t> table, DescriptorKey key);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_DESCRIPTOR_BUFFERS_H_
