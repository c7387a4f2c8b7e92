// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Indices that differ between invocations. One is reported if all invocations of a workgroup execute the access,
// since no branch and no call is before it; if it is computed from the invocation's number in a way that keeps numbers
// apart; and if the array has an element for each.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/spirv/indices/descriptor_kinds.h"
#include "core/spirv/indices/index_checks.h"
#include "core/spirv/indices/invocation_values.h"
#include "core/spirv/module_reader.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/images/image_operands.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/uses.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Block;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Section;
using spv::ExecutionModel;
using spv::Op;
using spv::StorageClass;

namespace {

// Larger workgroups are not looked at; implementations have none.
constexpr uint64_t kMostInvocations = 4096;

// The rules for subgroups of several invocations, and for those of one. Input attachments are not here: only fragment
// shaders have them, of whose invocations nothing is certain.
struct NonUniformRule {
  DescriptorKind kind;
  vk::VuidIndex vuid;
  vk::VuidIndex vuid_of_one;
};
constexpr NonUniformRule kRules[] = {
    {DescriptorKind::kUniformBuffer, vk::Vuid("VUID-RuntimeSpirv-UniformBufferArrayNonUniformIndexing-10134"),
     vk::Vuid("VUID-RuntimeSpirv-subgroupSize-10141")},
    {DescriptorKind::kSampledImage, vk::Vuid("VUID-RuntimeSpirv-SampledImageArrayNonUniformIndexing-10135"),
     vk::Vuid("VUID-RuntimeSpirv-subgroupSize-10142")},
    {DescriptorKind::kStorageBuffer, vk::Vuid("VUID-RuntimeSpirv-StorageBufferArrayNonUniformIndexing-10136"),
     vk::Vuid("VUID-RuntimeSpirv-subgroupSize-10143")},
    {DescriptorKind::kStorageImage, vk::Vuid("VUID-RuntimeSpirv-StorageImageArrayNonUniformIndexing-10137"),
     vk::Vuid("VUID-RuntimeSpirv-subgroupSize-10144")},
    {DescriptorKind::kUniformTexelBuffer, vk::Vuid("VUID-RuntimeSpirv-UniformTexelBufferArrayNonUniformIndexing-10139"),
     vk::Vuid("VUID-RuntimeSpirv-subgroupSize-10146")},
    {DescriptorKind::kStorageTexelBuffer, vk::Vuid("VUID-RuntimeSpirv-StorageTexelBufferArrayNonUniformIndexing-10140"),
     vk::Vuid("VUID-RuntimeSpirv-subgroupSize-10147")},
};

// Of a device; 0 where it is not known.
struct SubgroupSizes {
  uint32_t size = 0;
  // Of subgroups of varying or required size.
  uint32_t smallest = 0;
};

SubgroupSizes SubgroupSizesOf(const dispatch::Device& device) {
  const auto* subgroups = device.physical_device->Find<VkPhysicalDeviceSubgroupProperties>();
  if (subgroups == nullptr) return {};
  SubgroupSizes sizes = {subgroups->subgroupSize, subgroups->subgroupSize};
  const auto* limits = device.physical_device->Find<VkPhysicalDeviceSubgroupSizeControlProperties>();
  if (limits != nullptr && limits->minSubgroupSize != 0) {
    sizes.smallest = std::min(sizes.smallest, limits->minSubgroupSize);
  }
  return sizes;
}

// Whether the instruction accesses memory through the pointer or image that is its operand.
bool IsAccess(const spirv_instrument::Module& module, Instruction instruction) {
  const Op op = instruction.op();
  return op == Op::OpLoad || op == Op::OpStore || op == Op::OpCopyMemory || op == Op::OpCopyMemorySized ||
         spirv_instrument::IsAtomicAccess(op) ||
         spirv_instrument::ReadImageAccess(module, instruction).kind != spirv_instrument::ImageAccess::Kind::kNone;
}

std::string_view BuiltInName(spv::BuiltIn builtin) {
  switch (builtin) {
    case spv::BuiltIn::LocalInvocationIndex:
      return "LocalInvocationIndex";
    case spv::BuiltIn::LocalInvocationId:
      return "LocalInvocationId";
    default:
      return "GlobalInvocationId";
  }
}

// Looks at an entry point with workgroups of a known size.
class EntryPointChecker {
 public:
  EntryPointChecker(ModuleReader& reader, const SubgroupSizes& subgroups, const EntryPointUse& use,
                    const WorkgroupSize& size)
      : reader_(reader), subgroups_(subgroups), use_(use), size_(size), values_(reader, size) {}

