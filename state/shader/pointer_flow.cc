// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/pointer_flow.h"

#include <algorithm>

namespace assay::state {
namespace {

using spv::Op;

constexpr SpirvAccess kRead = {.reads = true};
constexpr SpirvAccess kWrite = {.writes = true};
constexpr SpirvAccess kReadWrite = {.reads = true, .writes = true};
constexpr SpirvAccess kSample = {.reads = true, .samples = true};

// Only a module made to be slow, where most variables can be pointed to by most pointers, takes more than a few steps
// an instruction.
constexpr size_t kMaxSteps = size_t{1} << 24;

constexpr uint32_t kGlslStd450Modf = 35;
constexpr uint32_t kGlslStd450Frexp = 51;

void Merge(const SpirvAccess& from, SpirvAccess& into) {
  into.reads |= from.reads;
  into.writes |= from.writes;
  into.samples |= from.samples;
}

}  // namespace

PointerFlow::PointerFlow(const SpirvModule& module, uint32_t entry_function)
    : module_(module), reached_by_(module.bound()), steps_left_(kMaxSteps) {
  if (module.FindFunction(entry_function) == nullptr) ok_ = false;
  for (const SpirvInstruction& variable : module.variables()) AddVariable(variable);
  Call(entry_function);
  while (!pending_.empty()) {
    const SpirvFunction& function = *pending_.back();
    pending_.pop_back();
    AddFunction(function);
  }
  Finish();
}

void PointerFlow::Finish() {
  std::sort(flows_.begin(), flows_.end());
  flows_.erase(std::unique(flows_.begin(), flows_.end()), flows_.end());
  std::sort(accesses_.begin(), accesses_.end(), [](const IdAccess& a, const IdAccess& b) { return a.id < b.id; });
  size_t count = 0;
  for (const IdAccess& entry : accesses_) {
    if (count > 0 && accesses_[count - 1].id == entry.id) {
      Merge(entry.access, accesses_[count - 1].access);
    } else {
      accesses_[count++] = entry;
    }
  }
  accesses_.resize(count);
}

SpirvAccess PointerFlow::AccessesOf(uint32_t variable) {
  SpirvAccess accesses;
  std::vector<uint32_t> to_visit;
  const auto reach = [&](uint32_t id) {
    if (reached_by_[id] == variable) return;
    reached_by_[id] = variable;
    to_visit.push_back(id);
  };
  if (!CheckId(variable)) return accesses;
  reach(variable);
  while (!to_visit.empty()) {
    const uint32_t id = to_visit.back();
    to_visit.pop_back();
    auto entry = std::lower_bound(accesses_.begin(), accesses_.end(), id,
                                  [](const IdAccess& u, uint32_t i) { return u.id < i; });
    if (entry != accesses_.end() && entry->id == id) Merge(entry->access, accesses);
    auto flow = std::lower_bound(flows_.begin(), flows_.end(), std::pair<uint32_t, uint32_t>(id, 0));
    for (; flow != flows_.end() && flow->first == id; ++flow) {
      if (steps_left_-- == 0) {
        ok_ = false;
        steps_left_ = 0;
        return accesses;
      }
      reach(flow->second);
    }
  }
  return accesses;
}

std::optional<std::vector<uint32_t>> PointerFlow::StepsFrom(uint32_t variable) const {
  const bool is_accessed =
      std::binary_search(accesses_.begin(), accesses_.end(), IdAccess{.id = variable, .access = {}},
                         [](const IdAccess& a, const IdAccess& b) { return a.id < b.id; });
  if (is_accessed) return std::nullopt;
  std::vector<uint32_t> steps;
  auto flow = std::lower_bound(flows_.begin(), flows_.end(), std::pair<uint32_t, uint32_t>(variable, 0));
  for (; flow != flows_.end() && flow->first == variable; ++flow) steps.push_back(flow->second);
  return steps;
}

void PointerFlow::Call(uint32_t function_id) {
  const SpirvFunction* function = module_.FindFunction(function_id);
  if (function != nullptr && called_.insert(function_id).second) pending_.push_back(function);
}

void PointerFlow::AddFunction(const SpirvFunction& function) {
  for (const SpirvInstruction& instruction : function.body) {
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
      AddPointerAccess(instruction.Word(3), kRead);
      return true;
    case Op::OpAtomicStore:
    case Op::OpAtomicFlagClear:
      AddPointerAccess(instruction.Word(1), kWrite);
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
      AddPointerAccess(instruction.Word(3), kReadWrite);
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
      // Its decode function is one of the optional operands, of which only the functions are functions.
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
    // A function's id stands for what it returns.
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

void PointerFlow::AddExtendedInstruction(const SpirvInstruction& instruction) {
  if (!module_.IsGlslStd450(instruction.Word(3))) return;
  const uint32_t number = instruction.Word(4);
  if (number == kGlslStd450Modf || number == kGlslStd450Frexp) AddPointerAccess(instruction.Word(6), kWrite);
}

void PointerFlow::AddAccess(uint32_t id, SpirvAccess access) {
  if (CheckId(id)) accesses_.push_back({id, access});
}

void PointerFlow::AddPointerAccess(uint32_t pointer, SpirvAccess access) {
  if (CheckId(pointer) && IsMemory(pointer)) accesses_.push_back({pointer, access});
}

void PointerFlow::AddFlow(uint32_t from, uint32_t to) {
  if (CheckId(from) && CheckId(to)) flows_.emplace_back(from, to);
}

// For results that point into the same memory as an operand.
void PointerFlow::AddAliasFlow(uint32_t from, uint32_t to) {
  AddFlow(from, to);
  switch (module_.StorageClassOf(to)) {
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
    case spv::StorageClass::Workgroup:
      // What is stored through the one can be loaded through the other: a callee that fills in its caller's variable.
      return AddFlow(to, from);
    default:
      return;
  }
}

// Of a descriptor's memory: the others are the shader's own, or are reached by address.
bool PointerFlow::IsMemory(uint32_t pointer) const {
  switch (module_.StorageClassOf(pointer)) {
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::Image:
      return true;
    default:
      return false;
  }
}

// If values of the type of `id` can be, or have in them, pointers or handles.
bool PointerFlow::MayCarry(uint32_t id) const {
  switch (module_.TypeOf(id).op()) {
    case Op::OpTypePointer:
    case Op::OpTypeUntypedPointerKHR:
    case Op::OpTypeImage:
    case Op::OpTypeSampler:
    case Op::OpTypeSampledImage:
    case Op::OpTypeAccelerationStructureKHR:
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
    case Op::OpTypeStruct:
      return true;
    default:
      return false;
  }
}

bool PointerFlow::CheckId(uint32_t id) {
  const bool valid = id != 0 && id < module_.bound();
  ok_ &= valid;
  return valid;
}

}  // namespace assay::state
