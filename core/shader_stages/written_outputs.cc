// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which outputs an entry point writes, and on which paths.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"
#include "state/shader/pointer_flow.h"

namespace assay::core {

using spirv_instrument::Block;
using spirv_instrument::Function;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::BuiltIn;
using spv::Decoration;
using spv::ExecutionMode;
using spv::Op;
using spv::StorageClass;
using vk::FeatureId;
using vk::Vuid;

std::optional<BuiltInOutput> FindOutput(const StageReader& reader, BuiltIn built_in) {
  const auto number = static_cast<uint32_t>(built_in);
  for (uint32_t word : reader.entry_point.interface()) {
    const Instruction variable = reader.module.Find(Id{word});
    if (variable.op() != Op::OpVariable || variable.enumerant<StorageClass>(0) != StorageClass::Output) continue;
    if (reader.module.DecorationOf(Id{word}, Decoration::BuiltIn) == number) return BuiltInOutput{variable, {}};
    const Instruction block = ElementOf(reader, PointeeOf(reader, variable));
    if (block.op() != Op::OpTypeStruct) continue;
    for (uint32_t i = 0; i < block.operand_count(); ++i) {
      const auto found = reader.module.decorations().FindMember(block.result_id(), i, Decoration::BuiltIn);
      if (found && found->parameter(0) == number) return BuiltInOutput{variable, i};
    }
  }
  return std::nullopt;
}

namespace {

// Looks for a path through the entry function that returns without writing an output. Silent, with no path found,
// if anything but a plain store in the entry function may write it.
//
// Only a path with at most one condition counts, since two conditions may depend on each other, so that no invocation
// takes such a path. It is one of a selection, and depends on inputs alone: a loop usually runs once at least,
// variables of the shader may have one value only, and so may uniforms, which programs choose to fit the pipeline.
class PathSearch {
 public:
  PathSearch(StageReader& reader, const BuiltInOutput& output)
      : reader_(reader), output_(output), main_(reader.module.module().FindFunction(reader.entry_point.function())) {}

  // The block that returns; null if there is none.
  Block Find() {
    // An initializer writes.
    if (!main_ || output_.variable.operand_count() > 1 || !ReadStores() || stores_.empty()) return {};
    return Search(main_.entry());
  }

 private:
  // Finds the blocks that store. False if something else may write the output.
  bool ReadStores() {
    const Id variable = output_.variable.result_id();
    absl::flat_hash_set<uint32_t> pointers;
    if (!output_.member) pointers.insert(ToNumber(variable));
    bool is_plain = true;
    ForEachInstruction(reader_, [&](Instruction instruction) {
      const bool is_main = instruction.function() == main_;
      switch (instruction.op()) {
        case Op::OpAccessChain:
        case Op::OpInBoundsAccessChain:
          if (instruction.id(0) != variable) return Note(instruction, 0, pointers, is_plain);
          return AddChain(instruction, pointers, is_plain);
        case Op::OpStore:
          if (pointers.contains(instruction.literal(0))) {
            if (is_main) {
              stores_.insert(instruction.block().index());
            } else {
              is_plain = false;
            }
          } else if (instruction.id(0) == variable) {
            is_plain = false;
          }
          return;
        case Op::OpLoad:
        case Op::OpName:
          return;
        default:
          return Note(instruction, 0, pointers, is_plain);
      }
    });
    return is_plain;
  }
  // A pointer to the output in any other instruction.
  void Note(Instruction instruction, size_t first, const absl::flat_hash_set<uint32_t>& pointers,
            bool& is_plain) const {
    for (size_t i = first; i < instruction.operand_count(); ++i) {
      const uint32_t operand = instruction.literal(i);
      if (operand == ToNumber(output_.variable.result_id()) || pointers.contains(operand)) is_plain = false;
    }
  }
  void AddChain(Instruction chain, absl::flat_hash_set<uint32_t>& pointers, bool& is_plain) {
    if (!output_.member) {
      // A part of it.
      is_plain = false;
      return;
    }
    const auto member = reader_.Evaluate(chain.id(1));
    if (!member || chain.operand_count() != 2) {
      is_plain = false;
    } else if (*member == *output_.member) {
      pointers.insert(ToNumber(chain.result_id()));
    }
  }

