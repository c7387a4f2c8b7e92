// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_SPIRV_MODULE_H_
#define ASSAY_STATE_SHADER_SPIRV_MODULE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "state/shader/specialization.h"

// A SPIR-V module, read without trust: whatever the words are, no access leaves them. A missing operand reads as 0,
// which is not an id. The definition of a number that is not an id is an OpNop without operands.
namespace assay::state {

class SpirvInstruction {
 public:
  SpirvInstruction() = default;
  // `words` begins with the instruction's first word and ends with its last.
  explicit SpirvInstruction(absl::Span<const uint32_t> words);

  spv::Op op() const { return op_; }
  bool has_result() const { return has_result_; }
  // 0 if the instruction has none.
  uint32_t type_id() const { return has_type_ ? Word(1) : 0; }
  uint32_t result_id() const { return has_result_ ? Word(has_type_ ? 2 : 1) : 0; }
  // `index` counts from the word with the opcode.
  uint32_t Word(size_t index) const { return index < words_.size() ? words_[index] : 0; }
  size_t size() const { return words_.size(); }
  // The string up to its terminating zero; nullopt if there is no zero.
  std::optional<std::string_view> String(size_t index) const;

 private:
  absl::Span<const uint32_t> words_;
  spv::Op op_ = spv::Op::OpNop;
  bool has_result_ = false;
  bool has_type_ = false;
};

struct SpirvFunction {
  uint32_t id;
  std::vector<uint32_t> parameters;
  std::vector<SpirvInstruction> body;
};

struct SpirvDecorations {
  std::optional<uint32_t> set;
  std::optional<uint32_t> binding;
  std::optional<uint32_t> location;
  std::optional<uint32_t> input_attachment_index;
  std::optional<uint32_t> specialization_id;
  std::optional<uint32_t> array_stride;
  bool is_buffer_block = false;
  bool is_workgroup_size = false;
};

// The explicit layout of a member of a structure type.
struct SpirvMemberLayout {
  std::optional<uint32_t> offset;
  std::optional<uint32_t> matrix_stride;
  bool is_row_major = false;
};

class SpirvModule {
 public:
  // nullopt unless `words` divide into instructions whose results are distinct ids below the bound. `words` must
  // outlive the module.
  static std::optional<SpirvModule> Parse(absl::Span<const uint32_t> words);

  // Every id is below the bound.
  uint32_t bound() const { return static_cast<uint32_t>(definitions_.size()); }
  SpirvInstruction Find(uint32_t id) const;
  // Null if `id` is not a function.
  const SpirvFunction* FindFunction(uint32_t id) const;
  SpirvDecorations DecorationsOf(uint32_t id) const;
  SpirvMemberLayout LayoutOfMember(uint32_t structure, uint32_t member) const;
  // The id with the decoration BuiltIn WorkgroupSize, or 0.
  uint32_t workgroup_size_id() const { return workgroup_size_id_; }
  // A bit for each XfbBuffer below 32 in a decoration.
  uint32_t transform_feedback_buffers() const { return transform_feedback_buffers_; }
  // Whether any function may discard a fragment, or the module has a sample mask.
  bool may_discard_fragments() const { return may_discard_fragments_; }

  absl::Span<const SpirvInstruction> entry_points() const { return entry_points_; }
  absl::Span<const SpirvInstruction> execution_modes() const { return execution_modes_; }
  // Variables outside of functions.
  absl::Span<const SpirvInstruction> variables() const { return variables_; }

  // The type of the result `id`.
  SpirvInstruction TypeOf(uint32_t id) const { return Find(Find(id).type_id()); }
  // spv::StorageClass::Max if `id` is not a pointer.
  spv::StorageClass StorageClassOf(uint32_t pointer_id) const;
  // Sets the values of specialization constants for EvaluateConstant, instead of their defaults.
  void Specialize(absl::Span<const SpirvSpecialization> constants);
  // The value of an integer or Boolean constant, or of an operation on constants; nullopt if it is none, or too
  // complex.
  std::optional<uint32_t> EvaluateConstant(uint32_t id) const;
  // Whether `id` imports GLSL.std.450.
  bool IsGlslStd450(uint32_t id) const;

 private:
  explicit SpirvModule(absl::Span<const uint32_t> words) : words_(words) {}

  bool ParseInstructions();
  bool ParseInstruction(size_t offset, const SpirvInstruction& instruction);
  void ParseDecoration(const SpirvInstruction& instruction);
  void ParseMemberLayout(const SpirvInstruction& instruction);
  void ParseTransformFeedback(const SpirvInstruction& instruction, size_t decoration_word);
  std::optional<uint32_t> EvaluateConstant(uint32_t id, int& steps_left) const;
  // `operand` is the word of the first operand.
  std::optional<uint32_t> EvaluateOperation(const SpirvInstruction& instruction, spv::Op op, size_t operand,
                                            int& steps_left) const;
  // Whether integers of the type of `id` have 32 bits.
  bool HasOneWord(uint32_t id) const;
  SpirvInstruction At(size_t offset) const;

  absl::Span<const uint32_t> words_;
  // Offsets in words_, by id; 0 for no definition.
  std::vector<uint32_t> definitions_;
  absl::flat_hash_map<uint32_t, SpirvDecorations> decorations_;
  // By the structure's id and the member's number.
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, SpirvMemberLayout> members_;
  // By the constant's id.
  absl::flat_hash_map<uint32_t, uint32_t> specialized_;
  std::vector<SpirvInstruction> entry_points_;
  std::vector<SpirvInstruction> execution_modes_;
  std::vector<SpirvInstruction> variables_;
  std::vector<SpirvFunction> functions_;
  absl::flat_hash_map<uint32_t, size_t> function_indices_;
  uint32_t workgroup_size_id_ = 0;
  uint32_t transform_feedback_buffers_ = 0;
  bool may_discard_fragments_ = false;
  bool in_function_ = false;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_SPIRV_MODULE_H_
