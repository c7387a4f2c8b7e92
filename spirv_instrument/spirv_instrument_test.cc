// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/spirv_instrument.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"

namespace assay::spirv_instrument {
namespace {

// The pass of the essay.
absl::Status GuardLoads(Module& module, Id may_load, Id report_load) {
  Globals globals = module.globals();
  std::vector<Instruction> loads;
  for (Function function : module.functions()) {
    for (Block block : function.blocks()) {
      for (Instruction instruction : block.instructions()) {
        if (instruction.op() == spv::Op::OpLoad) loads.push_back(instruction);
      }
    }
  }
  for (Instruction load : loads) {
    const Id index = globals.Uint(load.index());
    Builder before = Builder::Before(module, load);
    const Id may_execute = before.Call(globals.Bool(), may_load, {index});
    const Guard guard = GuardInstruction(module, load, may_execute);
    Builder otherwise = Builder::AtEnd(module, guard.otherwise);
    otherwise.Call(globals.Void(), report_load, {index});
  }
  return module.status();
}

TEST(SpirvInstrument, ThePassOfTheEssay) {
  const std::string declarations = R"(
      %int_fn = OpTypeFunction %void %uint
      %bool_fn = OpTypeFunction %bool %uint
  )";
  Module module = ReadAssembly(ComputeShader(R"(
      %60 = OpLabel
      %61 = OpAccessChain %ptr_uint %buffer %zero %zero
      %62 = OpLoad %uint %61
      %63 = OpIMul %uint %62 %ten
      OpStore %61 %63
      OpReturn
      OpFunctionEnd
      %70 = OpFunction %bool None %bool_fn
      %71 = OpFunctionParameter %uint
      %72 = OpLabel
      OpReturnValue %true
      OpFunctionEnd
      %80 = OpFunction %void None %int_fn
      %81 = OpFunctionParameter %uint
      %82 = OpLabel
      OpReturn
  )",
                                             declarations));
  const Id uint = module.TypeOf(Id{62}).result_id();
  const uint32_t bound = module.bound();
  const uint32_t load = module.Find(Id{62}).index();
  ASSERT_TRUE(GuardLoads(module, Id{70}, Id{80}).ok());
  EXPECT_EQ(ValidationErrors(module), "");
  const Block head = module.FindBlock(Id{60});
  std::vector<spv::Op> opcodes;
  for (Block block : head.function().blocks()) {
    for (Instruction instruction : block.instructions()) opcodes.push_back(instruction.op());
  }
  EXPECT_EQ(opcodes, (std::vector<spv::Op>{spv::Op::OpAccessChain, spv::Op::OpFunctionCall, spv::Op::OpSelectionMerge,
                                           spv::Op::OpBranchConditional, spv::Op::OpLoad, spv::Op::OpBranch,
                                           spv::Op::OpFunctionCall, spv::Op::OpBranch, spv::Op::OpPhi, spv::Op::OpIMul,
                                           spv::Op::OpStore, spv::Op::OpReturn}));
  EXPECT_EQ(module.At(load).op(), spv::Op::OpLoad);
  EXPECT_EQ(module.Find(Id{62}).op(), spv::Op::OpPhi);
  EXPECT_EQ(module.TypeOf(Id{62}).result_id(), uint);
  EXPECT_GT(module.At(load).result_id(), Id{bound - 1});
}

TEST(SpirvInstrument, TheSamePassGivesTheSameWords) {
  std::string body = "%60 = OpLabel\n%61 = OpAccessChain %ptr_uint %buffer %zero %zero\n";
  for (int i = 100; i < 150; ++i) body += "%" + std::to_string(i) + " = OpLoad %uint %61\n";
  const auto instrumented = [&] {
    Module module =
        ReadAssembly(ComputeShader(body + R"(
      OpReturn
      OpFunctionEnd
      %70 = OpFunction %bool None %bool_fn
      %71 = OpFunctionParameter %uint
      %72 = OpLabel
      OpReturnValue %true
      OpFunctionEnd
      %80 = OpFunction %void None %int_fn
      %81 = OpFunctionParameter %uint
      %82 = OpLabel
      OpReturn
  )",
                                   "%int_fn = OpTypeFunction %void %uint\n%bool_fn = OpTypeFunction %bool %uint\n"));
    EXPECT_TRUE(GuardLoads(module, Id{70}, Id{80}).ok());
    EXPECT_EQ(ValidationErrors(module), "");
    return *module.Write();
  };
  EXPECT_EQ(instrumented(), instrumented());
}

}  // namespace
}  // namespace assay::spirv_instrument
