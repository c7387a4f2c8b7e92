// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of variables with certain built-ins that depend on what uses them.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/spirv/module_reader.h"
#include "spirv_instrument/ir/sections.h"
#include "vk/extension_info.h"
#include "vk/feature_id.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Function;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::BuiltIn;
using spv::Decoration;
using spv::ExecutionModel;
using spv::Op;
using spv::StorageClass;

namespace {

// ---- Viewports.

bool IsPreRasterization(const EntryPointUse& use) {
  switch (use.model()) {
    case ExecutionModel::Vertex:
    case ExecutionModel::TessellationControl:
    case ExecutionModel::TessellationEvaluation:
    case ExecutionModel::Geometry:
    case ExecutionModel::MeshNV:
    case ExecutionModel::MeshEXT:
      return true;
    default:
      return false;
  }
}

// The used outputs that are such a built-in, or have a member that is; null without.
Instruction FindOutput(const ModuleReader& reader, const EntryPointUse& use, BuiltIn builtin, bool may_be_member) {
  for (Id id : use.variables) {
    const Instruction variable = reader.Find(id);
    if (variable.enumerant<StorageClass>(0) != StorageClass::Output) continue;
    if (reader.BuiltInOf(id) == builtin) return variable;
    if (!may_be_member) continue;
    bool has_member = false;
    reader.decorations().ForEach(reader.WithoutArrays(reader.PointeeOf(variable)).result_id(),
                                 [&](const spirv_instrument::Decoration& decoration) {
                                   has_member |= decoration.member && decoration.decoration == Decoration::BuiltIn &&
                                                 static_cast<BuiltIn>(decoration.parameter(0)) == builtin;
                                 });
    if (has_member) return variable;
  }
  return {};
}

void CheckViewportMask(ModuleReader& reader, const EntryPointUse& use) {
  if (!IsPreRasterization(use)) return;
  const Instruction mask = FindOutput(reader, use, BuiltIn::ViewportMaskNV, false);
  if (!mask || !FindOutput(reader, use, BuiltIn::ViewportIndex, false)) return;
  reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-ViewportMaskNV-04674"),
                        absl::StrCat("Both ViewportMaskNV and ViewportIndex are used by ", NameOf(use), "."), mask);
}

// The variables, and the types of blocks, in which ViewportRelativeNV decorates Layer.
absl::flat_hash_set<Id> ViewportRelativeTargets(ModuleReader& reader) {
  absl::flat_hash_set<Id> targets;
  for (Instruction target : reader.module().section(spirv_instrument::Section::kGlobals)) {
    if (target.op() != Op::OpVariable && target.op() != Op::OpTypeStruct) continue;
    const Id id = target.result_id();
    reader.decorations().ForEach(id, [&](const spirv_instrument::Decoration& decoration) {
      if (decoration.decoration != Decoration::ViewportRelativeNV) return;
      const auto builtin = decoration.member
                               ? reader.decorations().FindMember(id, *decoration.member, Decoration::BuiltIn)
                               : reader.decorations().Find(id, Decoration::BuiltIn);
      if (builtin && static_cast<BuiltIn>(builtin->parameter(0)) == BuiltIn::Layer) {
        targets.insert(id);
        return;
      }
      reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-ViewportRelativeNV-04672"),
                            "ViewportRelativeNV decorates a variable or member that Layer does not.", target);
    });
  }
  return targets;
}

void CheckViewportRelative(ModuleReader& reader, const EntryPointUse& use, const absl::flat_hash_set<Id>& targets) {
  for (Id id : use.variables) {
    const Instruction variable = reader.Find(id);
    const Id type = reader.WithoutArrays(reader.PointeeOf(variable)).result_id();
    if (!targets.contains(id) && !targets.contains(type)) continue;
    // Of the other pre-rasterization stages, the extension may mean to allow mesh shaders.
    const bool is_output = variable.enumerant<StorageClass>(0) == StorageClass::Output;
    if (!IsPreRasterization(use)) {
      reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-ViewportRelativeNV-04672"),
                            absl::StrCat("A variable with ViewportRelativeNV is used by ", NameOf(use),
                                         ", which is no vertex, tessellation evaluation or geometry shader."),
                            variable);
    } else if (is_output && !FindOutput(reader, use, BuiltIn::ViewportIndex, true) &&
               !FindOutput(reader, use, BuiltIn::ViewportMaskNV, true)) {
      reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-ViewportRelativeNV-04673"),
                            absl::StrCat("A variable with ViewportRelativeNV is used by ", NameOf(use),
                                         ", which uses neither ViewportIndex nor ViewportMaskNV."),
                            variable);
    }
  }
}

// ---- Built-ins that change while a ray is traced.

