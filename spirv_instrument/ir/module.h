// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_MODULE_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_MODULE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/storage/arena.h"

// A SPIR-V module, to be read and changed. spirv_instrument.h has the picture of it.
//
//   read     Module::Read, from words.
//   look up  Find, TypeOf, functions, section; decorations() and globals() find by id and by content.
//   change   InsertBefore and others below; Builder, Globals, annotate.h, preamble.h and entry_points.h stand on these.
//   write    Write, to words.
namespace assay::spirv_instrument {

class GlobalIndex;

// A module may be moved; handles to its parts stay valid. It is for one thread
// at a time; functions that are const build nothing behind the caller's back, so that threads may share a module that
// none of them changes.
class Module {
 public:
  // Reads a module of either byte order. Time and memory are linear. At no time does reading take more than 20 KiB and
  // 12 times the memory of `words`, which is not referred to afterwards; with the indices below, it is 20 times, before
  // anything is changed. memory_test.cc measures that.
  //
  // Errors are InvalidArgument and name the offset of the word: the header is wrong; the bound is above kMaxBound; an
  // opcode is unknown; words divide into no instructions, or an instruction into no operands; an id is 0, not below the
  // bound, or the result of two instructions; a vector or matrix has more than kMaxComponents; instructions of
  // functions are outside of blocks, or blocks outside of functions. Nothing else of the rules of SPIR-V is checked:
  // ids may have no definition or one of the wrong kind, sections may be out of order. All functions of this package
  // accept that.
  static absl::StatusOr<Module> Read(absl::Span<const uint32_t> words);

  ~Module();
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;

  // The words of the module, in the byte order that it was read in. Deterministic; what was not changed is as it was
  // read, word for word. An error is the first that an edit met: see status().
  absl::StatusOr<std::vector<uint32_t>> Write() const;

  // OK until an edit meets a limit of SPIR-V: more ids than kMaxBound, or an instruction of more than 65,535 words.
  // Edits may go on after that: an id is kNoId, and such an instruction is not inserted. A pass asks at its end, if at
  // all, since Write fails.
  const absl::Status& status() const { return status_; }

  // ---- The header. A version is as in the module: 0x00010600.
  uint32_t version() const { return version_; }
  // Before 1.4 the interface of an entry point has its inputs and outputs only; raise versions with RaiseVersion of
  // entry_points.h.
  void set_version(uint32_t version) { version_ = version; }
  uint32_t generator() const { return generator_; }
  // All ids are below it.
  uint32_t bound() const { return bound_; }
  bool is_byte_swapped() const { return is_byte_swapped_; }

  // ---- Looking things up.
  // The instruction with that result; null if there is none. Constant time.
  Instruction Find(Id id) const { return {arena_.get(), definitions_.Get(id)}; }
  // The instruction of the type of the value `id`.
  Instruction TypeOf(Id id) const { return Find(Find(id).type_id()); }
  // Null if `id` is no function, or no label.
  Function FindFunction(Id id) const;
  Block FindBlock(Id label) const;
  // All instructions, in order.
  InstructionRange instructions() const { return {Instruction(arena_.get(), arena_->first), {}}; }
  // Those of a section. In an invalid module, sections may contain instructions of others.
  InstructionRange section(Section section) const;
  // In order; those that were removed are left out.
  std::vector<Function> functions() const;
  // With the index that InstructionRange elements have; null if it was not given out.
  Instruction At(uint32_t index) const;
  // How many indices of instructions, blocks and functions there are, for tables by index.
  uint32_t instruction_index_count() const { return static_cast<uint32_t>(arena_->instructions.size()); }
  uint32_t block_index_count() const { return static_cast<uint32_t>(arena_->blocks.size()); }
  uint32_t function_index_count() const { return static_cast<uint32_t>(arena_->functions.size()); }
  // Instructions with an index up to this one were read.
  uint32_t last_read_index() const { return last_read_index_; }
  // For IdTable: so many entries cost no more than the module itself.
  uint32_t dense_id_count() const { return dense_id_count_; }

