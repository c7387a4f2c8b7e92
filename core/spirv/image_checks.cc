// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The types of images, offsets into them, and how input attachments and tile images are declared and read.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/spirv/module_reader.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/sections.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Function;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Section;
using spv::Dim;
using spv::ExecutionModel;
using spv::ImageFormat;
using spv::Op;
using spv::StorageClass;

namespace {

// ---- "Image Format and Type Matching".

enum class Sampled { kFloat, kInt, kUint, kInt64, kUint64 };

std::optional<Sampled> SampledOf(ImageFormat format) {
  switch (format) {
    case ImageFormat::Rgba32f:
    case ImageFormat::Rgba16f:
    case ImageFormat::R32f:
    case ImageFormat::Rgba8:
    case ImageFormat::Rgba8Snorm:
    case ImageFormat::Rg32f:
    case ImageFormat::Rg16f:
    case ImageFormat::R11fG11fB10f:
    case ImageFormat::R16f:
    case ImageFormat::Rgba16:
    case ImageFormat::Rgb10A2:
    case ImageFormat::Rg16:
    case ImageFormat::Rg8:
    case ImageFormat::R16:
    case ImageFormat::R8:
    case ImageFormat::Rgba16Snorm:
    case ImageFormat::Rg16Snorm:
    case ImageFormat::Rg8Snorm:
    case ImageFormat::R16Snorm:
    case ImageFormat::R8Snorm:
      return Sampled::kFloat;
    case ImageFormat::Rgba32i:
    case ImageFormat::Rgba16i:
    case ImageFormat::Rgba8i:
    case ImageFormat::R32i:
    case ImageFormat::Rg32i:
    case ImageFormat::Rg16i:
    case ImageFormat::Rg8i:
    case ImageFormat::R16i:
    case ImageFormat::R8i:
      return Sampled::kInt;
    case ImageFormat::Rgba32ui:
    case ImageFormat::Rgba16ui:
    case ImageFormat::Rgba8ui:
    case ImageFormat::R32ui:
    case ImageFormat::Rgb10a2ui:
    case ImageFormat::Rg32ui:
    case ImageFormat::Rg16ui:
    case ImageFormat::Rg8ui:
    case ImageFormat::R16ui:
    case ImageFormat::R8ui:
      return Sampled::kUint;
    case ImageFormat::R64i:
      return Sampled::kInt64;
    case ImageFormat::R64ui:
      return Sampled::kUint64;
    default:
      return std::nullopt;
  }
}

std::optional<Sampled> SampledOf(Instruction type) {
  if (type.op() == Op::OpTypeFloat) return Sampled::kFloat;
  if (type.op() != Op::OpTypeInt) return std::nullopt;
  const bool is_signed = type.literal(1) != 0;
  if (type.literal(0) == 64) return is_signed ? Sampled::kInt64 : Sampled::kUint64;
  return is_signed ? Sampled::kInt : Sampled::kUint;
}

void CheckFormat(ModuleReader& reader, Instruction image) {
  const std::optional<Sampled> format = SampledOf(image.enumerant<ImageFormat>(6));
  const std::optional<Sampled> sampled = SampledOf(reader.Find(image.id(0)));
  if (!format || !sampled || *format == *sampled) return;
  reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-Image-04965"),
                        "The format of an image has another numeric type, sign or width than its Sampled Type.", image);
}

// ---- Offsets.

// Reads and writes of storage images with an offset, which sampled images alone have.
void CheckStorageOffsets(ModuleReader& reader) {
  constexpr auto kOffsets = static_cast<uint32_t>(spv::ImageOperandsMask::Offset | spv::ImageOperandsMask::ConstOffset |
                                                  spv::ImageOperandsMask::ConstOffsets);
  for (Function function : reader.module().functions()) {
    for (Instruction instruction : function.instructions()) {
      const bool is_write = instruction.op() == Op::OpImageWrite;
      if (!is_write && instruction.op() != Op::OpImageRead && instruction.op() != Op::OpImageSparseRead) continue;
      if ((instruction.literal(is_write ? 3 : 2) & kOffsets) == 0) continue;
      const Instruction image = reader.module().TypeOf(instruction.id(0));
      if (image.op() != Op::OpTypeImage || image.literal(5) == 1) continue;
      reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-Offset-04865"),
                            "A storage image is accessed with an offset.", instruction);
    }
  }
}

