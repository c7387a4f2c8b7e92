// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The flows and accesses of each SPIR-V instruction, for the graph of PointerFlow.

#include "state/shader/control_flow.h"
#include "state/shader/pointer_flow.h"

namespace assay::state {
namespace {

using spv::Op;

constexpr SpirvAccess kRead = {.reads = true, .is_plain = true};
constexpr SpirvAccess kWrite = {.writes = true, .is_plain = true};
constexpr SpirvAccess kReadWrite = {.reads = true, .writes = true, .is_plain = true};
constexpr SpirvAccess kSample = {.reads = true, .samples = true, .is_plain = true};

constexpr uint32_t kGlslStd450Modf = 35;
constexpr uint32_t kGlslStd450Frexp = 51;

}  // namespace

void PointerFlow::AddFunction(const SpirvFunction& function) {
  for (const SpirvInstruction& instruction : ReachableInstructions(module_, function)) {
    if (AddHandleAccess(instruction) || AddMemoryAccess(instruction) || AddCooperativeAccess(instruction)) continue;
    if (AddCall(function, instruction)) continue;
    AddDerivation(instruction);
  }
}

void PointerFlow::AddVariable(const SpirvInstruction& instruction) {
  const size_t initializer = instruction.op() == Op::OpUntypedVariableKHR ? 5 : 4;
  if (instruction.size() > initializer) AddFlow(instruction.Word(initializer), instruction.result_id());
}

bool PointerFlow::AddHandleAccess(const SpirvInstruction& instruction) {
  switch (instruction.op()) {
    case Op::OpImageSampleWeightedQCOM:
    case Op::OpImageBlockMatchSSDQCOM:
    case Op::OpImageBlockMatchSADQCOM:
    case Op::OpImageBlockMatchWindowSSDQCOM:
    case Op::OpImageBlockMatchWindowSADQCOM:
    case Op::OpImageBlockMatchGatherSSDQCOM:
    case Op::OpImageBlockMatchGatherSADQCOM:
      AddAccess(instruction.Word(3), kSample);
      AddAccess(instruction.Word(5), kSample);
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
      AddAccess(instruction.Word(3), kSample);
      return true;
    case Op::OpImageFetch:
    case Op::OpImageSparseFetch:
    case Op::OpImageRead:
    case Op::OpImageSparseRead:
    case Op::OpFragmentMaskFetchAMD:
    case Op::OpFragmentFetchAMD:
      AddAccess(instruction.Word(3), kRead);
      return true;
    case Op::OpImageWrite:
      AddAccess(instruction.Word(1), kWrite);
      return true;
    case Op::OpTraceRayKHR:
    case Op::OpTraceNV:
    case Op::OpTraceMotionNV:
    case Op::OpTraceRayMotionNV:
      AddAccess(instruction.Word(1), kRead);
      return true;
    case Op::OpRayQueryInitializeKHR:
    case Op::OpHitObjectTraceRayNV:
    case Op::OpHitObjectTraceRayMotionNV:
    case Op::OpHitObjectRecordHitNV:
    case Op::OpHitObjectRecordHitMotionNV:
    case Op::OpHitObjectRecordHitWithIndexNV:
    case Op::OpHitObjectRecordHitWithIndexMotionNV:
      AddAccess(instruction.Word(2), kRead);
      return true;
    default:
      return false;
  }
}

bool PointerFlow::AddMemoryAccess(const SpirvInstruction& instruction) {
  switch (instruction.op()) {
    case Op::OpLoad:
      AddLoad(instruction);
      return true;
    case Op::OpStore:
      AddStore(instruction);
      return true;
    case Op::OpCopyMemory:
    case Op::OpCopyMemorySized:
      AddPointerAccess(instruction.Word(1), kWrite);
      AddPointerAccess(instruction.Word(2), kRead);
      if (!IsMemory(instruction.Word(1)) && !IsMemory(instruction.Word(2))) {
        AddFlow(instruction.Word(2), instruction.Word(1));
      }
      return true;
    case Op::OpAtomicLoad:
      AddAtomic(instruction.Word(3), instruction.Word(4), {.reads = true});
      return true;
    case Op::OpAtomicStore:
    case Op::OpAtomicFlagClear:
      AddAtomic(instruction.Word(1), instruction.Word(2), {.writes = true});
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
      AddAtomic(instruction.Word(3), instruction.Word(4), {.reads = true, .writes = true});
      return true;
    case Op::OpExtInst:
      AddExtendedInstruction(instruction);
      return true;
    default:
      return false;
  }
}

bool PointerFlow::AddCooperativeAccess(const SpirvInstruction& instruction) {
  switch (instruction.op()) {
    case Op::OpCooperativeMatrixLoadKHR:
    case Op::OpCooperativeMatrixLoadNV:
    case Op::OpCooperativeVectorLoadNV:
      AddPointerAccess(instruction.Word(3), kRead);
      return true;
    case Op::OpCooperativeMatrixLoadTensorNV:
      AddPointerAccess(instruction.Word(3), kRead);
      // The decode function is one of the optional operands. Call() ignores the others, which are no functions.
      for (size_t i = 4; i < instruction.size(); ++i) Call(instruction.Word(i));
      return true;
    case Op::OpCooperativeMatrixStoreKHR:
    case Op::OpCooperativeMatrixStoreNV:
    case Op::OpCooperativeMatrixStoreTensorNV:
    case Op::OpCooperativeVectorStoreNV:
      AddPointerAccess(instruction.Word(1), kWrite);
      return true;
    case Op::OpCooperativeVectorMatrixMulNV:
      AddPointerAccess(instruction.Word(5), kRead);
      return true;
    case Op::OpCooperativeVectorMatrixMulAddNV:
      AddPointerAccess(instruction.Word(5), kRead);
      AddPointerAccess(instruction.Word(8), kRead);
      return true;
    case Op::OpCooperativeVectorOuterProductAccumulateNV:
    case Op::OpCooperativeVectorReduceSumAccumulateNV:
      AddPointerAccess(instruction.Word(1), kReadWrite);
      return true;
    case Op::OpCooperativeMatrixReduceNV:
      Call(instruction.Word(5));
      return true;
    case Op::OpCooperativeMatrixPerElementOpNV:
      AddPerElementOperation(instruction);
      return true;
    default:
      return false;
  }
}

bool PointerFlow::AddCall(const SpirvFunction& caller, const SpirvInstruction& instruction) {
  if (instruction.op() == Op::OpReturnValue) {
    // The id of a function stands for its return value.
    if (MayCarry(instruction.Word(1))) AddFlow(instruction.Word(1), caller.id);
    return true;
  }
  if (instruction.op() != Op::OpFunctionCall) return false;
  const uint32_t callee_id = instruction.Word(3);
  const SpirvFunction* callee = module_.FindFunction(callee_id);
  if (callee == nullptr) {
    ok_ = false;
    return true;
  }
  Call(callee_id);
  for (size_t i = 0; i < callee->parameters.size(); ++i) {
    if (MayCarry(callee->parameters[i])) AddAliasFlow(instruction.Word(4 + i), callee->parameters[i]);
  }
  if (MayCarry(instruction.result_id())) AddFlow(callee_id, instruction.result_id());
  return true;
}

void PointerFlow::AddDerivation(const SpirvInstruction& instruction) {
  const uint32_t result = instruction.result_id();
  if (instruction.op() == Op::OpVariable || instruction.op() == Op::OpUntypedVariableKHR) {
    return AddVariable(instruction);
  }
  if (result == 0 || !MayCarry(result)) return;
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
      return AddAliasFlow(instruction.Word(3), result);
    case Op::OpUntypedAccessChainKHR:
    case Op::OpUntypedInBoundsAccessChainKHR:
    case Op::OpUntypedPtrAccessChainKHR:
    case Op::OpUntypedInBoundsPtrAccessChainKHR:
      return AddAliasFlow(instruction.Word(4), result);
    case Op::OpSampledImage:
    case Op::OpCompositeInsert:
      AddFlow(instruction.Word(3), result);
      return AddFlow(instruction.Word(4), result);
    case Op::OpSelect:
      AddAliasFlow(instruction.Word(4), result);
      return AddAliasFlow(instruction.Word(5), result);
    case Op::OpPhi:
      for (size_t i = 3; i < instruction.size(); i += 2) AddAliasFlow(instruction.Word(i), result);
      return;
    case Op::OpCompositeConstruct:
      for (size_t i = 3; i < instruction.size(); ++i) AddFlow(instruction.Word(i), result);
      return;
    default:
      return;
  }
}

