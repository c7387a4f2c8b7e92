// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_MODULE_FINDING_H_
#define ASSAY_CORE_SPIRV_MODULE_FINDING_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "vk/vuid.h"

namespace assay::core {

// A rule that a SPIR-V module breaks, whatever is made of it.
struct ModuleFinding {
  vk::VuidIndex vuid;
  // Full sentences: what is wrong, and where.
  std::string text;
};

// " (a.frag:12)": where in its source an instruction comes from; "" if the module does not say.
std::string PlaceText(const spirv_instrument::Module& module, spirv_instrument::Instruction at);

// What checks of modules add to. A rule is reported once, for the first instruction that breaks it.
class ModuleFindings {
 public:
  // `module` must outlive this.
  explicit ModuleFindings(const spirv_instrument::Module& module) : module_(module) {}

  const spirv_instrument::Module& module() const { return module_; }
  // `text` is what is wrong, as a full sentence. The instruction's text, and its line of source if the module has it,
  // are added.
  void Add(vk::VuidIndex vuid, std::string_view text, spirv_instrument::Instruction at);
  const std::vector<ModuleFinding>& findings() const { return findings_; }
  std::vector<ModuleFinding> Take() { return std::move(findings_); }

 private:
  const spirv_instrument::Module& module_;
  std::vector<ModuleFinding> findings_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_MODULE_FINDING_H_
