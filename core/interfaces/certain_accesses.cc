// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What each invocation of an entry point certainly does with its descriptors.
//
// Each invocation executes an instruction if its block is on every path through its function, and so is each call up to
// the entry point. With a function that may end an invocation from within a call, nothing is certain.

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/interfaces/interface_reader.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/control_flow/dominators.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/module.h"

namespace assay::core {
namespace {

using spirv_instrument::ControlFlowGraph;
using spirv_instrument::DominatorTree;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spv::Op;

bool EndsInvocation(Op op) {
  switch (op) {
    case Op::OpKill:
    case Op::OpTerminateInvocation:
    case Op::OpIgnoreIntersectionKHR:
    case Op::OpIgnoreIntersectionNV:
    case Op::OpTerminateRayKHR:
    case Op::OpTerminateRayNV:
      return true;
    default:
      return false;
  }
}

bool IsAtomic(Op op) {
  return (op >= Op::OpAtomicLoad && op <= Op::OpAtomicXor) || op == Op::OpAtomicFAddEXT || op == Op::OpAtomicFMinEXT ||
         op == Op::OpAtomicFMaxEXT;
}

bool AccessesImage(Op op) {
  return (op >= Op::OpImageSampleImplicitLod && op <= Op::OpImageWrite) ||
         (op >= Op::OpImageSparseSampleImplicitLod && op <= Op::OpImageSparseDrefGather) || op == Op::OpImageSparseRead;
}

// The operand with the mask of image operands.
uint32_t ImageOperandsAt(Op op) {
  switch (op) {
    case Op::OpImageSampleDrefImplicitLod:
    case Op::OpImageSampleDrefExplicitLod:
    case Op::OpImageSampleProjDrefImplicitLod:
    case Op::OpImageSampleProjDrefExplicitLod:
    case Op::OpImageGather:
    case Op::OpImageDrefGather:
    case Op::OpImageWrite:
    case Op::OpImageSparseSampleDrefImplicitLod:
    case Op::OpImageSparseSampleDrefExplicitLod:
    case Op::OpImageSparseGather:
    case Op::OpImageSparseDrefGather:
      return 3;
    default:
      return 2;
  }
}

bool IsExtended(Instruction access) {
  const uint32_t at = ImageOperandsAt(access.op());
  constexpr uint32_t kExtends = static_cast<uint32_t>(spv::ImageOperandsMask::SignExtend) |
                                static_cast<uint32_t>(spv::ImageOperandsMask::ZeroExtend);
  return access.operand_count() > at && (access.literal(at) & kExtends) != 0;
}

class CertainAccesses {
 public:
  CertainAccesses(const Module& module, ShaderInterface& out) : module_(module) {
    for (ResourceVariable& resource : out.resources) {
      const bool is_wanted = resource.dim != spv::Dim::Max || resource.kind == Kind::kAccelerationStructure;
      if (is_wanted && !resource.array_length) resources_[resource.variable] = &resource;
    }
  }

  void Find(Id entry) {
    if (resources_.empty()) return;
    const std::vector<Id> functions = ReachableFunctions(module_, entry);
    for (Id function : functions) {
      for (Instruction at : module_.FindFunction(function).instructions()) {
        if (function != entry && EndsInvocation(at.op())) return;
        if (at.op() == Op::OpRayQueryInitializeKHR) ++initializations_[at.id(0)];
        if (AccessesImage(at.op())) NoteExtension(at);
      }
    }
    Walk(entry);
  }

 private:
  using Kind = ResourceVariable::Kind;

  void Walk(Id id) {
    if (!seen_.insert(id).second) return;
    const ControlFlowGraph graph(module_, module_.FindFunction(id));
    if (graph.size() == 0) return;
    const DominatorTree certain = DominatorTree::PostDominators(graph);
    for (uint32_t number : graph.reverse_post_order()) {
      if (!certain.Dominates(number, 0)) continue;
      for (Instruction at : graph.block(number).instructions()) Look(at);
    }
  }

  void Look(Instruction at) {
    switch (at.op()) {
      case Op::OpFunctionCall:
        return Walk(at.id(0));
      case Op::OpTraceRayKHR:
        return Add(VariableOf(at.id(0)), kTracesRay);
      case Op::OpTraceRayMotionNV:
        return Add(VariableOf(at.id(0)), kTracesRayInMotion);
      case Op::OpHitObjectTraceRayMotionNV:
        return Add(VariableOf(at.id(1)), kTracesHitObjectInMotion);
      case Op::OpRayQueryInitializeKHR:
        if (initializations_[at.id(0)] == 1) queries_[at.id(0)] = VariableOf(at.id(1));
        return Add(VariableOf(at.id(1)), kQueriesRay);
      case Op::OpRayQueryGenerateIntersectionKHR:
        return AddOfQuery(at.id(0), kGeneratesIntersection);
      case Op::OpRayQueryGetIntersectionTriangleVertexPositionsKHR:
        return AddOfQuery(at.id(0), kReadsPositions);
      default:
        break;
    }
    if (AccessesImage(at.op())) return Add(VariableOf(at.id(0)), kAccessesImage);
    if (!IsAtomic(at.op())) return;
    const Instruction pointer = module_.Find(at.id(0));
    if (pointer.op() == Op::OpImageTexelPointer) Add(pointer.id(0), kAccessesImage | kAccessesAtomically);
  }

  // The variable from which an image or acceleration structure is loaded; kNoId where that is not to be seen.
  Id VariableOf(Id handle) const {
    Instruction at = module_.Find(handle);
    while (at.op() == Op::OpSampledImage || at.op() == Op::OpImage || at.op() == Op::OpCopyObject) {
      at = module_.Find(at.id(0));
    }
    return at.op() == Op::OpLoad ? at.id(0) : spirv_instrument::kNoId;
  }

  void Add(Id variable, uint16_t accesses) {
    const auto found = resources_.find(variable);
    if (found != resources_.end()) found->second->accesses |= accesses;
  }
  void AddOfQuery(Id query, uint16_t accesses) {
    const auto found = queries_.find(query);
    if (found != queries_.end()) Add(found->second, accesses);
  }
  void NoteExtension(Instruction access) {
    if (!IsExtended(access)) return;
    // An access that is not followed may be to any of them.
    const auto found = resources_.find(VariableOf(access.id(0)));
    if (found != resources_.end()) {
      found->second->is_extended = true;
    } else {
      for (auto& [id, resource] : resources_) resource->is_extended = true;
    }
  }

  const Module& module_;
  absl::flat_hash_map<Id, ResourceVariable*> resources_;
  absl::flat_hash_set<Id> seen_;
  // How often each ray query is initialized, and the variable with which one that is initialized once certainly is.
  absl::flat_hash_map<Id, uint32_t> initializations_;
  absl::flat_hash_map<Id, Id> queries_;
};

}  // namespace

void AddCertainAccesses(const ModuleReader& reader, const spirv_instrument::EntryPoint& entry_point,
                        ShaderInterface& out) {
  CertainAccesses(reader.module.module(), out).Find(entry_point.function());
}

}  // namespace assay::core
