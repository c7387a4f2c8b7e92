// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// For HasResultAndType.
#define SPV_ENABLE_UTILITY_CODE

#include "state/shader/spirv_module.h"

#include <algorithm>
#include <cstring>

#include "state/shader/constant_operations.h"

namespace assay::state {
namespace {

constexpr size_t kHeaderWords = 5;
constexpr size_t kBoundWord = 3;
// SPIR-V, "Universal Limits".
constexpr uint32_t kMaxBound = 0x400000;

// A chain of OpSpecConstantOp can be a tree of exponential size.
constexpr int kMaxConstantSteps = 256;

}  // namespace

SpirvInstruction::SpirvInstruction(absl::Span<const uint32_t> words)
    : words_(words), op_(static_cast<spv::Op>(words[0] & spv::OpCodeMask)) {
  spv::HasResultAndType(op_, &has_result_, &has_type_);
}

std::optional<std::string_view> SpirvInstruction::String(size_t index) const {
  if (index >= words_.size()) return std::nullopt;
  const char* text = reinterpret_cast<const char*>(words_.data() + index);
  const size_t limit = (words_.size() - index) * sizeof(uint32_t);
  const size_t length = strnlen(text, limit);
  if (length == limit) return std::nullopt;
  return std::string_view(text, length);
}

std::optional<SpirvModule> SpirvModule::Parse(absl::Span<const uint32_t> words) {
  if (words.size() < kHeaderWords || words[0] != spv::MagicNumber) return std::nullopt;
  if (words[kBoundWord] > kMaxBound) return std::nullopt;
  SpirvModule module(words);
  if (!module.ParseInstructions()) return std::nullopt;
  return module;
}

bool SpirvModule::ParseInstructions() {
  definitions_.resize(words_[kBoundWord]);
  size_t offset = kHeaderWords;
  while (offset < words_.size()) {
    const size_t size = words_[offset] >> spv::WordCountShift;
    if (size == 0 || size > words_.size() - offset) return false;
    if (!ParseInstruction(offset, At(offset))) return false;
    offset += size;
  }
  return true;
}

bool SpirvModule::ParseInstruction(size_t offset, const SpirvInstruction& instruction) {
  if (instruction.has_result()) {
    const uint32_t id = instruction.result_id();
    if (id == 0 || id >= bound() || definitions_[id] != 0) return false;
    definitions_[id] = static_cast<uint32_t>(offset);
  }
  switch (instruction.op()) {
    case spv::Op::OpEntryPoint:
      entry_points_.push_back(instruction);
      return true;
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      execution_modes_.push_back(instruction);
      return true;
    case spv::Op::OpDecorate:
    case spv::Op::OpGroupDecorate:
      ParseDecoration(instruction);
      return true;
    case spv::Op::OpMemberDecorate:
      ParseTransformFeedback(instruction, 3);
      ParseMemberLayout(instruction);
      return true;
    case spv::Op::OpFunction:
      function_indices_[instruction.result_id()] = functions_.size();
      functions_.push_back({.id = instruction.result_id()});
      in_function_ = true;
      return true;
    case spv::Op::OpFunctionEnd:
      in_function_ = false;
      return true;
    case spv::Op::OpFunctionParameter:
      if (in_function_) functions_.back().parameters.push_back(instruction.result_id());
      return true;
    case spv::Op::OpKill:
    case spv::Op::OpTerminateInvocation:
    case spv::Op::OpDemoteToHelperInvocation:
      may_discard_fragments_ = true;
      break;
    default:
      break;
  }
  if (in_function_) {
    functions_.back().body.push_back(instruction);
  } else if (instruction.op() == spv::Op::OpVariable || instruction.op() == spv::Op::OpUntypedVariableKHR) {
    variables_.push_back(instruction);
  }
  return true;
}

void SpirvModule::ParseDecoration(const SpirvInstruction& instruction) {
  if (instruction.op() == spv::Op::OpGroupDecorate) {
    const SpirvDecorations group = DecorationsOf(instruction.Word(1));
    for (size_t i = 2; i < instruction.size(); ++i) {
      SpirvDecorations& target = decorations_[instruction.Word(i)];
      if (group.set) target.set = group.set;
      if (group.binding) target.binding = group.binding;
      if (group.location) target.location = group.location;
      if (group.input_attachment_index) target.input_attachment_index = group.input_attachment_index;
      target.is_buffer_block |= group.is_buffer_block;
    }
    return;
  }
  ParseTransformFeedback(instruction, 2);
  const uint32_t target = instruction.Word(1);
  switch (static_cast<spv::Decoration>(instruction.Word(2))) {
    case spv::Decoration::DescriptorSet:
      decorations_[target].set = instruction.Word(3);
      break;
    case spv::Decoration::Binding:
      decorations_[target].binding = instruction.Word(3);
      break;
    case spv::Decoration::Location:
      decorations_[target].location = instruction.Word(3);
      break;
    case spv::Decoration::InputAttachmentIndex:
      decorations_[target].input_attachment_index = instruction.Word(3);
      break;
    case spv::Decoration::SpecId:
      decorations_[target].specialization_id = instruction.Word(3);
      break;
    case spv::Decoration::ArrayStride:
      decorations_[target].array_stride = instruction.Word(3);
      break;
    case spv::Decoration::BufferBlock:
      decorations_[target].is_buffer_block = true;
      break;
    case spv::Decoration::BuiltIn:
      if (instruction.Word(3) == static_cast<uint32_t>(spv::BuiltIn::WorkgroupSize)) workgroup_size_id_ = target;
      may_discard_fragments_ |= instruction.Word(3) == static_cast<uint32_t>(spv::BuiltIn::SampleMask);
      break;
    default:
      break;
  }
}

void SpirvModule::ParseMemberLayout(const SpirvInstruction& instruction) {
  const std::pair<uint32_t, uint32_t> member = {instruction.Word(1), instruction.Word(2)};
  switch (static_cast<spv::Decoration>(instruction.Word(3))) {
    case spv::Decoration::Offset:
      members_[member].offset = instruction.Word(4);
      break;
    case spv::Decoration::MatrixStride:
      members_[member].matrix_stride = instruction.Word(4);
      break;
    case spv::Decoration::RowMajor:
      members_[member].is_row_major = true;
      break;
    default:
      break;
  }
}

void SpirvModule::ParseTransformFeedback(const SpirvInstruction& instruction, size_t decoration_word) {
  if (static_cast<spv::Decoration>(instruction.Word(decoration_word)) != spv::Decoration::XfbBuffer) return;
  const uint32_t buffer = instruction.Word(decoration_word + 1);
  if (buffer < 32) transform_feedback_buffers_ |= 1u << buffer;
}

SpirvInstruction SpirvModule::At(size_t offset) const {
  return SpirvInstruction(words_.subspan(offset, words_[offset] >> spv::WordCountShift));
}

SpirvInstruction SpirvModule::Find(uint32_t id) const {
  if (id >= bound() || definitions_[id] == 0) return {};
  return At(definitions_[id]);
}

const SpirvFunction* SpirvModule::FindFunction(uint32_t id) const {
  const auto found = function_indices_.find(id);
  return found == function_indices_.end() ? nullptr : &functions_[found->second];
}

SpirvDecorations SpirvModule::DecorationsOf(uint32_t id) const {
  const auto found = decorations_.find(id);
  return found == decorations_.end() ? SpirvDecorations{} : found->second;
}

SpirvMemberLayout SpirvModule::LayoutOfMember(uint32_t structure, uint32_t member) const {
  const auto found = members_.find({structure, member});
  return found == members_.end() ? SpirvMemberLayout{} : found->second;
}

spv::StorageClass SpirvModule::StorageClassOf(uint32_t pointer_id) const {
  const SpirvInstruction type = TypeOf(pointer_id);
  if (type.op() != spv::Op::OpTypePointer && type.op() != spv::Op::OpTypeUntypedPointerKHR) {
    return spv::StorageClass::Max;
  }
  return static_cast<spv::StorageClass>(type.Word(2));
}

bool SpirvModule::IsGlslStd450(uint32_t id) const {
  const SpirvInstruction import = Find(id);
  return import.op() == spv::Op::OpExtInstImport && import.String(2) == "GLSL.std.450";
}

void SpirvModule::Specialize(absl::Span<const SpirvSpecialization> constants) {
  for (const auto& [id, decorations] : decorations_) {
    if (!decorations.specialization_id) continue;
    for (const SpirvSpecialization& constant : constants) {
      if (constant.specialization_id == *decorations.specialization_id) specialized_[id] = constant.value;
    }
  }
}

std::optional<uint32_t> SpirvModule::EvaluateConstant(uint32_t id) const {
  int steps_left = kMaxConstantSteps;
  return EvaluateConstant(id, steps_left);
}

std::optional<uint32_t> SpirvModule::EvaluateConstant(uint32_t id, int& steps_left) const {
  if (--steps_left < 0) return std::nullopt;
  const SpirvInstruction constant = Find(id);
  switch (constant.op()) {
    case spv::Op::OpSpecConstant:
      if (const auto found = specialized_.find(id); found != specialized_.end()) return found->second;
      [[fallthrough]];
    case spv::Op::OpConstant:
      // The low word comes first.
      return constant.Word(3);
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
      if (const auto found = specialized_.find(id); found != specialized_.end()) return found->second != 0 ? 1 : 0;
      return constant.op() == spv::Op::OpSpecConstantTrue ? 1 : 0;
    case spv::Op::OpConstantTrue:
      return 1;
    case spv::Op::OpConstantFalse:
    case spv::Op::OpConstantNull:
      return 0;
    case spv::Op::OpSpecConstantOp:
      return EvaluateOperation(constant, static_cast<spv::Op>(constant.Word(3)), 4, steps_left);
    default:
      return EvaluateOperation(constant, constant.op(), 3, steps_left);
  }
}

bool SpirvModule::HasOneWord(uint32_t id) const {
  const SpirvInstruction type = TypeOf(id);
  return type.op() == spv::Op::OpTypeInt && type.Word(2) == 32;
}

std::optional<uint32_t> SpirvModule::EvaluateOperation(const SpirvInstruction& instruction, spv::Op op, size_t operand,
                                                       int& steps_left) const {
  const int operands = OperandCount(op);
  if (operands == 0 || (NeedsOneWord(op) && !HasOneWord(instruction.Word(operand)))) return std::nullopt;
  const std::optional<uint32_t> first = EvaluateConstant(instruction.Word(operand), steps_left);
  if (!first || operands == 1) return first ? EvaluateUnary(op, *first) : std::nullopt;
  // Only the chosen one needs to be constant.
  if (op == spv::Op::OpSelect) return EvaluateConstant(instruction.Word(operand + (*first != 0 ? 1 : 2)), steps_left);
  const std::optional<uint32_t> second = EvaluateConstant(instruction.Word(operand + 1), steps_left);
  return second ? EvaluateBinary(op, *first, *second) : std::nullopt;
}

}  // namespace assay::state
