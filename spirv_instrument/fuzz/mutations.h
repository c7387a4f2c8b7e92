// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_FUZZ_MUTATIONS_H_
#define ASSAY_SPIRV_INSTRUMENT_FUZZ_MUTATIONS_H_

#include "spirv_instrument/fuzz/fuzz.h"
#include "spirv_instrument/fuzz/instruction_list.h"
#include "spirv_instrument/fuzz/random.h"

// Changes of modules, one at a time. Each picks where. It returns false, and may have changed nothing, if it found no
// place for it in a few tries.
namespace assay::spirv_instrument::fuzz {

// operand_mutations.cc: words of an instruction.
//
// Another id of the same kind; rarely any other id of the module.
bool ChangeId(InstructionList& list, Random& random);
// Another number, for a literal; other characters, for a string of OpString; another instruction of an extended set.
bool ChangeLiteral(InstructionList& list, Random& random);
// Another value of an enumeration, or another bit of a mask, that has no more and no fewer parameters.
bool ChangeEnumerant(InstructionList& list, Random& random);
// Another opcode with the same pattern of operands.
bool ChangeOpcode(InstructionList& list, Random& random);
bool SwapOperands(InstructionList& list, Random& random);
// A word more or fewer at the end.
bool ChangeLength(InstructionList& list, Random& random);
// The version or the bound.
bool ChangeHeader(InstructionList& list, Random& random);

// structure_mutations.cc: whole instructions.
//
// Takes one out. Uses of its result get another id of the same kind, if there is one.
bool DeleteInstruction(InstructionList& list, Random& random);
// Puts a copy behind it, with a new result.
bool DuplicateInstruction(InstructionList& list, Random& random);
// A few places up or down.
bool MoveInstruction(InstructionList& list, Random& random);
// Copies an instruction of a function to another place, which may be in another function. Its operands become ids of
// the same kind that are defined there.
bool TransplantInstruction(InstructionList& list, Random& random);
// Divides a block, and puts a selection or a loop between its halves, with a few transplanted instructions.
bool InsertSelection(InstructionList& list, Random& random);
bool InsertLoop(InstructionList& list, Random& random);

// mutations.cc: makes one or a few changes of an input, of the module or of the configuration, by plain bytes too. The
// module does not get longer than so many words.
Input Mutate(Input input, size_t max_words, Random& random);

}  // namespace assay::spirv_instrument::fuzz

#endif  // ASSAY_SPIRV_INSTRUMENT_FUZZ_MUTATIONS_H_
