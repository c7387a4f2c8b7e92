// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/module_facts.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/types/span.h"

namespace assay::spirv_instrument {

ModuleFacts::ModuleFacts(Module& module, PassedPointers passed)
    : module_(module),
      layouts_(module),
      passed_(std::move(passed)),
      paths_(module, layouts_, &passed_),
      entry_points_(EntryPoints(module)) {
  entry_points_of_.resize(module.function_index_count());
  for (uint32_t i = 0; i < entry_points_.size(); ++i) {
    for (Id id : ReachableFunctions(module, entry_points_[i].function())) {
      const Function function = module.FindFunction(id);
      if (function) entry_points_of_[function.index()].push_back(i);
    }
  }
  for (Function function : module.functions()) {
    if (!entry_points_of_[function.index()].empty()) functions_.push_back(function);
  }
}

absl::Span<const uint32_t> ModuleFacts::EntryPointsOf(Function function) const {
  if (function.index() >= entry_points_of_.size()) return {};
  return entry_points_of_[function.index()];
}

spv::ExecutionModel ModuleFacts::ModelOf(Function function) const {
  spv::ExecutionModel model = spv::ExecutionModel::Max;
  for (uint32_t index : EntryPointsOf(function)) {
    const spv::ExecutionModel other = entry_points_[index].model();
    if (model != spv::ExecutionModel::Max && model != other) return spv::ExecutionModel::Max;
    model = other;
  }
  return model;
}

bool ModuleFacts::IsEntryPoint(Function function) const {
  return std::any_of(entry_points_.begin(), entry_points_.end(),
                     [&](const EntryPoint& entry_point) { return entry_point.function() == function.id(); });
}

}  // namespace assay::spirv_instrument
