// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/stage_sources.h"

#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/description/parse.h"

namespace assay::spirv_instrument::corpus {
namespace {

std::string_view WithoutFolder(std::string_view file) { return file.substr(file.rfind('/') + 1); }

bool HasLines(const Module& module, const SourceLocations& locations) {
  for (const Instruction instruction : module.instructions()) {
    if (locations.Of(instruction)) return true;
  }
  return false;
}

}  // namespace

StageSources::Stage::Stage(Module read, std::string name)
    : module(std::move(read)),
      source(std::move(name)),
      locations(module),
      prints(module),
      blocks(CoverageBlocks(module)),
      has_lines(HasLines(module, locations)) {}

absl::StatusOr<StageSources> StageSources::Read(const Program& program) {
  StageSources sources;
  for (const corpus::Stage& stage : program.stages) {
    absl::StatusOr<Module> module = Module::Read(stage.words);
    if (!module.ok()) return module.status();
    sources.stages_.push_back(std::make_unique<Stage>(*std::move(module), stage.source));
  }
  return sources;
}

std::string StageSources::Place(uint32_t index, uint32_t instruction) const {
  if (index >= stages_.size()) return absl::StrCat("shader ", index, ", which is not there");
  const Stage& stage = *stages_[index];
  if (!stage.has_lines) return stage.source;
  const Instruction found = stage.module.At(instruction);
  const std::optional<SourceLocation> location = found ? stage.locations.Of(found) : std::nullopt;
  if (!location) return absl::StrCat(stage.source, ", instruction ", instruction, " without a line");
  return absl::StrCat(WithoutFolder(location->file), ":", location->line);
}

std::string StageSources::Name(FaultKind kind, uint32_t stage, uint32_t instruction) const {
  return absl::StrCat(NameOf(kind), " at ", Place(stage, instruction));
}

std::string StageSources::Name(const ExpectedFault& fault) const {
  bool has_lines = true;
  for (const std::unique_ptr<Stage>& stage : stages_) {
    if (stage->source == fault.source) has_lines = stage->has_lines;
  }
  const std::string line = has_lines ? absl::StrCat(":", fault.line) : "";
  return absl::StrCat(NameOf(fault.kind), " at ", fault.source, line);
}

}  // namespace assay::spirv_instrument::corpus
