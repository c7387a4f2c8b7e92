// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_MODULE_FACTS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_MODULE_FACTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/access_path.h"
#include "spirv_instrument/passes/frame/passed_pointers.h"
#include "spirv_instrument/passes/frame/type_layout.h"

namespace assay::spirv_instrument {

// What passes and steps ask about a module as it was before it is changed. Made once for a run; linear in the module.
class ModuleFacts {
 public:
  // `passed` is from PassIndices(), or empty.
  explicit ModuleFacts(Module& module, PassedPointers passed = {});
  ModuleFacts(const ModuleFacts&) = delete;
  ModuleFacts& operator=(const ModuleFacts&) = delete;

  Module& module() { return module_; }
  TypeLayouts& layouts() { return layouts_; }
  const AccessPaths& paths() const { return paths_; }
  absl::Span<const EntryPoint> entry_points() const { return entry_points_; }

  // The functions that entry points reach, in the order of the module.
  absl::Span<const Function> functions() const { return functions_; }
  // The entry points that reach a function, as indices of entry_points().
  absl::Span<const uint32_t> EntryPointsOf(Function function) const;
  // The execution model of all of them; Max if they differ.
  spv::ExecutionModel ModelOf(Function function) const;
  bool IsEntryPoint(Function function) const;

 private:
  Module& module_;
  TypeLayouts layouts_;
  PassedPointers passed_;
  AccessPaths paths_;
  std::vector<EntryPoint> entry_points_;
  std::vector<Function> functions_;
  // By Function::index().
  std::vector<std::vector<uint32_t>> entry_points_of_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_MODULE_FACTS_H_
