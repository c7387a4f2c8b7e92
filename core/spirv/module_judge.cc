// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/module_judge.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "core/spirv/builtins/builtin_checks.h"
#include "core/spirv/module_checks.h"
#include "spirv-tools/libspirv.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/module.h"

namespace assay::core {
namespace {

using spirv_instrument::Module;

struct DiagnosticDestroyer {
  void operator()(spv_diagnostic diagnostic) const { spvDiagnosticDestroy(diagnostic); }
};
using Diagnostic = std::unique_ptr<spv_diagnostic_t, DiagnosticDestroyer>;

// Null for a valid module.
Diagnostic Validate(spv_const_context context, spv_const_validator_options options, absl::Span<const uint32_t> words) {
  spv_const_binary_t binary = {words.data(), words.size()};
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result = spvValidateWithOptions(context, options, &binary, &diagnostic);
  Diagnostic owner(diagnostic);
  // A warning is no error.
  if (result == SPV_SUCCESS) owner.reset();
  return owner;
}

bool IsFormatted(spv_const_context context, absl::Span<const uint32_t> words) {
  return spvBinaryParse(context, nullptr, words.data(), words.size(), nullptr, nullptr, nullptr) == SPV_SUCCESS;
}

// "[VUID-StandaloneSpirv-Flat-04744] Fragment …\n  %4 = OpVariable …\n" in parts.
struct ToolMessage {
  std::string_view id;
  std::string text;
  std::string_view instruction;
};
ToolMessage ReadMessage(std::string_view message) {
  ToolMessage result;
  const size_t begin = message.find("[VUID-");
  const size_t end = begin != std::string_view::npos ? message.find(']', begin) : begin;
  if (end != std::string_view::npos) result.id = message.substr(begin + 1, end - begin - 1);
  const size_t line = message.find("\n  ");
  result.text = std::string(absl::StripAsciiWhitespace(message.substr(0, line)));
  if (line != std::string_view::npos) result.instruction = absl::StripAsciiWhitespace(message.substr(line));
  if (!result.id.empty()) result.text = absl::StrReplaceAll(result.text, {{absl::StrCat("[", result.id, "] "), ""}});
  while (result.text.ends_with('.')) result.text.pop_back();
  return result;
}

// Whether SPIRV-Tools may mean an entry point that does not have the variable: of these rules it asks every entry point
// of a module for the execution mode.
bool MayBeOfOtherEntryPoint(const Module& module, vk::VuidIndex reported) {
  constexpr vk::VuidIndex kOfAll[] = {
      vk::Vuid("VUID-PrimitiveLineIndicesEXT-PrimitiveLineIndicesEXT-07048"),
      vk::Vuid("VUID-PrimitivePointIndicesEXT-PrimitivePointIndicesEXT-07042"),
      vk::Vuid("VUID-PrimitiveTriangleIndicesEXT-PrimitiveTriangleIndicesEXT-07054"),
  };
  return std::ranges::count(kOfAll, reported) != 0 && spirv_instrument::EntryPoints(module).size() > 1;
}

}  // namespace

ModuleJudge::ModuleJudge(const dispatch::Device& device, state::ShaderCodes& codes, KnownModules* known)
    : device_(device),
      codes_(codes),
      environment_(device),
      key_options_(absl::StrCat(environment_.text(), " ", ModuleCheckFeatures(device))),
      known_(known) {}

std::vector<ModuleFinding> ModuleJudge::Judge(absl::Span<const uint32_t> words, const ModuleIds& ids,
                                              cache::KeySet* application_cache) const {
  if (environment_.is_newer() || device_.instance.settings.debug_disable_spirv_val) return {};
  const bool has_cache = known_ != nullptr || application_cache != nullptr;
  const cache::Key key = has_cache ? cache::KeyOf(words, key_options_) : cache::Key();
  const bool is_known = (application_cache != nullptr && application_cache->Contains(key)) ||
                        (known_ != nullptr && known_->Contains(key));
  if (!is_known) {
    const SpirvRulesOf rules = RulesOf(words);
    if (rules == SpirvRulesOf::kUnknown) return {};
    if (rules == SpirvRulesOf::kOtherApi) return ExamineForeign(words);
    std::vector<ModuleFinding> findings = Examine(words, ids);
    if (!findings.empty()) return findings;
  }
  if (application_cache != nullptr) application_cache->Insert(key);
  if (known_ != nullptr) known_->Insert(key);
  return {};
}

std::vector<ModuleFinding> ModuleJudge::ExamineForeign(absl::Span<const uint32_t> words) const {
  const std::shared_ptr<const Module> module = codes_.Get(words)->Read();
  if (module == nullptr) return {};
  ModuleFindings findings(*module);
  CheckForeignModule(findings);
  return findings.Take();
}

std::vector<ModuleFinding> ModuleJudge::Examine(absl::Span<const uint32_t> words, const ModuleIds& ids) const {
  const bool is_valid = Validate(environment_.context(), environment_.options(), words) == nullptr;
  const std::shared_ptr<const Module> module = codes_.Get(words)->Read();
  if (!is_valid) {
    ModuleFinding finding = FindingOf(words, ids);
    if (module != nullptr && MayBeOfOtherEntryPoint(*module, finding.vuid)) return {};
    // SPIRV-Tools refuses some built-ins and textures without an id, and other built-ins wrongly.
    const bool is_texture = absl::StrContains(finding.text, "Missing decoration");
    const bool has_no_id = finding.vuid == ids.validity && (is_texture || absl::StrContains(finding.text, "BuiltIn"));
    const bool has_own_rules = module != nullptr && (has_no_id || IsFalselyReported(*module, finding.vuid));
    if (!has_own_rules) return {std::move(finding)};
    ModuleFindings own(*module);
    if (is_texture) {
      CheckProcessedTextures(own);
    } else {
      CheckBuiltIns(own);
    }
    if (has_no_id && own.findings().empty()) return {std::move(finding)};
    return own.Take();
  }
  if (module == nullptr) return {};
  ModuleFindings findings(*module);
  CheckModule(device_, findings);
  CheckBuiltIns(findings);
  return findings.Take();
}

ModuleFinding ModuleJudge::FindingOf(absl::Span<const uint32_t> words, const ModuleIds& ids) const {
  const Diagnostic diagnostic = Validate(environment_.context(), environment_.options_with_names(), words);
  const ToolMessage message = ReadMessage(diagnostic != nullptr ? diagnostic->error : "");
  ModuleFinding finding = {IsFormatted(environment_.context(), words) ? ids.validity : ids.format,
                           absl::StrCat(message.text, ".")};
  const auto module = codes_.Get(words)->Read();
  if (message.text.starts_with("Sampled image type requires an image type with \"Sampled\"")) {
    // SPIRV-Tools names the rule for the image's own type, of which this is not a violation.
    finding.vuid = vk::Vuid("VUID-StandaloneSpirv-OpTypeSampledImage-06671");
  } else if (vk::VuidIndex found; vk::FindVuid(message.id, &found)) {
    finding.vuid = module != nullptr ? IdForModule(*module, found) : found;
  }
  if (message.instruction.empty()) return finding;
  std::string place;
  if (module != nullptr && diagnostic != nullptr) {
    // SPIRV-Tools counts instructions from 1, as Module does.
    place = PlaceText(*module, module->At(static_cast<uint32_t>(diagnostic->position.index)));
  }
  absl::StrAppend(&finding.text, " The instruction is \"", message.instruction, "\"", place, ".");
  return finding;
}

}  // namespace assay::core
