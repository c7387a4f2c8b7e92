// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/module.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::spirv_instrument {
namespace {

// Something of every section, and operands of every kind.
constexpr std::string_view kEverything = R"(
    OpCapability Shader
    OpCapability Int64
    OpCapability RayQueryKHR
    OpExtension "SPV_KHR_non_semantic_info"
    OpExtension "SPV_KHR_ray_query"
    %1 = OpExtInstImport "GLSL.std.450"
    %2 = OpExtInstImport "NonSemantic.DebugPrintf"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main, with a long name" %buffer
    OpExecutionMode %main LocalSize 8 4 1
    %file = OpString "a.comp"
    %format = OpString "%u"
    OpSource GLSL 450 %file "void main"
    OpSourceContinued "() {}"
    OpName %main "main"
    OpMemberName %Block 0 "value"
    OpModuleProcessed "by hand"
    OpDecorate %Block Block
    OpMemberDecorate %Block 0 Offset 0
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 3
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %bool = OpTypeBool
    %true = OpConstantTrue %bool
    %uint = OpTypeInt 32 0
    %long = OpTypeInt 64 1
    %float = OpTypeFloat 32
    %large = OpConstant %long -5000000000
    %half = OpConstant %float 0.5
    %seven = OpConstant %uint 7
    %spec = OpSpecConstant %uint 2
    %sum = OpSpecConstantOp %uint IAdd %spec %seven
    OpLine %file 3 1
    %Block = OpTypeStruct %uint
    %ptr_Block = OpTypePointer StorageBuffer %Block
    %ptr_uint = OpTypePointer StorageBuffer %uint
    %query = OpTypeRayQueryKHR
    %zero = OpConstantNull %uint
    %buffer = OpVariable %ptr_Block StorageBuffer
    OpNoLine
    %main = OpFunction %void None %fn
    OpLine %file 4 2
    %entry = OpLabel
    %member = OpAccessChain %ptr_uint %buffer %zero
    %value = OpLoad %uint %member Volatile|Aligned 16
    OpLine %file 5 7
    %root = OpExtInst %float %1 Sqrt %half
    %printed = OpExtInst %void %2 1 %format %value
    OpStore %member %sum Aligned 4
    OpSelectionMerge %end None
    OpSwitch %large %end -5000000000 %first 9 %second
    %first = OpLabel
    OpBranch %second
    %second = OpLabel
    %phi = OpPhi %uint %value %entry %seven %first
    OpBranch %end
    %end = OpLabel
    OpReturn
    OpFunctionEnd
)";

std::vector<uint32_t> Swapped(std::vector<uint32_t> words) {
  for (uint32_t& word : words) word = __builtin_bswap32(word);
  return words;
}

std::string ErrorOf(const std::vector<uint32_t>& words) {
  const absl::StatusOr<Module> module = Module::Read(words);
  return module.ok() ? "" : std::string(module.status().message());
}

// The words of an instruction.
std::vector<uint32_t> Words(spv::Op op, std::vector<uint32_t> operands) {
  std::vector<uint32_t> words = {static_cast<uint32_t>(operands.size() + 1) << spv::WordCountShift |
                                 static_cast<uint32_t>(op)};
  words.insert(words.end(), operands.begin(), operands.end());
  return words;
}

// A header with a bound of 100, and these instructions.
std::vector<uint32_t> ModuleOf(const std::vector<std::vector<uint32_t>>& instructions) {
  std::vector<uint32_t> words = {spv::MagicNumber, 0x00010600, 0, 100, 0};
  for (const auto& instruction : instructions) words.insert(words.end(), instruction.begin(), instruction.end());
  return words;
}

TEST(Module, IsWrittenAsItWasRead) {
  const std::vector<uint32_t> words = Assemble(kEverything);
  absl::StatusOr<Module> module = Module::Read(words);
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(*module->Write(), words);
  // Indices do not change it.
  module->decorations();
  module->globals().Uint32();
  EXPECT_EQ(*module->Write(), words);
}

TEST(Module, IsWrittenInTheByteOrderThatItWasReadIn) {
  const std::vector<uint32_t> words = Assemble(kEverything);
  absl::StatusOr<Module> module = Module::Read(Swapped(words));
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_TRUE(module->is_byte_swapped());
  EXPECT_EQ(module->section(Section::kMemoryModel).begin()->op(), spv::Op::OpMemoryModel);
  EXPECT_EQ(module->section(Section::kEntryPoints).begin()->string(2), "main, with a long name");
  EXPECT_EQ(*module->Write(), Swapped(words));
}