bool ChangesWhileTracing(const EntryPointUse& use, BuiltIn builtin) {
  switch (use.model()) {
    case ExecutionModel::RayGenerationKHR:
    case ExecutionModel::ClosestHitKHR:
    case ExecutionModel::MissKHR:
    case ExecutionModel::CallableKHR:
      break;
    case ExecutionModel::IntersectionKHR:
      if (builtin == BuiltIn::RayTmaxKHR) return true;
      break;
    default:
      return false;
  }
  switch (builtin) {
    case BuiltIn::SMIDNV:
    case BuiltIn::WarpIDNV:
    case BuiltIn::SubgroupSize:
    case BuiltIn::SubgroupLocalInvocationId:
    case BuiltIn::SubgroupEqMask:
    case BuiltIn::SubgroupGeMask:
    case BuiltIn::SubgroupGtMask:
    case BuiltIn::SubgroupLeMask:
    case BuiltIn::SubgroupLtMask:
      return true;
    default:
      return false;
  }
}

// Loads of these variables in a function, which are volatile in the Vulkan memory model.
void CheckLoads(ModuleReader& reader, const absl::flat_hash_set<Id>& variables, Function function) {
  // Pointers into these.
  absl::flat_hash_set<Id> pointers = variables;
  for (Instruction instruction : function.instructions()) {
    const Id base = BaseOf(instruction);
    if (base != spirv_instrument::kNoId && pointers.contains(base)) pointers.insert(instruction.result_id());
    if (instruction.op() != Op::OpLoad || !pointers.contains(instruction.id(0))) continue;
    const auto volatile_bit = static_cast<uint32_t>(spv::MemoryAccessMask::Volatile);
    if ((instruction.literal(1) & volatile_bit) != 0) continue;
    reader.findings().Add(
        vk::Vuid("VUID-StandaloneSpirv-VulkanMemoryModel-04679"),
        "A built-in variable that changes while a ray is traced is loaded without Volatile memory semantics.",
        instruction);
  }
}

void CheckVolatile(ModuleReader& reader) {
  const bool is_vulkan_model = reader.HasCapability(spv::Capability::VulkanMemoryModel);
  // By the index of a function, for those that an entry point with such variables may call.
  absl::flat_hash_map<uint32_t, absl::flat_hash_set<Id>> variables;
  for (const EntryPointUse& use : reader.entry_points()) {
    for (Id id : use.variables) {
      const std::optional<BuiltIn> builtin = reader.BuiltInOf(id);
      if (!builtin || !ChangesWhileTracing(use, *builtin)) continue;
      if (is_vulkan_model) {
        for (Function function : use.functions) variables[function.index()].insert(id);
      } else if (!reader.decorations().Has(id, Decoration::Volatile)) {
        reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-VulkanMemoryModel-04678"),
                              absl::StrCat("A built-in variable that changes while a ray is traced is used by ",
                                           NameOf(use), ", but is not decorated with Volatile."),
                              reader.Find(id));
      }
    }
  }
  if (variables.empty()) return;
  for (Function function : reader.module().functions()) {
    const auto found = variables.find(function.index());
    if (found != variables.end()) CheckLoads(reader, found->second, function);
  }
}

}  // namespace

void CheckBuiltInUse(ModuleReader& reader) {
  const bool has_viewport_array = reader.HasCapability(spv::Capability::ShaderViewportMaskNV);
  const absl::flat_hash_set<Id> relative =
      has_viewport_array ? ViewportRelativeTargets(reader) : absl::flat_hash_set<Id>();
  for (const EntryPointUse& use : reader.entry_points()) {
    if (has_viewport_array) CheckViewportMask(reader, use);
    if (!relative.empty()) CheckViewportRelative(reader, use, relative);
  }
  CheckVolatile(reader);
}

void CheckLayeredMeshes(const dispatch::Device& device, ModuleReader& reader) {
  struct Row {
    BuiltIn built_in;
    vk::FeatureId feature;
    const char* text;
    vk::VuidIndex vuid;
  };
  static constexpr Row kRows[] = {
      {BuiltIn::Layer, vk::FeatureId::kShaderOutputLayer, "Layer, and the feature shaderOutputLayer",
       vk::Vuid("VUID-Layer-Layer-04273")},
      {BuiltIn::ViewportIndex, vk::FeatureId::kShaderOutputViewportIndex,
       "ViewportIndex, and the feature shaderOutputViewportIndex", vk::Vuid("VUID-ViewportIndex-ViewportIndex-04405")},
  };
  // The extension came before the features, and has what they have.
  if (device.IsEnabled(vk::ExtensionId::kExtShaderViewportIndexLayer)) return;
  for (const EntryPointUse& use : reader.entry_points()) {
    // The other stages need a capability, which is another rule.
    if (!use.Is(ExecutionModel::MeshEXT) && !use.Is(ExecutionModel::MeshNV)) continue;
    for (const Row& row : kRows) {
      const Instruction variable = FindOutput(reader, use, row.built_in, true);
      if (!variable || device.HasFeature(row.feature)) continue;
      reader.findings().Add(
          row.vuid, absl::StrCat("A mesh shader, ", NameOf(use), ", uses ", row.text, " is not enabled."), variable);
    }
  }
}

}  // namespace assay::core
