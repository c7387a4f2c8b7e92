// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Constant operands of image operations, and images that do not fit.

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"
#include "spirv_instrument/grammar/grammar.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Op;
using vk::Vuid;

namespace {

constexpr uint32_t kBias = 1, kLod = 2, kGrad = 4, kConstOffset = 8, kOffset = 0x10, kConstOffsets = 0x20;

// The operand with the mask of image operands.
size_t MaskOperand(Op op) {
  switch (op) {
    case Op::OpImageSampleDrefImplicitLod:
    case Op::OpImageSampleDrefExplicitLod:
    case Op::OpImageSampleProjDrefImplicitLod:
    case Op::OpImageSampleProjDrefExplicitLod:
    case Op::OpImageSparseSampleDrefImplicitLod:
    case Op::OpImageSparseSampleDrefExplicitLod:
    case Op::OpImageGather:
    case Op::OpImageDrefGather:
    case Op::OpImageSparseGather:
    case Op::OpImageSparseDrefGather:
      return 3;
    default:
      return 2;
  }
}

bool IsGather(Op op) {
  return op == Op::OpImageGather || op == Op::OpImageDrefGather || op == Op::OpImageSparseGather ||
         op == Op::OpImageSparseDrefGather;
}

// Those of an offset, or of each of an array of offsets.
std::vector<int64_t> ConstantOffsets(StageReader& reader, Id id) {
  const Instruction constant = reader.module.Find(id);
  if (reader.module.Find(constant.type_id()).op() != Op::OpTypeArray) return IntegersOf(reader, id);
  std::vector<int64_t> values;
  if (constant.op() != Op::OpConstantComposite && constant.op() != Op::OpSpecConstantComposite) return values;
  for (size_t i = 0; i < constant.operand_count() && i < 4; ++i) {
    for (int64_t value : IntegersOf(reader, constant.id(i))) values.push_back(value);
  }
  return values;
}

void CheckOffset(StageReader& reader, Instruction instruction, Id offset) {
  const VkPhysicalDeviceLimits& limits = reader.device.physical_device->properties.limits;
  const bool is_gather = IsGather(instruction.op());
  const int64_t least = is_gather ? limits.minTexelGatherOffset : limits.minTexelOffset;
  const int64_t most = is_gather ? limits.maxTexelGatherOffset : limits.maxTexelOffset;
  // What the driver does not say.
  if (least == 0 && most == 0) return;
  for (int64_t value : ConstantOffsets(reader, offset)) {
    if (value < least) {
      reader.Add(is_gather ? Vuid("VUID-RuntimeSpirv-OpImage-06376") : Vuid("VUID-RuntimeSpirv-OpImageSample-06435"),
                 absl::StrCat("has ", reader.Name(instruction), " with an offset (", value, ") below ",
                              is_gather ? "minTexelGatherOffset" : "minTexelOffset", " (", least, ")."));
    } else if (value > most) {
      reader.Add(is_gather ? Vuid("VUID-RuntimeSpirv-OpImage-06377") : Vuid("VUID-RuntimeSpirv-OpImageSample-06436"),
                 absl::StrCat("has ", reader.Name(instruction), " with an offset (", value, ") above ",
                              is_gather ? "maxTexelGatherOffset" : "maxTexelOffset", " (", most, ")."));
    }
  }
}

// The components of an image format of SPIR-V, by its name.
uint32_t ComponentsOf(std::string_view format) {
  if (format.starts_with("Rgba") || format.starts_with("Rgb10")) return 4;
  if (format.starts_with("R11f")) return 3;
  return format.starts_with("Rg") ? 2 : 1;
}

// The image of an operand that is an image or a sampled image; null without.
Instruction ImageTypeOf(const StageReader& reader, Id operand) {
  Instruction type = reader.module.module().TypeOf(operand);
  if (type.op() == Op::OpTypeSampledImage) type = reader.module.Find(type.id(0));
  return type.op() == Op::OpTypeImage ? type : Instruction();
}

// An image of VK_QCOM_image_processing: of two dimensions, and sampled.
void CheckProcessedImage(StageReader& reader, Instruction instruction, size_t operand, uint32_t arrayed,
                         vk::VuidIndex vuid) {
  const Instruction type = ImageTypeOf(reader, instruction.id(operand));
  if (!type) return;
  const bool is_right = type.enumerant<spv::Dim>(1) == spv::Dim::Dim2D && type.literal(2) != 1 &&
                        type.literal(3) == arrayed && type.literal(4) == 0 && type.literal(5) == 1;
  if (is_right) return;
  reader.Add(vuid, absl::StrCat("has ", reader.Name(instruction), " on an image that is not ",
                                arrayed != 0 ? "an array of color images" : "a single color image",
                                " of two dimensions that is sampled."));
}

void CheckBlockSize(StageReader& reader, Instruction instruction, vk::VuidIndex vuid) {
  const auto* limits = reader.Properties<VkPhysicalDeviceImageProcessingPropertiesQCOM>();
  const std::vector<int64_t> size = IntegersOf(reader, instruction.id(4));
  if (limits == nullptr || size.size() != 2) return;
  const VkExtent2D most = limits->maxBlockMatchRegion;
  const std::string name = reader.Name(instruction);
  reader.CheckLimit(vuid, static_cast<uint32_t>(size[0]), most.width, absl::StrCat(name, " with a block width"),
                    "maxBlockMatchRegion.width");
  reader.CheckLimit(vuid, static_cast<uint32_t>(size[1]), most.height, absl::StrCat(name, " with a block height"),
                    "maxBlockMatchRegion.height");
}

void CheckBoxFilter(StageReader& reader, Instruction instruction) {
  const auto* limits = reader.Properties<VkPhysicalDeviceImageProcessingPropertiesQCOM>();
  const std::vector<float> size = FloatsOf(reader, instruction.id(2));
  if (limits == nullptr || size.size() != 2 || limits->maxBoxFilterBlockSize.height == 0) return;
  const uint32_t most = limits->maxBoxFilterBlockSize.height;
  if (size[1] >= 1 && size[1] <= static_cast<float>(most)) return;
  reader.Add(Vuid("VUID-RuntimeSpirv-OpImageBoxFilterQCOM-06989"),
             absl::StrCat("has ", reader.Name(instruction), " with a box height (", size[1],
                          ") that is not from 1 to maxBoxFilterBlockSize.height (", most, ")."));
}

// Whether fragments may cover several pixels.
bool MayHaveLargeFragments(const StageReader& reader) {
  using enum vk::FeatureId;
  return reader.HasAny({kPipelineFragmentShadingRate, kPrimitiveFragmentShadingRate, kAttachmentFragmentShadingRate,
                        kFragmentDensityMap, kShadingRateImage});
}

}  // namespace

