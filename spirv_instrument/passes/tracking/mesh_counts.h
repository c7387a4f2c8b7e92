// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_TRACKING_MESH_COUNTS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_TRACKING_MESH_COUNTS_H_

#include <cstdint>

#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/wanted_check.h"
#include "spirv_instrument/passes/tracking/tracked_objects.h"

namespace assay::spirv_instrument {

// How many vertices and primitives a mesh shader has set, in a variable of the module of storage class Private, which
// is added when it is first asked for. Nothing is set when the shader starts.
class MeshCounts {
 public:
  enum class Component : uint32_t { kState, kVertices, kPrimitives };

  // As an integer; the state as TrackedState.
  Id Load(Component component, Emitter& emitter);
  void Store(Id vertices, Id primitives, Emitter& emitter);
  // As TrackedObjects::StoreSkipped(): nothing is set then.
  void StoreSkipped(const WantedCheck& check, Emitter& emitter);

 private:
  Instruction StoreWithState(TrackedState state, Id vertices, Id primitives, Emitter& emitter);
  Id Variable(Module& module);

  Id variable_ = kNoId;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_TRACKING_MESH_COUNTS_H_
