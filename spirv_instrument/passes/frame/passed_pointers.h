// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_PASSED_POINTERS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_PASSED_POINTERS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// What all calls of a function pass for one of its parameters: a pointer to a part of a global variable, or what was
// loaded from there.
struct PassedPointer {
  Id variable = kNoId;
  // The indices of an access chain from the variable: constants, and parameters of the function itself.
  absl::InlinedVector<Id, 4> indices;
};

class PassedPointers {
 public:
  // Null if calls pass different variables, something else, or nothing that is known.
  const PassedPointer* Find(Id parameter) const {
    const uint32_t place = places_.Get(parameter);
    return place == 0 ? nullptr : &pointers_[place - 1];
  }

  void Add(Id parameter, PassedPointer pointer) {
    pointers_.push_back(std::move(pointer));
    places_[parameter] = static_cast<uint32_t>(pointers_.size());
  }

 private:
  // Places in pointers_, plus 1.
  IdTable<uint32_t> places_;
  std::vector<PassedPointer> pointers_;
};

// Whether an instruction calls functions that it names, once for each element of a matrix: not by OpFunctionCall.
bool CallsForElements(spv::Op op);

// Gives functions the indices that their callers select descriptors by. A function that gets a pointer into an array of
// descriptors, or an image that was loaded from one, cannot say which descriptor it is: the index is the caller's. So
// each index that calls differ in, or that is not constant, becomes one more parameter:
//
//   %p = OpAccessChain %ptr_image %images %i          %p = OpAccessChain %ptr_image %images %i
//        OpFunctionCall %void %f %p                        OpFunctionCall %void %f %p %i
//
//   %f = OpFunction ...                               %f = OpFunction ...
//   %q = OpFunctionParameter %ptr_image               %q = OpFunctionParameter %ptr_image
//                                                     %n = OpFunctionParameter %uint
//
// and %q is known as %images[%n]. The shader computes what it did. This is for parameters that are images, samplers or
// acceleration structures, or pointers into UniformConstant, Uniform and StorageBuffer, if all calls pass parts of one
// variable, by chains of the same length. Callers come before those that they call, so that indices go through any
// number of calls. Instructions that were read keep their indices, and none is added but parameters. Linear in the
// module.
PassedPointers PassIndices(Module& module);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_PASSED_POINTERS_H_