void PointerFlow::AddLoad(const SpirvInstruction& instruction) {
  const uint32_t pointer = instruction.Word(3);
  if (!CheckId(pointer)) return;
  if (IsMemory(pointer)) {
    AddAccess(pointer, kRead);
  } else if (MayCarry(instruction.result_id())) {
    AddFlow(pointer, instruction.result_id());
  }
}

void PointerFlow::AddStore(const SpirvInstruction& instruction) {
  const uint32_t pointer = instruction.Word(1);
  const uint32_t value = instruction.Word(2);
  if (!CheckId(pointer) || !CheckId(value)) return;
  if (IsMemory(pointer)) {
    AddAccess(pointer, kWrite);
  } else if (MayCarry(value)) {
    AddFlow(value, pointer);
  }
}

void PointerFlow::AddPerElementOperation(const SpirvInstruction& instruction) {
  Call(instruction.Word(4));
  const SpirvFunction* callee = module_.FindFunction(instruction.Word(4));
  if (callee == nullptr) return;
  // The first three parameters are the element's row and column and the element.
  for (size_t i = 3; i < callee->parameters.size(); ++i) {
    if (MayCarry(callee->parameters[i])) AddAliasFlow(instruction.Word(i + 2), callee->parameters[i]);
  }
}

// Invocations of two commands are in each other's scope from the queue family's on ("Memory Model", "Scope").
void PointerFlow::AddAtomic(uint32_t pointer, uint32_t scope, SpirvAccess access) {
  constexpr auto kDevice = static_cast<uint32_t>(spv::Scope::Device);
  switch (static_cast<spv::Scope>(module_.EvaluateConstant(scope).value_or(kDevice))) {
    case spv::Scope::Workgroup:
    case spv::Scope::Subgroup:
    case spv::Scope::Invocation:
    case spv::Scope::ShaderCallKHR:
      access.is_plain = true;
      break;
    default:
      break;
  }
  AddPointerAccess(pointer, access);
}

void PointerFlow::AddExtendedInstruction(const SpirvInstruction& instruction) {
  if (!module_.IsGlslStd450(instruction.Word(3))) return;
  const uint32_t number = instruction.Word(4);
  if (number == kGlslStd450Modf || number == kGlslStd450Frexp) AddPointerAccess(instruction.Word(6), kWrite);
}

}  // namespace assay::state