  // ---- Changing instructions. Builder (builder.h) is the comfortable way to insert.
  // A new id; kNoId, and an error in status(), if there are kMaxBound already.
  Id FreshId();
  // So many ids in a row, and the first of them.
  Id FreshIds(uint32_t count);
  // Inserts an instruction into the list. `type` and `result` are kNoId where the opcode has none. An instruction in a
  // function has the debug line, scope and block of `position`; one behind a terminator or OpFunctionEnd has none. Not
  // for OpLabel, OpFunction and OpFunctionEnd. A terminator may be inserted only at the end of a block that has none.
  // `position` must not be null. Constant time. `operands` may be words of the module itself.
  Instruction InsertBefore(Instruction position, spv::Op op, Id type, Id result, absl::Span<const Word> operands);
  Instruction InsertAfter(Instruction position, spv::Op op, Id type, Id result, absl::Span<const Word> operands);
  // Adds an instruction at the end of the section that it belongs to.
  Instruction AddToSection(spv::Op op, Id type, Id result, absl::Span<const Word> operands);
  // Takes an instruction out; its result has no definition then. Uses, names and decorations of the result stay, see
  // RemoveWithAnnotations(). Not for OpLabel, OpFunction and OpFunctionEnd.
  void Remove(Instruction instruction);
  void RemoveWithAnnotations(Instruction instruction);
  // Moves an instruction, with its index and result. It gets the line and scope of `position`.
  void MoveBefore(Instruction instruction, Instruction position);
  // The same to the end of a block without terminator. The instruction may be a terminator.
  void MoveToEnd(Instruction instruction, Block block);
  // Sets an operand; it counts as in Instruction, from the first that is neither type nor result.
  void SetOperand(Instruction instruction, size_t operand, Word value);
  // Sets a word of words(), which is not the first one and not the result.
  void SetWord(Instruction instruction, uint32_t word, Word value);
  void AppendOperands(Instruction instruction, absl::Span<const Word> operands);
  // Makes it another instruction with the same index at the same place. A result that it had and does not have any more
  // loses its definition.
  void Replace(Instruction instruction, spv::Op op, Id type, Id result, absl::Span<const Word> operands);
  // Gives the instruction a fresh result id, and returns the one that it had. That id has no definition until the
  // caller gives it to another instruction, whose value all uses then get: how to put a check between a value and its
  // uses without looking for these.
  Id RenewResult(Instruction instruction);

  // ---- Changing functions.
  // Adds a function without blocks behind all others: OpFunction and OpFunctionEnd.
  Function AddFunction(Id result, Id return_type, spv::FunctionControlMask control, Id function_type);
  Instruction AddParameter(Function function, Id type, Id result);
  // Adds a block, which has a label and no terminator, behind `previous`, or at the end of the function.
  Block AddBlock(Function function, Id label);
  Block AddBlockAfter(Block previous, Id label);
  // Takes out a whole function, and names and decorations of what it has.
  void RemoveFunction(Function function);
  // Makes what the block has before `position`, the label too, a block in front of it, and gives `block` a new label
  // before `position`. The front block has no terminator. Cost is that of the front block. For control_flow/split.h.
  Block SplitFront(Block block, Instruction position, Id new_label);

  // ---- Indices over the module, built when first asked for and kept up to date.
  // Types and constants by content.
  Globals globals() { return Globals(*this); }
  // Decorations and names by id. Of a module that is const, `Decorations(module)` makes an index of one's own.
  const Decorations& decorations();
  // How many instructions of blocks use an OpSampledImage. For control_flow/split.h.
  uint32_t SampledImageUses(Id sampled_image);

 private:
  friend class Globals;
  friend class Reader;

  Module();

  Instruction Handle(uint32_t index) const { return {arena_.get(), index}; }
  InstructionRecord& Record(Instruction instruction) { return arena_->instructions[instruction.index()]; }
  // False, with nothing changed, if there are too many words.
  bool SetWords(uint32_t index, spv::Op op, Id type, Id result, absl::Span<const Word> operands);
  // A record that is not linked yet; 0 if there are too many words.
  uint32_t NewInstruction(spv::Op op, Id type, Id result, absl::Span<const Word> operands);
  // Links a record behind another, into a block or into none.
  Instruction Link(uint32_t index, uint32_t previous, uint32_t block);
  void Unlink(Instruction instruction);
  void SetDebugPlace(uint32_t index, uint32_t line, uint32_t scope);
  void Define(uint32_t index);
  void Undefine(uint32_t index);
  void NoteInSection(Instruction instruction);
  void TakeFromSection(Instruction instruction);
  // Keep the indices up to date: after an instruction was linked or changed, and before.
  void NoteInIndices(Instruction instruction);
  void TakeFromIndices(Instruction instruction);
  void RehashTargets(Instruction annotation, bool is_noted);
  void CountSampledImage(Instruction instruction, uint32_t change);
  void Fail(std::string_view what);
  GlobalIndex& global_index();

  struct SectionBounds {
    uint32_t first = 0;
    uint32_t last = 0;
  };

  std::unique_ptr<Arena> arena_;
  IdTable<uint32_t> definitions_;
  // By the index of OpFunction.
  absl::flat_hash_map<uint32_t, uint32_t> function_indices_;
  std::array<SectionBounds, kSectionCount> sections_ = {};
  std::unique_ptr<GlobalIndex> global_index_;
  std::unique_ptr<Decorations> decorations_;
  std::optional<IdTable<uint32_t>> sampled_image_uses_;
  absl::Status status_;
  uint32_t version_ = 0;
  uint32_t generator_ = 0;
  uint32_t bound_ = 0;
  uint32_t schema_ = 0;
  uint32_t dense_id_count_ = 0;
  uint32_t last_read_index_ = 0;
  bool is_byte_swapped_ = false;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_MODULE_H_
