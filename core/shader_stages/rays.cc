// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Operands of ray tracing instructions that are constant, and flags that these ask of pipelines.

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Op;
using vk::Vuid;

namespace {

constexpr uint32_t kSkipTriangles = 0x100, kSkipAabbs = 0x200;

// kNoVuid for a rule that the instruction does not have.
struct RayIds {
  Op op;
  // Operands; the minimum follows the origin, then direction and maximum. 0 without a time.
  size_t flags;
  size_t origin;
  size_t time = 0;
  vk::VuidIndex not_finite = vk::kNoVuid;
  vk::VuidIndex negative = vk::kNoVuid;
  vk::VuidIndex order = vk::kNoVuid;
  vk::VuidIndex not_number = vk::kNoVuid;
  vk::VuidIndex time_range = vk::kNoVuid;
  vk::VuidIndex skips_both = vk::kNoVuid;
  vk::VuidIndex culls = vk::kNoVuid;
  vk::VuidIndex opacities = vk::kNoVuid;
  // Of the flags of the pipeline.
  vk::VuidIndex pipeline_skips_aabbs = vk::kNoVuid;
  vk::VuidIndex pipeline_skips_triangles = vk::kNoVuid;
  vk::VuidIndex pipeline_without_motion = vk::kNoVuid;
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
     .opacities = Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06893"),
     .pipeline_skips_aabbs = Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06553"),
     .pipeline_skips_triangles = Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06554")},
    {.op = Op::OpTraceRayMotionNV,
     .flags = 1,
     .origin = 6,
     .time = 10,
     .not_finite = Vuid("VUID-RuntimeSpirv-OpTraceRayMotionNV-06361"),
     .negative = Vuid("VUID-RuntimeSpirv-OpTraceRayMotionNV-06362"),
     .order = Vuid("VUID-RuntimeSpirv-OpTraceRayMotionNV-06363"),
     .not_number = Vuid("VUID-RuntimeSpirv-OpTraceRayMotionNV-06364"),
     .time_range = Vuid("VUID-RuntimeSpirv-OpTraceRayMotionNV-06366"),
     .pipeline_without_motion = Vuid("VUID-RuntimeSpirv-OpTraceRayMotionNV-06367")},
    {.op = Op::OpHitObjectTraceRayNV,
     .flags = 2,
     .origin = 7,
     .not_finite = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07705"),
     .negative = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07706"),
     .order = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07707"),
     .not_number = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07708"),
     .skips_both = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07712"),
     .culls = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07713"),
     .opacities = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07714"),
     .pipeline_skips_aabbs = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07715"),
     .pipeline_skips_triangles = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07716")},
    {.op = Op::OpHitObjectTraceRayMotionNV,
     .flags = 2,
     .origin = 7,
     .time = 11,
     .not_finite = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07705"),
     .negative = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07706"),
     .order = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07707"),
     .not_number = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07708"),
     .time_range = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07710"),
     .skips_both = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07712"),
     .culls = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07713"),
     .opacities = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07714"),
     .pipeline_skips_aabbs = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07715"),
     .pipeline_skips_triangles = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayNV-07716"),
     .pipeline_without_motion = Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayMotionNV-07711")},
};

std::optional<float> Float(const StageReader& reader, Id id) {
  const std::vector<float> values = FloatsOf(reader, id);
  return values.size() == 1 ? std::optional<float>(values[0]) : std::nullopt;
}

void CheckRayFlags(StageReader& reader, Instruction instruction, const RayIds& ids) {
  constexpr uint32_t kSkips = kSkipTriangles | kSkipAabbs, kCulls = 0x130, kOpacities = 0xc3;
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
  const auto compare = [&](uint32_t flag, const char* name, VkPipelineCreateFlags2 other, const char* other_name,
                           vk::VuidIndex vuid) {
    if ((flags & flag) == 0) return;
    reader.AddForFlag(other, false, vuid,
                      absl::StrCat("has ", reader.Name(instruction), " with the ray flag ", name,
                                   ", and the pipeline's flags have ", other_name, "."));
  };
  compare(kSkipTriangles, "SkipTrianglesKHR", VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR,
          "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR", ids.pipeline_skips_aabbs);
  compare(kSkipAabbs, "SkipAABBsKHR", VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR,
          "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR", ids.pipeline_skips_triangles);
}

void CheckRay(StageReader& reader, Instruction instruction, const RayIds& ids) {
  CheckRayFlags(reader, instruction, ids);
  const auto add = [&](vk::VuidIndex vuid, std::string_view what) {
    reader.Add(vuid, absl::StrCat("has ", reader.Name(instruction), " with ", what, "."));
  };
  for (size_t i = 0; i < 4; ++i) {
    // Origin, minimum, direction, maximum.
    const bool is_vector = i % 2 == 0;
    for (float value : FloatsOf(reader, instruction.id(ids.origin + i))) {
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
  if (ids.time == 0) return;
  const auto time = Float(reader, instruction.id(ids.time));
  if (time && !(*time >= 0 && *time <= 1)) {
    add(ids.time_range, absl::StrCat("a time (", *time, ") that is not between 0 and 1"));
  }
  reader.AddForFlag(VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_MOTION_BIT_NV, true, ids.pipeline_without_motion,
                    absl::StrCat("has ", reader.Name(instruction),
                                 ", and the pipeline's flags do not have "
                                 "VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV."));
}

}  // namespace

void CheckRays(StageReader& reader, Instruction instruction) {
  for (const RayIds& ids : kRays) {
    if (ids.op == instruction.op()) CheckRay(reader, instruction, ids);
  }
}

void CheckHitKind(StageReader& reader, Instruction instruction) {
  constexpr uint64_t kMost = 127;
  const auto kind = reader.Evaluate(instruction.id(1));
  if (!kind || *kind <= kMost) return;
  reader.Add(Vuid("VUID-RuntimeSpirv-OpReportIntersectionKHR-06998"),
             absl::StrCat("has ", reader.Name(instruction), " with a hit kind (", *kind, ") above 127."));
}

void CheckGeneratedHit(StageReader& reader, Instruction instruction) {
  const auto distance = Float(reader, instruction.id(1));
  // RayTmin is not negative.
  if (!distance || *distance >= 0) return;
  reader.Add(Vuid("VUID-RuntimeSpirv-OpRayQueryGenerateIntersectionKHR-06353"),
             absl::StrCat("has ", reader.Name(instruction), " with a Hit T (", *distance, ") below any RayTmin."));
}

void CheckRepacking(StageReader& reader, Instruction instruction) {
  const auto check = [&](spv::ExecutionMode mode, const char* name, vk::VuidIndex vuid) {
    if (!reader.Mode(mode)) return;
    reader.Add(vuid, absl::StrCat("has the execution mode ", name, " and ", reader.Name(instruction),
                                  ", which repacks invocations."));
  };
  check(spv::ExecutionMode::MaximallyReconvergesKHR, "MaximallyReconvergesKHR",
        Vuid("VUID-RuntimeSpirv-MaximallyReconvergesKHR-09565"));
  check(spv::ExecutionMode::SubgroupUniformControlFlowKHR, "SubgroupUniformControlFlowKHR",
        Vuid("VUID-RuntimeSpirv-SubgroupUniformControlFlowKHR-06379"));
}

}  // namespace assay::core
