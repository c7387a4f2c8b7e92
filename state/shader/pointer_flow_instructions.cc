// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The flows and accesses of each SPIR-V instruction, for the graph of PointerFlow.

#include <cstddef>
#include <cstdint>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/control_flow/reachable_blocks.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/ir/uses.h"
#include "state/shader/pointer_flow.h"

namespace assay::state {
namespace {

using spirv_instrument::Block;
using spirv_instrument::Function;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Op;

constexpr SpirvAccess kRead = {.reads = true, .is_plain = true};
constexpr SpirvAccess kWrite = {.writes = true, .is_plain = true};
constexpr SpirvAccess kReadWrite = {.reads = true, .writes = true, .is_plain = true};
constexpr SpirvAccess kSample = {.reads = true, .samples = true, .is_plain = true};

constexpr uint32_t kGlslStd450Modf = 35;
constexpr uint32_t kGlslStd450Frexp = 51;

// Calls `visit` with the number and the id of each parameter.
template <class F>
void ForEachParameter(Function function, const F& visit) {
  size_t number = 0;
  for (Instruction at = function.definition().next(); at && !at.block(); at = at.next()) {
    if (at.op() == Op::OpFunctionEnd) return;
    if (at.op() == Op::OpFunctionParameter) visit(number++, at.result_id());
  }
}

}  // namespace

void PointerFlow::AddFunction(Function function) {
  for (Block block : ReachableBlocks(module_.module(), function, module_.constants())) {
    for (Instruction instruction : block.instructions()) {
      if (AddHandleAccess(instruction) || AddMemoryAccess(instruction) || AddCooperativeAccess(instruction)) continue;
      if (AddCall(function, instruction)) continue;
      AddDerivation(instruction);
    }
  }
}

void PointerFlow::AddVariable(Instruction instruction) {
  const size_t initializer = instruction.op() == Op::OpUntypedVariableKHR ? 2 : 1;
  if (instruction.operand_count() > initializer) AddFlow(instruction.id(initializer), instruction.result_id());
}

bool PointerFlow::AddHandleAccess(Instruction instruction) {
  switch (instruction.op()) {
    case Op::OpImageSampleWeightedQCOM:
    case Op::OpImageBlockMatchSSDQCOM:
    case Op::OpImageBlockMatchSADQCOM:
    case Op::OpImageBlockMatchWindowSSDQCOM:
    case Op::OpImageBlockMatchWindowSADQCOM:
    case Op::OpImageBlockMatchGatherSSDQCOM:
    case Op::OpImageBlockMatchGatherSADQCOM:
      AddAccess(instruction.id(0), kSample);
      AddAccess(instruction.id(2), kSample);
      return true;
    case Op::OpImageSampleImplicitLod:
    case Op::OpImageSampleExplicitLod:
    case Op::OpImageSampleDrefImplicitLod:
    case Op::OpImageSampleDrefExplicitLod:
    case Op::OpImageSampleProjImplicitLod:
    case Op::OpImageSampleProjExplicitLod:
    case Op::OpImageSampleProjDrefImplicitLod:
    case Op::OpImageSampleProjDrefExplicitLod:
    case Op::OpImageGather:
    case Op::OpImageDrefGather:
    case Op::OpImageSparseSampleImplicitLod:
    case Op::OpImageSparseSampleExplicitLod:
    case Op::OpImageSparseSampleDrefImplicitLod:
    case Op::OpImageSparseSampleDrefExplicitLod:
    case Op::OpImageSparseSampleProjImplicitLod:
    case Op::OpImageSparseSampleProjExplicitLod:
    case Op::OpImageSparseSampleProjDrefImplicitLod:
    case Op::OpImageSparseSampleProjDrefExplicitLod:
    case Op::OpImageSparseGather:
    case Op::OpImageSparseDrefGather:
    case Op::OpImageBoxFilterQCOM:
      AddAccess(instruction.id(0), kSample);
      return true;
    case Op::OpImageFetch:
    case Op::OpImageSparseFetch:
    case Op::OpImageRead:
    case Op::OpImageSparseRead:
    case Op::OpFragmentMaskFetchAMD:
    case Op::OpFragmentFetchAMD:
      AddAccess(instruction.id(0), kRead);
      return true;
    case Op::OpImageWrite:
      AddAccess(instruction.id(0), kWrite);
      return true;
    case Op::OpTraceRayKHR:
    case Op::OpTraceNV:
    case Op::OpTraceMotionNV:
    case Op::OpTraceRayMotionNV:
      AddAccess(instruction.id(0), kRead);
      return true;
    case Op::OpRayQueryInitializeKHR:
    case Op::OpHitObjectTraceRayNV:
    case Op::OpHitObjectTraceRayMotionNV:
    case Op::OpHitObjectRecordHitNV:
    case Op::OpHitObjectRecordHitMotionNV:
    case Op::OpHitObjectRecordHitWithIndexNV:
    case Op::OpHitObjectRecordHitWithIndexMotionNV:
      AddAccess(instruction.id(1), kRead);
      return true;
    default:
      return false;
  }
}

bool PointerFlow::AddMemoryAccess(Instruction instruction) {
  switch (instruction.op()) {
    case Op::OpLoad:
      AddLoad(instruction);
      return true;
    case Op::OpStore:
      AddStore(instruction);
      return true;
    case Op::OpCopyMemory:
    case Op::OpCopyMemorySized:
      AddPointerAccess(instruction.id(0), kWrite);
      AddPointerAccess(instruction.id(1), kRead);
      if (!IsMemory(instruction.id(0)) && !IsMemory(instruction.id(1))) {
        AddFlow(instruction.id(1), instruction.id(0));
      }
      return true;
    case Op::OpAtomicLoad:
      AddAtomic(instruction, {.reads = true});
      return true;
    case Op::OpAtomicStore:
    case Op::OpAtomicFlagClear:
      AddAtomic(instruction, {.writes = true});
      return true;
    case Op::OpAtomicExchange:
    case Op::OpAtomicCompareExchange:
    case Op::OpAtomicCompareExchangeWeak:
    case Op::OpAtomicIIncrement:
    case Op::OpAtomicIDecrement:
    case Op::OpAtomicIAdd:
    case Op::OpAtomicISub:
    case Op::OpAtomicSMin:
    case Op::OpAtomicUMin:
    case Op::OpAtomicSMax:
    case Op::OpAtomicUMax:
    case Op::OpAtomicAnd:
    case Op::OpAtomicOr:
    case Op::OpAtomicXor:
    case Op::OpAtomicFlagTestAndSet:
    case Op::OpAtomicFMinEXT:
    case Op::OpAtomicFMaxEXT:
    case Op::OpAtomicFAddEXT:
      AddAtomic(instruction, {.reads = true, .writes = true});
      return true;
    case Op::OpExtInst:
      AddExtendedInstruction(instruction);
      return true;
    default:
      return false;
  }
}

bool PointerFlow::AddCooperativeAccess(Instruction instruction) {
  switch (instruction.op()) {
    case Op::OpCooperativeMatrixLoadKHR:
    case Op::OpCooperativeMatrixLoadNV:
    case Op::OpCooperativeVectorLoadNV:
      AddPointerAccess(instruction.id(0), kRead);
      return true;
    case Op::OpCooperativeMatrixLoadTensorNV:
      AddPointerAccess(instruction.id(0), kRead);
      // The decode function is one of the optional operands. Call() ignores the others, which are no functions.
      ForEachId(module_.module(), instruction, [&](uint32_t, Id id) { Call(id); });
      return true;
    case Op::OpCooperativeMatrixStoreKHR:
    case Op::OpCooperativeMatrixStoreNV:
    case Op::OpCooperativeMatrixStoreTensorNV:
    case Op::OpCooperativeVectorStoreNV:
      AddPointerAccess(instruction.id(0), kWrite);
      return true;
    case Op::OpCooperativeVectorMatrixMulNV:
      AddPointerAccess(instruction.id(2), kRead);
      return true;
    case Op::OpCooperativeVectorMatrixMulAddNV:
      AddPointerAccess(instruction.id(2), kRead);
      AddPointerAccess(instruction.id(5), kRead);
      return true;
    case Op::OpCooperativeVectorOuterProductAccumulateNV:
    case Op::OpCooperativeVectorReduceSumAccumulateNV:
      AddPointerAccess(instruction.id(0), kReadWrite);
      return true;
    case Op::OpCooperativeMatrixReduceNV:
      Call(instruction.id(2));
      return true;
    case Op::OpCooperativeMatrixPerElementOpNV:
      AddPerElementOperation(instruction);
      return true;
    default:
      return false;
  }
}

bool PointerFlow::AddCall(Function caller, Instruction instruction) {
  if (instruction.op() == Op::OpReturnValue) {
    // The id of a function stands for its return value.
    if (MayCarry(instruction.id(0))) AddFlow(instruction.id(0), caller.id());
    return true;
  }
  if (instruction.op() != Op::OpFunctionCall) return false;
  const Id callee_id = instruction.id(0);
  const Function callee = module_.module().FindFunction(callee_id);
  if (!callee) {
    ok_ = false;
    return true;
  }
  Call(callee_id);
  ForEachParameter(callee, [&](size_t number, Id parameter) {
    if (MayCarry(parameter)) AddAliasFlow(instruction.id(1 + number), parameter);
  });
  if (MayCarry(instruction.result_id())) AddFlow(callee_id, instruction.result_id());
  return true;
}

void PointerFlow::AddDerivation(Instruction instruction) {
  const Id result = instruction.result_id();
  if (instruction.op() == Op::OpVariable || instruction.op() == Op::OpUntypedVariableKHR) {
    return AddVariable(instruction);
  }
  if (result == spirv_instrument::kNoId || !MayCarry(result)) return;
  switch (instruction.op()) {
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
    case Op::OpPtrAccessChain:
    case Op::OpInBoundsPtrAccessChain:
    case Op::OpRawAccessChainNV:
    case Op::OpCopyObject:
    case Op::OpCopyLogical:
    case Op::OpBitcast:
    case Op::OpImage:
    case Op::OpImageTexelPointer:
    case Op::OpCompositeExtract:
      return AddAliasFlow(instruction.id(0), result);
    case Op::OpUntypedAccessChainKHR:
    case Op::OpUntypedInBoundsAccessChainKHR:
    case Op::OpUntypedPtrAccessChainKHR:
    case Op::OpUntypedInBoundsPtrAccessChainKHR:
      return AddAliasFlow(instruction.id(1), result);
    case Op::OpSampledImage:
    case Op::OpCompositeInsert:
      AddFlow(instruction.id(0), result);
      return AddFlow(instruction.id(1), result);
    case Op::OpSelect:
      AddAliasFlow(instruction.id(1), result);
      return AddAliasFlow(instruction.id(2), result);
    case Op::OpPhi:
      for (size_t i = 0; i < instruction.operand_count(); i += 2) AddAliasFlow(instruction.id(i), result);
      return;
    case Op::OpCompositeConstruct:
      for (size_t i = 0; i < instruction.operand_count(); ++i) AddFlow(instruction.id(i), result);
      return;
    default:
      return;
  }
}

void PointerFlow::AddLoad(Instruction instruction) {
  const Id pointer = instruction.id(0);
  if (!CheckId(pointer)) return;
  if (IsMemory(pointer)) {
    AddAccess(pointer, kRead);
  } else if (MayCarry(instruction.result_id())) {
    AddFlow(pointer, instruction.result_id());
  }
}

void PointerFlow::AddStore(Instruction instruction) {
  const Id pointer = instruction.id(0);
  const Id value = instruction.id(1);
  if (!CheckId(pointer) || !CheckId(value)) return;
  if (IsMemory(pointer)) {
    AddAccess(pointer, kWrite);
  } else if (MayCarry(value)) {
    AddFlow(value, pointer);
  }
}

void PointerFlow::AddPerElementOperation(Instruction instruction) {
  const Id callee = instruction.id(1);
  Call(callee);
  ForEachParameter(module_.module().FindFunction(callee), [&](size_t number, Id parameter) {
    // The first three parameters are the element's row and column and the element.
    if (number >= 3 && MayCarry(parameter)) AddAliasFlow(instruction.id(number - 1), parameter);
  });
}

// Invocations of two commands are in each other's scope from the queue family's on ("Memory Model", "Scope").
void PointerFlow::AddAtomic(Instruction instruction, SpirvAccess access) {
  constexpr auto kDevice = static_cast<uint32_t>(spv::Scope::Device);
  switch (static_cast<spv::Scope>(module_.EvaluateConstant(instruction.id(1)).value_or(kDevice))) {
    case spv::Scope::Workgroup:
    case spv::Scope::Subgroup:
    case spv::Scope::Invocation:
    case spv::Scope::ShaderCallKHR:
      access.is_plain = true;
      break;
    default:
      break;
  }
  AddPointerAccess(instruction.id(0), access);
}

void PointerFlow::AddExtendedInstruction(Instruction instruction) {
  const uint32_t number = instruction.literal(1);
  if (number != kGlslStd450Modf && number != kGlslStd450Frexp) return;
  if (ExtendedSetName(module_.module(), instruction.id(0)) != "GLSL.std.450") return;
  AddPointerAccess(instruction.id(3), kWrite);
}

}  // namespace assay::state
