// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which descriptor of an array is accessed.

#include <cstddef>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/spirv/indices/descriptor_kinds.h"
#include "core/spirv/indices/index_checks.h"
#include "core/spirv/module_reader.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/uses.h"
#include "vk/feature_id.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Section;
using spv::Op;
using vk::FeatureId;

namespace {

// The rule of a kind of descriptor. It is not reported where the device has the feature: then compilers of GLSL leave
// the capability out, which no implementation minds.
struct IndexRule {
  vk::VuidIndex vuid;
  FeatureId feature;
};
// In the order of DescriptorKind.
constexpr IndexRule kRules[] = {
    {vk::Vuid("VUID-StandaloneSpirv-UniformBufferArrayDynamicIndexing-10127"),
     FeatureId::kShaderUniformBufferArrayDynamicIndexing},
    {vk::Vuid("VUID-StandaloneSpirv-SampledImageArrayDynamicIndexing-10128"),
     FeatureId::kShaderSampledImageArrayDynamicIndexing},
    {vk::Vuid("VUID-StandaloneSpirv-StorageBufferArrayDynamicIndexing-10129"),
     FeatureId::kShaderStorageBufferArrayDynamicIndexing},
    {vk::Vuid("VUID-StandaloneSpirv-StorageImageArrayDynamicIndexing-10130"),
     FeatureId::kShaderStorageImageArrayDynamicIndexing},
    {vk::Vuid("VUID-StandaloneSpirv-InputAttachmentArrayDynamicIndexing-10131"),
     FeatureId::kShaderInputAttachmentArrayDynamicIndexing},
    {vk::Vuid("VUID-StandaloneSpirv-UniformTexelBufferArrayDynamicIndexing-10132"),
     FeatureId::kShaderUniformTexelBufferArrayDynamicIndexing},
    {vk::Vuid("VUID-StandaloneSpirv-StorageTexelBufferArrayDynamicIndexing-10133"),
     FeatureId::kShaderStorageTexelBufferArrayDynamicIndexing},
};

const IndexRule& RuleOf(DescriptorKind kind) { return kRules[static_cast<size_t>(kind)]; }

// Whether memory is accessed through such an operand, for all that the function shows.
bool IsAccess(Op op) {
  const bool is_query = op >= Op::OpImageQueryFormat && op <= Op::OpImageQuerySamples;
  return !is_query && op != Op::OpArrayLength && op != Op::OpFunctionCall && op != Op::OpExtInst;
}

using Kinds = absl::flat_hash_map<Id, DescriptorKind>;

// Finds accesses through elements of arrays whose index is no constant.
void CheckFunction(ModuleReader& reader, const Kinds& arrays, spirv_instrument::Function function) {
  Kinds chosen;
  for (Instruction instruction : function.instructions()) {
    const bool is_chain = instruction.op() == Op::OpAccessChain || instruction.op() == Op::OpInBoundsAccessChain;
    const auto array = is_chain ? arrays.find(instruction.id(0)) : arrays.end();
    if (array != arrays.end()) {
      const bool is_constant = spirv_instrument::IsConstant(reader.Find(instruction.id(1)).op());
      if (instruction.operand_count() > 1 && !is_constant) chosen[instruction.result_id()] = array->second;
      continue;
    }
    std::optional<DescriptorKind> kind;
    spirv_instrument::ForEachId(reader.module(), instruction, [&](uint32_t, Id id) {
      if (const auto found = chosen.find(id); found != chosen.end()) kind = found->second;
    });
    if (!kind) continue;
    if (IsSameResource(reader, instruction)) {
      chosen[instruction.result_id()] = *kind;
    } else if (IsAccess(instruction.op())) {
      reader.findings().Add(RuleOf(*kind).vuid,
                            absl::StrCat("The index into an array of ", InfoOf(*kind).name,
                                         " is no constant, and the module does not declare the capability for this."),
                            instruction);
    }
  }
}

}  // namespace

void CheckDescriptorIndices(const dispatch::Device& device, ModuleReader& reader) {
  Kinds arrays;
  for (Instruction variable : reader.module().section(Section::kGlobals)) {
    const std::optional<DescriptorKind> kind = KindOfArray(reader, variable);
    if (!kind || IsReportedAsNonUniform(reader.findings(), *kind)) continue;
    const DescriptorKindInfo& info = InfoOf(*kind);
    const bool may = reader.HasCapability(info.dynamic) || reader.HasCapability(info.non_uniform);
    if (!may && !device.HasFeature(RuleOf(*kind).feature)) arrays[variable.result_id()] = *kind;
  }
  if (arrays.empty()) return;
  for (spirv_instrument::Function function : reader.module().functions()) CheckFunction(reader, arrays, function);
}

std::string IndexCheckFeatures(const dispatch::Device& device) {
  std::string text;
  for (const IndexRule& rule : kRules) text.push_back(device.HasFeature(rule.feature) ? '1' : '0');
  return text + NonUniformCheckFeatures(device);
}

}  // namespace assay::core
