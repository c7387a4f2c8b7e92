// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Control flow: SPIR-V, "Structured Control Flow".

#include <algorithm>

#include "spirv_instrument/model/random/shader_maker.h"

namespace assay::spirv_instrument::model {

void ShaderMaker::BeginBlock(Id label) { block_ = module_.AddBlock(block_.function(), label); }

Id ShaderMaker::IsOdd(Id value) {
  const Id bit = Emit(spv::Op::OpBitwiseAnd, UintType(), {value, Uint(1)});
  return Emit(spv::Op::OpINotEqual, globals().Bool(), {bit, Uint(0)});
}

Id ShaderMaker::Phi(absl::Span<const std::pair<Id, Id>> blocks_and_values) {
  std::vector<Word> operands;
  for (const auto& [block, value] : blocks_and_values) {
    operands.emplace_back(value);
    operands.emplace_back(block);
  }
  return Emit(spv::Op::OpPhi, UintType(), operands);
}

// The counter and a sum are OpPhi of the header; the sum is the value, which the merge block can see.
Id ShaderMaker::MakeLoop(const RecipeStatement& statement) {
  if (statement.bodies.empty()) return kNoId;
  constexpr uint32_t kMaxIterations = 5;
  const Id count = Emit(spv::Op::OpUMod, UintType(), {OperandValue(statement.a), Uint(kMaxIterations)});
  const Id before = block_.id();
  const Id header = module_.FreshId();
  const Id body = module_.FreshId();
  const Id next_counter = module_.FreshId();
  const Id next_sum = module_.FreshId();
  Loop loop = {.merge = module_.FreshId(), .continuation = module_.FreshId()};
  At().Branch(header);
  BeginBlock(header);
  loop.counter = Emit(spv::Op::OpPhi, UintType(), {Uint(0), before, next_counter, loop.continuation});
  const Id sum = Emit(spv::Op::OpPhi, UintType(), {count, before, next_sum, loop.continuation});
  const Id goes_on = Emit(spv::Op::OpULessThan, globals().Bool(), {loop.counter, count});
  At().AddVoid(spv::Op::OpLoopMerge, {loop.merge, loop.continuation, 0u});
  At().AddVoid(spv::Op::OpBranchConditional, {goes_on, body, loop.merge});
  BeginBlock(body);
  const Id merge = loop.merge;
  const Id continuation = loop.continuation;
  loops_.push_back(std::move(loop));
  const Id value = MakeBody(statement.bodies[0]);
  loops_.back().continues.emplace_back(block_.id(), value);
  At().Branch(continuation);
  BeginBlock(continuation);
  const Id last = Phi(loops_.back().continues);
  const Id counter = loops_.back().counter;
  loops_.pop_back();
  At().AddWithResult(spv::Op::OpIAdd, UintType(), next_counter, {counter, Uint(1)});
  const Id scaled = Emit(spv::Op::OpIMul, UintType(), {sum, Uint(33)});
  At().AddWithResult(spv::Op::OpBitwiseXor, UintType(), next_sum, {scaled, last});
  At().Branch(header);
  BeginBlock(merge);
  return sum;
}

Id ShaderMaker::MakeIf(const RecipeStatement& statement) {
  if (statement.bodies.empty()) return kNoId;
  const Id condition = IsOdd(OperandValue(statement.a));
  const Id then = module_.FreshId();
  const Id otherwise = module_.FreshId();
  const Id merge = module_.FreshId();
  At().AddVoid(spv::Op::OpSelectionMerge, {merge, 0u});
  At().AddVoid(spv::Op::OpBranchConditional, {condition, then, otherwise});
  std::vector<std::pair<Id, Id>> ends;
  BeginBlock(then);
  const Id of_then = MakeBody(statement.bodies[0]);
  ends.emplace_back(block_.id(), of_then);
  At().Branch(merge);
  BeginBlock(otherwise);
  const Id of_otherwise = statement.bodies.size() > 1 ? MakeBody(statement.bodies[1]) : Uint(7);
  ends.emplace_back(block_.id(), of_otherwise);
  At().Branch(merge);
  BeginBlock(merge);
  return Phi(ends);
}

// Every other case falls through into the next.
Id ShaderMaker::MakeSwitch(const RecipeStatement& statement) {
  if (statement.bodies.empty()) return kNoId;
  const auto cases = static_cast<uint32_t>(statement.bodies.size());
  const Id selector = Emit(spv::Op::OpUMod, UintType(), {OperandValue(statement.a), Uint(cases + 1)});
  const Id merge = module_.FreshId();
  std::vector<Id> labels;
  for (uint32_t i = 0; i < cases; ++i) labels.push_back(module_.FreshId());
  std::vector<Word> operands = {selector, labels[0]};
  for (uint32_t i = 1; i < cases; ++i) {
    operands.emplace_back(i);
    operands.emplace_back(labels[i]);
  }
  At().AddVoid(spv::Op::OpSelectionMerge, {merge, 0u});
  At().AddVoid(spv::Op::OpSwitch, operands);
  std::vector<std::pair<Id, Id>> ends;
  for (uint32_t i = 0; i < cases; ++i) {
    BeginBlock(labels[i]);
    const Id value = MakeBody(statement.bodies[i]);
    if (i % 2 == 1 && i + 1 < cases) {
      At().Branch(labels[i + 1]);
      continue;
    }
    ends.emplace_back(block_.id(), value);
    At().Branch(merge);
  }
  BeginBlock(merge);
  return Phi(ends);
}

// Functions call those behind them alone.
Id ShaderMaker::MakeCall(const RecipeStatement& statement) {
  const size_t callee = statement.operation;
  const bool is_body = !function_.returns_value;
  if (callee >= recipe_.functions.size() || (!is_body && callee <= function_.number)) return kNoId;
  std::vector<Id> arguments = {OperandValue(statement.a)};
  const RecipeFunction& function = recipe_.functions[callee];
  if (ParameterType(function) != kNoId) {
    const RecipeResource& resource = recipe_.resources[function.resource];
    if (resource.kind == RecipeResource::Kind::kStorage) {
      arguments.push_back(variables_[function.resource]);
    } else {
      RecipePlace place = {.resource = function.resource};
      place.path.emplace_back();
      const bool is_parameter =
          function_.pointer != kNoId && recipe_.functions[function_.number].resource == function.resource;
      if (is_parameter) {
        arguments.push_back(function_.pointer);
      } else {
        const std::optional<Target> target = Walk(place);
        if (!target) return kNoId;
        arguments.push_back(LoadFrom(*target));
      }
    }
  }
  return At().Call(UintType(), functions_[callee].id, arguments);
}

Id ShaderMaker::MakeExit(const RecipeStatement& statement) {
  const bool returns = statement.kind == RecipeStatement::Kind::kReturnIf;
  if (!returns && loops_.empty()) return kNoId;
  const Id value = OperandValue(statement.a);
  const Id condition = IsOdd(value);
  const Id next = module_.FreshId();
  Id exit = module_.FreshId();
  At().AddVoid(spv::Op::OpSelectionMerge, {next, 0u});
  At().AddVoid(spv::Op::OpBranchConditional, {condition, exit, next});
  BeginBlock(exit);
  if (!returns) {
    const bool continues = statement.kind == RecipeStatement::Kind::kContinueIf;
    if (continues) loops_.back().continues.emplace_back(exit, Uint(3));
    At().Branch(continues ? loops_.back().continuation : loops_.back().merge);
  } else if (function_.returns_value) {
    At().AddVoid(spv::Op::OpReturnValue, {value});
  } else {
    At().AddVoid(spv::Op::OpReturn, {});
  }
  BeginBlock(next);
  return value;
}

}  // namespace assay::spirv_instrument::model
