// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_STAGE_SOURCES_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_STAGE_SOURCES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/instrumented/faults.h"
#include "spirv_instrument/coverage/coverage.h"
#include "spirv_instrument/ir/debug/source_locations.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/printf/prints.h"

namespace assay::spirv_instrument::corpus {

// What the modules of a program say of themselves, before they are instrumented. A stage is an index in the program.
class StageSources {
 public:
  // Refers to `program` only here. Fails if a module cannot be read.
  static absl::StatusOr<StageSources> Read(const Program& program);

  // "buffer-bounds at loop.comp:12", by the module's debug information; without a line where the module has none at
  // all.
  std::string Name(FaultKind kind, uint32_t stage, uint32_t instruction) const;
  std::string Name(const RecordedFault& fault) const { return Name(fault.kind, fault.shader, fault.instruction); }
  // The same for what a description expects.
  std::string Name(const ExpectedFault& fault) const;
  // "loop.comp:12".
  std::string Place(uint32_t index, uint32_t instruction) const;

  size_t size() const { return stages_.size(); }
  const Prints& prints(uint32_t stage) const { return stages_[stage]->prints; }
  const Module& module(uint32_t stage) const { return stages_[stage]->module; }
  const std::vector<CoverageBlock>& blocks(uint32_t stage) const { return stages_[stage]->blocks; }

 private:
  struct Stage {
    Stage(Module read, std::string name);

    Module module;
    std::string source;
    SourceLocations locations;
    Prints prints;
    std::vector<CoverageBlock> blocks;
    bool has_lines = false;
  };

  // Where they are does not change: locations refer to modules.
  std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_STAGE_SOURCES_H_
