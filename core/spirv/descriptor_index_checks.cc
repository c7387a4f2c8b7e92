// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which descriptor of an array is accessed.

#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/spirv/module_checks.h"
#include "core/spirv/module_reader.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/uses.h"
#include "vk/extension_info.h"
#include "vk/feature_id.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Section;
using spv::Capability;
using spv::Dim;
using spv::Op;
using spv::StorageClass;
using vk::FeatureId;

namespace {

// A kind of descriptor. Its rule is not reported where the device has the feature: then compilers of GLSL leave the
// capability out, which no implementation minds.
struct IndexRule {
  vk::VuidIndex vuid;
  Capability dynamic;
  Capability non_uniform;
  FeatureId feature;
  const char* kind;
};
constexpr IndexRule kRules[] = {
    {vk::Vuid("VUID-StandaloneSpirv-UniformBufferArrayDynamicIndexing-10127"),
     Capability::UniformBufferArrayDynamicIndexing, Capability::UniformBufferArrayNonUniformIndexing,
     FeatureId::kShaderUniformBufferArrayDynamicIndexing, "uniform buffers"},
    {vk::Vuid("VUID-StandaloneSpirv-SampledImageArrayDynamicIndexing-10128"),
     Capability::SampledImageArrayDynamicIndexing, Capability::SampledImageArrayNonUniformIndexing,
     FeatureId::kShaderSampledImageArrayDynamicIndexing, "sampled images or samplers"},
    {vk::Vuid("VUID-StandaloneSpirv-StorageBufferArrayDynamicIndexing-10129"),
     Capability::StorageBufferArrayDynamicIndexing, Capability::StorageBufferArrayNonUniformIndexing,
     FeatureId::kShaderStorageBufferArrayDynamicIndexing, "storage buffers"},
    {vk::Vuid("VUID-StandaloneSpirv-StorageImageArrayDynamicIndexing-10130"),
     Capability::StorageImageArrayDynamicIndexing, Capability::StorageImageArrayNonUniformIndexing,
     FeatureId::kShaderStorageImageArrayDynamicIndexing, "storage images"},
    {vk::Vuid("VUID-StandaloneSpirv-InputAttachmentArrayDynamicIndexing-10131"),
     Capability::InputAttachmentArrayDynamicIndexing, Capability::InputAttachmentArrayNonUniformIndexing,
     FeatureId::kShaderInputAttachmentArrayDynamicIndexing, "input attachments"},
    {vk::Vuid("VUID-StandaloneSpirv-UniformTexelBufferArrayDynamicIndexing-10132"),
     Capability::UniformTexelBufferArrayDynamicIndexing, Capability::UniformTexelBufferArrayNonUniformIndexing,
     FeatureId::kShaderUniformTexelBufferArrayDynamicIndexing, "uniform texel buffers"},
    {vk::Vuid("VUID-StandaloneSpirv-StorageTexelBufferArrayDynamicIndexing-10133"),
     Capability::StorageTexelBufferArrayDynamicIndexing, Capability::StorageTexelBufferArrayNonUniformIndexing,
     FeatureId::kShaderStorageTexelBufferArrayDynamicIndexing, "storage texel buffers"},
};
// In that order.
enum Kind : uint8_t {
  kUniformBuffer,
  kSampledImage,
  kStorageBuffer,
  kStorageImage,
  kAttachment,
  kTexels,
  kStorageTexels
};

std::optional<Kind> KindOfImage(const ModuleReader& reader, Instruction type) {
  if (type.op() == Op::OpTypeSampler) return kSampledImage;
  if (type.op() == Op::OpTypeSampledImage) type = reader.Find(type.id(0));
  if (type.op() != Op::OpTypeImage) return std::nullopt;
  const auto dim = type.enumerant<Dim>(1);
  const bool is_storage = type.literal(5) == 2;
  if (dim == Dim::SubpassData) return kAttachment;
  if (dim == Dim::Buffer) return is_storage ? kStorageTexels : kTexels;
  return is_storage ? kStorageImage : kSampledImage;
}

// Of an array of descriptors.
std::optional<Kind> KindOf(const ModuleReader& reader, Instruction variable) {
  const Instruction type = reader.ElementOf(reader.PointeeOf(variable));
  switch (variable.enumerant<StorageClass>(0)) {
    case StorageClass::UniformConstant:
      return KindOfImage(reader, type);
    case StorageClass::StorageBuffer:
      return kStorageBuffer;
    case StorageClass::Uniform:
      return reader.IsBlock(type) ? kUniformBuffer : kStorageBuffer;
    default:
      return std::nullopt;
  }
}

// Whether the result is a pointer into what an operand points to, or a descriptor that is read from there.
bool IsSame(const ModuleReader& reader, Instruction instruction) {
  const Op op = instruction.op();
  if (BaseOf(instruction) != spirv_instrument::kNoId || op == Op::OpSampledImage || op == Op::OpImage) return true;
  const Op type = reader.Find(instruction.type_id()).op();
  return op == Op::OpLoad && (type == Op::OpTypeImage || type == Op::OpTypeSampler || type == Op::OpTypeSampledImage);
}

// Whether memory is accessed through such an operand, for all that the function shows.
bool IsAccess(Op op) {
  const bool is_query = op >= Op::OpImageQueryFormat && op <= Op::OpImageQuerySamples;
  return !is_query && op != Op::OpArrayLength && op != Op::OpFunctionCall && op != Op::OpExtInst;
}

using Kinds = absl::flat_hash_map<Id, Kind>;

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
    std::optional<Kind> kind;
    spirv_instrument::ForEachId(reader.module(), instruction, [&](uint32_t, Id id) {
      if (const auto found = chosen.find(id); found != chosen.end()) kind = found->second;
    });
    if (!kind) continue;
    if (IsSame(reader, instruction)) {
      chosen[instruction.result_id()] = *kind;
    } else if (IsAccess(instruction.op())) {
      const IndexRule& rule = kRules[*kind];
      reader.findings().Add(rule.vuid,
                            absl::StrCat("The index into an array of ", rule.kind,
                                         " is no constant, and the module does not declare the capability for this."),
                            instruction);
    }
  }
}

}  // namespace

