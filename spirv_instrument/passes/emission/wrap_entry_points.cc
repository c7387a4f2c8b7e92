// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/emission/wrap_entry_points.h"

#include "absl/container/flat_hash_map.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"

namespace assay::spirv_instrument {
namespace {

Id AddWrapper(Module& module, Id first, Id inner, Id last) {
  const Id void_type = module.globals().Void();
  const Id id = module.FreshId();
  const Function function = module.AddFunction(id, void_type, spv::FunctionControlMask::MaskNone,
                                               module.globals().FunctionType(void_type, {}));
  SetName(module, id, "checked_entry_point");
  Builder builder = Builder::AtEnd(module, module.AddBlock(function, module.FreshId()));
  builder.Call(void_type, first, {});
  builder.Call(void_type, inner, {});
  builder.Call(void_type, last, {});
  builder.AddVoid(spv::Op::OpReturn, {});
  for (Instruction mode : ExecutionModes(module, inner)) module.SetOperand(mode, 0, ToNumber(id));
  return id;
}

}  // namespace

void WrapEntryPoints(Module& module, Id first, Id last) {
  absl::flat_hash_map<Id, Id> wrappers;
  for (EntryPoint entry_point : EntryPoints(module)) {
    Id& wrapper = wrappers[entry_point.function()];
    if (wrapper == kNoId) wrapper = AddWrapper(module, first, entry_point.function(), last);
    module.SetOperand(entry_point.instruction(), 1, ToNumber(wrapper));
  }
}

}  // namespace assay::spirv_instrument
