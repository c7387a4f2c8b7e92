// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/tracking/tracked_objects.h"

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/control_flow/split.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/access_path.h"

namespace assay::spirv_instrument {
namespace {

// Chains of chains, and arrays of arrays.
constexpr int kMaxSteps = 16;

bool IsChain(spv::Op op) { return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain; }

}  // namespace

bool IsAccessSkipped(Instruction in_report, const WantedCheck& check) {
  // The block of the report branches to what comes behind the access, which is in a block of its own, or to the access.
  return in_report.block().terminator().id(0) != check.access.block().id();
}

TrackedObject TrackedObjects::Find(Id pointer) const {
  Module& module = facts_.module();
  TrackedObject object;
  Instruction at = module.Find(pointer);
  for (int step = 0; step < kMaxSteps; ++step) {
    if (IsChain(at.op())) {
      absl::InlinedVector<Id, 2> indices;
      for (size_t i = 1; i < at.operand_count(); ++i) indices.push_back(at.id(i));
      object.indices.insert(object.indices.begin(), indices.begin(), indices.end());
    } else if (at.op() == spv::Op::OpFunctionParameter) {
      // Indices of a caller are not defined here.
      const AccessPath path = facts_.paths().Find(at.result_id());
      if (path.root != AccessPath::Root::kOther || path.type != module.TypeOf(path.base).id(1)) return {};
      at = module.Find(path.base);
      break;
    } else if (at.op() != spv::Op::OpCopyObject) {
      break;
    }
    at = module.Find(at.id(0));
  }
  if (at.op() != spv::Op::OpVariable || IsForgotten(at.result_id())) return {};
  Instruction type = module.Find(module.Find(at.type_id()).id(1));
  for (size_t i = 0; i < object.indices.size(); ++i) {
    if (type.op() != spv::Op::OpTypeArray) return {};
    type = module.Find(type.id(0));
  }
  if (type.op() != spv::Op::OpTypeRayQueryKHR && type.op() != spv::Op::OpTypeHitObjectNV) return {};
  object.variable = at.result_id();
  return object;
}

void TrackedObjects::ForgetPassed() {
  const Module& module = facts_.module();
  for (const Function function : facts_.functions()) {
    for (const Instruction call : function.instructions()) {
      if (call.op() != spv::Op::OpFunctionCall) continue;
      for (size_t i = 1; i < call.operand_count(); ++i) {
        Instruction at = module.Find(call.id(i));
        while (IsChain(at.op()) || at.op() == spv::Op::OpCopyObject) at = module.Find(at.id(0));
        if (at.op() == spv::Op::OpVariable) forgotten_.insert(at.result_id());
      }
    }
  }
}

Id TrackedObjects::StateType(Id type, int depth) {
  Globals globals = facts_.module().globals();
  const Instruction definition = facts_.module().Find(type);
  if (definition.op() != spv::Op::OpTypeArray || depth == 0) return globals.Uint32();
  return globals.Array(StateType(definition.id(0), depth - 1), definition.id(1));
}

Id TrackedObjects::StateVariable(Id variable) {
  Id& state = states_[variable];
  if (state != kNoId) return state;
  Module& module = facts_.module();
  Globals globals = module.globals();
  const Id type = StateType(module.TypeOf(variable).id(1), kMaxSteps);
  state = globals.AddVariable(globals.Pointer(spv::StorageClass::Private, type), spv::StorageClass::Private,
                              globals.Null(type));
  AddToInterfaces(module, state);
  return state;
}

Id TrackedObjects::StatePointer(const TrackedObject& object, Emitter& emitter) {
  const Id variable = StateVariable(object.variable);
  if (object.indices.empty()) return variable;
  Globals globals = emitter.globals();
  const Id type = globals.Pointer(spv::StorageClass::Private, globals.Uint32());
  return emitter.builder().AccessChain(type, variable, object.indices);
}

Id TrackedObjects::Load(const TrackedObject& object, Emitter& emitter) {
  return emitter.builder().Load(emitter.globals().Uint32(), StatePointer(object, emitter));
}

Id TrackedObjects::AskIfInitialized(const TrackedObject& object, Id type, absl::FunctionRef<Id(Builder&)> ask,
                                    Emitter& emitter) {
  Module& module = emitter.module();
  const Id is_initialized = emitter.builder().Binary(spv::Op::OpIEqual, module.globals().Bool(), Load(object, emitter),
                                                     emitter.Uint(static_cast<uint32_t>(TrackedState::kInitialized)));
  // Stands at the emitter's place, behind which the block may have nothing but its end.
  const Instruction place = emitter.builder().AddWithResult(spv::Op::OpNop, kNoId, kNoId, {});
  Split split = SplitBefore(module, place);
  // The header of a loop has a merge instruction already.
  if (split.head.merge()) split = SplitBefore(module, place);
  const Block asking = module.AddBlockAfter(split.head, module.FreshId());
  module.Remove(split.head.terminator());
  Builder head = Builder::AtEnd(module, split.head);
  head.AddVoid(spv::Op::OpSelectionMerge, {split.tail.id(), spv::SelectionControlMask::MaskNone});
  head.AddVoid(spv::Op::OpBranchConditional, {is_initialized, asking.id(), split.tail.id()});
  Builder builder = Builder::AtEnd(module, asking);
  const Id answer = ask(builder);
  builder.Branch(split.tail.id());
  const Id result = module.FreshId();
  module.InsertAfter(split.tail.label(), spv::Op::OpPhi, type, result,
                     {answer, asking.id(), module.globals().Null(type), split.head.id()});
  module.Remove(place);
  return result;
}

void TrackedObjects::Store(const TrackedObject& object, TrackedState state, Emitter& emitter) {
  emitter.builder().Store(StatePointer(object, emitter), emitter.Uint(static_cast<uint32_t>(state)));
}

void TrackedObjects::Reset(Id variable, Emitter& emitter) {
  const Id state = StateVariable(variable);
  emitter.builder().Store(state, emitter.globals().Null(emitter.module().TypeOf(state).id(1)));
}

void TrackedObjects::StoreSkipped(const TrackedObject& object, const WantedCheck& check, Emitter& emitter) {
  const Instruction store = emitter.builder().AddVoid(
      spv::Op::OpStore, {StatePointer(object, emitter), emitter.Uint(static_cast<uint32_t>(TrackedState::kSkipped))});
  if (!IsAccessSkipped(store, check)) emitter.module().Remove(store);
}

}  // namespace assay::spirv_instrument
