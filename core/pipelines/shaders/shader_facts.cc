// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/shaders/shader_facts.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/sections.h"
#include "state/shader/entry_point.h"
#include "state/shader/reflected_module.h"
#include "state/state.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using spirv_instrument::EntryPoint;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spv::BuiltIn;
using spv::Decoration;
using spv::Op;
using spv::StorageClass;

// A part of a variable of the interface that is a built-in.
struct Part {
  BuiltIn built_in;
  // Of a block.
  std::optional<uint32_t> member;
};

class Reader {
 public:
  Reader(state::ReflectedModule& module, EntryPoint entry, ShaderFacts& facts)
      : module_(module), entry_(entry), facts_(facts) {}

  void Read() {
    ReadDeclarations();
    for (uint32_t word : entry_.interface()) AddVariable(module_.Find(Id{word}));
    for (Id function : spirv_instrument::ReachableFunctions(module_.module(), entry_.function())) {
      const auto body = module_.module().FindFunction(function);
      if (!body) continue;
      for (Instruction instruction : body.instructions()) AddInstruction(instruction);
    }
    for (Id id : spirv_instrument::UsedVariables(module_.module(), entry_.function())) AddUsed(module_.Find(id));
  }

 private:
  // A pointer to a variable or to a part of it.
  struct Pointer {
    Id variable;
    // Whether it points to the block or, of an array of blocks, to one of them.
    bool is_block = false;
    bool is_array = false;
    std::optional<uint32_t> member;
  };

  void ReadDeclarations() {
    facts_.model = entry_.model();
    for (Instruction mode : spirv_instrument::ExecutionModes(module_.module(), entry_.function())) {
      const auto number = mode.enumerant<spv::ExecutionMode>(1);
      facts_.modes.insert(number);
      if (number == spv::ExecutionMode::OutputVertices) facts_.output_vertices = mode.literal(2);
    }
    for (Instruction capability : module_.module().section(spirv_instrument::Section::kCapabilities)) {
      if (capability.op() == Op::OpCapability) facts_.capabilities.insert(capability.enumerant<spv::Capability>(0));
    }
  }

  Instruction PointeeOf(Instruction variable) const { return module_.Find(module_.Find(variable.type_id()).id(1)); }

  void AddVariable(Instruction variable) {
    if (variable.op() != Op::OpVariable) return;
    const auto storage = variable.enumerant<StorageClass>(0);
    if (storage != StorageClass::Input && storage != StorageClass::Output) return;
    auto& declared = storage == StorageClass::Input ? facts_.inputs : facts_.outputs;
    const Id id = variable.result_id();
    Pointer pointer = {.variable = id};
    auto& parts = parts_[ToNumber(id)];
    const auto add = [&](uint32_t built_in, std::optional<uint32_t> member, uint32_t stream) {
      declared.insert(static_cast<BuiltIn>(built_in));
      parts.push_back({static_cast<BuiltIn>(built_in), member});
      if (storage == StorageClass::Output) facts_.streams.emplace_back(static_cast<BuiltIn>(built_in), stream);
    };
    const uint32_t own_stream = module_.DecorationOf(id, Decoration::Stream).value_or(0);
    if (const auto built_in = module_.DecorationOf(id, Decoration::BuiltIn)) add(*built_in, {}, own_stream);
    Instruction type = PointeeOf(variable);
    if (type.op() == Op::OpTypeArray) {
      pointer.is_array = true;
      type = module_.Find(type.id(0));
    }
    if (type.op() == Op::OpTypeStruct) {
      pointer.is_block = true;
      for (uint32_t i = 0; i < type.operand_count(); ++i) {
        const auto member = module_.decorations().FindMember(type.result_id(), i, Decoration::BuiltIn);
        const auto stream = module_.decorations().FindMember(type.result_id(), i, Decoration::Stream);
        if (member) add(member->parameter(0), i, stream ? stream->parameter(0) : own_stream);
      }
    }
    pointers_.emplace(ToNumber(id), pointer);
  }

  // Calls visit(built_in) for each built-in that a pointer leads to.
  template <class F>
  void ForEachPart(const Pointer& pointer, const F& visit) {
    for (const Part& part : parts_[ToNumber(pointer.variable)]) {
      if (!part.member || !pointer.member || part.member == pointer.member) visit(part.built_in);
    }
  }

  void AddInstruction(Instruction instruction) {
    switch (instruction.op()) {
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain:
        return AddChain(instruction);
      case Op::OpLoad:
        if (const Pointer* pointer = FindPointer(instruction.id(0)))
          ForEachPart(*pointer, [&](BuiltIn part) { facts_.read.insert(part); });
        return;
      case Op::OpStore:
        if (const Pointer* pointer = FindPointer(instruction.id(0))) {
          ForEachPart(*pointer, [&](BuiltIn part) {
            facts_.written.insert(part);
            facts_.maybe_written.insert(part);
          });
        }
        return;
      case Op::OpDepthAttachmentReadEXT:
        facts_.reads_depth_attachment = true;
        return;
      case Op::OpStencilAttachmentReadEXT:
        facts_.reads_stencil_attachment = true;
        return;
      case Op::OpExtInst:
        AddExtended(instruction);
        break;
      default:
        break;
    }
    // What any other instruction does with a pointer is not known.
    for (uint32_t word : instruction.operands()) {
      if (const Pointer* pointer = FindPointer(Id{word}))
        ForEachPart(*pointer, [&](BuiltIn part) { facts_.maybe_written.insert(part); });
    }
  }

