// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Stages with their neighbors, as messages.

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/interfaces/pipeline_stages.h"
#include "core/interfaces/stage_matching.h"

namespace assay::core {
namespace {

using Kind = StageMismatch::Kind;
using messages::Object;
using messages::Report;

vk::VuidIndex IdOf(Kind kind, vk::VuidIndex otherwise) {
  switch (kind) {
    case Kind::kNoOutput:
      return vk::Vuid("VUID-RuntimeSpirv-OpEntryPoint-08743");
    case Kind::kComponentType:
      return vk::Vuid("VUID-RuntimeSpirv-OpEntryPoint-07754");
    case Kind::kDecoration:
    case Kind::kBuiltInBlock:
      return vk::Vuid("VUID-RuntimeSpirv-OpVariable-08746");
    case Kind::kLongerVector:
      return vk::Vuid("VUID-RuntimeSpirv-maintenance4-06817");
    default:
      return otherwise;
  }
}

std::string InputText(const CheckedStage& stage, const InterfaceElement& input) {
  return absl::StrCat("is a ", StageText(stage.stage), " shader with the input ", stage.Texts().Of(input));
}

// What is wrong, and the fix.
std::pair<std::string, std::string> Words(const CheckedStage& producer, const CheckedStage& consumer,
                                          const StageMismatch& mismatch) {
  const std::string_view other = StageText(producer.stage);
  const auto block = [](const CheckedStage& stage, const StageInterface& interface) {
    return stage.Texts().Of(interface.block_variable);
  };
  switch (mismatch.kind) {
    case Kind::kNoOutput:
      return {absl::StrCat(InputText(consumer, *mismatch.input), ", but the ", other,
                           " shader before it declares no output for component ", mismatch.word, " of location ",
                           mismatch.location, "."),
              absl::StrCat("Declare the output in the ", other, " shader, or take the input out.")};
    case Kind::kBuiltInBlock:
      return {absl::StrCat("is a ", StageText(consumer.stage), " shader whose built-in input block ",
                           block(consumer, consumer.interface->inputs), " has other members than the output block ",
                           block(producer, producer.interface->outputs), " of the ", other, " shader before it."),
              "Declare both blocks with the same built-ins in the same order."};
    case Kind::kNoPosition:
      return {absl::StrCat("is a ", StageText(consumer.stage), " shader that reads the built-in block ",
                           block(consumer, consumer.interface->inputs), ", but the ", other,
                           " shader before it has no output Position."),
              "Write Position in the earlier shader."};
    default:
      break;
  }
  std::string text = absl::StrCat(InputText(consumer, *mismatch.input), ", which does not match the output ",
                                  producer.Texts().Of(*mismatch.output), ", of the ", other, " shader before it");
  if (mismatch.kind == Kind::kLongerVector) {
    return {absl::StrCat(text, ": the output has more components, and maintenance4 is not enabled."),
            "Declare both with the same number of components, or enable maintenance4."};
  }
  if (mismatch.kind == Kind::kDecoration) {
    return {absl::StrCat(text, ": their decorations differ."),
            "Declare both with the same Component, Patch and PerPrimitiveEXT decorations."};
  }
  return {absl::StrCat(text, ": their types differ."), "Declare both with the same type."};
}

void CheckLocations(const CheckedStage& stage, bool is_input, const VkPhysicalDeviceLimits& limits, Report& report) {
  const StageInterface& interface = is_input ? stage.interface->inputs : stage.interface->outputs;
  const uint32_t limit = LocationLimit(stage.stage, is_input, limits);
  if (limit == 0) return;
  for (const InterfaceElement& element : interface.elements) {
    const uint64_t end = element.location + uint64_t{element.type.vector_count()} * element.type.locations();
    // Patches have locations of their own.
    if (end <= limit || element.is_patch) continue;
    report.Error(vk::Vuid("VUID-RuntimeSpirv-Location-06272"), {Object(stage.module)}, stage.where,
                 absl::StrCat("is a ", StageText(stage.stage), " shader with the ", is_input ? "input " : "output ",
                              stage.Texts().Of(element), ", whose last location is ", end - 1, ", but there are ",
                              limit, " locations for ", is_input ? "inputs" : "outputs", " of that stage."),
                 absl::StrCat("Use the locations 0 to ", limit - 1, "."));
  }
}

}  // namespace

void CheckStages(absl::Span<const CheckedStage> stages, bool maintenance4, const VkPhysicalDeviceLimits& limits,
                 const MatchingIds& ids, Report& report) {
  for (size_t i = 0; i < stages.size(); ++i) {
    CheckLocations(stages[i], true, limits, report);
    CheckLocations(stages[i], false, limits, report);
    if (i == 0) continue;
    const CheckedStage& producer = stages[i - 1];
    const CheckedStage& consumer = stages[i];
    const bool is_fragment = consumer.stage == VK_SHADER_STAGE_FRAGMENT_BIT;
    for (const StageMismatch& mismatch : MatchStages(*producer.interface, *consumer.interface, maintenance4)) {
      const vk::VuidIndex id = IdOf(mismatch.kind, is_fragment ? ids.fragment : ids.pre_rasterization);
      if (id == vk::kNoVuid) continue;
      auto [text, fix] = Words(producer, consumer, mismatch);
      report.Error(id, {Object(producer.module), Object(consumer.module)}, consumer.where, text, fix);
    }
  }
}

}  // namespace assay::core