  // Whether the block ends every invocation that comes to it: by a discard, or by what is not known here.
  static bool Ends(Block block) {
    for (Instruction instruction : block.instructions()) {
      switch (instruction.op()) {
        case Op::OpKill:
        case Op::OpTerminateInvocation:
        case Op::OpDemoteToHelperInvocation:
        case Op::OpIgnoreIntersectionKHR:
        case Op::OpTerminateRayKHR:
        case Op::OpUnreachable:
        // A function may discard.
        case Op::OpFunctionCall:
          return true;
        default:
          break;
      }
    }
    return false;
  }

  // Goes through blocks with the number of conditions on the way, the fewest first.
  Block Search(Block entry) {
    absl::flat_hash_map<uint32_t, int> fewest;
    std::vector<std::pair<Block, int>> to_visit = {{entry, 0}};
    while (!to_visit.empty()) {
      const auto [block, conditions] = to_visit.back();
      to_visit.pop_back();
      if (!block || stores_.contains(block.index()) || Ends(block)) continue;
      const auto [known, is_new] = fewest.try_emplace(block.index(), conditions);
      if (!is_new && known->second <= conditions) continue;
      known->second = conditions;
      const Instruction last = block.terminator();
      if (last.op() == Op::OpReturn) return block;
      AddSuccessors(last, conditions, to_visit);
    }
    return {};
  }
  void AddSuccessors(Instruction last, int conditions, std::vector<std::pair<Block, int>>& to_visit) {
    const auto add = [&](size_t operand, int more) {
      if (conditions + more <= 1) {
        to_visit.emplace_back(reader_.module.module().FindBlock(last.id(operand)), conditions + more);
      }
    };
    if (last.op() == Op::OpBranch) add(0, 0);
    if (last.op() != Op::OpBranchConditional) return;
    if (const auto condition = reader_.Evaluate(last.id(0))) return add(*condition != 0 ? 1 : 2, 0);
    if (last.block().merge().op() != Op::OpSelectionMerge || !DependsOnInput(last.id(0), 0)) return;
    add(1, 1);
    add(2, 1);
  }

  // Whether a value follows from inputs and constants, by operations alone.
  bool DependsOnInput(Id value, int depth) const {
    constexpr int kDeepest = 8;
    const Instruction instruction = reader_.module.Find(value);
    const Op op = instruction.op();
    if (depth > kDeepest) return false;
    if (op == Op::OpLoad) return reader_.module.StorageClassOf(instruction.id(0)) == StorageClass::Input;
    if (op == Op::OpCompositeExtract) return DependsOnInput(instruction.id(0), depth + 1);
    const bool is_operation = (op >= Op::OpConvertFToU && op <= Op::OpBitcast) ||
                              (op >= Op::OpSNegate && op <= Op::OpVectorTimesScalar) ||
                              (op >= Op::OpLogicalEqual && op <= Op::OpFUnordGreaterThanEqual);
    if (!is_operation) return false;
    bool has_input = false;
    for (size_t i = 0; i < instruction.operand_count(); ++i) {
      if (spirv_instrument::IsConstant(reader_.module.Find(instruction.id(i)).op())) continue;
      if (!DependsOnInput(instruction.id(i), depth + 1)) return false;
      has_input = true;
    }
    return has_input;
  }