TEST(Module, InstructionsAreCountedFromOne) {
  const Module module = ReadAssembly(kEverything);
  uint32_t index = 0;
  for (Instruction instruction : module.instructions()) {
    EXPECT_EQ(instruction.index(), ++index);
    EXPECT_EQ(module.At(index), instruction);
  }
  EXPECT_EQ(module.last_read_index(), index);
  EXPECT_FALSE(module.At(index + 1));
}

TEST(Module, OperandsOfAnInstruction) {
  const Module module = ReadAssembly(kEverything);
  std::vector<Instruction> found(4);
  for (Instruction instruction : module.instructions()) {
    if (instruction.op() == spv::Op::OpLoad) found[0] = instruction;
    if (instruction.op() == spv::Op::OpConstant && instruction.operand_count() == 2) found[1] = instruction;
    if (instruction.op() == spv::Op::OpStore) found[2] = instruction;
    if (instruction.op() == spv::Op::OpModuleProcessed) found[3] = instruction;
  }
  const Instruction load = found[0];
  EXPECT_EQ(module.TypeOf(load.result_id()).op(), spv::Op::OpTypeInt);
  EXPECT_EQ(module.Find(load.id(0)).op(), spv::Op::OpAccessChain);
  EXPECT_EQ(load.operand_count(), 3u);
  EXPECT_EQ(load.literal(2), 16u);
  EXPECT_EQ(load.literal(3), 0u);
  EXPECT_EQ(module.Find(load.result_id()), load);
  EXPECT_EQ(static_cast<int64_t>(found[1].literal64(0)), -5000000000);
  EXPECT_EQ(found[2].result_id(), kNoId);
  EXPECT_EQ(found[2].type_id(), kNoId);
  EXPECT_EQ(found[3].string(0), "by hand");
  EXPECT_EQ(found[3].AfterString(0), 2u);
}

TEST(Module, FunctionsAndBlocks) {
  const Module module = ReadAssembly(kEverything);
  ASSERT_EQ(module.functions().size(), 1u);
  const Function main = module.functions().front();
  EXPECT_EQ(module.FindFunction(main.id()), main);
  EXPECT_FALSE(module.FindFunction(main.type()));
  std::vector<spv::Op> terminators;
  for (Block block : main.blocks()) {
    EXPECT_EQ(module.FindBlock(block.id()), block);
    EXPECT_EQ(block.function(), main);
    terminators.push_back(block.terminator().op());
  }
  const std::vector<spv::Op> expected = {spv::Op::OpSwitch, spv::Op::OpBranch, spv::Op::OpBranch, spv::Op::OpReturn};
  EXPECT_EQ(terminators, expected);
  const Block entry = main.entry();
  EXPECT_EQ(entry.merge().op(), spv::Op::OpSelectionMerge);
  EXPECT_EQ(entry.end_of_body(), entry.merge());
  EXPECT_EQ(entry.first_after_phis().op(), spv::Op::OpAccessChain);
  EXPECT_FALSE(entry.previous());
  const Block second = entry.next().next();
  EXPECT_FALSE(second.merge());
  EXPECT_EQ(second.first_after_phis(), second.terminator());
  EXPECT_EQ(main.last().terminator().op(), spv::Op::OpReturn);
}

TEST(Module, SectionsAreInOrder) {
  const Module module = ReadAssembly(kEverything);
  const std::pair<Section, size_t> expected[] = {
      {Section::kCapabilities, 3}, {Section::kExtensions, 2},  {Section::kExtendedSetImports, 2},
      {Section::kMemoryModel, 1},  {Section::kEntryPoints, 1}, {Section::kExecutionModes, 1},
      {Section::kSources, 4},      {Section::kNames, 2},       {Section::kModuleProcessed, 1},
      {Section::kAnnotations, 4},
  };
  for (const auto& [section, count] : expected) {
    const InstructionRange range = module.section(section);
    EXPECT_EQ(static_cast<size_t>(std::distance(range.begin(), range.end())), count);
    for (Instruction instruction : range) EXPECT_EQ(SectionOf(instruction.op()), section);
  }
  EXPECT_EQ(module.section(Section::kGlobals).begin()->op(), spv::Op::OpTypeVoid);
  EXPECT_EQ(module.section(Section::kFunctions).begin()->op(), spv::Op::OpFunction);
}

