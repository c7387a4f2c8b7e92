// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/instruction.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"

namespace assay::spirv_instrument {
namespace {

OpcodeGroup GroupOf(spv::Op op) {
  const OpcodeInfo* info = FindOpcode(static_cast<uint32_t>(op));
  return info == nullptr ? OpcodeGroup::kOther : info->group;
}

}  // namespace

std::string_view Instruction::string(size_t operand) const {
  const absl::Span<const uint32_t> all = operands();
  if (operand >= all.size()) return {};
  // The host's byte order is that of strings: the first octet is in the lowest bits of the first word.
  const char* text = reinterpret_cast<const char*>(all.data() + operand);
  return {text, strnlen(text, (all.size() - operand) * sizeof(uint32_t))};
}

bool IsTerminator(spv::Op op) {
  switch (op) {
    case spv::Op::OpBranch:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpKill:
    case spv::Op::OpUnreachable:
    case spv::Op::OpTerminateInvocation:
    case spv::Op::OpIgnoreIntersectionKHR:
    case spv::Op::OpTerminateRayKHR:
    case spv::Op::OpEmitMeshTasksEXT:
      return true;
    default:
      return false;
  }
}

bool IsType(spv::Op op) { return GroupOf(op) == OpcodeGroup::kType; }

bool IsConstant(spv::Op op) { return GroupOf(op) == OpcodeGroup::kConstant || IsSpecializationConstant(op); }

bool IsSpecializationConstant(spv::Op op) { return GroupOf(op) == OpcodeGroup::kSpecializationConstant; }

bool IsAnnotation(spv::Op op) { return GroupOf(op) == OpcodeGroup::kAnnotation; }

bool MayBeSampledImage(spv::Op op, size_t operand) {
  const bool is_sample = op >= spv::Op::OpImageSampleImplicitLod && op <= spv::Op::OpImageDrefGather;
  const bool is_sparse = op >= spv::Op::OpImageSparseSampleImplicitLod && op <= spv::Op::OpImageSparseDrefGather;
  switch (op) {
    // The second is of the reference, or of the weights.
    case spv::Op::OpImageSampleWeightedQCOM:
    case spv::Op::OpImageBlockMatchSSDQCOM:
    case spv::Op::OpImageBlockMatchSADQCOM:
    case spv::Op::OpImageBlockMatchWindowSSDQCOM:
    case spv::Op::OpImageBlockMatchWindowSADQCOM:
    case spv::Op::OpImageBlockMatchGatherSSDQCOM:
    case spv::Op::OpImageBlockMatchGatherSADQCOM:
      return operand == 0 || operand == 2;
    case spv::Op::OpImage:
    // Not valid, but SPIRV-Tools' validator does not mind.
    case spv::Op::OpCopyObject:
    case spv::Op::OpImageQueryLod:
    case spv::Op::OpImageSampleFootprintNV:
    case spv::Op::OpImageBoxFilterQCOM:
      return operand == 0;
    default:
      return operand == 0 && (is_sample || is_sparse);
  }
}

}  // namespace assay::spirv_instrument
