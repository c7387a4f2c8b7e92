// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_MEMORY_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_MEMORY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::model {

// Device addresses of buffers, by name.
using Addresses = std::map<std::string, uint64_t, std::less<>>;

// Bytes with a device address. Of an inline uniform block, and of push constants, the name is empty, and there is no
// address.
struct ModelBuffer {
  std::string name;
  uint64_t address = 0;
  std::vector<uint8_t> bytes;
  bool is_live = true;
};

struct ModelImage {
  corpus::ImageDescription description;
  std::vector<uint8_t> bytes;
  bool is_live = true;
};

// What a shader finds at a descriptor.
struct Descriptor {
  // Why it must not be accessed. If there is a reason, nothing else is set.
  std::optional<corpus::FaultKind> fault;
  // Of a buffer or texel buffer, whose range is [offset, offset + range) of the buffer.
  ModelBuffer* buffer = nullptr;
  uint64_t offset = 0;
  uint64_t range = 0;
  VkFormat format = VK_FORMAT_UNDEFINED;
  // Of an image.
  ModelImage* image = nullptr;
  VkImageViewType view_type = VK_IMAGE_VIEW_TYPE_2D;
  uint32_t first_level = 0;
  uint32_t levels = 1;
};

// All memory that an invocation shares with others of its run and with the host: a setup, as bytes.
class Memory {
 public:
  // Buffers that `addresses` lacks get addresses that are far from one another. InvalidArgument if the setup names what
  // it does not have.
  static absl::StatusOr<Memory> Make(const corpus::Setup& setup, const Addresses& addresses);

  // The descriptor. A binding that the setup does not have was not written.
  Descriptor Find(uint32_t set, uint32_t binding, uint64_t index);
  ModelBuffer& push_constants() { return push_constants_; }
  // A live buffer that has all of [address, address + size); null if there is none.
  ModelBuffer* FindAddress(uint64_t address, uint64_t size);

  // In the order of the setup.
  const std::vector<ModelBuffer>& buffers() const { return buffers_; }
  const std::vector<ModelImage>& images() const { return images_; }

 private:
  absl::Status Fill(std::vector<uint8_t>& bytes, const corpus::Contents& contents) const;
  bool IsDestroyed(std::string_view resource) const;
  Descriptor FindElement(const corpus::BindingDescription& binding, const corpus::Element& element);

  std::vector<corpus::BindingDescription> bindings_;
  std::vector<ModelBuffer> buffers_;
  std::vector<ModelImage> images_;
  // By binding; empty for others.
  std::vector<ModelBuffer> inline_blocks_;
  ModelBuffer push_constants_;
};

// Reads and writes the low `width` bits, at an offset within the bytes.
uint64_t ReadBits(const std::vector<uint8_t>& bytes, uint64_t offset, uint32_t width);
void WriteBits(std::vector<uint8_t>& bytes, uint64_t offset, uint32_t width, uint64_t value);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_MEMORY_H_
