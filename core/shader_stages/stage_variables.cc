// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The variables that an entry point uses, against features.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"
#include "vk/extension_info.h"

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
  if (type.op() == Op::OpTypeArray) {
    reader.Add(Vuid("VUID-RuntimeSpirv-OpTypeImage-09644"), absl::StrCat("uses ", reader.Name(variable),
                                                                         ", an array of input attachments without "
                                                                         "InputAttachmentIndex."));
  } else if (!reader.Has(FeatureId::kDynamicRenderingLocalRead)) {
    reader.Add(Vuid("VUID-RuntimeSpirv-None-09558"),
               absl::StrCat("uses ", reader.Name(variable),
                            ", an input attachment without InputAttachmentIndex, and "
                            "the feature dynamicRenderingLocalRead is not enabled."));
  }
}

// Variables that read the same attachment as the same kind of number, and so the same aspect of it.
class AttachmentCheck {
 public:
  explicit AttachmentCheck(StageReader& reader) : reader_(reader) {}

  void Add(Instruction variable, Instruction type, Instruction element) {
    if (element.op() != Op::OpTypeImage || element.enumerant<spv::Dim>(1) != spv::Dim::SubpassData) return;
    const auto index = reader_.module.DecorationOf(variable.result_id(), Decoration::InputAttachmentIndex);
    if (!index) return;
    const bool is_array = type.op() == Op::OpTypeArray;
    if (is_array != (type.op() != Op::OpTypeImage)) return;
    const uint64_t count = is_array ? reader_.Evaluate(type.id(1)).value_or(1) : 1;
    const Entry entry = {variable, *index, *index + count, element.id(0)};
    for (const Entry& other : entries_) {
      if (other.sampled_type != entry.sampled_type || other.end <= entry.begin || entry.end <= other.begin) continue;
      reader_.Add(
          Vuid("VUID-RuntimeSpirv-OpEntryPoint-08727"),
          absl::StrCat("uses ", reader_.Name(other.variable), " and ", reader_.Name(variable),
                       ", which have the same InputAttachmentIndex (", std::max(entry.begin, other.begin), ")."));
    }
    entries_.push_back(entry);
  }

 private:
  struct Entry {
    Instruction variable;
    uint64_t begin;
    uint64_t end;
    Id sampled_type;
  };

  StageReader& reader_;
  std::vector<Entry> entries_;
};

// Whether a value of the type has a scalar of so many bits in it. Pointers lead elsewhere.
bool HasScalarOf(const StageReader& reader, Id type_id, uint32_t width, int depth = 0) {
  constexpr int kDeepest = 8;
  const Instruction type = reader.module.Find(type_id);
  if (depth > kDeepest) return false;
  switch (type.op()) {
    case Op::OpTypeInt:
    case Op::OpTypeFloat:
      return type.literal(0) == width;
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
      return HasScalarOf(reader, type.id(0), width, depth + 1);
    case Op::OpTypeStruct:
      for (size_t i = 0; i < type.operand_count() && i < 1024; ++i) {
        if (HasScalarOf(reader, type.id(i), width, depth + 1)) return true;
      }
      return false;
    default:
      return false;
  }
}

// Storage of scalars of 8 and 16 bits.
struct NarrowStorage {
  StorageClass storage;
  uint32_t width;
  FeatureId feature;
  const char* feature_name;
  vk::VuidIndex vuid;
};
constexpr NarrowStorage kNarrowStorage[] = {
    {StorageClass::StorageBuffer, 8, FeatureId::kStorageBuffer8BitAccess, "storageBuffer8BitAccess",
     Vuid("VUID-RuntimeSpirv-storageBuffer8BitAccess-06328")},
    {StorageClass::ShaderRecordBufferKHR, 8, FeatureId::kStorageBuffer8BitAccess, "storageBuffer8BitAccess",
     Vuid("VUID-RuntimeSpirv-storageBuffer8BitAccess-06328")},
    {StorageClass::Uniform, 8, FeatureId::kUniformAndStorageBuffer8BitAccess, "uniformAndStorageBuffer8BitAccess",
     Vuid("VUID-RuntimeSpirv-uniformAndStorageBuffer8BitAccess-06329")},
    {StorageClass::PushConstant, 8, FeatureId::kStoragePushConstant8, "storagePushConstant8",
     Vuid("VUID-RuntimeSpirv-storagePushConstant8-06330")},
    {StorageClass::StorageBuffer, 16, FeatureId::kStorageBuffer16BitAccess, "storageBuffer16BitAccess",
     Vuid("VUID-RuntimeSpirv-storageBuffer16BitAccess-06331")},
    {StorageClass::ShaderRecordBufferKHR, 16, FeatureId::kStorageBuffer16BitAccess, "storageBuffer16BitAccess",
     Vuid("VUID-RuntimeSpirv-storageBuffer16BitAccess-06331")},
    {StorageClass::Uniform, 16, FeatureId::kUniformAndStorageBuffer16BitAccess, "uniformAndStorageBuffer16BitAccess",
     Vuid("VUID-RuntimeSpirv-uniformAndStorageBuffer16BitAccess-06332")},
    {StorageClass::PushConstant, 16, FeatureId::kStoragePushConstant16, "storagePushConstant16",
     Vuid("VUID-RuntimeSpirv-storagePushConstant16-06333")},
    {StorageClass::Input, 16, FeatureId::kStorageInputOutput16, "storageInputOutput16",
     Vuid("VUID-RuntimeSpirv-storageInputOutput16-06334")},
    {StorageClass::Output, 16, FeatureId::kStorageInputOutput16, "storageInputOutput16",
     Vuid("VUID-RuntimeSpirv-storageInputOutput16-06334")},
};

