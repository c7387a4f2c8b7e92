// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_RAY_QUERY_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_RAY_QUERY_H_

#include <cstdint>
#include <memory>

#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

// Rays that must not be traced, and ray queries and hit objects that must not be asked.
//
// *Rays* of OpRayQueryInitializeKHR, OpTraceRayKHR, OpTraceRayMotionNV, OpHitObjectTraceRayNV,
// OpHitObjectTraceRayMotionNV, and the older OpTraceNV and OpTraceMotionNV. Of VUID-RuntimeSpirv-,
//
//   origin and direction are finite         OpRayQueryInitializeKHR-06348, OpTraceRayKHR-06355,
//                                           OpTraceRayMotionNV-06361, OpHitObjectTraceRayNV-07705
//   smallest and largest T from 0 on        -06349, -06356, -06362, -07706 (largest T may be infinite)
//   smallest T not above largest T          -06350, -06357, -06363, -07707
//   none of them NaN                        -06351, -06358, -06364, -07708
//   not both SkipTriangles and SkipAABBs    -06889, -06552, -07712
//   at most one of SkipTriangles, CullBackFacingTriangles and CullFrontFacingTriangles    -06890, -06892, -07713
//   at most one of Opaque, NoOpaque, CullOpaque and CullNoOpaque                          -06891, -06893, -07714
//   no SkipTriangles in a pipeline that skips boxes, no SkipAABBs in one that skips triangles
//                                           -06553 and -06554, -07715 and -07716: `excluded_flags`
//   time of a motion ray from 0 to 1        OpTraceRayMotionNV-06366, OpHitObjectTraceRayNV-07710
//
// No id forbids a direction of zero; what it hits is undefined, so that it is a fault unless `zero_direction` is false.
//
// *Intersections*: the hit kind of OpReportIntersectionKHR is from 0 to 127 (OpReportIntersectionKHR-06998). T of
// OpRayQueryGenerateIntersectionKHR is from the ray's smallest T to the committed T
// (OpRayQueryGenerateIntersectionKHR-06353). SPIR-V: only a box is generated, and a box is not confirmed. What is asked
// of the committed intersection (but its type and T) needs one, and barycentrics, facing and vertex positions need a
// triangle.
//
// *Objects*: each ray query and hit object has a state, a word in a variable of the module's own (TrackedObjects). It
// is set where the object is initialized: OpRayQueryInitializeKHR, OpHitObjectTraceRay*, OpHitObjectRecord*. Whatever
// else names the object needs it. Since a faulty ray is not traced, the state is also what keeps the shader from using
// a query that was not initialized for that reason; this is not reported again.
//
// *Variant*: what is checked. *Literals*: of rays and uses, how often the objects' states may have changed before, as
// the function is written, so that equal checks are checks at one state; of rays also the flags that are excluded.
// *Ids*: flags, origin, smallest T, direction, largest T, and the time; or the pointer to the object, what is compared,
// and the label of the block: what the condition reads changes, so that it has to stay in its block.
//
// What it does not see: objects that a parameter points to which gets different ones, and what is selected from arrays
// that are no variables. If such an object is initialized, no object that a function gets a pointer to has a state: it
// could be that one. Whether there is a candidate (OpRayQueryProceedKHR has returned true). Whether an acceleration
// structure is of the top level, and how it was built. What hit attributes hold that no intersection shader wrote.
// Whether a query without committed intersection has a T: devices return the largest T of the ray.
struct RayQueryConfig {
  bool rays = true;
  bool objects = true;
  bool intersections = true;
  bool zero_direction = true;
  // Flags (spv::RayFlagsMask) that the pipeline was created without: SkipTrianglesKHR and SkipAABBsKHR, see above. Ray
  // queries may have them.
  uint32_t excluded_flags = 0;
};

std::unique_ptr<Pass> MakeRayQuery(const RayQueryConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_RAY_QUERY_H_