  void AddExtended(Instruction instruction) {
    constexpr uint32_t kInterpolateAtSample = 77;
    const Instruction set = module_.Find(instruction.id(0));
    facts_.interpolates_at_sample |= set.op() == Op::OpExtInstImport && set.string(0) == "GLSL.std.450" &&
                                     instruction.literal(1) == kInterpolateAtSample;
  }

  void AddChain(Instruction chain) {
    const Pointer* base = FindPointer(chain.id(0));
    if (base == nullptr) return;
    Pointer pointer = *base;
    size_t index = 1;
    if (pointer.is_array && index < chain.operand_count()) {
      pointer.is_array = false;
      ++index;
    }
    if (pointer.is_block && !pointer.is_array && index < chain.operand_count()) {
      pointer.is_block = false;
      pointer.member = module_.EvaluateConstant(chain.id(index));
    }
    pointers_.insert_or_assign(ToNumber(chain.result_id()), pointer);
  }

  const Pointer* FindPointer(Id id) const {
    const auto found = pointers_.find(ToNumber(id));
    return found != pointers_.end() ? &found->second : nullptr;
  }

  // A global variable that the entry point uses.
  void AddUsed(Instruction variable) {
    if (variable.op() != Op::OpVariable) return;
    const Id id = variable.result_id();
    const auto storage = variable.enumerant<StorageClass>(0);
    if (storage == StorageClass::Input)
      facts_.has_sample_input |= module_.DecorationOf(id, Decoration::Sample).has_value();
    const auto set = module_.DecorationOf(id, Decoration::DescriptorSet);
    const auto binding = module_.DecorationOf(id, Decoration::Binding);
    const Op type = PointeeOf(variable).op();
    if (storage == StorageClass::Uniform && set && binding &&
        (type == Op::OpTypeArray || type == Op::OpTypeRuntimeArray))
      facts_.block_arrays.emplace_back(*set, *binding);
  }

  state::ReflectedModule& module_;
  const EntryPoint entry_;
  ShaderFacts& facts_;
  absl::flat_hash_map<uint32_t, Pointer> pointers_;
  absl::flat_hash_map<uint32_t, std::vector<Part>> parts_;
};

uint32_t TraitsOf(const ShaderFacts& facts) {
  using spv::Capability;
  using spv::ExecutionMode;
  uint32_t traits = 0;
  const auto add = [&](uint32_t trait, bool has) { traits |= has ? trait : 0; };
  const auto declares_any = [&](std::initializer_list<Capability> capabilities) {
    return std::ranges::any_of(capabilities, [&](Capability capability) { return facts.Declares(capability); });
  };
  add(kCapturesOutputs, facts.Has(ExecutionMode::Xfb));
  add(kWritesShadingRate, facts.Writes(BuiltIn::PrimitiveShadingRateKHR));
  add(kHasLayer, facts.inputs.contains(BuiltIn::Layer) || facts.outputs.contains(BuiltIn::Layer));
  add(kTestsEarly, facts.Has(ExecutionMode::EarlyFragmentTests));
  add(kShadesSamples, facts.has_sample_input || facts.interpolates_at_sample ||
                          facts.inputs.contains(BuiltIn::SampleId) || facts.inputs.contains(BuiltIn::SamplePosition));
  add(kReadsAttachments,
      declares_any({Capability::InputAttachment, Capability::TileImageColorReadAccessEXT,
                    Capability::TileImageDepthReadAccessEXT, Capability::TileImageStencilReadAccessEXT}));
  add(kEnqueues, facts.Declares(Capability::ShaderEnqueueAMDX));
  add(kHasBlockArrays, !facts.block_arrays.empty());
  add(kReplacesDepth, facts.Has(ExecutionMode::DepthReplacing) || facts.Has(ExecutionMode::StencilRefReplacingEXT));
  return traits;
}

}  // namespace

std::optional<ShaderFacts> ReadShaderFacts(const Module& module, std::string_view name, VkShaderStageFlagBits stage) {
  const auto entry = state::FindEntryPoint(module, name, stage);
  if (!entry) return {};
  state::ReflectedModule reflected(module, {});
  ShaderFacts facts;
  Reader(reflected, *entry, facts).Read();
  facts.traits = TraitsOf(facts);
  return facts;
}

std::shared_ptr<const ShaderFacts> ShaderFactsCache::Get(const VkPipelineShaderStageCreateInfo& stage) const {
  const auto code = vk::IsAddress(stage.pName) ? state::CodeOf(stage, codes_) : nullptr;
  if (code == nullptr) return nullptr;
  const auto read = [&](const Module* module, std::string_view name, const auto&) {
    return module != nullptr ? ReadShaderFacts(*module, name, stage.stage) : std::nullopt;
  };
  const auto facts = cache_.Get(*code, stage.pName, stage.stage, nullptr, read);
  return facts->has_value() ? std::shared_ptr<const ShaderFacts>(facts, &**facts) : nullptr;
}

}  // namespace assay::core
