// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/interpreter/memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/model/interpreter/texels.h"

namespace assay::spirv_instrument::model {
namespace {

constexpr uint64_t kFirstAddress = uint64_t{1} << 32;
constexpr uint64_t kAddressesApart = uint64_t{1} << 24;

template <typename T>
T* FindByName(std::vector<T>& list, std::string_view name) {
  const auto name_of = [](const T& item) -> std::string_view {
    if constexpr (requires { item.name; }) {
      return item.name;
    } else {
      return item.description.name;
    }
  };
  auto found = std::ranges::find(list, name, name_of);
  return found == list.end() ? nullptr : &*found;
}

bool IsDynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

}  // namespace

absl::StatusOr<Memory> Memory::Make(const corpus::Setup& setup, const Addresses& addresses) {
  Memory memory;
  memory.bindings_ = setup.bindings;
  for (const corpus::BufferDescription& description : setup.buffers) {
    const auto given = addresses.find(description.name);
    const uint64_t address =
        given != addresses.end() ? given->second : kFirstAddress + memory.buffers_.size() * kAddressesApart;
    memory.buffers_.push_back({.name = description.name,
                               .address = address,
                               .bytes = std::vector<uint8_t>(description.size),
                               .is_live = !memory.IsDestroyed(description.name)});
  }
  for (size_t i = 0; i < setup.buffers.size(); ++i) {
    absl::Status status = memory.Fill(memory.buffers_[i].bytes, setup.buffers[i].contents);
    if (!status.ok()) return status;
  }
  for (const corpus::ImageDescription& description : setup.images) {
    ModelImage image = {.description = description, .is_live = !memory.IsDestroyed(description.name)};
    const std::optional<TexelFormat> format = FindTexelFormat(description.format);
    if (format) image.bytes.resize(BytesOfImage(description, *format));
    absl::Status status = memory.Fill(image.bytes, description.contents);
    if (!status.ok()) return status;
    memory.images_.push_back(std::move(image));
  }
  for (const corpus::BindingDescription& binding : setup.bindings) {
    ModelBuffer block;
    if (binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      block.bytes.resize(binding.count);
      absl::Status status = memory.Fill(block.bytes, binding.inline_contents);
      if (!status.ok()) return status;
    }
    memory.inline_blocks_.push_back(std::move(block));
  }
  absl::Status status = memory.Fill(memory.push_constants_.bytes, setup.push_constants);
  if (!status.ok()) return status;
  return memory;
}

absl::Status Memory::Fill(std::vector<uint8_t>& bytes, const corpus::Contents& contents) const {
  if (bytes.size() < contents.bytes.size()) bytes.resize(contents.bytes.size());
  std::ranges::copy(contents.bytes, bytes.begin());
  for (const corpus::AddressInContents& address : contents.addresses) {
    const auto found = std::ranges::find(buffers_, address.buffer, &ModelBuffer::name);
    if (found == buffers_.end() || address.offset + 8 > bytes.size()) {
      return absl::InvalidArgumentError(absl::StrCat("there is no place for the address of ", address.buffer));
    }
    WriteBits(bytes, address.offset, 64, found->address + static_cast<uint64_t>(address.addend));
  }
  return absl::OkStatus();
}

bool Memory::IsDestroyed(std::string_view resource) const {
  for (const corpus::BindingDescription& binding : bindings_) {
    for (const corpus::Element& element : binding.elements) {
      if (element.state == corpus::Element::State::kDestroyed && element.resource == resource) return true;
    }
  }
  return false;
}

Descriptor Memory::Find(uint32_t set, uint32_t binding, uint64_t index) {
  for (size_t i = 0; i < bindings_.size(); ++i) {
    const corpus::BindingDescription& description = bindings_[i];
    if (description.set != set || description.binding != binding) continue;
    if (description.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      return {.buffer = &inline_blocks_[i], .range = inline_blocks_[i].bytes.size()};
    }
    const uint64_t count = description.is_variable ? description.elements.size() : description.count;
    if (index >= count) return {.fault = corpus::FaultKind::kDescriptorIndex};
    if (index >= description.elements.size()) return {.fault = corpus::FaultKind::kDescriptorUnwritten};
    return FindElement(description, description.elements[index]);
  }
  return {.fault = corpus::FaultKind::kDescriptorUnwritten};
}

Descriptor Memory::FindElement(const corpus::BindingDescription& binding, const corpus::Element& element) {
  if (element.state == corpus::Element::State::kUnwritten) return {.fault = corpus::FaultKind::kDescriptorUnwritten};
  if (element.state == corpus::Element::State::kNull) return {.fault = corpus::FaultKind::kDescriptorNull};
  if (ModelBuffer* buffer = FindByName(buffers_, element.resource); buffer != nullptr) {
    if (!buffer->is_live) return {.fault = corpus::FaultKind::kDescriptorDestroyed};
    const uint64_t rest = buffer->bytes.size() - std::min<uint64_t>(element.offset, buffer->bytes.size());
    const uint32_t dynamic_offset = IsDynamic(binding.type) ? element.dynamic_offset : 0;
    return {.buffer = buffer,
            .offset = element.offset + dynamic_offset,
            .range = element.range == VK_WHOLE_SIZE ? rest : element.range,
            .format = element.format};
  }
  if (ModelImage* image = FindByName(images_, element.resource); image != nullptr) {
    if (!image->is_live) return {.fault = corpus::FaultKind::kDescriptorDestroyed};
    const VkDescriptorType type = element.type == VK_DESCRIPTOR_TYPE_MAX_ENUM ? binding.type : element.type;
    const bool has_all = element.all_levels && type != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    const bool has_view_type = element.view_type != VK_IMAGE_VIEW_TYPE_MAX_ENUM;
    return {.image = image,
            .view_type = has_view_type ? element.view_type : image->description.type,
            .first_level = element.level,
            .levels = has_all ? image->description.levels - element.level : 1};
  }
  return {.fault = corpus::FaultKind::kDescriptorUnwritten};
}

ModelBuffer* Memory::FindAddress(uint64_t address, uint64_t size) {
  ModelBuffer* best = nullptr;
  for (ModelBuffer& buffer : buffers_) {
    if (!buffer.is_live || address < buffer.address) continue;
    const uint64_t offset = address - buffer.address;
    if (offset > buffer.bytes.size() || size > buffer.bytes.size() - offset || offset == buffer.bytes.size()) continue;
    best = &buffer;
  }
  return best;
}

uint64_t ReadBits(const std::vector<uint8_t>& bytes, uint64_t offset, uint32_t width) {
  uint64_t value = 0;
  if (offset > bytes.size() || width / 8 > bytes.size() - offset) return 0;
  std::memcpy(&value, bytes.data() + offset, width / 8);
  return value;
}

void WriteBits(std::vector<uint8_t>& bytes, uint64_t offset, uint32_t width, uint64_t value) {
  if (offset > bytes.size() || width / 8 > bytes.size() - offset) return;
  std::memcpy(bytes.data() + offset, &value, width / 8);
}

}  // namespace assay::spirv_instrument::model
