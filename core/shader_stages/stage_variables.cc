// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The variables that an entry point uses, against features.

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Decoration;
using spv::Op;
using spv::StorageClass;
using vk::FeatureId;
using vk::Vuid;

namespace {

bool IsStorageImage(Instruction type) { return type.op() == Op::OpTypeImage && type.literal(5) == 2; }

bool IsNonWritable(const StageReader& reader, Instruction variable, Instruction element) {
  if (reader.module.DecorationOf(variable.result_id(), Decoration::NonWritable)) return true;
  if (element.op() != Op::OpTypeStruct) return false;
  for (uint32_t i = 0; i < element.operand_count(); ++i) {
    if (!reader.module.decorations().HasMember(element.result_id(), i, Decoration::NonWritable)) return false;
  }
  return true;
}

void CheckStores(StageReader& reader, Instruction variable, Instruction element) {
  constexpr VkShaderStageFlags kVertexStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                               VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT |
                                               VK_SHADER_STAGE_GEOMETRY_BIT;
  const bool is_fragment = reader.stage == VK_SHADER_STAGE_FRAGMENT_BIT;
  if (!is_fragment && (reader.stage & kVertexStages) == 0) return;
  if (reader.Has(is_fragment ? FeatureId::kFragmentStoresAndAtomics : FeatureId::kVertexPipelineStoresAndAtomics)) {
    return;
  }
  const auto storage = variable.enumerant<StorageClass>(0);
  const bool is_buffer =
      storage == StorageClass::StorageBuffer ||
      (storage == StorageClass::Uniform && reader.module.DecorationOf(element.result_id(), Decoration::BufferBlock));
  const bool is_image = storage == StorageClass::UniformConstant && IsStorageImage(element) &&
                        element.enumerant<spv::Dim>(1) != spv::Dim::SubpassData;
  if ((!is_buffer && !is_image) || IsNonWritable(reader, variable, element)) return;
  reader.Add(
      is_fragment ? Vuid("VUID-RuntimeSpirv-NonWritable-06340") : Vuid("VUID-RuntimeSpirv-NonWritable-06341"),
      absl::StrCat("uses ", reader.Name(variable), ", which is not decorated with NonWritable, and the feature ",
                   is_fragment ? "fragmentStoresAndAtomics" : "vertexPipelineStoresAndAtomics", " is not enabled."));
}

void CheckInputAttachment(StageReader& reader, Instruction variable, Instruction type, Instruction element) {
  if (element.op() != Op::OpTypeImage || element.enumerant<spv::Dim>(1) != spv::Dim::SubpassData) return;
  if (reader.module.DecorationOf(variable.result_id(), Decoration::InputAttachmentIndex)) return;
  if (type.op() != Op::OpTypeArray && !reader.Has(FeatureId::kDynamicRenderingLocalRead)) {
    reader.Add(Vuid("VUID-RuntimeSpirv-None-09558"),
               absl::StrCat("uses ", reader.Name(variable),
                            ", an input attachment without InputAttachmentIndex, and "
                            "the feature dynamicRenderingLocalRead is not enabled."));
  }
}

}  // namespace

void CheckStageVariables(StageReader& reader) {
  for (Id id : reader.used) {
    const Instruction variable = reader.module.Find(id);
    if (variable.op() != Op::OpVariable) continue;
    const Instruction type = PointeeOf(reader, variable);
    const Instruction element = ElementOf(reader, type);
    CheckStores(reader, variable, element);
    CheckInputAttachment(reader, variable, type, element);
    if (variable.enumerant<StorageClass>(0) == StorageClass::Workgroup && variable.operand_count() > 1 &&
        !reader.Has(FeatureId::kShaderZeroInitializeWorkgroupMemory)) {
      reader.Add(Vuid("VUID-RuntimeSpirv-shaderZeroInitializeWorkgroupMemory-06372"),
                 absl::StrCat("uses ", reader.Name(variable),
                              ", which has an initializer in Workgroup storage, and the "
                              "feature shaderZeroInitializeWorkgroupMemory is not enabled."));
    }
  }
}

}  // namespace assay::core
