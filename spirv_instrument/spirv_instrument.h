// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_SPIRV_INSTRUMENT_H_
#define ASSAY_SPIRV_INSTRUMENT_SPIRV_INSTRUMENT_H_

#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/constants/constant_values.h"
#include "spirv_instrument/ir/constants/specialization.h"
#include "spirv_instrument/ir/control_flow/constructs.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/control_flow/dominators.h"
#include "spirv_instrument/ir/control_flow/reachable_blocks.h"
#include "spirv_instrument/ir/control_flow/split.h"
#include "spirv_instrument/ir/debug/source_locations.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/uses.h"

// This package changes shaders so that they check themselves. It knows SPIR-V and no Vulkan: the words of a module go
// in, passes change it, words come out. The same words and the same passes give the same result, whatever was done
// before.
//
// This header has the module and what changes it. passes/instrument.h has the passes that make shaders check
// themselves, runtime/runtime.h the memory that such shaders need, tool/ the command. docs/instrumentation.md says how
// they are used, and how to add a pass.
//
// The rooms:
//
//   grammar/          opcodes, operands and enumerants, as tables that are generated from the SPIR-V grammar
//   ir/               the module as instructions, blocks and functions: reading, looking up, changing, writing
//   ir/constants/     the values of constants, with specialization
//   ir/control_flow/  control-flow graph, reachable blocks, dominators, structured constructs; splitting blocks
//   ir/debug/         source files, lines and texts
//   ir/reading/, ir/editing/, ir/storage/   what module.h stands on
//   checks/           check functions in GLSL, which are compiled when Assay is built
//   link/             the linker: functions of a library, copied into a module
//   passes/           the passes, each a kind of check, and what runs them
//   runtime/          the memory that instrumented shaders read and write, and what they report there
//   printf/           format strings of debugPrintf, and the text of what shaders print
//   coverage/         from counts of blocks to coverage of lines and functions
//   tool/             the command: runs passes over a module, shows the difference
//   corpus/           for tests: shaders to instrument and to run, each with inputs
//   model/            for tests: a reference model for checks, with random shaders
//   fuzz/             for tests: mutated modules, of which none may do harm and valid ones have to stay valid
//
// THE MODULE
//
// Module::Read makes a module of words. All of its instructions are in one linked list, in the order of the words;
// functions and blocks are parts of that list. A record of 32 bytes stands for each instruction; it refers to others by
// 32-bit indices, and to its words, which never move. Instruction, Block and Function are handles, to be passed by
// value, that stay valid whatever is inserted or removed. Module::Write makes words of the list. Nothing is lost and
// nothing changes order, so that a module that no one changed is written as it was read.
//
// An instruction says by itself what its opcode, type, result and operand words are. What its operands mean is the
// grammar's business: ForEachId and MapIds (uses.h) tell ids from literals.
//
// Reading makes the list and the table from ids to instructions. All else is made when it is asked for: the index of
// types and constants and that of decorations, which the module keeps up to date; Uses, ControlFlowGraph,
// DominatorTree, Constructs and SourceLocations, which are tables of the module as it was when they were made.
//
// CHANGING IT
//
//   insert   Builder puts instructions before or behind another, or at the start or end of a block. They get the debug
//            line and scope of their place.
//   find     module.globals() finds types and constants by content, and adds those that are missing. Preamble and
//            entry_points do the same for capabilities, extensions, extended instruction sets and interfaces. What is
//            added goes to its section.
//   guard    GuardInstruction makes an instruction conditional: a check, a branch, the instruction, and an OpPhi behind
//            both ways, with structured control flow kept valid.
//   renew    An id can change hands: RenewResult gives an instruction a new result, so that another one, such as that
//            OpPhi, can have the old one and with it all uses. No pass has to look for uses to change them.
//
// There are two kinds of errors. Words that are not SPIR-V are an error of Read. A limit of SPIR-V that an edit meets
// (bound, length of an instruction) makes module.status() an error; edits go on, and Write fails. So a pass does not
// ask after each step.
//
// Handles and ids that do not exist are null, 0 or empty, and so is what is asked of them. A pass over an invalid
// module may do nonsense, and does no harm.
//
// A PASS
//
// This one lets a function decide whether each load is executed, and calls another one where it is not. Loads are
// collected first, since guards split the blocks that would be walked over.
//
//   absl::Status GuardLoads(Module& module, Id may_load, Id report_load) {
//     Globals globals = module.globals();
//     std::vector<Instruction> loads;
//     for (Function function : module.functions()) {
//       for (Block block : function.blocks()) {
//         for (Instruction instruction : block.instructions()) {
//           if (instruction.op() == spv::Op::OpLoad) loads.push_back(instruction);
//         }
//       }
//     }
//     for (Instruction load : loads) {
//       const Id index = globals.Uint(load.index());
//       Builder before = Builder::Before(module, load);
//       const Id may_execute = before.Call(globals.Bool(), may_load, {index});
//       const Guard guard = GuardInstruction(module, load, may_execute);
//       Builder otherwise = Builder::AtEnd(module, guard.otherwise);
//       otherwise.Call(globals.Void(), report_load, {index});
//     }
//     return module.status();
//   }
//
// For a fragment shader's `color = texel * load`, it makes
//
//       %4 = OpLoad %float %pointer         %20 = OpFunctionCall %bool %may_load %uint_17
//       %5 = OpFMul %float %3 %4                  OpSelectionMerge %23 None
//                                                 OpBranchConditional %20 %21 %22
//                                           %21 = OpLabel
//                                           %24 = OpLoad %float %pointer
//                                                 OpBranch %23
//                                           %22 = OpLabel
//                                           %25 = OpFunctionCall %void %report_load %uint_17
//                                                 OpBranch %23
//                                           %23 = OpLabel
//                                            %4 = OpPhi %float %24 %21 %float_0 %22
//                                            %5 = OpFMul %float %3 %4

#endif  // ASSAY_SPIRV_INSTRUMENT_SPIRV_INSTRUMENT_H_
