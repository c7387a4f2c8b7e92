// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors and push constants: "Shader Resource Interface".

#include <set>

#include "core/interfaces/interface_reader.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/ir/uses.h"
#include "state/shader/block_size.h"

namespace assay::core {
namespace {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Decoration;
using spv::Op;
using Kind = ResourceVariable::Kind;

Kind KindOfImage(Instruction image) {
  const auto dim = image.enumerant<spv::Dim>(1);
  const bool is_buffer = dim == spv::Dim::Buffer;
  switch (image.literal(5)) {
    case 1:
      return is_buffer ? Kind::kUniformTexelBuffer : Kind::kSampledImage;
    case 2:
      if (dim == spv::Dim::SubpassData) return Kind::kInputAttachment;
      return is_buffer ? Kind::kStorageTexelBuffer : Kind::kStorageImage;
    default:
      return Kind::kOther;
  }
}

// The kind of a variable in the storage class UniformConstant.
Kind KindOfConstant(const ModuleReader& reader, Instruction variable, Instruction type) {
  switch (type.op()) {
    case Op::OpTypeSampler:
      return Kind::kSampler;
    case Op::OpTypeAccelerationStructureKHR:
      return Kind::kAccelerationStructure;
    case Op::OpTypeImage:
    case Op::OpTypeSampledImage: {
      const auto& decorations = reader.module.decorations();
      for (Decoration processed :
           {Decoration::WeightTextureQCOM, Decoration::BlockMatchTextureQCOM, Decoration::BlockMatchSamplerQCOM}) {
        if (decorations.Has(variable.result_id(), processed)) return Kind::kProcessedImage;
      }
      if (type.op() == Op::OpTypeImage) return KindOfImage(type);
      const Kind image = KindOfImage(reader.module.Find(type.id(0)));
      return image == Kind::kSampledImage ? Kind::kCombinedImageSampler : image;
    }
    default:
      return Kind::kOther;
  }
}

Kind KindOf(const ModuleReader& reader, Instruction variable, Instruction type) {
  const auto storage = variable.enumerant<spv::StorageClass>(0);
  if (storage == spv::StorageClass::UniformConstant) return KindOfConstant(reader, variable, type);
  if (type.op() != Op::OpTypeStruct) return Kind::kOther;
  if (storage == spv::StorageClass::StorageBuffer) return Kind::kStorageBuffer;
  const bool is_storage = reader.module.decorations().Has(type.result_id(), Decoration::BufferBlock);
  return is_storage ? Kind::kStorageBuffer : Kind::kUniformBuffer;
}

void ReadImageType(const state::ReflectedModule& module, Instruction image, ResourceVariable& out) {
  out.dim = image.enumerant<spv::Dim>(1);
  out.is_arrayed = image.literal(3) != 0;
  out.is_multisampled = image.literal(4) != 0;
  out.has_unknown_format = image.enumerant<spv::ImageFormat>(6) == spv::ImageFormat::Unknown;
  InterfaceType sampled;
  ModuleReader::ReadComponent(module.Find(image.id(0)), sampled);
  out.sampled_kind = sampled.kind;
  out.sampled_width = sampled.width;
}

// The members of the structure behind the variable that the instruction names; nothing if it may be all.
std::optional<uint32_t> NamedMember(ModuleReader& reader, Instruction instruction, Id variable) {
  const bool is_chain = instruction.op() == Op::OpAccessChain || instruction.op() == Op::OpInBoundsAccessChain;
  if (!is_chain || instruction.id(0) != variable || instruction.operand_count() < 2) return std::nullopt;
  return reader.module.EvaluateConstant(instruction.id(1));
}

}  // namespace

void AddResource(ModuleReader& reader, Instruction variable, ShaderInterface& out) {
  const auto& module = reader.module;
  const std::optional<uint32_t> set = module.DecorationOf(variable.result_id(), Decoration::DescriptorSet);
  const std::optional<uint32_t> binding = module.DecorationOf(variable.result_id(), Decoration::Binding);
  if (variable.op() != Op::OpVariable || !set || !binding) return;
  ResourceVariable resource{.variable = variable.result_id(), .set = *set, .binding = *binding};
  Instruction type = module.Find(module.module().TypeOf(resource.variable).id(1));
  if (type.op() == Op::OpTypeArray) {
    resource.array_length = reader.LengthOf(type).value_or(0);
    type = module.Find(type.id(0));
  } else if (type.op() == Op::OpTypeRuntimeArray) {
    resource.array_length = 0;
    type = module.Find(type.id(0));
  }
  resource.kind = KindOf(reader, variable, type);
  if (resource.kind == Kind::kInputAttachment)
    resource.input_attachment_index = module.DecorationOf(resource.variable, Decoration::InputAttachmentIndex);
  if (type.op() == Op::OpTypeSampledImage) type = module.Find(type.id(0));
  if (type.op() == Op::OpTypeImage) ReadImageType(module, type, resource);
  out.resources.push_back(resource);
}

void AddPushConstants(ModuleReader& reader, const spirv_instrument::EntryPoint& entry_point, Instruction variable,
                      ShaderInterface& out) {
  const spirv_instrument::Module& module = reader.module.module();
  const Id id = variable.result_id();
  const Instruction structure = module.Find(module.TypeOf(id).id(1));
  if (variable.op() != Op::OpVariable || structure.op() != Op::OpTypeStruct) return;
  out.push_constants = id;
  std::set<uint32_t> members;
  for (Id function : ReachableFunctions(module, entry_point.function())) {
    for (Instruction instruction : module.FindFunction(function).instructions()) {
      bool names_it = false;
      ForEachId(module, instruction, [&](uint32_t, Id named) { names_it |= named == id; });
      if (!names_it) continue;
      if (const std::optional<uint32_t> member = NamedMember(reader, instruction, id)) {
        members.insert(*member);
      } else {
        for (uint32_t i = 0; i < structure.operand_count(); ++i) members.insert(i);
      }
    }
  }
  for (uint32_t member : members) {
    const auto offset = reader.module.decorations().FindMember(structure.result_id(), member, Decoration::Offset);
    const std::optional<uint64_t> end = state::MemberEnd(reader.module, structure, member);
    if (offset && end) out.push_constant_members.push_back({member, offset->parameter(0), *end});
  }
}

namespace {

// The variable that has the sampler of an image.
Id SamplerOf(const ModuleReader& reader, Id image) {
  Instruction at = reader.module.Find(image);
  if (at.op() == Op::OpSampledImage) at = reader.module.Find(at.id(1));
  if (at.op() != Op::OpLoad || reader.module.Find(at.id(0)).op() != Op::OpVariable) return spirv_instrument::kNoId;
  const Op type = reader.module.Find(at.type_id()).op();
  return type == Op::OpTypeSampler || type == Op::OpTypeSampledImage ? at.id(0) : spirv_instrument::kNoId;
}

}  // namespace

void AddBlockMatches(ModuleReader& reader, const spirv_instrument::EntryPoint& entry_point, ShaderInterface& out) {
  const spirv_instrument::Module& module = reader.module.module();
  if (!HasCapability(module, spv::Capability::TextureBlockMatchQCOM) &&
      !HasCapability(module, spv::Capability::TextureBlockMatch2QCOM)) {
    return;
  }
  for (Id function : ReachableFunctions(module, entry_point.function())) {
    for (Instruction at : module.FindFunction(function).instructions()) {
      BlockMatch match = {.result = at.result_id()};
      switch (at.op()) {
        case Op::OpImageBlockMatchSSDQCOM:
        case Op::OpImageBlockMatchSADQCOM:
          match.is_first = true;
          break;
        case Op::OpImageBlockMatchWindowSSDQCOM:
        case Op::OpImageBlockMatchWindowSADQCOM:
          match.is_window = true;
          break;
        case Op::OpImageBlockMatchGatherSSDQCOM:
        case Op::OpImageBlockMatchGatherSADQCOM:
          break;
        default:
          continue;
      }
      match.target_sampler = SamplerOf(reader, at.id(0));
      match.reference_sampler = SamplerOf(reader, at.id(2));
      out.block_matches.push_back(match);
    }
  }
}

}  // namespace assay::core