  void Run() {
    absl::flat_hash_set<uint32_t> seen;
    Block block = reader_.module().FindFunction(use_.entry_point.function()).entry();
    while (block && seen.insert(block.index()).second) {
      for (Instruction instruction : block.instructions()) {
        if (instruction.op() == Op::OpFunctionCall) return;
        values_.Follow(instruction);
        Look(instruction);
      }
      if (block.terminator().op() != Op::OpBranch) return;
      block = reader_.module().FindBlock(block.terminator().id(0));
    }
  }

 private:
  // An element of an array with an index that differs between invocations.
  struct Element {
    Instruction variable;
    // nullopt for one in push constants.
    std::optional<DescriptorKind> kind;
    Id index;
    InvocationValue value;
    // nullopt for a runtime array.
    std::optional<uint32_t> length;
    // Whether the index, the pointer or the image that is read through it has the decoration NonUniform. Compilers of
    // GLSL decorate the index alone of some accesses, as of atomics, where the program says all that it can.
    bool is_decorated = false;
  };

  uint32_t invocation_count() const { return size_[0] * size_[1] * size_[2]; }

  void Look(Instruction instruction) {
    if (instruction.op() == Op::OpAccessChain || instruction.op() == Op::OpInBoundsAccessChain) {
      if (const std::optional<Element> element = ElementOf(instruction)) {
        elements_[instruction.result_id()] = *element;
        NoteDecoration(instruction);
        return;
      }
    }
    if (CheckProcessing(instruction) || elements_.empty()) return;
    const Element* element = nullptr;
    spirv_instrument::ForEachId(reader_.module(), instruction, [&](uint32_t, Id id) {
      if (const auto found = elements_.find(id); found != elements_.end() && element == nullptr) {
        element = &found->second;
      }
    });
    if (element == nullptr) return;
    if (IsSameResource(reader_, instruction)) {
      const Element same = *element;
      elements_[instruction.result_id()] = same;
      NoteDecoration(instruction);
    } else if (IsAccess(reader_.module(), instruction)) {
      // A pointer may be stored, too.
      if (instruction.op() == Op::OpStore && !elements_.contains(instruction.id(0))) return;
      CheckAccess(*element, instruction);
    }
  }

  bool IsNonUniform(Id id) const { return reader_.decorations().Has(id, spv::Decoration::NonUniform); }
  void NoteDecoration(Instruction instruction) {
    const Id id = instruction.result_id();
    elements_[id].is_decorated |= IsNonUniform(id);
  }

  // The first index of the chain that differs, if it is one into an array of descriptors or of push constants.
  std::optional<Element> ElementOf(Instruction chain) const {
    const Instruction variable = reader_.Find(chain.id(0));
    if (variable.op() != Op::OpVariable || chain.operand_count() < 2) return std::nullopt;
    if (const std::optional<DescriptorKind> kind = KindOfArray(reader_, variable)) {
      return ElementAt(variable, kind, reader_.PointeeOf(variable), chain.id(1));
    }
    if (variable.enumerant<StorageClass>(0) != StorageClass::PushConstant) return std::nullopt;
    // A member of the block that is an array, maybe of arrays.
    const Instruction block = reader_.PointeeOf(variable);
    const std::optional<uint32_t> member = reader_.ConstantOf(chain.id(1));
    if (block.op() != Op::OpTypeStruct || !member) return std::nullopt;
    Instruction type = reader_.Find(block.id(*member));
    for (size_t i = 2; i < chain.operand_count() && type.op() == Op::OpTypeArray; ++i) {
      if (auto element = ElementAt(variable, std::nullopt, type, chain.id(i))) return element;
      type = reader_.ElementOf(type);
    }
    return std::nullopt;
  }

  std::optional<Element> ElementAt(Instruction variable, std::optional<DescriptorKind> kind, Instruction array,
                                   Id index) const {
    const InvocationValues::Components values = values_.Of(index);
    if (values.size() != 1 || !values[0] || values[0]->source == spv::BuiltIn::Max) return std::nullopt;
    const std::optional<uint32_t> length = reader_.LengthOf(array);
    // Specialization may change it.
    if (!length && array.op() == Op::OpTypeArray) return std::nullopt;
    return Element{variable, kind, index, *values[0], length, IsNonUniform(index)};
  }

  ValueSpread Spread(const InvocationValue& value) {
    const auto [found, is_new] = spreads_.try_emplace(value.factors);
    if (is_new) found->second = SpreadOf(value, size_);
    return found->second;
  }

