// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_MODEL_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_MODEL_H_

#include "spirv_instrument/model/comparison/compare.h"
#include "spirv_instrument/model/comparison/executor.h"
#include "spirv_instrument/model/interpreter/interpreter.h"
#include "spirv_instrument/model/random/make_program.h"
#include "spirv_instrument/model/random/random_recipe.h"
#include "spirv_instrument/model/random/shrink_recipe.h"

// A reference model for the checks of instrumented shaders, for tests alone.
//
//   interpreter/   runs a compute shader as it is, and decides of each access whether it is bad
//   random/        makes random shaders and inputs, and smaller ones of these
//   comparison/    runs the instrumented shader, and compares what it computes and reports with the interpreter
//
// THE INTERPRETER shares the reader of SPIR-V with the passes and nothing else: it has types, layouts, descriptors and
// addresses of its own. Invocations run one after the other. An access is *bad* if the descriptor is not there, was not
// written, or was destroyed; if it is not within the range of its buffer, or within one live buffer; if the address is
// not aligned as the instruction says, or as an atomic one needs; if the texel is outside of the image; and of
// arithmetic, if the result is not defined. A bad access is not executed: its result is zero, and a store has no
// effect. What no check is for and is not defined is an error of the interpreter, so that a random shader with such a
// mistake does not go unnoticed.
//
// A RECIPE is a tree of statements with the types and resources that they use. It says what is loaded from where, and
// leaves to make_program.h how: whatever is left out of a recipe, valid SPIR-V comes of the rest. A place shares the
// begin of its path with an earlier one half of the time, so that accesses dominate one another, are to members of one
// structure, or leave loops together. Indices that are *wild* are taken as they are; all others are within bounds. What
// several invocations write is theirs alone, so that their order does not matter. Every value ends up in a sum that the
// shader stores at its end: that a load was wrong is seen there.
//
// THE COMPARISON instruments the shader and executes it by an Executor. There are two. DeviceExecutor runs it on a
// device. InterpretingExecutor lets the interpreter run the instrumented shader, too, with the tables of runtime.h as
// further buffers, and with nothing checked: this takes milliseconds, needs no device, does not crash when a check is
// missing, and shows every bad access that the instrumentation lets through, where a device may not mind it. Outputs
// have to be the same bit for bit; and so do faults, kind and instruction, but for those that an earlier one stands
// for.
//
// mutation.h builds mistakes into passes and steps. mutation_test expects that random programs find each of them, and
// that a statement or two are left of the program.

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_MODEL_H_