TEST(Module, LinesAreInEffectUpToTheEndOfTheirBlock) {
  const Module module = ReadAssembly(kEverything);
  const auto line_of = [&](spv::Op op) {
    for (Instruction instruction : module.instructions()) {
      if (instruction.op() == op) return instruction.line().literal(1);
    }
    return ~0u;
  };
  EXPECT_EQ(line_of(spv::Op::OpTypeVoid), 0u);
  EXPECT_EQ(line_of(spv::Op::OpTypeRayQueryKHR), 3u);
  EXPECT_EQ(line_of(spv::Op::OpFunction), 0u);
  EXPECT_EQ(line_of(spv::Op::OpLabel), 4u);
  EXPECT_EQ(line_of(spv::Op::OpLoad), 4u);
  EXPECT_EQ(line_of(spv::Op::OpExtInst), 5u);
  EXPECT_EQ(line_of(spv::Op::OpSwitch), 5u);
  EXPECT_EQ(line_of(spv::Op::OpPhi), 0u);
}

TEST(Module, HeaderErrorsNameTheWord) {
  const std::vector<uint32_t> header = {spv::MagicNumber, 0x00010600, 0, 100, 0};
  EXPECT_EQ(ErrorOf(header), "");
  for (size_t size = 0; size < header.size(); ++size) {
    EXPECT_EQ(ErrorOf({header.begin(), header.begin() + size}),
              "word " + std::to_string(size) + ": the module ends in its header");
  }
  const auto with = [&](size_t word, uint32_t value) {
    std::vector<uint32_t> words = header;
    words[word] = value;
    return ErrorOf(words);
  };
  EXPECT_EQ(with(0, 0x07230204), "word 0: the magic number is not SPIR-V's");
  EXPECT_EQ(with(1, 0x00010700), "word 1: the version is none that is known");
  EXPECT_EQ(with(1, 0x00000600), "word 1: the version is none that is known");
  EXPECT_EQ(with(3, 0), "word 3: the bound (0) is not between 1 and 4194303");
  EXPECT_EQ(with(3, 0x400000), "word 3: the bound (4194304) is not between 1 and 4194303");
  EXPECT_EQ(with(3, 0x3fffff), "");
  EXPECT_EQ(with(1, 0x00010000), "");
}

TEST(Module, InstructionErrorsNameTheWord) {
  const std::vector<uint32_t> uint = Words(spv::Op::OpTypeInt, {1, 32, 0});
  const struct {
    std::vector<std::vector<uint32_t>> instructions;
    std::string_view error;
  } cases[] = {
      {{{0x00000000}}, "word 5: an instruction has no words"},
      {{{0x00020000}}, "word 5: an instruction goes on behind the end of the module"},
      {{{0x0001ffff}}, "word 5: opcode 65535 is unknown"},
      {{uint, Words(spv::Op::OpTypeInt, {2, 32})}, "word 12: OpTypeInt ends before all of its operands"},
      {{Words(spv::Op::OpTypeVoid, {2, 32})}, "word 7: OpTypeVoid has more operands than it takes"},
      {{uint, uint}, "word 10: id 1 is the result of two instructions"},
      {{Words(spv::Op::OpTypeVoid, {0})}, "word 6: id 0 is not between 0 and the bound (100)"},
      {{Words(spv::Op::OpTypeVoid, {100})}, "word 6: id 100 is not between 0 and the bound (100)"},
      {{Words(spv::Op::OpTypePointer, {1, 7, 100})}, "word 8: id 100 is not between 0 and the bound (100)"},
      {{Words(spv::Op::OpExtension, {0x41414141})}, "word 6: a string does not end in its instruction"},
      {{Words(spv::Op::OpConstant, {2, 3, 4})}, "word 8: a literal's type is not a number's"},
      {{uint, Words(spv::Op::OpConstant, {1, 3, 4, 5})}, "word 13: OpConstant has more operands than it takes"},
      {{uint, Words(spv::Op::OpTypeVector, {2, 1, 17})},
       "word 12: OpTypeVector has 17 components, and 16 are the most"},
      {{uint, Words(spv::Op::OpTypeMatrix, {2, 1, 0xffffffff})},
       "word 12: OpTypeMatrix has 4294967295 components, and 16 are the most"},
      {{uint, Words(spv::Op::OpTypeVector, {2, 1, 16})}, ""},
      {{Words(spv::Op::OpDecorate, {1, 0x7ffffff})}, "word 7: Decoration 134217727 is unknown"},
      {{Words(spv::Op::OpDecorate, {1, 33})}, "word 8: OpDecorate ends before all of its operands"},
      {{uint, Words(spv::Op::OpSpecConstantOp, {1, 2, 52, 1})}, "word 12: OpSpecConstantOp cannot have opcode 52"},
      {{Words(spv::Op::OpLoad, {1, 2, 3})}, "word 5: OpLoad is outside of a function"},
      {{Words(spv::Op::OpLabel, {1})}, "word 5: OpLabel is outside of a function"},
      {{Words(spv::Op::OpFunctionEnd, {})}, "word 5: OpFunctionEnd is outside of a function"},
  };
  for (const auto& each : cases) EXPECT_EQ(ErrorOf(ModuleOf(each.instructions)), each.error);
}

