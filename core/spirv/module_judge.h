// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_MODULE_JUDGE_H_
#define ASSAY_CORE_SPIRV_MODULE_JUDGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "cache/cache.h"
#include "core/spirv/module_finding.h"
#include "core/spirv/spirv_environment.h"
#include "core/spirv/words/known_modules.h"
#include "dispatch/dispatch.h"
#include "state/shader/shader_code.h"
#include "vk/vuid.h"

namespace assay::core {

// The ids of messages of SPIRV-Tools that name none. Each structure with SPIR-V has its own.
struct ModuleIds {
  // The words do not begin as SPIR-V does.
  vk::VuidIndex magic;
  // They cannot be read as SPIR-V.
  vk::VuidIndex format;
  vk::VuidIndex validity;
};

// Decides whether modules are valid on a device: by SPIRV-Tools' validator; if that finds nothing, by the checks of
// this room, which rely on it. With debug_disable_spirv_val there is neither. A module that was found valid on an equal
// device, in this process or before, is not looked at again. Thread-safe.
class ModuleJudge {
 public:
  // `device` and `codes` must outlive this. `known` is null if nothing is to be taken from before; otherwise it must
  // outlive this.
  ModuleJudge(const dispatch::Device& device, state::ShaderCodes& codes, KnownModules* known);

  // What is wrong with the module; empty for a valid one, and for one that cannot be judged (SpirvRulesOf::kUnknown).
  // `application_cache` may be null; a module that it has is valid, and it gets the key of one that is found valid.
  std::vector<ModuleFinding> Judge(absl::Span<const uint32_t> words, const ModuleIds& ids,
                                   cache::KeySet* application_cache) const;

 private:
  std::vector<ModuleFinding> Examine(absl::Span<const uint32_t> words, const ModuleIds& ids) const;
  // Of a module for another API.
  std::vector<ModuleFinding> ExamineForeign(absl::Span<const uint32_t> words) const;
  ModuleFinding FindingOf(absl::Span<const uint32_t> words, const ModuleIds& ids) const;

  const dispatch::Device& device_;
  state::ShaderCodes& codes_;
  const SpirvEnvironment environment_;
  // Equal for devices on which the same modules are valid.
  const std::string key_options_;
  KnownModules* const known_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_MODULE_JUDGE_H_
