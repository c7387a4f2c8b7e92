// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modules for OpenGL and OpenCL.

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "core/spirv/module_checks.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/sections.h"
#include "vk/spirv/spirv_info.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::EnumerantInfo;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spirv_instrument::OperandKind;
using spirv_instrument::Section;
using spv::AddressingModel;
using spv::Op;

namespace {

void CheckAddressingModel(ModuleFindings& findings, Instruction instruction) {
  if (instruction.op() != Op::OpMemoryModel) return;
  const auto model = instruction.enumerant<AddressingModel>(0);
  if (model != AddressingModel::Physical32 && model != AddressingModel::Physical64) return;
  findings.Add(vk::Vuid("VUID-StandaloneSpirv-None-04635"),
               "The addressing model is neither Logical nor PhysicalStorageBuffer64; Vulkan has no others.",
               instruction);
}

void CheckImageType(ModuleFindings& findings, Instruction instruction) {
  if (instruction.op() != Op::OpTypeImage || instruction.enumerant<spv::Dim>(1) != spv::Dim::Rect) return;
  findings.Add(vk::Vuid("VUID-StandaloneSpirv-OpTypeImage-09638"),
               "The type is of rectangle textures, which Vulkan does not have; use a 2D image and a sampler with "
               "unnormalized coordinates.",
               instruction);
}

// Whether a built-in is one of those that only capabilities of other APIs bring.
bool IsForeign(const EnumerantInfo& built_in) {
  return !built_in.capabilities.empty() && std::ranges::none_of(built_in.capabilities, [](spv::Capability capability) {
    return vk::FindSpirvCapability(static_cast<uint32_t>(capability)) != nullptr;
  });
}

void CheckBuiltIn(ModuleFindings& findings, Instruction instruction) {
  const bool is_member = instruction.op() == Op::OpMemberDecorate;
  if (!is_member && instruction.op() != Op::OpDecorate) return;
  const uint32_t operand = is_member ? 2 : 1;
  if (instruction.operand_count() <= operand + 1) return;
  if (instruction.enumerant<spv::Decoration>(operand) != spv::Decoration::BuiltIn) return;
  const EnumerantInfo* const built_in =
      spirv_instrument::FindEnumerant(OperandKind::kBuiltIn, instruction.literal(operand + 1));
  if (built_in == nullptr || !IsForeign(*built_in)) return;
  findings.Add(vk::Vuid("VUID-StandaloneSpirv-BuiltIn-04668"),
               absl::StrCat("The built-in ", built_in->name, " is none of Vulkan's."), instruction);
}

}  // namespace

void CheckForeignModule(ModuleFindings& findings) {
  const Module& module = findings.module();
  for (Instruction instruction : module.section(Section::kMemoryModel)) CheckAddressingModel(findings, instruction);
  for (Instruction instruction : module.section(Section::kAnnotations)) CheckBuiltIn(findings, instruction);
  for (Instruction instruction : module.section(Section::kGlobals)) CheckImageType(findings, instruction);
}

}  // namespace assay::core
