// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/reflection.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "state/shader/block_size.h"
#include "state/shader/entry_point.h"
#include "state/shader/pointer_flow.h"
#include "state/shader/reflected_module.h"
#include "state/shader/specialization.h"

namespace assay::state {
namespace {

using Element = ReflectedDescriptor::Element;
using Kind = ReflectedDescriptor::Kind;
using spirv_instrument::EntryPoint;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spv::Op;

// Types in a valid module do not nest deeper. In an invalid one they may contain themselves.
constexpr int kMaxArrayDepth = 16;

Kind ImageKind(Instruction type) {
  const auto dimension = type.enumerant<spv::Dim>(1);
  const bool is_storage = type.literal(5) == 2;
  if (dimension == spv::Dim::SubpassData) return Kind::kInputAttachment;
  if (dimension == spv::Dim::Buffer) return is_storage ? Kind::kStorageTexelBuffer : Kind::kUniformTexelBuffer;
  return is_storage ? Kind::kStorageImage : Kind::kSampledImage;
}

// `type` is that of one descriptor: no array.
std::optional<Kind> KindOf(const ReflectedModule& module, Instruction type, spv::StorageClass storage_class) {
  if (storage_class == spv::StorageClass::StorageBuffer) return Kind::kStorageBuffer;
  if (storage_class == spv::StorageClass::Uniform) {
    // Storage buffers before SPIR-V 1.3.
    const bool is_storage = module.decorations().Has(type.result_id(), spv::Decoration::BufferBlock);
    return is_storage ? Kind::kStorageBuffer : Kind::kUniformBuffer;
  }
  if (storage_class != spv::StorageClass::UniformConstant) return std::nullopt;
  switch (type.op()) {
    case Op::OpTypeImage:
      return ImageKind(type);
    case Op::OpTypeSampledImage:
      return ImageKind(module.Find(type.id(0)));
    case Op::OpTypeSampler:
      return Kind::kSampler;
    case Op::OpTypeAccelerationStructureKHR:
      return Kind::kAccelerationStructure;
    default:
      return std::nullopt;
  }
}

// Removes the arrays from `type` and returns the number of descriptors in them.
std::optional<uint32_t> StripArrays(ReflectedModule& module, Instruction& type) {
  uint64_t count = 1;
  for (int depth = 0; depth < kMaxArrayDepth; ++depth) {
    if (type.op() == Op::OpTypeRuntimeArray) {
      count = 0;
    } else if (type.op() == Op::OpTypeArray) {
      count *= module.EvaluateConstant(type.id(1)).value_or(1);
      count = std::min<uint64_t>(count, std::numeric_limits<uint32_t>::max());
    } else {
      return static_cast<uint32_t>(count);
    }
    type = module.Find(type.id(0));
  }
  return std::nullopt;
}

Instruction DeclaredType(const ReflectedModule& module, Instruction variable) {
  const bool is_untyped = variable.op() == Op::OpUntypedVariableKHR;
  return module.Find(is_untyped ? variable.id(1) : module.Find(variable.type_id()).id(1));
}

bool IsBlock(Kind kind) { return kind == Kind::kUniformBuffer || kind == Kind::kStorageBuffer; }

// The place and kind of a descriptor variable; nullopt for another variable.
std::optional<ReflectedDescriptor> DescribeVariable(ReflectedModule& module, Instruction variable) {
  const Id id = variable.result_id();
  const std::optional<uint32_t> set = module.DecorationOf(id, spv::Decoration::DescriptorSet);
  const std::optional<uint32_t> binding = module.DecorationOf(id, spv::Decoration::Binding);
  if (!set || !binding) return std::nullopt;
  Instruction type = DeclaredType(module, variable);
  const std::optional<uint32_t> array_size = StripArrays(module, type);
  if (!array_size) return std::nullopt;
  const std::optional<Kind> kind = KindOf(module, type, variable.enumerant<spv::StorageClass>(0));
  if (!kind) return std::nullopt;
  return ReflectedDescriptor{
      .set = *set,
      .binding = *binding,
      .kind = *kind,
      .array_size = *array_size,
      .is_atomic = false,
      .elements = {},
      .unknown_element = {},
      .input_attachment_index = *kind == Kind::kInputAttachment
                                    ? module.DecorationOf(id, spv::Decoration::InputAttachmentIndex)
                                    : std::nullopt,
      .block_size = IsBlock(*kind) ? BlockSize(module, type).value_or(0) : 0};
}

// A fetch through OpImage of an image and a sampler leaves the sampler alone.
bool IsRead(Kind kind, const SpirvAccess& accesses) {
  return kind == Kind::kSampler ? accesses.samples : accesses.reads;
}

// The accesses to a descriptor of that kind, as the element with that index.
Element ElementOf(uint32_t index, Kind kind, const SpirvAccess& accesses) {
  return {index, IsRead(kind, accesses), accesses.writes, !accesses.is_plain};
}

void Merge(const Element& from, Element& into) {
  into.is_read |= from.is_read;
  into.is_written |= from.is_written;
  into.is_atomic &= from.is_atomic;
}

void AddElement(const Element& element, std::vector<Element>& elements) {
  if (!element.is_read && !element.is_written) return;
  auto found = std::lower_bound(elements.begin(), elements.end(), element.index,
                                [](const Element& e, uint32_t index) { return e.index < index; });
  if (found != elements.end() && found->index == element.index) return Merge(element, *found);
  elements.insert(found, element);
}

void AddUnknownElement(const Element& element, ReflectedDescriptor& descriptor) {
  if (!element.is_read && !element.is_written) return;
  if (!descriptor.unknown_element) {
    descriptor.unknown_element = element;
    descriptor.unknown_element->index = 0;
  } else {
    Merge(element, *descriptor.unknown_element);
  }
}

// The element of the array that the access chain points to; nullopt if the index is not constant. Only an invalid
// module has an array of arrays.
std::optional<uint32_t> IndexOf(ReflectedModule& module, Instruction variable, Instruction chain) {
  const bool is_chain = chain.op() == Op::OpAccessChain || chain.op() == Op::OpInBoundsAccessChain;
  if (!is_chain || chain.id(0) != variable.result_id() || chain.operand_count() < 2) return std::nullopt;
  const Op element_op = module.Find(DeclaredType(module, variable).id(0)).op();
  if (element_op == Op::OpTypeArray || element_op == Op::OpTypeRuntimeArray) return std::nullopt;
  return module.EvaluateConstant(chain.id(1));
}

void FindElements(ReflectedModule& module, Instruction variable, const SpirvAccess& all, PointerFlow& flow,
                  ReflectedDescriptor& descriptor) {
  const std::optional<std::vector<Id>> steps = flow.StepsFrom(variable.result_id());
  if (!steps) return AddUnknownElement(ElementOf(0, descriptor.kind, all), descriptor);
  for (Id step : *steps) {
    const std::optional<uint32_t> index = IndexOf(module, variable, module.Find(step));
    const Element element = ElementOf(index.value_or(0), descriptor.kind, flow.AccessesOf(step));
    if (index) {
      AddElement(element, descriptor.elements);
    } else {
      AddUnknownElement(element, descriptor);
    }
  }
}

void AddDescriptor(ReflectedModule& module, Instruction variable, PointerFlow& flow,
                   std::vector<ReflectedDescriptor>& out) {
  std::optional<ReflectedDescriptor> descriptor = DescribeVariable(module, variable);
  if (!descriptor) return;
  const SpirvAccess accesses = flow.AccessesOf(variable.result_id());
  descriptor->is_read = IsRead(descriptor->kind, accesses);
  descriptor->is_written = accesses.writes;
  descriptor->is_atomic = !accesses.is_plain;
  if (!descriptor->is_read && !descriptor->is_written) return;
  if (descriptor->array_size != 1) FindElements(module, variable, accesses, flow, *descriptor);
  out.push_back(*std::move(descriptor));
}

// The larger array size; 0, a runtime array, is larger than any other.
uint32_t LargerArray(uint32_t a, uint32_t b) { return a == 0 || b == 0 ? 0 : std::max(a, b); }

// The same of blocks, of which 0 has no fixed size.
uint64_t LargerBlock(uint64_t a, uint64_t b) { return a == 0 || b == 0 ? 0 : std::max(a, b); }

// Merges the elements of variables that share a binding. One that is no array accesses the first.
void MergeElements(const ReflectedDescriptor& from, ReflectedDescriptor& into) {
  if (from.array_size == 1 && into.array_size == 1) return;
  if (into.array_size == 1) AddElement({0, into.is_read, into.is_written, into.is_atomic}, into.elements);
  if (from.array_size == 1) AddElement({0, from.is_read, from.is_written, from.is_atomic}, into.elements);
  for (const Element& element : from.elements) AddElement(element, into.elements);
  if (from.unknown_element) AddUnknownElement(*from.unknown_element, into);
}

void SortAndMerge(std::vector<ReflectedDescriptor>& descriptors) {
  const auto place = [](const ReflectedDescriptor& descriptor) {
    return std::pair(descriptor.set, descriptor.binding);
  };
  std::map<std::pair<uint32_t, uint32_t>, ReflectedDescriptor> merged;
  for (const ReflectedDescriptor& descriptor : descriptors) {
    const auto [found, is_new] = merged.try_emplace(place(descriptor), descriptor);
    if (is_new) continue;
    ReflectedDescriptor& target = found->second;
    MergeElements(descriptor, target);
    target.is_read |= descriptor.is_read;
    target.is_written |= descriptor.is_written;
    target.is_atomic &= descriptor.is_atomic;
    target.block_size = LargerBlock(target.block_size, descriptor.block_size);
    target.array_size = LargerArray(target.array_size, descriptor.array_size);
    if (target.kind == Kind::kSampler) target.kind = descriptor.kind;
  }
  descriptors.clear();
  descriptors.reserve(merged.size());
  for (auto& [at, descriptor] : merged) descriptors.push_back(std::move(descriptor));
}

}  // namespace

EntryPointInterface ReflectEntryPoint(absl::Span<const uint32_t> words, std::string_view entry_point,
                                      VkShaderStageFlagBits stage, const VkSpecializationInfo* specialization) {
  const absl::StatusOr<Module> module = Module::Read(words);
  if (!module.ok()) return {};
  return ReflectEntryPointIn(*module, entry_point, stage, specialization);
}

EntryPointInterface ReflectEntryPointIn(const Module& module, std::string_view entry_point, VkShaderStageFlagBits stage,
                                        const VkSpecializationInfo* specialization) {
  // Vulkan, "Vulkan Environment for SPIR-V": words are in host endianness.
  if (module.is_byte_swapped()) return {};
  const std::optional<EntryPoint> declaration = FindEntryPoint(module, entry_point, stage);
  if (!declaration) return {};
  ReflectedModule reflected(module, ReadSpecialization(specialization));
  PointerFlow flow(reflected, declaration->function());
  EntryPointInterface result;
  for (Instruction variable : reflected.global_variables()) {
    if (!flow.ok()) return {};
    AddDescriptor(reflected, variable, flow, result.descriptors);
  }
  if (!flow.ok()) return {};
  SortAndMerge(result.descriptors);
  result.found = true;
  ReadDeclarations(reflected, *declaration, stage, result);
  return result;
}

}  // namespace assay::state
