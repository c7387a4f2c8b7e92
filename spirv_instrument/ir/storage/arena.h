// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_STORAGE_ARENA_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_STORAGE_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"

// Where the instructions, blocks and functions of a module are. Records refer to one another by 32-bit indices; index
// 0 is no record. All instructions of a module are in one linked list, in the order of the module's words, so that
// inserting and removing take constant time and an unchanged module is written as it was read. A block or function is a
// part of that list, from its first instruction to its last.
namespace assay::spirv_instrument {

struct InstructionRecord {
  // Never moves while the instruction has these words.
  uint32_t* words = nullptr;
  uint32_t next = 0;
  uint32_t previous = 0;
  // 0 outside of blocks. An OpLabel is in its block.
  uint32_t block = 0;
  // The OpLine or DebugLine in effect, and the DebugScope.
  uint32_t line = 0;
  uint32_t scope = 0;
  uint16_t opcode = 0;
  // The word of the first operand that is neither result type nor result.
  uint8_t first_operand = 1;
  bool has_type : 1 = false;
  bool has_result : 1 = false;
  bool is_removed : 1 = false;
};

static_assert(sizeof(InstructionRecord) == 32);

struct BlockRecord {
  // The OpLabel.
  uint32_t label = 0;
  // The terminator, or in a new block that has none yet the last instruction, which may be the label.
  uint32_t last = 0;
  uint32_t function = 0;
  uint32_t next = 0;
  uint32_t previous = 0;
};

struct FunctionRecord {
  // OpFunction and OpFunctionEnd.
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t first_block = 0;
  uint32_t last_block = 0;
};

class Arena {
 public:
  Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // The words stay where they are as long as the arena lives.
  uint32_t* AllocateWords(size_t count);

  // Links the instruction `index` behind `previous`, or at the front if that is 0.
  void LinkBehind(uint32_t index, uint32_t previous);
  void Unlink(uint32_t index);

  std::vector<InstructionRecord> instructions;
  std::vector<BlockRecord> blocks;
  std::vector<FunctionRecord> functions;
  uint32_t first = 0;
  uint32_t last = 0;

 private:
  std::vector<std::unique_ptr<uint32_t[]>> chunks_;
  absl::Span<uint32_t> free_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_STORAGE_ARENA_H_