  // Whether each index may be of the array. An access elsewhere is another mistake.
  bool IsInside(const Element& element) {
    const ValueSpread spread = Spread(element.value);
    const int64_t length = element.length ? *element.length : std::numeric_limits<int64_t>::max();
    if (!element.value.base) return spread.highest - spread.lowest < length;
    const int64_t base = static_cast<int32_t>(*element.value.base);
    return base + spread.lowest >= 0 && base + spread.highest < length;
  }

  bool DiffersInWorkgroup(const InvocationValue& value) { return Spread(value).distinct > 1; }
  // However invocations are put into subgroups, some subgroup has more of them than have the same value.
  bool DiffersInSubgroup(const InvocationValue& value) {
    return Spread(value).most_equal < std::min(subgroups_.smallest, invocation_count());
  }
  // The same for quads.
  bool DiffersInQuad(const InvocationValue& value) {
    constexpr uint32_t kQuad = 4;
    return subgroups_.smallest >= kQuad && invocation_count() >= kQuad && Spread(value).most_equal == 1;
  }

  void CheckAccess(const Element& element, Instruction instruction) {
    if (element.kind) {
      CheckDescriptor(element, *element.kind, instruction);
    } else if (DiffersInWorkgroup(element.value) && IsInside(element)) {
      reader_.findings().Add(
          vk::Vuid("VUID-StandaloneSpirv-None-04745"),
          absl::StrCat(TextOf(element), " Use one index in all invocations, or a buffer instead of push constants."),
          instruction);
    }
  }

  void CheckDescriptor(const Element& element, DescriptorKind kind, Instruction instruction) {
    const auto* rule = std::ranges::find(kRules, kind, &NonUniformRule::kind);
    if (rule == std::end(kRules) || subgroups_.size == 0) return;
    const DescriptorKindInfo& info = InfoOf(kind);
    const bool has_capability = reader_.HasCapability(info.non_uniform);
    // Compilers of GLSL declare no capability for an index into an array of samplers.
    const bool is_sampler = reader_.ElementOf(reader_.PointeeOf(element.variable)).op() == Op::OpTypeSampler;
    if ((has_capability || is_sampler) && element.is_decorated) return;
    const bool is_one = subgroups_.size == 1;
    const bool differs = is_one ? DiffersInWorkgroup(element.value) : DiffersInSubgroup(element.value);
    if (!differs || !IsInside(element)) return;
    const std::string text = TextOf(element);
    if (has_capability) {
      reader_.findings().Add(
          is_one ? vk::Vuid("VUID-RuntimeSpirv-None-10148") : vk::Vuid("VUID-RuntimeSpirv-subgroupSize-10149"),
          absl::StrCat(text,
                       " The operand that is accessed is not decorated with NonUniform. Decorate it; in GLSL, "
                       "put the whole index into nonuniformEXT()."),
          instruction);
      return;
    }
    reader_.findings().Add(
        is_one ? rule->vuid_of_one : rule->vuid,
        absl::StrCat(
            text, " The module does not declare the capability ", info.non_uniform_name,
            ". Declare it, and decorate the operand that is accessed with NonUniform; in GLSL, put the whole index "
            "into nonuniformEXT()."),
        instruction);
  }

  // Whether it is an instruction of SPV_QCOM_image_processing, whose rules these are then.
  bool CheckProcessing(Instruction instruction) {
    const auto quad = [this](const InvocationValue& value) { return DiffersInQuad(value); };
    const auto group = [this](const InvocationValue& value) { return DiffersInWorkgroup(value); };
    const auto check = [&](std::initializer_list<size_t> operands, vk::VuidIndex rule, auto differs,
                           std::string_view scope) {
      for (size_t operand : operands) {
        const std::string text = TextOfOperand(instruction.id(operand), differs);
        if (text.empty()) continue;
        reader_.findings().Add(rule, absl::StrCat(text, " Give it one value in all invocations of a ", scope, "."),
                               instruction);
      }
    };
    switch (instruction.op()) {
      case Op::OpImageSampleWeightedQCOM:
        check({0, 2}, vk::Vuid("VUID-RuntimeSpirv-OpImageWeightedSampleQCOM-06979"), quad, "quad");
        return true;
      case Op::OpImageBoxFilterQCOM:
        check({0}, vk::Vuid("VUID-RuntimeSpirv-OpImageBoxFilterQCOM-06990"), group, "workgroup");
        return true;
      case Op::OpImageBlockMatchSSDQCOM:
      case Op::OpImageBlockMatchSADQCOM:
        check({0, 2, 4}, vk::Vuid("VUID-RuntimeSpirv-OpImageBlockMatchSADQCOM-06982"), quad, "quad");
        return true;
      case Op::OpImageBlockMatchWindowSSDQCOM:
      case Op::OpImageBlockMatchWindowSADQCOM:
      case Op::OpImageBlockMatchGatherSSDQCOM:
      case Op::OpImageBlockMatchGatherSADQCOM:
        check({0, 2, 4}, vk::Vuid("VUID-RuntimeSpirv-OpImageBlockMatchWindow-09219"), quad, "quad");
        return true;
      default:
        return false;
    }
  }

