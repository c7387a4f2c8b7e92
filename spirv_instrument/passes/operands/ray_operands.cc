// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/operands/ray_operands.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::spirv_instrument {
namespace {

using Need = IntersectionNeed;

constexpr RayInstruction Trace(spv::Op op, uint8_t flags, uint8_t origin, uint8_t time = RayInstruction::kAbsent) {
  return {.op = op, .flags = flags, .origin = origin, .time = time};
}

constexpr RayInstruction Initialize(RayInstruction ray) {
  ray.initializes = true;
  ray.changes = true;
  return ray;
}

constexpr RayInstruction Record(spv::Op op) { return {.op = op, .initializes = true, .changes = true}; }

constexpr RayInstruction Use(spv::Op op, Need need = Need::kNothing) { return {.op = op, .uses = true, .need = need}; }

constexpr RayInstruction Change(spv::Op op, Need need = Need::kNothing) {
  return {.op = op, .uses = true, .changes = true, .need = need};
}

constexpr RayInstruction kInstructions[] = {
    Trace(spv::Op::OpTraceRayKHR, 1, 6),
    Initialize(Trace(spv::Op::OpRayQueryInitializeKHR, 2, 4)),
    Change(spv::Op::OpRayQueryTerminateKHR),
    Change(spv::Op::OpRayQueryGenerateIntersectionKHR, Need::kCandidateBox),
    Change(spv::Op::OpRayQueryConfirmIntersectionKHR, Need::kCandidateNoBox),
    Change(spv::Op::OpRayQueryProceedKHR),
    Use(spv::Op::OpRayQueryGetIntersectionTypeKHR),
    Record(spv::Op::OpHitObjectRecordHitMotionNV),
    Record(spv::Op::OpHitObjectRecordHitWithIndexMotionNV),
    Record(spv::Op::OpHitObjectRecordMissMotionNV),
    Use(spv::Op::OpHitObjectGetWorldToObjectNV),
    Use(spv::Op::OpHitObjectGetObjectToWorldNV),
    Use(spv::Op::OpHitObjectGetObjectRayDirectionNV),
    Use(spv::Op::OpHitObjectGetObjectRayOriginNV),
    Initialize(Trace(spv::Op::OpHitObjectTraceRayMotionNV, 2, 7, 11)),
    Use(spv::Op::OpHitObjectGetShaderRecordBufferHandleNV),
    Use(spv::Op::OpHitObjectGetShaderBindingTableRecordIndexNV),
    Record(spv::Op::OpHitObjectRecordEmptyNV),
    Initialize(Trace(spv::Op::OpHitObjectTraceRayNV, 2, 7)),
    Record(spv::Op::OpHitObjectRecordHitNV),
    Record(spv::Op::OpHitObjectRecordHitWithIndexNV),
    Record(spv::Op::OpHitObjectRecordMissNV),
    Use(spv::Op::OpHitObjectExecuteShaderNV),
    Use(spv::Op::OpHitObjectGetCurrentTimeNV),
    Use(spv::Op::OpHitObjectGetAttributesNV),
    Use(spv::Op::OpHitObjectGetHitKindNV),
    Use(spv::Op::OpHitObjectGetPrimitiveIndexNV),
    Use(spv::Op::OpHitObjectGetGeometryIndexNV),
    Use(spv::Op::OpHitObjectGetInstanceIdNV),
    Use(spv::Op::OpHitObjectGetInstanceCustomIndexNV),
    Use(spv::Op::OpHitObjectGetWorldRayDirectionNV),
    Use(spv::Op::OpHitObjectGetWorldRayOriginNV),
    Use(spv::Op::OpHitObjectGetRayTMaxNV),
    Use(spv::Op::OpHitObjectGetRayTMinNV),
    Use(spv::Op::OpHitObjectIsEmptyNV),
    Use(spv::Op::OpHitObjectIsHitNV),
    Use(spv::Op::OpHitObjectIsMissNV),
    Use(spv::Op::OpReorderThreadWithHitObjectNV),
    Trace(spv::Op::OpTraceNV, 1, 6),
    Trace(spv::Op::OpTraceMotionNV, 1, 6, 10),
    Trace(spv::Op::OpTraceRayMotionNV, 1, 6, 10),
    Use(spv::Op::OpRayQueryGetIntersectionTriangleVertexPositionsKHR, Need::kTriangle),
    Use(spv::Op::OpRayQueryGetClusterIdNV),
    Use(spv::Op::OpHitObjectGetClusterIdNV),
    Use(spv::Op::OpRayQueryGetIntersectionSpherePositionNV),
    Use(spv::Op::OpRayQueryGetIntersectionSphereRadiusNV),
    Use(spv::Op::OpRayQueryGetIntersectionLSSPositionsNV),
    Use(spv::Op::OpRayQueryGetIntersectionLSSRadiiNV),
    Use(spv::Op::OpRayQueryGetIntersectionLSSHitValueNV),
    Use(spv::Op::OpHitObjectGetSpherePositionNV),
    Use(spv::Op::OpHitObjectGetSphereRadiusNV),
    Use(spv::Op::OpHitObjectGetLSSPositionsNV),
    Use(spv::Op::OpHitObjectGetLSSRadiiNV),
    Use(spv::Op::OpHitObjectIsSphereHitNV),
    Use(spv::Op::OpHitObjectIsLSSHitNV),
    Use(spv::Op::OpRayQueryIsSphereHitNV),
    Use(spv::Op::OpRayQueryIsLSSHitNV),
    Use(spv::Op::OpRayQueryGetRayTMinKHR),
    Use(spv::Op::OpRayQueryGetRayFlagsKHR),
    Use(spv::Op::OpRayQueryGetIntersectionTKHR),
    Use(spv::Op::OpRayQueryGetIntersectionInstanceCustomIndexKHR, Need::kIntersection),
    Use(spv::Op::OpRayQueryGetIntersectionInstanceIdKHR, Need::kIntersection),
    Use(spv::Op::OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR, Need::kIntersection),
    Use(spv::Op::OpRayQueryGetIntersectionGeometryIndexKHR, Need::kIntersection),
    Use(spv::Op::OpRayQueryGetIntersectionPrimitiveIndexKHR, Need::kIntersection),
    Use(spv::Op::OpRayQueryGetIntersectionBarycentricsKHR, Need::kTriangle),
    Use(spv::Op::OpRayQueryGetIntersectionFrontFaceKHR, Need::kTriangle),
    // False for a candidate that is not a box.
    Use(spv::Op::OpRayQueryGetIntersectionCandidateAABBOpaqueKHR),
    Use(spv::Op::OpRayQueryGetIntersectionObjectRayDirectionKHR, Need::kIntersection),
    Use(spv::Op::OpRayQueryGetIntersectionObjectRayOriginKHR, Need::kIntersection),
    Use(spv::Op::OpRayQueryGetWorldRayDirectionKHR),
    Use(spv::Op::OpRayQueryGetWorldRayOriginKHR),
    Use(spv::Op::OpRayQueryGetIntersectionObjectToWorldKHR, Need::kIntersection),
    Use(spv::Op::OpRayQueryGetIntersectionWorldToObjectKHR, Need::kIntersection),
};

constexpr bool IsLess(const RayInstruction& a, const RayInstruction& b) { return a.op < b.op; }
static_assert(std::is_sorted(std::begin(kInstructions), std::end(kInstructions), IsLess));

}  // namespace

absl::Span<const RayInstruction> RayInstructions() { return kInstructions; }

const RayInstruction* FindRayInstruction(spv::Op op) {
  const RayInstruction* found =
      std::lower_bound(std::begin(kInstructions), std::end(kInstructions), RayInstruction{.op = op}, IsLess);
  return found != std::end(kInstructions) && found->op == op ? found : nullptr;
}

}  // namespace assay::spirv_instrument