  StageReader& reader_;
  const BuiltInOutput output_;
  const Function main_;
  absl::flat_hash_set<uint32_t> stores_;
};

void CheckAllPaths(StageReader& reader, BuiltIn built_in, const char* name, vk::VuidIndex vuid) {
  const auto output = FindOutput(reader, built_in);
  if (!output) return;
  const Block block = PathSearch(reader, *output).Find();
  if (!block) return;
  reader.Add(vuid, absl::StrCat("writes ", name, " on some paths, and has a path to ", reader.Name(block.terminator()),
                                " in the block %", ToNumber(block.id()), " that does not write it."));
}

// Whether a fragment shader may have paths for helper invocations alone.
bool KnowsHelpers(const StageReader& reader) {
  for (Id id : reader.used) {
    if (reader.module.DecorationOf(id, Decoration::BuiltIn) == static_cast<uint32_t>(BuiltIn::HelperInvocation)) {
      return true;
    }
  }
  return reader.Declares(spv::Capability::DemoteToHelperInvocation);
}

// The variables that stores write, themselves or a part.
absl::flat_hash_set<uint32_t> StoredVariables(const StageReader& reader) {
  constexpr int kDeepest = 8;
  absl::flat_hash_set<uint32_t> variables;
  ForEachInstruction(reader, [&](Instruction instruction) {
    if (instruction.op() != Op::OpStore) return;
    Instruction pointer = reader.module.Find(instruction.id(0));
    for (int i = 0; i < kDeepest && pointer.op() == Op::OpAccessChain; ++i) pointer = reader.module.Find(pointer.id(0));
    variables.insert(ToNumber(pointer.result_id()));
  });
  return variables;
}

// The outputs of a fragment shader that need resources. How often they are written is asked only if there are enough.
void CheckCombinedResources(StageReader& reader) {
  const uint32_t limit = reader.device.physical_device->limits.maxFragmentCombinedOutputResources;
  std::vector<Id> variables;
  for (Id id : reader.used) {
    const Instruction variable = reader.module.Find(id);
    if (variable.op() != Op::OpVariable) continue;
    const auto storage = variable.enumerant<StorageClass>(0);
    const Instruction element = ElementOf(reader, PointeeOf(reader, variable));
    const bool is_buffer = storage == StorageClass::StorageBuffer ||
                           (storage == StorageClass::Uniform &&
                            reader.module.DecorationOf(element.result_id(), Decoration::BufferBlock).has_value());
    const bool is_image = storage == StorageClass::UniformConstant && element.op() == Op::OpTypeImage &&
                          element.literal(5) == 2 && element.enumerant<spv::Dim>(1) != spv::Dim::SubpassData;
    const bool is_color =
        storage == StorageClass::Output && reader.module.DecorationOf(id, Decoration::Location).has_value();
    if (is_buffer || is_image || is_color) variables.push_back(id);
  }
  if (limit == 0 || variables.size() <= limit) return;
  state::PointerFlow flow(reader.module, reader.entry_point.function());
  if (!flow.ok()) return;
  const absl::flat_hash_set<uint32_t> stored = StoredVariables(reader);
  // Colors of two indices share a location.
  std::set<uint32_t> locations;
  uint64_t count = 0;
  for (Id id : variables) {
    const auto location = reader.module.DecorationOf(id, Decoration::Location);
    const bool is_written = location ? stored.contains(ToNumber(id)) : flow.AccessesOf(id).writes;
    if (is_written && (!location || locations.insert(*location).second)) ++count;
  }
  reader.CheckLimit(Vuid("VUID-RuntimeSpirv-Location-06428"), count, limit,
                    "a number of storage buffers, storage images and color attachments that it writes",
                    "maxFragmentCombinedOutputResources");
}

// The calls of an instruction of mesh and task shaders.
struct MeshCalls {
  std::vector<Instruction> outputs;
  bool has_tasks = false;
};
MeshCalls ReadMeshCalls(const StageReader& reader) {
  MeshCalls calls;
  ForEachInstruction(reader, [&](Instruction instruction) {
    if (instruction.op() == Op::OpSetMeshOutputsEXT) calls.outputs.push_back(instruction);
    calls.has_tasks |= instruction.op() == Op::OpEmitMeshTasksEXT;
  });
  return calls;
}

void CheckMeshCalls(StageReader& reader, const MeshCalls& calls) {
  for (size_t i = 1; i < calls.outputs.size(); ++i) {
    // Who runs one of a block runs the other.
    if (calls.outputs[i].block() != calls.outputs[i - 1].block()) continue;
    reader.Add(Vuid("VUID-RuntimeSpirv-MeshEXT-07118"),
               absl::StrCat("has ", reader.Name(calls.outputs[i]), " twice in a block."));
  }
  if (!reader.Mode(ExecutionMode::OutputPoints) || reader.Has(FeatureId::kMaintenance5) || calls.outputs.empty())
    return;
  if (FindOutput(reader, BuiltIn::PointSize)) return;
  for (Instruction call : calls.outputs) {
    const auto count = reader.Evaluate(call.id(1));
    if (!count || *count == 0) return;
  }
  reader.Add(Vuid("VUID-RuntimeSpirv-MeshEXT-09218"),
             "outputs points without the built-in PointSize, and the feature maintenance5 is not enabled.",
             "Write PointSize, or enable maintenance5.");
}

// The least memory that outputs can need: those with a location, for the vertices and primitives of the execution
// modes, without alignment and views.
uint64_t LeastOutputMemory(StageReader& reader) {
  const uint64_t vertices = reader.Mode(ExecutionMode::OutputVertices).literal(2);
  const uint64_t primitives = reader.Mode(ExecutionMode::OutputPrimitivesEXT).literal(2);
  uint64_t sum = 0;
  for (Id id : reader.used) {
    const Instruction variable = reader.module.Find(id);
    if (variable.op() != Op::OpVariable || variable.enumerant<StorageClass>(0) != StorageClass::Output) continue;
    if (!reader.module.DecorationOf(id, Decoration::Location)) continue;
    const Instruction array = PointeeOf(reader, variable);
    if (array.op() != Op::OpTypeArray) continue;
    const bool is_primitive = reader.module.DecorationOf(id, Decoration::PerPrimitiveEXT).has_value();
    const uint64_t count = std::min(reader.Evaluate(array.id(1)).value_or(0), is_primitive ? primitives : vertices);
    sum += count * reader.SizeOf(array.id(0));
  }
  return sum;
}

void CheckMeshOutputMemory(StageReader& reader) {
  const auto* limits = reader.Properties<VkPhysicalDeviceMeshShaderPropertiesEXT>();
  if (limits == nullptr) return;
  const uint64_t memory = LeastOutputMemory(reader);
  if (!reader.CheckLimit(Vuid("VUID-RuntimeSpirv-maxMeshOutputMemorySize-08756"), memory,
                         limits->maxMeshOutputMemorySize, "outputs in bytes", "maxMeshOutputMemorySize")) {
    return;
  }
  reader.CheckLimit(Vuid("VUID-RuntimeSpirv-maxMeshPayloadAndOutputMemorySize-08757"),
                    memory + MemoryOf(reader, StorageClass::TaskPayloadWorkgroupEXT),
                    limits->maxMeshPayloadAndOutputMemorySize, "payload and outputs in bytes",
                    "maxMeshPayloadAndOutputMemorySize");
}

}  // namespace

void CheckWrittenOutputs(StageReader& reader) {
  const bool is_pipeline = reader.owner == StageOwner::kPipeline;
  switch (reader.entry_point.model()) {
    case spv::ExecutionModel::Vertex:
    case spv::ExecutionModel::TessellationEvaluation:
      if (!reader.Has(FeatureId::kMaintenance5)) return;
      return CheckAllPaths(reader, BuiltIn::PointSize, "PointSize", Vuid("VUID-RuntimeSpirv-maintenance5-09190"));
    case spv::ExecutionModel::Fragment:
      CheckCombinedResources(reader);
      if (KnowsHelpers(reader)) return;
      CheckAllPaths(reader, BuiltIn::FragDepth, "FragDepth",
                    is_pipeline ? Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-06685")
                                : Vuid("VUID-VkShaderCreateInfoEXT-pCode-08459"));
      // Shader objects do not have the rule.
      if (is_pipeline) {
        CheckAllPaths(reader, BuiltIn::FragStencilRefEXT, "FragStencilRefEXT",
                      Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-06686"));
      }
      return;
    case spv::ExecutionModel::MeshEXT:
      CheckMeshCalls(reader, ReadMeshCalls(reader));
      return CheckMeshOutputMemory(reader);
    case spv::ExecutionModel::TaskEXT:
      if (ReadMeshCalls(reader).has_tasks) return;
      reader.Add(Vuid("VUID-RuntimeSpirv-TaskEXT-07117"), "has no OpEmitMeshTasksEXT, which must be called once.");
      return;
    default:
      return;
  }
}

}  // namespace assay::core
