// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_SHADER_MAKER_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_SHADER_MAKER_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/model/random/recipe.h"

namespace assay::spirv_instrument::model {

// Makes the module of a recipe. For make_program.cc.
class ShaderMaker {
 public:
  // `recipe` must outlive this.
  explicit ShaderMaker(const Recipe& recipe);

  absl::StatusOr<std::vector<uint32_t>> Make();

 private:
  // Where an access goes to.
  struct Target {
    Id pointer = kNoId;
    const RecipeType* type = nullptr;
    spv::StorageClass storage = spv::StorageClass::StorageBuffer;
    // Whether no other invocation writes there.
    bool is_own = true;
  };
  // A place while its path is walked.
  struct Cursor {
    Target target;
    std::vector<Id> indices;
    bool is_non_uniform = false;
    // Of the resource or address that it is in.
    uint32_t runtime_length = 1;
    bool is_written_by_all = false;
  };
  // A loop that statements are in.
  struct Loop {
    Id merge = kNoId;
    Id continuation = kNoId;
    Id counter = kNoId;
    // Where control flow comes from at the continuation, and the value there.
    std::vector<std::pair<Id, Id>> continues;
  };
  struct FunctionParts {
    Id id = kNoId;
    Id argument = kNoId;
    Id pointer = kNoId;
    // Its index in the recipe; that of the body is behind them.
    size_t number = 0;
    Id local_array = kNoId;
    bool returns_value = false;
  };

  static constexpr uint32_t kLocalArraySize = 4;

  Builder At() { return Builder::AtEnd(module_, block_); }
  Id Emit(spv::Op op, Id type, absl::Span<const Word> operands) { return At().Add(op, type, operands); }
  Globals globals() { return module_.globals(); }
  Id Uint(uint32_t value) { return globals().Uint(value); }
  Id UintType() { return globals().Uint32(); }
  bool IsSingle() const { return recipe_.invocations() == 1; }

  // ---- Declarations: shader_maker.cc.
  void DeclareCapabilities();
  void DeclareVariables();
  void DeclareResource(size_t number);
  void DeclareMain();
  void MakeFunction(size_t number);
  // Its first block, with what every function has.
  void BeginFunction(Function function);
  // Of the pointer parameter; kNoId without.
  Id ParameterType(const RecipeFunction& function);

  // ---- Types and values: shader_values.cc.
  Id TypeOf(const RecipeType& type);
  Id ScalarType(uint32_t width, RecipeType::Number number);
  Id BlockType(uint32_t block);
  static void DecorateMemberOfType(const RecipeType& member, uint32_t index, uint32_t offset,
                                   std::vector<DecorationOfType>& decorations);
  const RecipeType& BlockOf(uint32_t block) const;
  static bool HasAddress(const RecipeType& type);
  // A loaded value as a uint.
  Id Fold(Id value, const RecipeType& type);
  Id Mix(Id sum, Id value);
  // A uint as a value of the type, which has no address.
  Id Expand(Id value, const RecipeType& type);
  Id OperandValue(const RecipeOperand& operand);
  // The type of one part of it, which lives as long as this.
  const RecipeType& PartOf(const RecipeType& type, uint32_t index);

  // ---- Places: shader_places.cc.
  std::optional<Target> Walk(const RecipePlace& place);
  std::optional<Cursor> Begin(const RecipePlace& place);
  void Step(Cursor& cursor, const RecipeStep& step);
  void FollowAddress(Cursor& cursor);
  void FollowAddressOf(Cursor& cursor, const RecipeType& address);
  void Flush(Cursor& cursor);
  Id Index(const RecipeStep& step, uint32_t length, bool may_be_wild, bool is_fixed);
  Id DescriptorIndex(const RecipeResource& resource, const RecipeStep& step);
  Id LoadFrom(const Target& target);
  // The memory operands of an access: none, or alignment.
  std::vector<Word> WithAlignment(std::vector<Word> operands, const Target& target) const;

  // ---- Statements: shader_statements.cc.
  // Returns the value of the last statement.
  Id MakeBody(const std::vector<RecipeStatement>& body);
  // The value; kNoId for a statement that means nothing here.
  Id MakeStatement(const RecipeStatement& statement);
  Id MakeArithmetic(const RecipeStatement& statement);
  Id MakeDivision(const RecipeStatement& statement);
  Id MakeShift(const RecipeStatement& statement);
  Id MakeLoad(const RecipeStatement& statement);
  Id MakeStore(const RecipeStatement& statement);
  Id MakeAtomic(const RecipeStatement& statement);
  Id MakeCopy(const RecipeStatement& statement);
  Id MakeArrayLength(const RecipeStatement& statement);
  Id MakeLocalArray(const RecipeStatement& statement);
  Id MakeImageAccess(const RecipeStatement& statement);
  Id ImageTypeOf(Id variable) const;
  // Whether an access of this invocation may write there.
  bool IsWritable(const Target& target, const RecipePlace& place) const;

  // ---- Control flow: shader_control_flow.cc.
  Id MakeLoop(const RecipeStatement& statement);
  Id MakeIf(const RecipeStatement& statement);
  Id MakeSwitch(const RecipeStatement& statement);
  Id MakeCall(const RecipeStatement& statement);
  Id MakeExit(const RecipeStatement& statement);
  Id IsOdd(Id value);
  void BeginBlock(Id label);
  Id Phi(absl::Span<const std::pair<Id, Id>> blocks_and_values);

  const Recipe& recipe_;
  Module module_;
  Block block_;
  FunctionParts function_;
  std::vector<FunctionParts> functions_;
  // By resource.
  std::vector<Id> variables_;
  Id sum_ = kNoId;
  Id result_ = kNoId;
  Id invocation_variable_ = kNoId;
  // In this function.
  Id invocation_ = kNoId;
  // Numbers of statements and their values, as far as they can be seen.
  std::vector<std::pair<uint32_t, Id>> visible_;
  std::vector<Loop> loops_;
  // Parts of vectors and matrices.
  std::deque<RecipeType> parts_;
};

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_SHADER_MAKER_H_