void CheckNarrowStorage(StageReader& reader, Instruction variable, Instruction type, Instruction element) {
  const auto storage = variable.enumerant<StorageClass>(0);
  for (const NarrowStorage& row : kNarrowStorage) {
    if (storage != row.storage || reader.Has(row.feature)) continue;
    const bool needs_block = storage == StorageClass::Uniform;
    if (needs_block && !reader.module.DecorationOf(element.result_id(), Decoration::Block)) continue;
    if (!HasScalarOf(reader, type.result_id(), row.width)) continue;
    reader.Add(row.vuid,
               absl::StrCat("uses ", reader.Name(variable), ", which has scalars of ", row.width,
                            " bits, and the feature ", row.feature_name, " is not enabled."),
               absl::StrCat("Enable ", row.feature_name, "."));
  }
}

// Storage images without a format, on devices that do not say for each format what is allowed.
void CheckFormat(StageReader& reader, Instruction variable, Instruction type) {
  const dispatch::PhysicalDevice& device = *reader.device.physical_device;
  if (type.op() != Op::OpTypeImage || type.literal(5) != 2 ||
      type.enumerant<spv::ImageFormat>(6) != spv::ImageFormat::Unknown ||
      variable.enumerant<StorageClass>(0) != StorageClass::UniformConstant ||
      type.enumerant<spv::Dim>(1) == spv::Dim::SubpassData || device.properties.apiVersion >= VK_API_VERSION_1_3 ||
      device.supported_extensions[static_cast<size_t>(vk::ExtensionId::kKhrFormatFeatureFlags2)]) {
    return;
  }
  const auto check = [&](Decoration decoration, const char* name, FeatureId feature, const char* feature_name,
                         vk::VuidIndex vuid) {
    if (reader.module.DecorationOf(variable.result_id(), decoration) || reader.Has(feature)) return;
    reader.Add(vuid,
               absl::StrCat("uses ", reader.Name(variable), ", an image without format that is not decorated with ",
                            name, ", and the feature ", feature_name, " is not enabled."));
  };
  check(Decoration::NonWritable, "NonWritable", FeatureId::kShaderStorageImageWriteWithoutFormat,
        "shaderStorageImageWriteWithoutFormat", Vuid("VUID-RuntimeSpirv-apiVersion-07954"));
  check(Decoration::NonReadable, "NonReadable", FeatureId::kShaderStorageImageReadWithoutFormat,
        "shaderStorageImageReadWithoutFormat", Vuid("VUID-RuntimeSpirv-apiVersion-07955"));
}

// The payloads of nodes of an execution graph.
void CheckNodePayloads(StageReader& reader) {
  const auto* limits = reader.Properties<VkPhysicalDeviceShaderEnqueuePropertiesAMDX>();
  const uint32_t most = limits != nullptr ? limits->maxExecutionGraphShaderPayloadSize : 0;
  uint64_t sum = 0;
  bool is_within = true;
  for (Id id : reader.used) {
    const Instruction variable = reader.module.Find(id);
    if (variable.op() != Op::OpVariable) continue;
    if (variable.enumerant<StorageClass>(0) != StorageClass::NodePayloadAMDX) continue;
    if (!reader.IsModel(spv::ExecutionModel::GLCompute) && !reader.IsModel(spv::ExecutionModel::MeshEXT)) {
      reader.Add(Vuid("VUID-RuntimeSpirv-NodePayloadAMDX-09192"),
                 absl::StrCat("uses ", reader.Name(variable),
                              " in NodePayloadAMDX storage, and is neither a compute nor a mesh shader."));
    }
    // The payloads of several nodes are an array.
    Instruction type = PointeeOf(reader, variable);
    if (type.op() == Op::OpTypeNodePayloadArrayAMDX) type = reader.module.Find(type.id(0));
    const uint64_t size = reader.SizeOf(type.result_id());
    sum += size;
    is_within &= reader.CheckLimit(Vuid("VUID-RuntimeSpirv-maxExecutionGraphShaderPayloadSize-09193"), size, most,
                                   absl::StrCat(reader.Name(variable), " in NodePayloadAMDX storage, of a size"),
                                   "maxExecutionGraphShaderPayloadSize");
  }
  // The sum follows from one that is too large.
  if (!is_within) return;
  reader.CheckLimit(Vuid("VUID-RuntimeSpirv-maxExecutionGraphShaderPayloadSize-09195"), sum, most,
                    "variables in NodePayloadAMDX storage, of a sum of sizes", "maxExecutionGraphShaderPayloadSize");
}

}  // namespace

void CheckStageVariables(StageReader& reader) {
  CheckNodePayloads(reader);
  AttachmentCheck attachments(reader);
  for (Id id : reader.used) {
    const Instruction variable = reader.module.Find(id);
    if (variable.op() != Op::OpVariable) continue;
    const Instruction type = PointeeOf(reader, variable);
    const Instruction element = ElementOf(reader, type);
    CheckStores(reader, variable, element);
    CheckInputAttachment(reader, variable, type, element);
    attachments.Add(variable, type, element);
    CheckNarrowStorage(reader, variable, type, element);
    CheckFormat(reader, variable, type);
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
