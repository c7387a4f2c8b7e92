// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_SET_PLACES_H_
#define ASSAY_GPUAV_RECORDING_SET_PLACES_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "gpuav/descriptors/buffer_layouts.h"
#include "gpuav/descriptors/table_memory.h"
#include "state/state.h"

namespace assay::gpuav {

// The places of one recording's sets in descriptor buffers, as the tables have them
// (spirv_instrument/runtime/layout.h). What they refer to stays while this is there.
class SetPlaces {
 public:
  SetPlaces(const state::DeviceState& state, TableMemory& tables) : state_(state), tables_(tables) {}
  ~SetPlaces();
  SetPlaces(const SetPlaces&) = delete;
  SetPlaces& operator=(const SetPlaces&) = delete;

  // Adds those that are bound, and sets their offsets in quads, by set number. 0 for a set of which the place is not
  // known: none is bound, it is pushed or has embedded samplers, or there is no live buffer at its address.
  void Add(const state::BindPointState& bindings, absl::Span<uint32_t> offsets);

 private:
  using Quad = std::array<uint32_t, 4>;
  // Quads that are taken of the tables at once.
  static constexpr uint32_t kChunkQuads = 64;

  std::optional<Quad> PlaceOf(const state::DescriptorBufferOffset& offset, uint32_t set);
  // 0 if there is no memory.
  uint32_t Write(const Quad& quad);

  const state::DeviceState& state_;
  TableMemory& tables_;
  std::vector<uint32_t> chunks_;
  // Of the last one.
  uint32_t used_ = kChunkQuads;
  absl::flat_hash_set<std::shared_ptr<const BufferLayout>> layouts_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_SET_PLACES_H_
