// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what //tools/coverage counts: the ids that shaders' records are reported under, one line each.

#include <cstdio>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gpuav/parameters/parameter_rules.h"
#include "gpuav/recording/actions.h"
#include "gpuav/reports/rules.h"
#include "vk/command_info.h"
#include "vk/vuid.h"

namespace assay::gpuav {
namespace {

void Print(std::string_view owner, std::string_view rule) {
  const vk::VuidIndex found = vk::FindVuidOf(owner, rule);
  if (found != vk::kNoVuid) std::printf("in-table\t%s\t\n", std::string(vk::GetVuid(found).id).c_str());
}

void PrintRules(std::string_view command, const ShaderRules& rules) {
  for (const std::string_view rule : {rules.buffered_descriptor, rules.uniform_buffer, rules.storage_buffer}) {
    Print(command, rule);
  }
}

void PrintCommands(absl::Span<const vk::CommandId> commands, bool run_shader_objects) {
  for (const vk::CommandId command : commands) {
    const std::string_view name = vk::GetCommandInfo(command).name;
    for (const std::string_view rule : kCommandRules) Print(name, rule);
    PrintRules(name, kPipelineRules);
    if (run_shader_objects) PrintRules(name, kShaderObjectRules);
  }
}

// Of execution sets. What else generated commands set, nothing here follows.
void PrintGenerated() {
  for (const std::string_view rule : {kPipelineRules.uniform_buffer, kPipelineRules.storage_buffer}) {
    Print("vkCmdExecuteGeneratedCommandsEXT", rule);
  }
}

void PrintParameters() {
  for (int i = 0; i <= static_cast<int>(ParameterKind::kInstances); ++i) {
    for (const vk::VuidIndex vuid : ParameterVuidsOf(static_cast<ParameterKind>(i))) {
      std::printf("in-table\t%s\t\n", std::string(vk::GetVuid(vuid).id).c_str());
    }
  }
  for (const std::string_view command :
       {"vkCmdBuildAccelerationStructuresKHR", "vkCmdBuildAccelerationStructuresIndirectKHR"}) {
    for (const std::string_view rule : {kInstanceReferenceRule, kInstancePointerRule}) Print(command, rule);
  }
}

void PrintShaders() {
  Print("VkDescriptorImageInfo", "imageLayout-00344");
  for (const std::string_view rule : kTaskRules) Print("RuntimeSpirv", rule);
  for (const std::string_view rule : {kVertexCountRule, kPrimitiveCountRule, kRayTimeRule, kHitTRule, kHitKindRule}) {
    Print("RuntimeSpirv", rule);
  }
  for (const RayRules& rules : kRayRules) {
    for (const std::string_view number :
         {rules.finite, rules.negative, rules.reversed, rules.not_a_number, rules.skip, rules.cull, rules.opaque}) {
      Print("RuntimeSpirv", absl::StrCat(rules.instruction, "-", number));
    }
  }
}

}  // namespace
}  // namespace assay::gpuav

int main() {
  assay::gpuav::PrintCommands(assay::gpuav::DrawCommands::kIds, true);
  assay::gpuav::PrintCommands(assay::gpuav::DispatchCommands::kIds, true);
  assay::gpuav::PrintCommands(assay::gpuav::TraceCommands::kIds, false);
  assay::gpuav::PrintGenerated();
  assay::gpuav::PrintParameters();
  assay::gpuav::PrintShaders();
}
