// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Constant operands of image and ray operations.

#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"

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

// The integers that a constant is made of.
void CollectIntegers(StageReader& reader, Id id, int depth, std::vector<int64_t>& out) {
  const Instruction constant = reader.module.Find(id);
  if (constant.op() == Op::OpConstantComposite || constant.op() == Op::OpSpecConstantComposite) {
    for (size_t i = 0; i < constant.operand_count() && i < 8 && depth < 3; ++i) {
      CollectIntegers(reader, constant.id(i), depth + 1, out);
    }
  } else if (const auto value = reader.EvaluateSigned(id)) {
    out.push_back(*value);
  }
}

void CheckOffset(StageReader& reader, Instruction instruction, Id offset) {
  const VkPhysicalDeviceLimits& limits = reader.device.physical_device->properties.limits;
  const bool is_gather = IsGather(instruction.op());
  const int64_t least = is_gather ? limits.minTexelGatherOffset : limits.minTexelOffset;
  const int64_t most = is_gather ? limits.maxTexelGatherOffset : limits.maxTexelOffset;
  // What the driver does not say.
  if (least == 0 && most == 0) return;
  std::vector<int64_t> values;
  CollectIntegers(reader, offset, 0, values);
  for (int64_t value : values) {
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

struct RayIds {
  Op op;
  // Operands; the minimum follows the origin, then direction and maximum.
  size_t flags;
  size_t origin;
  vk::VuidIndex not_finite;
  vk::VuidIndex negative;
  vk::VuidIndex order;
  vk::VuidIndex not_number;
  vk::VuidIndex skips_both;
  vk::VuidIndex culls;
  vk::VuidIndex opacities;
};
constexpr RayIds kRays[] = {
    {.op = Op::OpRayQueryInitializeKHR,
     .flags = 2,
     .origin = 4,
     .not_finite = Vuid("VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06348"),
     .negative = Vuid("VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06349"),
     .order = Vuid("VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06350"),
     .not_number = Vuid("VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06351"),
     .skips_both = Vuid("VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06889"),
     .culls = Vuid("VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06890"),
     .opacities = Vuid("VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06891")},
    {.op = Op::OpTraceRayKHR,
     .flags = 1,
     .origin = 6,
     .not_finite = Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06355"),
     .negative = Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06356"),
     .order = Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06357"),
     .not_number = Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06358"),
     .skips_both = Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06552"),
     .culls = Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06892"),
     .opacities = Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06893")},
};

// The floats of a constant of 32 bits, or of a vector of them. Empty for what is not constant.
std::vector<float> Floats(const StageReader& reader, Id id) {
  const Instruction constant = reader.module.Find(id);
  std::vector<float> values;
  if (constant.op() == Op::OpConstant) {
    const Instruction type = reader.module.Find(constant.type_id());
    if (type.op() == Op::OpTypeFloat && type.literal(0) == 32)
      values.push_back(std::bit_cast<float>(constant.literal(0)));
  } else if (constant.op() == Op::OpConstantComposite) {
    for (size_t i = 0; i < constant.operand_count() && i < 4; ++i) {
      const Instruction part = reader.module.Find(constant.id(i));
      if (part.op() == Op::OpConstant) values.push_back(std::bit_cast<float>(part.literal(0)));
    }
  }
  return values;
}

std::optional<float> Float(const StageReader& reader, Id id) {
  const std::vector<float> values = Floats(reader, id);
  return values.size() == 1 ? std::optional<float>(values[0]) : std::nullopt;
}

void CheckRayFlags(StageReader& reader, Instruction instruction, const RayIds& ids) {
  constexpr uint32_t kSkips = 0x300, kCulls = 0x130, kOpacities = 0xc3;
  const auto value = reader.Evaluate(instruction.id(ids.flags));
  if (!value) return;
  const auto flags = static_cast<uint32_t>(*value);
  const auto add = [&](vk::VuidIndex vuid, const char* what) {
    reader.Add(
        vuid, absl::StrCat("has ", reader.Name(instruction), " with ray flags that have more than one of ", what, "."));
  };
  if ((flags & kSkips) == kSkips) add(ids.skips_both, "SkipTrianglesKHR and SkipAABBsKHR");
  if (std::popcount(flags & kCulls) > 1) {
    add(ids.culls, "SkipTrianglesKHR, CullBackFacingTrianglesKHR and CullFrontFacingTrianglesKHR");
  }
  if (std::popcount(flags & kOpacities) > 1) {
    add(ids.opacities, "OpaqueKHR, NoOpaqueKHR, CullOpaqueKHR and CullNoOpaqueKHR");
  }
}

void CheckRay(StageReader& reader, Instruction instruction, const RayIds& ids) {
  CheckRayFlags(reader, instruction, ids);
  const auto add = [&](vk::VuidIndex vuid, std::string_view what) {
    reader.Add(vuid, absl::StrCat("has ", reader.Name(instruction), " with ", what, "."));
  };
  for (size_t i = 0; i < 4; ++i) {
    // Origin, minimum, direction, maximum.
    const bool is_vector = i % 2 == 0;
    for (float value : Floats(reader, instruction.id(ids.origin + i))) {
      if (std::isnan(value)) {
        add(ids.not_number, "an operand that is NaN");
      } else if (is_vector && std::isinf(value)) {
        add(ids.not_finite, "an origin or direction that is not finite");
      } else if (!is_vector && value < 0) {
        add(ids.negative, absl::StrCat("a negative RayTmin or RayTmax (", value, ")"));
      }
    }
  }
  const auto least = Float(reader, instruction.id(ids.origin + 1));
  const auto most = Float(reader, instruction.id(ids.origin + 3));
  if (least && most && *least > *most && *most >= 0) {
    add(ids.order, absl::StrCat("RayTmin (", *least, ") above RayTmax (", *most, ")"));
  }
}

}  // namespace

void CheckImageOperation(StageReader& reader, Instruction instruction) {
  size_t operand = MaskOperand(instruction.op());
  const uint32_t mask = instruction.literal(operand++);
  if ((mask & kOffset) != 0 && !IsGather(instruction.op()) && !reader.Has(vk::FeatureId::kMaintenance8)) {
    reader.Add(Vuid("VUID-RuntimeSpirv-Offset-10213"), absl::StrCat("has ", reader.Name(instruction),
                                                                    " with the image operand Offset, and the feature "
                                                                    "maintenance8 is not enabled."));
  }
  if ((mask & kBias) != 0) ++operand;
  if ((mask & kLod) != 0) ++operand;
  if ((mask & kGrad) != 0) operand += 2;
  for (uint32_t bit : {kConstOffset, kOffset, kConstOffsets}) {
    if ((mask & bit) != 0) CheckOffset(reader, instruction, instruction.id(operand++));
  }
}

void CheckRays(StageReader& reader, Instruction instruction) {
  for (const RayIds& ids : kRays) {
    if (ids.op == instruction.op()) CheckRay(reader, instruction, ids);
  }
}

}  // namespace assay::core
