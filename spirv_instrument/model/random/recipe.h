// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_RECIPE_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_RECIPE_H_

#include <cstdint>
#include <vector>

#include "spirv_instrument/corpus/description/description.h"

namespace assay::spirv_instrument::model {

// A compute shader and its input as a tree, of which any part may be left out: what refers to a part that is not there
// means something else then, and never something invalid. Every value is a uint of 32 bits; the parts of a loaded value
// are put together to one, and those of a stored value are made of one. make_program.h makes SPIR-V of it.

// A type in a block.
struct RecipeType {
  enum class Kind : uint8_t { kScalar, kVector, kMatrix, kArray, kRuntimeArray, kStruct, kAddress };
  enum class Number : uint8_t { kUint, kInt, kFloat };

  Kind kind = Kind::kScalar;
  // Of scalars, and of what is made of them: 8, 16, 32 or 64; of floats 32 or 64.
  uint32_t width = 32;
  Number number = Number::kUint;
  // Components, columns or elements.
  uint32_t count = 1;
  // Of a matrix, whose numbers are floats of 32 bits.
  uint32_t rows = 2;
  bool is_row_major = false;
  // The element of an array, or members.
  std::vector<RecipeType> parts;
  // Of kAddress: the block that it points to, one behind that which this is in.
  uint32_t pointee = 0;
  // Bytes between what this is a part of and the next such part.
  uint32_t gap = 0;
};

struct RecipeOperand {
  enum class Kind : uint8_t {
    kConstant,
    // The value of the statement with this number; 0 where it cannot be seen.
    kValue,
    // gl_GlobalInvocationID.x.
    kInvocation,
    // That of the innermost loop; 0 outside.
    kLoopCounter,
    // Of a pointer parameter's function: the number that was passed.
    kArgument,
  };
  Kind kind = Kind::kConstant;
  uint32_t number = 0;
};

struct RecipeStep {
  RecipeOperand index;
  // An index that is constant is taken modulo the length; another one is too, by an instruction, unless it is wild.
  bool is_wild = false;
  // A wild index of 64 bits, or a signed one.
  bool is_wide = false;
  bool is_signed = false;
};

// Something in memory. Where the path ends at something that cannot be loaded, it goes on at the first part; where it
// is too long, the rest does not count.
struct RecipePlace {
  // Which of the shader's resources.
  uint32_t resource = 0;
  // Into an array of descriptors.
  RecipeStep descriptor;
  std::vector<RecipeStep> path;
  // An access chain of its own begins behind so many steps; 0 for one chain.
  uint32_t split = 0;
};

struct RecipeStatement {
  enum class Kind : uint8_t {
    kArithmetic,
    kLoad,
    kStore,
    kAtomic,
    // OpCopyMemory from `source` to `place`, if their types are the same.
    kCopy,
    kArrayLength,
    // A local array: stores `b` at `a`, and loads what is at `c`.
    kLocalArray,
    kLoop,
    kIf,
    kSwitch,
    // Calls the function with this number.
    kCall,
    kBreakIf,
    kContinueIf,
    kReturnIf,
    kImageRead,
    kImageWrite,
    kDivide,
    kShift,
  };
  Kind kind = Kind::kArithmetic;
  // What operands call it; distinct for each statement of a recipe.
  uint32_t number = 0;
  // Which of the operations of kArithmetic and kAtomic; of kCall, the function.
  uint32_t operation = 0;
  RecipeOperand a;
  RecipeOperand b;
  RecipeOperand c;
  // Of kDivide, kShift and images: divisor, count and coordinates are taken as they are.
  bool is_wild = false;
  RecipePlace place;
  RecipePlace source;
  // Of kLoop one, of kIf two, of kSwitch the default and one for each case.
  std::vector<std::vector<RecipeStatement>> bodies;
};

// A descriptor, with a buffer or image of its own.
struct RecipeElement {
  corpus::Element::State state = corpus::Element::State::kWritten;
  // The range, which begins at this offset of its buffer.
  uint32_t bytes = 64;
  uint32_t offset = 0;
  // What the contents are made of.
  uint32_t seed = 0;
};

struct RecipeResource {
  enum class Kind : uint8_t { kStorage, kUniform, kPushConstants, kStorageImage, kSampledImage, kTexelBuffer };
  Kind kind = Kind::kStorage;
  // Of buffers.
  uint32_t block = 0;
  bool is_array = false;
  bool is_runtime_array = false;
  bool is_written = false;
  // How many descriptors the binding has beyond its elements, which are not written.
  uint32_t further_descriptors = 0;
  // One unless it is an array.
  std::vector<RecipeElement> elements;
};

// What addresses point to.
struct RecipeTarget {
  enum class Kind : uint8_t { kBuffer, kNull, kEnd, kMisaligned, kNowhere };
  Kind kind = Kind::kBuffer;
  uint32_t block = 0;
  uint32_t bytes = 64;
  uint32_t seed = 0;
};

// A function that statements call.
struct RecipeFunction {
  // Whether it has a pointer parameter: the block of this resource, or the address in this one's first member.
  bool has_pointer = false;
  uint32_t resource = 0;
  std::vector<RecipeStatement> body;
};

struct Recipe {
  uint32_t local_size = 1;
  uint32_t groups = 1;
  // Whether the body is the entry point's; else it is a function that the entry point calls.
  bool is_body_in_main = false;
  // The types that resources and addresses have: structures. The last members of some are runtime arrays.
  std::vector<RecipeType> blocks;
  std::vector<RecipeResource> resources;
  std::vector<RecipeTarget> targets;
  std::vector<RecipeFunction> functions;
  std::vector<RecipeStatement> body;

  uint32_t invocations() const { return local_size * groups; }
};

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_RECIPE_H_