// ---- Input attachments.

// Whether all components are zero; true where specialization may decide.
bool MayBeOrigin(const ModuleReader& reader, Id id) {
  const Instruction point = reader.Find(id);
  if (point.op() == Op::OpConstantNull || spirv_instrument::IsSpecializationConstant(point.op())) return true;
  if (point.op() != Op::OpConstantComposite) return false;
  for (size_t i = 0; i < point.operand_count(); ++i) {
    const Instruction component = reader.Find(point.id(i));
    if (component.op() == Op::OpConstantNull || spirv_instrument::IsSpecializationConstant(component.op())) continue;
    const auto words = component.operands();
    if (std::any_of(words.begin(), words.end(), [](uint32_t word) { return word != 0; })) return false;
  }
  return true;
}

void CheckAttachmentReads(ModuleReader& reader) {
  if (!reader.HasCapability(spv::Capability::InputAttachment)) return;
  for (Function function : reader.module().functions()) {
    for (Instruction instruction : function.instructions()) {
      if (instruction.op() != Op::OpImageRead && instruction.op() != Op::OpImageSparseRead) continue;
      const Instruction image = reader.module().TypeOf(instruction.id(0));
      if (image.op() != Op::OpTypeImage || image.enumerant<Dim>(1) != Dim::SubpassData) continue;
      if (MayBeOrigin(reader, instruction.id(1))) continue;
      reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-SubpassData-04660"),
                            "An input attachment is read with coordinates that are no constant (0,0).", instruction);
    }
  }
}

}  // namespace

void CheckImages(ModuleReader& reader) {
  bool has_storage_images = false;
  for (Instruction type : reader.module().section(Section::kGlobals)) {
    if (type.op() != Op::OpTypeImage) continue;
    CheckFormat(reader, type);
    has_storage_images |= type.literal(5) == 2;
  }
  if (has_storage_images) CheckStorageOffsets(reader);
  CheckAttachmentReads(reader);
}

void CheckTileImages(ModuleReader& reader) {
  for (Instruction variable : reader.module().section(Section::kGlobals)) {
    if (variable.op() != Op::OpVariable || variable.enumerant<StorageClass>(0) != StorageClass::TileImageEXT) continue;
    const Instruction type = reader.WithoutArrays(reader.PointeeOf(variable));
    if (type.op() == Op::OpTypeImage && type.enumerant<Dim>(1) == Dim::TileImageDataEXT) continue;
    reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-None-08724"),
                          "A variable with storage class TileImageEXT is no tile image.", variable);
  }
  for (const EntryPointUse& use : reader.entry_points()) {
    // By location.
    absl::flat_hash_map<uint32_t, Id> owners;
    for (Id id : use.variables) {
      const Instruction variable = reader.Find(id);
      if (variable.enumerant<StorageClass>(0) != StorageClass::TileImageEXT) continue;
      if (!use.Is(ExecutionModel::Fragment)) {
        reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-None-08720"),
                              absl::StrCat("A tile image is used by ", NameOf(use), ", which is no fragment shader."),
                              variable);
        continue;
      }
      const auto location = reader.decorations().Find(id, spv::Decoration::Location);
      if (!location) continue;
      if (!owners.try_emplace(location->parameter(0), id).second) {
        reader.findings().Add(
            vk::Vuid("VUID-StandaloneSpirv-TileImageEXT-08723"),
            absl::StrCat("Two tile images of ", NameOf(use), " have the location ", location->parameter(0), "."),
            variable);
      }
    }
  }
}

}  // namespace assay::core
