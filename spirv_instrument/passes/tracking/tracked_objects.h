// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_TRACKING_TRACKED_OBJECTS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_TRACKING_TRACKED_OBJECTS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/wanted_check.h"

namespace assay::spirv_instrument {

// What the shader did with an object that only an instruction can initialize: a ray query, a hit object.
enum class TrackedState : uint32_t {
  kNotInitialized,
  kInitialized,
  // The instruction that would have initialized it was not executed, since it was faulty. That was reported; what uses
  // the object is not executed either, and not reported again.
  kSkipped,
};

// A variable, or what indices select of an array of such objects.
struct TrackedObject {
  Id variable = kNoId;
  absl::InlinedVector<Id, 2> indices;

  explicit operator bool() const { return variable != kNoId; }
};

// To be asked while the report of a check with form kGuard is emitted, of an instruction of that report: whether the
// access is not executed then, or only reported, as the frame may decide.
bool IsAccessSkipped(Instruction in_report, const WantedCheck& check);

// States of objects, in variables of the module: one word for each object, in arrays like those of the objects, of
// storage class Private, so that functions that get a pointer to the object find it. They are added when they are first
// asked for, and 0 (kNotInitialized) when the shader starts.
class TrackedObjects {
 public:
  // Must outlive this.
  explicit TrackedObjects(ModuleFacts& facts) : facts_(facts) {}

  // Null if `pointer` may be to different objects, to one that is not in arrays of variables, or to one that was
  // forgotten.
  TrackedObject Find(Id pointer) const;

  // From now on there are none in variables that some function gets a pointer to or into. For modules that initialize
  // an object that Find does not know: it may be any of these. Linear in the module.
  void ForgetPassed();
  bool IsForgotten(Id variable) const { return forgotten_.contains(variable); }

  // The state as an integer.
  Id Load(const TrackedObject& object, Emitter& emitter);
  // A value of a type that has zero: what `ask` emits in a block of its own if the object is initialized, else zero.
  // Splits the block of the emitter's place.
  Id AskIfInitialized(const TrackedObject& object, Id type, absl::FunctionRef<Id(Builder&)> ask, Emitter& emitter);
  void Store(const TrackedObject& object, TrackedState state, Emitter& emitter);
  // Of all objects of a variable: kNotInitialized.
  void Reset(Id variable, Emitter& emitter);
  // To be called when the report of a check with form kGuard is emitted: stores kSkipped if the access is skipped.
  void StoreSkipped(const TrackedObject& object, const WantedCheck& check, Emitter& emitter);

 private:
  Id StateVariable(Id variable);
  Id StateType(Id type, int depth);
  Id StatePointer(const TrackedObject& object, Emitter& emitter);

  ModuleFacts& facts_;
  absl::flat_hash_map<Id, Id> states_;
  // Variables.
  absl::flat_hash_set<Id> forgotten_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_TRACKING_TRACKED_OBJECTS_H_