TEST(Module, FunctionErrorsNameTheWord) {
  const std::vector<uint32_t> function = Words(spv::Op::OpFunction, {1, 2, 0, 3});
  const std::vector<uint32_t> label = Words(spv::Op::OpLabel, {4});
  const std::vector<uint32_t> end = Words(spv::Op::OpFunctionEnd, {});
  const std::vector<uint32_t> ret = Words(spv::Op::OpReturn, {});
  EXPECT_EQ(ErrorOf(ModuleOf({function, end})), "");
  EXPECT_EQ(ErrorOf(ModuleOf({function, label, ret, end})), "");
  EXPECT_EQ(ErrorOf(ModuleOf({function})), "word 10: the module ends in a function");
  EXPECT_EQ(ErrorOf(ModuleOf({function, Words(spv::Op::OpFunction, {1, 5, 0, 3})})),
            "word 10: a function begins in another");
  EXPECT_EQ(ErrorOf(ModuleOf({function, ret, end})), "word 10: OpReturn is outside of a block");
  EXPECT_EQ(ErrorOf(ModuleOf({function, label, end})), "word 12: a function ends in a block without terminator");
  EXPECT_EQ(ErrorOf(ModuleOf({function, label, Words(spv::Op::OpLabel, {5})})), "word 12: a block begins in another");
  EXPECT_EQ(ErrorOf(ModuleOf({function, label, ret, ret})), "word 13: OpReturn is outside of a block");
  EXPECT_EQ(ErrorOf(ModuleOf({function, label, ret, Words(spv::Op::OpFunctionParameter, {1, 5})})),
            "word 13: OpFunctionParameter is outside of a block");
}

TEST(Module, EveryPrefixIsReadOrRefused) {
  const std::vector<uint32_t> words = Assemble(kEverything);
  size_t read = 0;
  for (size_t size = 0; size < words.size(); ++size) {
    const std::vector<uint32_t> prefix(words.begin(), words.begin() + static_cast<ptrdiff_t>(size));
    const absl::StatusOr<Module> module = Module::Read(prefix);
    if (module.ok()) {
      EXPECT_EQ(*module->Write(), prefix);
      ++read;
    } else {
      EXPECT_TRUE(absl::StartsWith(module.status().message(), "word ")) << module.status();
    }
  }
  // What ends between two instructions before the function is a module.
  EXPECT_GT(read, 40u);
  EXPECT_LT(read, words.size() / 2);
}

TEST(Module, IdsMayBeFarApart) {
  std::vector<uint32_t> words =
      ModuleOf({Words(spv::Op::OpTypeInt, {kMaxBound - 3, 32, 0}), Words(spv::Op::OpConstant, {kMaxBound - 3, 7, 1})});
  words[3] = kMaxBound - 2;
  absl::StatusOr<Module> module = Module::Read(words);
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->TypeOf(Id{7}).op(), spv::Op::OpTypeInt);
  // Tables by id are not larger than the module.
  EXPECT_LE(module->dense_id_count(), words.size());
  EXPECT_EQ(module->globals().Uint32(), Id{kMaxBound - 3});
}

TEST(Module, BoundHasALimit) {
  std::vector<uint32_t> words = ModuleOf({});
  words[3] = kMaxBound - 2;
  absl::StatusOr<Module> module = Module::Read(words);
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->FreshId(), Id{kMaxBound - 2});
  EXPECT_TRUE(module->status().ok());
  EXPECT_EQ(module->FreshIds(2), kNoId);
  EXPECT_FALSE(module->status().ok());
  EXPECT_FALSE(module->Write().ok());
  // The first error stays, and one more id would have been possible.
  EXPECT_EQ(module->FreshId(), Id{kMaxBound - 1});
  EXPECT_EQ(module->bound(), kMaxBound);
  EXPECT_EQ(module->FreshId(), kNoId);
}

}  // namespace
}  // namespace assay::spirv_instrument
