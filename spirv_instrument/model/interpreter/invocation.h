// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_INVOCATION_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_INVOCATION_H_

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/model/interpreter/access_log.h"
#include "spirv_instrument/model/interpreter/declarations.h"
#include "spirv_instrument/model/interpreter/memory.h"
#include "spirv_instrument/model/interpreter/texels.h"
#include "spirv_instrument/model/interpreter/value.h"

namespace assay::spirv_instrument::model {

// Variables that hold cells, by the id of OpVariable.
using Variables = std::map<Id, Cells>;

// What an invocation is one of.
struct InvocationIds {
  std::array<uint32_t, 3> workgroup_count = {1, 1, 1};
  std::array<uint32_t, 3> workgroup = {};
  std::array<uint32_t, 3> local_size = {1, 1, 1};
  std::array<uint32_t, 3> local = {};
};

// One invocation of a compute shader, which runs until its end or until a barrier where others have to come up.
class Invocation {
 public:
  enum class Stop : uint8_t { kEnd, kBarrier };

  // All must outlive this. `workgroup` are the variables that the invocations of a workgroup share.
  Invocation(const Declarations& declarations, Memory& memory, AccessLog& log, Variables& workgroup,
             const InvocationIds& ids);

  // Before the first Run, with a function that has no parameters.
  void Begin(Function entry_point) { Call(entry_point, {}); }
  // Goes on. Takes its instructions off `steps`. Errors: Unimplemented for what the subset does not have;
  // FailedPrecondition for undefined behavior that no check is for; ResourceExhausted if there are no steps left.
  absl::StatusOr<Stop> Run(uint64_t& steps);

 private:
  // A call of a function.
  struct Frame {
    Function function;
    // The OpFunctionCall whose result it computes; null for the entry point.
    Instruction call;
    Block block;
    Instruction next;
    // By id.
    std::vector<Value> values;
    // How many function_variables_ there were.
    size_t first_variable = 0;
    AccessLog::Entries accesses;
  };

  // What memory operands say: SPIR-V, "Memory Operands".
  struct MemoryOperands {
    // 0 if they do not say one.
    uint32_t alignment = 0;
    size_t words = 0;
  };

  Frame& frame() { return frames_[depth_ - 1]; }
  void Fail(absl::Status status);
  void Undefined(std::string_view what) { Fail(absl::FailedPreconditionError(what)); }
  void Unimplemented(Instruction instruction);

  // ---- Control flow: invocation.cc.
  Stop RunUntilStop(uint64_t& steps);
  void Step(Instruction instruction);
  void Call(Function function, Instruction call);
  void Return(const Value& result);
  void BranchTo(Id label);
  void Switch(Instruction instruction);
  void Execute(Instruction instruction);

  // ---- Values: invocation_values.cc.
  Value ValueOf(Id id);
  uint64_t ScalarOf(Id id);
  // Of an access chain. Signed, whatever its type: SPIR-V, "OpAccessChain".
  int64_t IndexOf(Id id);
  void SetResult(Instruction instruction, Value value);
  void SetCells(Instruction instruction, Cells cells);
  void Calculate(Instruction instruction);
  void CallExtended(Instruction instruction);
  bool ExecuteComposite(Instruction instruction);
  void Extract(Instruction instruction);
  void Insert(Instruction instruction);
  void Shuffle(Instruction instruction);
  void AtDynamicComponent(Instruction instruction);

  // ---- Pointers: invocation_pointers.cc.
  Value VariableValue(Instruction variable);
  Cells BuiltIn(Instruction variable);
  Pointer PointerOf(Id id);
  void AccessChain(Instruction instruction);
  void Walk(Pointer& pointer, Id& type, Id index_id);
  void WalkDescriptors(Pointer& pointer, Id& type, Id index_id);
  void WalkCells(Pointer& pointer, Id& type, Id index_id);
  Cells* CellsOf(const Pointer& pointer);

  // ---- Memory: invocation_memory.cc.
  bool ExecuteMemory(Instruction instruction);
  MemoryOperands ReadMemoryOperands(Instruction instruction, size_t operand) const;
  Access Judge(Instruction instruction, const Pointer& pointer, Id type, uint32_t alignment, uint32_t part = 0);
  // Zero if the access is not executed.
  void Load(Instruction instruction);
  void Store(Instruction instruction);
  void Copy(Instruction instruction);
  void Atomic(Instruction instruction);
  void ArrayLength(Instruction instruction);
  Cells ReadCells(const Pointer& pointer, Id type);
  void WriteCells(const Pointer& pointer, Id type, const Cells& cells);
  // The bytes that a pointer into a buffer or an address leads to; null if there are none.
  std::vector<uint8_t>* BytesOf(const Pointer& pointer, uint64_t size, uint64_t& offset);

  // ---- Images: invocation_images.cc.
  bool ExecuteImage(Instruction instruction);
  Access JudgeTexel(Instruction instruction, const Pointer& image, const TexelAddress& address);
  void AccessTexel(Instruction instruction);
  void QueryImage(Instruction instruction);
  TexelAddress ReadTexelAddress(Instruction instruction, size_t coordinate, size_t image_operands);
  // The bytes and the offset of a texel that is good, and its format.
  std::vector<uint8_t>* TexelBytes(const Pointer& image, const TexelAddress& address, uint64_t& offset,
                                   TexelFormat& format);

  const Declarations& declarations_;
  Module& module_;
  Memory& memory_;
  AccessLog& log_;
  Variables& workgroup_;
  InvocationIds ids_;
  Variables private_;
  // Of all calls that have not returned.
  std::vector<Cells> function_variables_;
  std::vector<Frame> frames_;
  size_t depth_ = 0;
  bool is_at_barrier_ = false;
  absl::Status status_;
};

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_INVOCATION_H_
