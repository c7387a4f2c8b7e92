// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/set_places.h"

#include <algorithm>
#include <cstddef>

#include "gpuav/pipelines/pipeline_layouts.h"
#include "spirv_instrument/runtime/descriptor_buffers.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

SetPlaces::~SetPlaces() {
  for (const uint32_t chunk : chunks_) tables_.Free(chunk, kChunkQuads);
}

void SetPlaces::Add(const state::BindPointState& bindings, absl::Span<uint32_t> offsets) {
  for (size_t i = 0; i < offsets.size(); ++i) {
    const auto set = static_cast<uint32_t>(i);
    const state::DescriptorBufferOffset* const offset = bindings.FindDescriptorBufferOffset(set);
    const std::optional<Quad> place = offset != nullptr ? PlaceOf(*offset, set) : std::nullopt;
    offsets[i] = place ? Write(*place) : 0;
  }
}

std::optional<SetPlaces::Quad> SetPlaces::PlaceOf(const state::DescriptorBufferOffset& offset, uint32_t set) {
  const auto* buffer = state::DeviceState::Get<state::Buffer>(offset.buffer);
  const auto* layout = state::DeviceState::Get<state::PipelineLayout>(offset.layout);
  const auto* data = layout != nullptr ? layout->Sub<LayoutData>() : nullptr;
  if (buffer == nullptr || buffer->device_address == 0 || data == nullptr) return std::nullopt;
  const VkDeviceAddress address = buffer->device_address + offset.offset;
  // Shaders read words.
  if (address % sizeof(uint32_t) != 0) return std::nullopt;
  const std::shared_ptr<const BufferLayout> table = data->buffer_layout(set);
  if (table == nullptr || table->offset() == 0) return std::nullopt;
  // Several buffers may be there, of which any may be the one that counts.
  VkDeviceSize room = 0;
  for (const state::Ref<state::Buffer>& at : state_.buffer_addresses().Find(address)) {
    room = std::max(room, at->device_address + at->size - address);
  }
  if (room == 0) return std::nullopt;
  layouts_.insert(table);
  return spirv_instrument::EncodeSetPlace(address, room, table->offset());
}

uint32_t SetPlaces::Write(const Quad& quad) {
  if (used_ == kChunkQuads) {
    const uint32_t chunk = tables_.Allocate(kChunkQuads);
    if (chunk == 0) return 0;
    chunks_.push_back(chunk);
    used_ = 0;
  }
  const uint32_t offset = chunks_.back() + used_++;
  tables_.Write(offset, 0, quad);
  return offset;
}

}  // namespace assay::gpuav
