// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Reading, guarding and writing a compute shader of N loads in one block, 10 words each.

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/control_flow/split.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::spirv_instrument {
namespace {

std::vector<uint32_t> ModuleWithLoads(int64_t count) {
  const std::vector<uint32_t> header = {spv::MagicNumber, 0x00010600, 0, 1, 0};
  Module module = *Module::Read(header);
  Globals globals = module.globals();
  const Id uint = globals.Uint32();
  const Id array = globals.RuntimeArray(uint);
  const Id variable =
      globals.AddVariable(globals.Pointer(spv::StorageClass::StorageBuffer, array), spv::StorageClass::StorageBuffer);
  const Id pointer = globals.Pointer(spv::StorageClass::StorageBuffer, uint);
  const Function function = module.AddFunction(module.FreshId(), globals.Void(), spv::FunctionControlMask::MaskNone,
                                               globals.FunctionType(globals.Void(), {}));
  Builder end = Builder::AtEnd(module, module.AddBlock(function, module.FreshId()));
  for (int64_t i = 0; i < count; ++i) {
    end.Load(uint, end.AccessChain(pointer, variable, {globals.Uint(static_cast<uint32_t>(i % 64))}));
  }
  end.AddVoid(spv::Op::OpReturn, {});
  return *module.Write();
}

void SetWords(benchmark::State& state, const std::vector<uint32_t>& words) {
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["words"] = static_cast<double>(words.size());
}

void BM_Read(benchmark::State& state) {
  const std::vector<uint32_t> words = ModuleWithLoads(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(Module::Read(words));
  SetWords(state, words);
}
BENCHMARK(BM_Read)->Arg(100)->Arg(3000)->Arg(30000);

void BM_Uses(benchmark::State& state) {
  const std::vector<uint32_t> words = ModuleWithLoads(state.range(0));
  const Module module = *Module::Read(words);
  for (auto _ : state) benchmark::DoNotOptimize(Uses(module));
  SetWords(state, words);
}
BENCHMARK(BM_Uses)->Arg(3000);

void BM_Write(benchmark::State& state) {
  const std::vector<uint32_t> words = ModuleWithLoads(state.range(0));
  const Module module = *Module::Read(words);
  for (auto _ : state) benchmark::DoNotOptimize(module.Write());
  SetWords(state, words);
}
BENCHMARK(BM_Write)->Arg(3000);

void BM_GuardAllLoads(benchmark::State& state) {
  const std::vector<uint32_t> words = ModuleWithLoads(state.range(0));
  std::vector<Instruction> loads;
  for (auto _ : state) {
    Module module = *Module::Read(words);
    const Id condition = module.globals().BoolConstant(true);
    loads.clear();
    for (Instruction instruction : module.instructions()) {
      if (instruction.op() == spv::Op::OpLoad) loads.push_back(instruction);
    }
    for (Instruction load : loads) GuardInstruction(module, load, condition);
    benchmark::DoNotOptimize(module.Write());
  }
  SetWords(state, words);
}
BENCHMARK(BM_GuardAllLoads)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);

}  // namespace
}  // namespace assay::spirv_instrument
