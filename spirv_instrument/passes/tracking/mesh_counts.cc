// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/tracking/mesh_counts.h"

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/globals.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kComponents = 3;

}  // namespace

Id MeshCounts::Variable(Module& module) {
  if (variable_ != kNoId) return variable_;
  Globals globals = module.globals();
  const Id type = globals.Vector(globals.Uint32(), kComponents);
  variable_ = globals.AddVariable(globals.Pointer(spv::StorageClass::Private, type), spv::StorageClass::Private,
                                  globals.Null(type));
  AddToInterfaces(module, variable_);
  return variable_;
}

Id MeshCounts::Load(Component component, Emitter& emitter) {
  Globals globals = emitter.globals();
  const Id type = globals.Uint32();
  const Id pointer =
      emitter.builder().AccessChain(globals.Pointer(spv::StorageClass::Private, type), Variable(emitter.module()),
                                    {emitter.Uint(static_cast<uint32_t>(component))});
  return emitter.builder().Load(type, pointer);
}

Instruction MeshCounts::StoreWithState(TrackedState state, Id vertices, Id primitives, Emitter& emitter) {
  Globals globals = emitter.globals();
  const Id counts = emitter.builder().Add(spv::Op::OpCompositeConstruct, globals.Vector(globals.Uint32(), kComponents),
                                          {emitter.Uint(static_cast<uint32_t>(state)), vertices, primitives});
  return emitter.builder().AddVoid(spv::Op::OpStore, {Variable(emitter.module()), counts});
}

void MeshCounts::Store(Id vertices, Id primitives, Emitter& emitter) {
  StoreWithState(TrackedState::kInitialized, vertices, primitives, emitter);
}

void MeshCounts::StoreSkipped(const WantedCheck& check, Emitter& emitter) {
  const Id zero = emitter.Uint(0);
  const Instruction store = StoreWithState(TrackedState::kSkipped, zero, zero, emitter);
  if (!IsAccessSkipped(store, check)) emitter.module().Remove(store);
}

}  // namespace assay::spirv_instrument
