// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Images and texel buffers: SPIR-V, "Image Instructions".

#include <algorithm>
#include <utility>

#include "spirv_instrument/model/interpreter/invocation.h"

namespace assay::spirv_instrument::model {

bool Invocation::ExecuteImage(Instruction instruction) {
  switch (instruction.op()) {
    case spv::Op::OpImage:
      SetResult(instruction, ValueOf(instruction.id(0)));
      return true;
    case spv::Op::OpImageFetch:
    case spv::Op::OpImageRead:
    case spv::Op::OpImageWrite:
      AccessTexel(instruction);
      return true;
    case spv::Op::OpImageTexelPointer: {
      Pointer pointer = PointerOf(instruction.id(0));
      pointer.space = Pointer::Space::kTexel;
      pointer.coordinates = ReadTexelAddress(instruction, 1, instruction.operand_count()).coordinates;
      pointer.sample = static_cast<uint32_t>(ScalarOf(instruction.id(2)));
      SetResult(instruction, {{}, pointer});
      return true;
    }
    case spv::Op::OpImageQuerySize:
    case spv::Op::OpImageQuerySizeLod:
    case spv::Op::OpImageQueryLevels:
    case spv::Op::OpImageQuerySamples:
      QueryImage(instruction);
      return true;
    default:
      return false;
  }
}

TexelAddress Invocation::ReadTexelAddress(Instruction instruction, size_t coordinate, size_t image_operands) {
  TexelAddress address;
  const Type& type = declarations_.ScalarOf(declarations_.TypeOf(instruction.id(coordinate)));
  const Cells cells = ValueOf(instruction.id(coordinate)).cells;
  for (size_t i = 0; i < cells.size() && i < address.coordinates.size(); ++i) {
    // Large unsigned coordinates are outside as negative ones are.
    address.coordinates[i] = SignExtend(cells[i], type.width);
  }
  if (image_operands >= instruction.operand_count()) return address;
  const uint32_t mask = instruction.literal(image_operands);
  size_t next = image_operands + 1;
  constexpr uint32_t kLod = static_cast<uint32_t>(spv::ImageOperandsMask::Lod);
  constexpr uint32_t kSample = static_cast<uint32_t>(spv::ImageOperandsMask::Sample);
  // What does not say where the texel is: SignExtend, ZeroExtend, NonPrivateTexel, VolatileTexel, Nontemporal.
  constexpr uint32_t kOthers = 0x1000 | 0x2000 | 0x400 | 0x800 | 0x4000;
  if ((mask & ~(kLod | kSample | kOthers)) != 0) Unimplemented(instruction);
  if ((mask & kLod) != 0) address.level = static_cast<uint32_t>(ScalarOf(instruction.id(next++)));
  if ((mask & kSample) != 0) address.sample = static_cast<uint32_t>(ScalarOf(instruction.id(next)));
  return address;
}

Access Invocation::JudgeTexel(Instruction instruction, const Pointer& image, const TexelAddress& address) {
  Access access = {
      .instruction = instruction.index(), .set = image.set, .binding = image.binding, .index = image.index};
  for (const int64_t coordinate : address.coordinates) {
    access.begin = access.begin << 21 ^ static_cast<uint64_t>(coordinate);
  }
  access.end = uint64_t{address.level} << 32 | address.sample;
  const Descriptor descriptor = memory_.Find(image.set, image.binding, image.index);
  if (descriptor.fault) {
    access.faults.Add(*descriptor.fault);
    return access;
  }
  const bool is_buffer = descriptor.buffer != nullptr;
  const std::optional<TexelFormat> format =
      FindTexelFormat(is_buffer ? descriptor.format : descriptor.image->description.format);
  if (!format) {
    Fail(absl::UnimplementedError("the format of an image"));
  } else if (!FindTexel(descriptor, *format, address)) {
    access.faults.Add(is_buffer ? corpus::FaultKind::kBufferBounds : corpus::FaultKind::kImageCoordinate);
  }
  return access;
}

std::vector<uint8_t>* Invocation::TexelBytes(const Pointer& image, const TexelAddress& address, uint64_t& offset,
                                             TexelFormat& format) {
  const Descriptor descriptor = memory_.Find(image.set, image.binding, image.index);
  if (descriptor.fault) return nullptr;
  const bool is_buffer = descriptor.buffer != nullptr;
  const std::optional<TexelFormat> found =
      FindTexelFormat(is_buffer ? descriptor.format : descriptor.image->description.format);
  if (!found) return nullptr;
  format = *found;
  const std::optional<uint64_t> at = FindTexel(descriptor, format, address);
  if (!at) return nullptr;
  offset = *at;
  return is_buffer ? &descriptor.buffer->bytes : &descriptor.image->bytes;
}

void Invocation::AccessTexel(Instruction instruction) {
  const bool writes = instruction.op() == spv::Op::OpImageWrite;
  const Pointer image = ValueOf(instruction.id(0)).pointer;
  if (image.space != Pointer::Space::kDescriptor) return Unimplemented(instruction);
  const TexelAddress address = ReadTexelAddress(instruction, 1, writes ? 3 : 2);
  const bool is_executed = log_.Note(frame().accesses, JudgeTexel(instruction, image, address));
  const uint32_t components = declarations_.TypeWithId(instruction.type_id()).cells;
  const bool is_null = memory_.Find(image.set, image.binding, image.index).fault.has_value();
  if (!is_executed || is_null || !status_.ok()) {
    return writes ? void() : SetCells(instruction, Cells(components, 0));
  }
  uint64_t offset = 0;
  TexelFormat format;
  std::vector<uint8_t>* bytes = TexelBytes(image, address, offset, format);
  if (bytes == nullptr) return Unimplemented(instruction);
  if (!writes) {
    const std::array<uint32_t, 4> texel = ReadTexel(*bytes, offset, format);
    Cells cells(texel.begin(), texel.end());
    cells.resize(components);
    return SetCells(instruction, std::move(cells));
  }
  const Cells cells = ValueOf(instruction.id(2)).cells;
  std::array<uint32_t, 4> texel = {};
  for (size_t i = 0; i < cells.size() && i < texel.size(); ++i) texel[i] = static_cast<uint32_t>(cells[i]);
  WriteTexel(*bytes, offset, format, texel);
}

void Invocation::QueryImage(Instruction instruction) {
  const Pointer image = ValueOf(instruction.id(0)).pointer;
  const Type& result = declarations_.TypeWithId(instruction.type_id());
  const Descriptor descriptor = memory_.Find(image.set, image.binding, image.index);
  Access access = {
      .instruction = instruction.index(), .set = image.set, .binding = image.binding, .index = image.index};
  if (descriptor.fault) access.faults.Add(*descriptor.fault);
  if (!log_.Note(frame().accesses, access) || descriptor.fault) {
    return SetCells(instruction, Cells(result.cells, 0));
  }
  if (descriptor.buffer != nullptr) {
    const std::optional<TexelFormat> format = FindTexelFormat(descriptor.format);
    if (!format || instruction.op() != spv::Op::OpImageQuerySize) return Unimplemented(instruction);
    return SetCells(instruction, {descriptor.range / format->bytes()});
  }
  const corpus::ImageDescription& description = descriptor.image->description;
  if (instruction.op() == spv::Op::OpImageQueryLevels) return SetCells(instruction, {descriptor.levels});
  if (instruction.op() == spv::Op::OpImageQuerySamples) {
    return SetCells(instruction, {static_cast<uint64_t>(description.samples)});
  }
  uint64_t level = descriptor.first_level;
  if (instruction.op() == spv::Op::OpImageQuerySizeLod) {
    const uint64_t lod = ScalarOf(instruction.id(1));
    if (lod >= descriptor.levels) return Undefined("size of a level that an image does not have");
    level += lod;
  }
  const Type& type = declarations_.TypeOf(instruction.id(0));
  const uint32_t dimensions = type.dimension == spv::Dim::Dim1D ? 1 : type.dimension == spv::Dim::Dim3D ? 3 : 2;
  const std::array<uint32_t, 3> extent = {description.extent.width, description.extent.height,
                                          description.extent.depth};
  Cells cells;
  for (uint32_t i = 0; i < dimensions; ++i) cells.push_back(std::max<uint64_t>(extent[i] >> level, 1));
  if (type.is_arrayed) cells.push_back(description.layers / (type.dimension == spv::Dim::Cube ? 6 : 1));
  if (cells.size() != result.cells) return Unimplemented(instruction);
  SetCells(instruction, std::move(cells));
}

}  // namespace assay::spirv_instrument::model