void CheckImageOperation(StageReader& reader, Instruction instruction) {
  size_t operand = MaskOperand(instruction.op());
  const uint32_t mask = instruction.literal(operand++);
  if ((mask & kBias) != 0) ++operand;
  if ((mask & kLod) != 0) ++operand;
  if ((mask & kGrad) != 0) operand += 2;
  for (uint32_t bit : {kConstOffset, kOffset, kConstOffsets}) {
    if ((mask & bit) != 0) CheckOffset(reader, instruction, instruction.id(operand++));
  }
}

void CheckImageWrite(StageReader& reader, Instruction instruction) {
  const Instruction type = reader.module.module().TypeOf(instruction.id(0));
  if (type.op() != Op::OpTypeImage || type.enumerant<spv::ImageFormat>(6) == spv::ImageFormat::Unknown) return;
  const auto* const format =
      spirv_instrument::FindEnumerant(spirv_instrument::OperandKind::kImageFormat, type.literal(6));
  if (format == nullptr) return;
  const Instruction texel = reader.module.module().TypeOf(instruction.id(2));
  if (texel.op() == Op::OpNop) return;
  const uint32_t has = texel.op() == Op::OpTypeVector ? texel.literal(1) : 1;
  const uint32_t needs = ComponentsOf(format->name);
  if (has >= needs) return;
  reader.Add(Vuid("VUID-RuntimeSpirv-OpImageWrite-07112"),
             absl::StrCat("has ", reader.Name(instruction), " of ", has, " components to an image of the format ",
                          format->name, ", which has ", needs, "."));
}

void CheckImageProcessing(StageReader& reader, Instruction instruction) {
  const Op op = instruction.op();
  if (op == Op::OpImageBoxFilterQCOM) return CheckBoxFilter(reader, instruction);
  if (op == Op::OpImageSampleWeightedQCOM) {
    return CheckProcessedImage(reader, instruction, 2, 1, Vuid("VUID-RuntimeSpirv-OpImageWeightedSampleQCOM-06980"));
  }
  const bool is_first = op == Op::OpImageBlockMatchSADQCOM || op == Op::OpImageBlockMatchSSDQCOM;
  const vk::VuidIndex type = is_first ? Vuid("VUID-RuntimeSpirv-OpImageBlockMatchSSDQCOM-06983")
                                      : Vuid("VUID-RuntimeSpirv-OpImageBlockMatchWindow-09220");
  CheckProcessedImage(reader, instruction, 0, 0, type);
  CheckProcessedImage(reader, instruction, 2, 0, type);
  CheckBlockSize(reader, instruction,
                 is_first ? Vuid("VUID-RuntimeSpirv-OpImageBlockMatchSSDQCOM-06988")
                          : Vuid("VUID-RuntimeSpirv-maxBlockMatchRegion-09225"));
}

void CheckInterpolation(StageReader& reader, Instruction instruction) {
  if (MayHaveLargeFragments(reader)) return;
  const VkPhysicalDeviceLimits& limits = reader.device.physical_device->properties.limits;
  // What the driver does not say. The width of a fragment is 1, so that the most that is allowed is the limit.
  if (limits.minInterpolationOffset == 0 && limits.maxInterpolationOffset == 0) return;
  constexpr vk::VuidIndex kIds[2][2] = {
      {Vuid("VUID-RuntimeSpirv-Offset-06344"), Vuid("VUID-RuntimeSpirv-Offset-06345")},
      {Vuid("VUID-RuntimeSpirv-Offset-06346"), Vuid("VUID-RuntimeSpirv-Offset-06347")}};
  const std::vector<float> offset = FloatsOf(reader, instruction.id(3));
  if (offset.size() != std::size(kIds)) return;
  for (size_t i = 0; i < offset.size(); ++i) {
    if (offset[i] < limits.minInterpolationOffset) {
      reader.Add(kIds[i][0], absl::StrCat("has ", reader.Name(instruction), " with an offset (", offset[i],
                                          ") below minInterpolationOffset (", limits.minInterpolationOffset, ")."));
    } else if (offset[i] > limits.maxInterpolationOffset) {
      reader.Add(kIds[i][1], absl::StrCat("has ", reader.Name(instruction), " with an offset (", offset[i],
                                          ") above maxInterpolationOffset (", limits.maxInterpolationOffset, ")."));
    }
  }
}

}  // namespace assay::core
