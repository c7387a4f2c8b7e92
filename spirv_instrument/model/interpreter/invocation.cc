// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/interpreter/invocation.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/model/interpreter/arithmetic.h"

namespace assay::spirv_instrument::model {
namespace {

constexpr size_t kMaxDepth = 64;

bool DoesNothing(spv::Op op) {
  return op == spv::Op::OpLine || op == spv::Op::OpNoLine || op == spv::Op::OpNop || op == spv::Op::OpLabel ||
         op == spv::Op::OpPhi || IsMerge(op) || op == spv::Op::OpMemoryBarrier || op == spv::Op::OpUndef;
}

}  // namespace

Invocation::Invocation(const Declarations& declarations, Memory& memory, AccessLog& log, Variables& workgroup,
                       const InvocationIds& ids)
    : declarations_(declarations),
      module_(declarations.module()),
      memory_(memory),
      log_(log),
      workgroup_(workgroup),
      ids_(ids) {}

void Invocation::Fail(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
}

void Invocation::Unimplemented(Instruction instruction) {
  Fail(absl::UnimplementedError(
      absl::StrCat("instruction ", instruction.index(), ", opcode ", static_cast<uint32_t>(instruction.op()))));
}

absl::StatusOr<Invocation::Stop> Invocation::Run(uint64_t& steps) {
  const Stop stop = RunUntilStop(steps);
  if (!status_.ok()) return status_;
  return stop;
}

Invocation::Stop Invocation::RunUntilStop(uint64_t& steps) {
  is_at_barrier_ = false;
  while (depth_ > 0 && status_.ok()) {
    if (steps == 0) {
      Fail(absl::ResourceExhaustedError("too many instructions"));
      break;
    }
    --steps;
    const Instruction instruction = frame().next;
    frame().next = instruction.next();
    Step(instruction);
    if (log_.is_undefined()) Undefined(absl::StrCat("bad access of instruction ", instruction.index()));
    if (is_at_barrier_) return Stop::kBarrier;
  }
  return Stop::kEnd;
}

void Invocation::Call(Function function, Instruction call) {
  if (depth_ == kMaxDepth) return Fail(absl::ResourceExhaustedError("too many calls"));
  if (!function.entry()) return Fail(absl::InvalidArgumentError("a call of a function without blocks"));
  std::vector<Value> arguments;
  for (size_t i = 1; i < call.operand_count(); ++i) arguments.push_back(ValueOf(call.id(i)));
  if (frames_.size() == depth_) frames_.emplace_back();
  ++depth_;
  frame().function = function;
  frame().call = call;
  frame().values.resize(module_.bound());
  frame().first_variable = function_variables_.size();
  frame().accesses.clear();
  const std::vector<Instruction> parameters = function.parameters();
  for (size_t i = 0; i < parameters.size() && i < arguments.size(); ++i) {
    frame().values[ToNumber(parameters[i].result_id())] = arguments[i];
  }
  frame().block = function.entry();
  frame().next = function.entry().label().next();
}

void Invocation::Return(const Value& result) {
  function_variables_.resize(frame().first_variable);
  const Instruction call = frame().call;
  --depth_;
  if (depth_ > 0) SetResult(call, result);
}

void Invocation::BranchTo(Id label) {
  const Block target = module_.FindBlock(label);
  if (!target) return Fail(absl::InvalidArgumentError("a branch to no block"));
  const Id previous = frame().block.id();
  // All OpPhi of a block take their values at once.
  std::vector<std::pair<Id, Value>> results;
  for (Instruction instruction : target.instructions()) {
    if (instruction.op() == spv::Op::OpLine || instruction.op() == spv::Op::OpNoLine) continue;
    if (instruction.op() != spv::Op::OpPhi) break;
    for (size_t i = 0; i + 1 < instruction.operand_count(); i += 2) {
      if (instruction.id(i + 1) != previous) continue;
      results.emplace_back(instruction.result_id(), ValueOf(instruction.id(i)));
      break;
    }
  }
  for (auto& [id, value] : results) frame().values[ToNumber(id)] = std::move(value);
  frame().block = target;
  frame().next = target.label().next();
}

void Invocation::Switch(Instruction instruction) {
  const Type& type = declarations_.TypeOf(instruction.id(0));
  const uint64_t selector = ScalarOf(instruction.id(0));
  const size_t words = type.width > 32 ? 2 : 1;
  for (size_t i = 2; i + words < instruction.operand_count(); i += words + 1) {
    const uint64_t literal = words == 2 ? instruction.literal64(i) : instruction.literal(i);
    if (Truncate(literal, type.width) == selector) return BranchTo(instruction.id(i + words));
  }
  BranchTo(instruction.id(1));
}

void Invocation::Step(Instruction instruction) {
  switch (instruction.op()) {
    case spv::Op::OpBranch:
      return BranchTo(instruction.id(0));
    case spv::Op::OpBranchConditional:
      return BranchTo(instruction.id(ScalarOf(instruction.id(0)) != 0 ? 1 : 2));
    case spv::Op::OpSwitch:
      return Switch(instruction);
    case spv::Op::OpReturn:
      return Return({});
    case spv::Op::OpReturnValue:
      return Return(ValueOf(instruction.id(0)));
    case spv::Op::OpFunctionCall:
      return Call(module_.FindFunction(instruction.id(0)), instruction);
    case spv::Op::OpUnreachable:
      return Undefined("OpUnreachable");
    case spv::Op::OpControlBarrier:
      is_at_barrier_ = true;
      return;
    default:
      return Execute(instruction);
  }
}

void Invocation::Execute(Instruction instruction) {
  const spv::Op op = instruction.op();
  if (DoesNothing(op) || ExecuteMemory(instruction) || ExecuteImage(instruction) || ExecuteComposite(instruction)) {
    return;
  }
  if (IsArithmetic(op)) return Calculate(instruction);
  if (op == spv::Op::OpExtInst) return CallExtended(instruction);
  Unimplemented(instruction);
}

}  // namespace assay::spirv_instrument::model
