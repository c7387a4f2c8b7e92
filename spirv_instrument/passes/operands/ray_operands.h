// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_RAY_OPERANDS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_RAY_OPERANDS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::spirv_instrument {

// Which intersection an instruction needs its ray query to have, beyond being initialized.
enum class IntersectionNeed : uint8_t {
  kNothing,
  // Of the committed one: some; a triangle. Of a candidate there is nothing to ask: whether there is one, only
  // OpRayQueryProceedKHR says.
  kIntersection,
  // A triangle, of both.
  kTriangle,
  // A candidate that is an axis-aligned bounding box; one that is not.
  kCandidateBox,
  kCandidateNoBox,
};

// What an instruction has to do with rays. Operands are positions as in Instruction; kAbsent without.
struct RayInstruction {
  static constexpr uint8_t kAbsent = 0xff;

  spv::Op op = spv::Op::OpNop;
  // It makes the object (ray query or hit object) that its first operand points to usable.
  bool initializes = false;
  // It uses that object.
  bool uses = false;
  // It changes what a query says of its intersections.
  bool changes = false;
  IntersectionNeed need = IntersectionNeed::kNothing;
  // The ray: flags, and origin, smallest T, direction and largest T in a row.
  uint8_t flags = kAbsent;
  uint8_t origin = kAbsent;
  // Of a motion ray.
  uint8_t time = kAbsent;

  bool has_ray() const { return origin != kAbsent; }
  uint8_t smallest_t() const { return origin + 1; }
  uint8_t direction() const { return origin + 2; }
  uint8_t largest_t() const { return origin + 3; }
};

// Ordered by opcode.
absl::Span<const RayInstruction> RayInstructions();
// Null for an instruction that is none of them. Constant time.
const RayInstruction* FindRayInstruction(spv::Op op);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_RAY_OPERANDS_H_