  // Of an image that is read from an array, or of a vector of integers; "" if it is not known to differ.
  template <typename Differs>
  std::string TextOfOperand(Id id, Differs differs) {
    if (const auto found = elements_.find(id); found != elements_.end()) {
      const Element& element = found->second;
      return differs(element.value) && IsInside(element) ? TextOf(element) : "";
    }
    for (const std::optional<InvocationValue>& value : values_.Of(id)) {
      if (!value || value->source == spv::BuiltIn::Max || !differs(*value)) continue;
      return absl::StrCat("The operand %", ToNumber(id), TextOf(*value));
    }
    return "";
  }

  std::string TextOf(const InvocationValue& value) const {
    return absl::StrCat(" comes from ", BuiltInName(value.source), ", which differs between the ", invocation_count(),
                        " invocations of a workgroup of ", NameOf(use_), ".");
  }
  std::string TextOf(const Element& element) const {
    const std::string_view name = reader_.decorations().NameOf(element.variable.result_id());
    return absl::StrCat(
        "The index %", ToNumber(element.index), " into ",
        element.kind ? "the array " : "an array of the push constants ",
        name.empty() ? absl::StrCat("%", ToNumber(element.variable.result_id())) : absl::StrCat("\"", name, "\""),
        element.kind ? absl::StrCat(" of ", InfoOf(*element.kind).name) : "", TextOf(element.value));
  }

  ModuleReader& reader_;
  const SubgroupSizes& subgroups_;
  const EntryPointUse& use_;
  const WorkgroupSize size_;
  InvocationValues values_;
  // By pointer or image.
  absl::flat_hash_map<Id, Element> elements_;
  absl::flat_hash_map<std::array<uint32_t, 3>, ValueSpread> spreads_;
};

// Whether the module has anything that these rules are about.
bool HasArrays(const ModuleReader& reader) {
  for (const spv::Capability capability :
       {spv::Capability::TextureSampleWeightedQCOM, spv::Capability::TextureBoxFilterQCOM,
        spv::Capability::TextureBlockMatchQCOM, spv::Capability::TextureBlockMatch2QCOM}) {
    if (reader.HasCapability(capability)) return true;
  }
  for (Instruction variable : reader.module().section(Section::kGlobals)) {
    if (variable.op() != Op::OpVariable) continue;
    if (variable.enumerant<StorageClass>(0) == StorageClass::PushConstant || KindOfArray(reader, variable)) return true;
  }
  return false;
}

bool HasWorkgroups(const EntryPointUse& use) {
  return use.Is(ExecutionModel::GLCompute) || use.Is(ExecutionModel::TaskEXT) || use.Is(ExecutionModel::MeshEXT);
}

}  // namespace

void CheckNonUniformIndices(const dispatch::Device& device, ModuleReader& reader) {
  const auto& entry_points = reader.entry_points();
  if (std::ranges::none_of(entry_points, HasWorkgroups) || !HasArrays(reader)) return;
  const SubgroupSizes subgroups = SubgroupSizesOf(device);
  for (const EntryPointUse& use : entry_points) {
    if (!HasWorkgroups(use)) continue;
    const std::optional<WorkgroupSize> size = WorkgroupSizeOf(reader, use);
    if (!size || std::ranges::count(*size, 0u) != 0) continue;
    uint64_t count = 1;
    for (const uint32_t side : *size) count = std::min(count * side, kMostInvocations + 1);
    if (count > 1 && count <= kMostInvocations) EntryPointChecker(reader, subgroups, use, *size).Run();
  }
}

bool IsReportedAsNonUniform(const ModuleFindings& findings, DescriptorKind kind) {
  return std::ranges::any_of(kRules, [&](const NonUniformRule& rule) {
    return rule.kind == kind && std::ranges::any_of(findings.findings(), [&](const ModuleFinding& finding) {
             return finding.vuid == rule.vuid || finding.vuid == rule.vuid_of_one;
           });
  });
}

std::string NonUniformCheckFeatures(const dispatch::Device& device) {
  const SubgroupSizes sizes = SubgroupSizesOf(device);
  return absl::StrCat(" ", sizes.size == 1 ? "one" : "", sizes.size == 0 ? "none" : "", sizes.smallest);
}

}  // namespace assay::core