void CheckDescriptorIndices(const dispatch::Device& device, ModuleReader& reader) {
  Kinds arrays;
  for (Instruction variable : reader.module().section(Section::kGlobals)) {
    if (variable.op() != Op::OpVariable) continue;
    const Op type = reader.PointeeOf(variable).op();
    if (type != Op::OpTypeArray && type != Op::OpTypeRuntimeArray) continue;
    const std::optional<Kind> kind = KindOf(reader, variable);
    if (!kind) continue;
    const IndexRule& rule = kRules[*kind];
    const bool may = reader.HasCapability(rule.dynamic) || reader.HasCapability(rule.non_uniform);
    if (!may && !device.HasFeature(rule.feature)) arrays[variable.result_id()] = *kind;
  }
  if (arrays.empty()) return;
  for (spirv_instrument::Function function : reader.module().functions()) CheckFunction(reader, arrays, function);
}

std::string ModuleCheckFeatures(const dispatch::Device& device) {
  std::string text = device.instance.settings.strict ? "strict " : "";
  for (const IndexRule& rule : kRules) text.push_back(device.HasFeature(rule.feature) ? '1' : '0');
  // Of CheckLayeredMeshes().
  text.push_back(device.IsEnabled(vk::ExtensionId::kExtShaderViewportIndexLayer) ? '1' : '0');
  for (const auto feature : {vk::FeatureId::kShaderOutputLayer, vk::FeatureId::kShaderOutputViewportIndex}) {
    text.push_back(device.HasFeature(feature) ? '1' : '0');
  }
  return text;
}

}  // namespace assay::core
