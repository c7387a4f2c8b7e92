// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/module_finding.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/ir/debug/source_locations.h"
#include "spirv_instrument/ir/decorations.h"

namespace assay::core {

using spirv_instrument::Instruction;

std::string PlaceText(const spirv_instrument::Module& module, Instruction at) {
  const auto place = at.line() ? spirv_instrument::SourceLocations(module).Of(at) : std::nullopt;
  if (!place || (place->file.empty() && place->line == 0)) return "";
  return absl::StrCat(" (", place->file, ":", place->line, ")");
}

void ModuleFindings::Add(vk::VuidIndex vuid, std::string_view text, Instruction at) {
  if (std::ranges::find(findings_, vuid, &ModuleFinding::vuid) != findings_.end()) return;
  ModuleFinding finding = {vuid, std::string(text)};
  if (at) {
    absl::StrAppend(&finding.text, " The instruction is ", spirv_instrument::NameOf(at.op()));
    if (at.result_id() != spirv_instrument::kNoId) {
      absl::StrAppend(&finding.text, " %", ToNumber(at.result_id()));
      const spirv_instrument::Decorations decorations(module_);
      const std::string_view name = decorations.NameOf(at.result_id());
      if (!name.empty()) absl::StrAppend(&finding.text, " \"", name, "\"");
    }
    absl::StrAppend(&finding.text, PlaceText(module_, at), ".");
  }
  findings_.push_back(std::move(finding));
}

}  // namespace assay::core
