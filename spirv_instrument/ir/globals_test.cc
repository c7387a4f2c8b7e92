// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/globals.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kReturn = R"(
    %60 = OpLabel
    OpReturn
)";

TEST(Globals, FindsWhatTheModuleHas) {
  Module module = ReadAssembly(ComputeShader(kReturn, R"(
      %80 = OpTypeInt 64 0
      %81 = OpTypeVector %uint 3
      %82 = OpConstant %80 0x100000002
      %83 = OpConstantComposite %81 %zero %one %ten
      %84 = OpConstantNull %81
      %85 = OpTypePointer Private %81
      %86 = OpSpecConstant %uint 77
  )"));
  const std::vector<uint32_t> before = *module.Write();
  Globals globals = module.globals();
  EXPECT_EQ(globals.Int(64, false), Id{80});
  EXPECT_EQ(globals.Vector(globals.Uint32(), 3), Id{81});
  EXPECT_EQ(globals.Uint64(0x100000002), Id{82});
  EXPECT_EQ(globals.Composite(Id{81}, {globals.Uint(0), globals.Uint(1), globals.Uint(10)}), Id{83});
  EXPECT_EQ(globals.Null(Id{81}), Id{84});
  EXPECT_EQ(globals.Pointer(spv::StorageClass::Private, Id{81}), Id{85});
  EXPECT_EQ(globals.BoolConstant(true), globals.BoolConstant(true));
  EXPECT_EQ(*module.Write(), before);
  // A specialization constant has no value yet.
  EXPECT_NE(globals.Uint(77), Id{86});
}

TEST(Globals, AddsEachOnce) {
  Module module = ReadAssembly(ComputeShader(kReturn));
  Globals globals = module.globals();
  EXPECT_EQ(globals.Find(spv::Op::OpTypeFloat, kNoId, {32u}), std::nullopt);
  const Id type = globals.Float(32);
  EXPECT_EQ(globals.Float(32), type);
  EXPECT_EQ(globals.FloatConstant(type, 0.5), globals.FloatConstant(type, 0.5));
  EXPECT_NE(globals.FloatConstant(type, 0.5), globals.FloatConstant(type, 0.25));
  const Id function = globals.FunctionType(type, {type, globals.Bool()});
  EXPECT_EQ(globals.FunctionType(type, {type, globals.Bool()}), function);
  EXPECT_NE(globals.FunctionType(type, {globals.Bool(), type}), function);
  const Id array = globals.Array(type, globals.Uint(10));
  globals.Undef(array);
  globals.RuntimeArray(type);
  EXPECT_EQ(ValidationErrors(module), "") << Disassemble(module);
}

TEST(Globals, AThousandConstantsAreFoundAgain) {
  Module module = ReadAssembly(ComputeShader(kReturn));
  Globals globals = module.globals();
  std::vector<Id> ids;
  ids.reserve(1000);
  for (uint32_t i = 0; i < 1000; ++i) ids.push_back(globals.Uint(i * 17));
  const uint32_t bound = module.bound();
  for (uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(globals.Uint(i * 17), ids[i]);
    EXPECT_EQ(module.Find(ids[i]).literal(0), i * 17);
  }
  EXPECT_EQ(module.bound(), bound);
  EXPECT_EQ(ValidationErrors(module), "");
}

TEST(Globals, DecorationsArePartOfTheContent) {
  Module module = ReadAssembly(ComputeShader(kReturn, R"(
      %80 = OpTypeRuntimeArray %uint
      %81 = OpTypeStruct %80
      %82 = OpTypeStruct %uint %uint
  )",
                                             R"(
      OpDecorate %80 ArrayStride 16
      OpMemberDecorate %81 0 Offset 0
      OpDecorate %81 Block
      OpMemberDecorate %82 0 Offset 0
      OpMemberDecorate %82 1 Offset 4
      OpDecorate %82 Block
  )"));
  Globals globals = module.globals();
  const std::vector<Word> uint = {globals.Uint32()};
  const DecorationOfType stride16 = {.decoration = spv::Decoration::ArrayStride, .parameters = {16}};
  const DecorationOfType stride8 = {.decoration = spv::Decoration::ArrayStride, .parameters = {8}};
  EXPECT_EQ(globals.Type(spv::Op::OpTypeRuntimeArray, uint, {stride16}), Id{80});
  const Id other = globals.Type(spv::Op::OpTypeRuntimeArray, uint, {stride8});
  EXPECT_GT(other, Id{82});
  EXPECT_EQ(globals.Type(spv::Op::OpTypeRuntimeArray, uint, {stride8}), other);
  EXPECT_EQ(module.decorations().Find(other, spv::Decoration::ArrayStride)->parameter(0), 8u);
  const Id plain = globals.RuntimeArray(globals.Uint32());
  EXPECT_NE(plain, Id{80});
  EXPECT_NE(plain, other);
  // In any order.
  const DecorationOfType block = {.decoration = spv::Decoration::Block};
  const DecorationOfType first = {.decoration = spv::Decoration::Offset, .member = 0, .parameters = {0}};
  const DecorationOfType second = {.decoration = spv::Decoration::Offset, .member = 1, .parameters = {4}};
  const std::vector<Word> members = {globals.Uint32(), globals.Uint32()};
  EXPECT_EQ(globals.Type(spv::Op::OpTypeStruct, members, {second, block, first}), Id{82});
  EXPECT_EQ(globals.Find(spv::Op::OpTypeStruct, kNoId, members, {first, second}), std::nullopt);
  EXPECT_EQ(ValidationErrors(module), "");
}

// A module may have them only once.
TEST(Globals, DecorationsOfNumbersDoNotCount) {
  Module module = ReadAssembly(ComputeShader(kReturn, "%80 = OpTypeFloat 32\n%81 = OpTypeVector %80 2\n", R"(
      OpDecorate %80 RelaxedPrecision
      OpDecorate %90 RelaxedPrecision
      %90 = OpDecorationGroup
      OpGroupDecorate %90 %81
  )"));
  Globals globals = module.globals();
  EXPECT_EQ(globals.Float(32), Id{80});
  EXPECT_EQ(globals.Vector(Id{80}, 2), Id{81});
  // Nor do those that come later.
  Decorate(module, Id{80}, spv::Decoration::NonUniform);
  EXPECT_EQ(globals.Float(32), Id{80});
}

TEST(Globals, KnowsWhatChanges) {
  Module module = ReadAssembly(ComputeShader(kReturn, "%80 = OpTypeStruct %uint\n%81 = OpConstant %uint 55\n"));
  Globals globals = module.globals();
  EXPECT_EQ(globals.Type(spv::Op::OpTypeStruct, {globals.Uint32()}), Id{80});
  // A type that is decorated later is another one.
  const Instruction decoration = Decorate(module, Id{80}, spv::Decoration::Block);
  EXPECT_EQ(globals.Find(spv::Op::OpTypeStruct, kNoId, {globals.Uint32()}), std::nullopt);
  EXPECT_EQ(globals.Find(spv::Op::OpTypeStruct, kNoId, {globals.Uint32()},
                         {DecorationOfType{.decoration = spv::Decoration::Block}}),
            Id{80});
  module.Remove(decoration);
  EXPECT_EQ(globals.Type(spv::Op::OpTypeStruct, {globals.Uint32()}), Id{80});
  module.SetOperand(module.Find(Id{81}), 0, 56);
  EXPECT_EQ(globals.Uint(56), Id{81});
  EXPECT_NE(globals.Uint(55), Id{81});
  module.Remove(module.Find(Id{81}));
  EXPECT_EQ(globals.Find(spv::Op::OpConstant, globals.Uint32(), {56u}), std::nullopt);
}

TEST(Globals, LiteralsOfEveryWidth) {
  Module module = ReadAssembly(ComputeShader(kReturn));
  Globals globals = module.globals();
  const auto words = [&](Id constant) {
    const Instruction instruction = module.Find(constant);
    return std::vector<uint32_t>(instruction.operands().begin(), instruction.operands().end());
  };
  using Words = std::vector<uint32_t>;
  EXPECT_EQ(words(globals.Integer(globals.Int(8, true), 0x80)), Words{0xffffff80});
  EXPECT_EQ(words(globals.Integer(globals.Int(8, false), 0x180)), Words{0x80});
  EXPECT_EQ(words(globals.Integer(globals.Int(16, true), ~uint64_t{0})), Words{0xffffffff});
  EXPECT_EQ(words(globals.Integer(globals.Int(32, true), 5)), Words{5});
  EXPECT_EQ(words(globals.Integer(globals.Int(64, true), ~uint64_t{1})), (Words{0xfffffffe, 0xffffffff}));
  EXPECT_EQ(words(globals.FloatConstant(globals.Float(16), 1.5)), Words{0x3e00});
  EXPECT_EQ(words(globals.FloatConstant(globals.Float(16), -65536.0)), Words{0xfc00});
  EXPECT_EQ(words(globals.FloatConstant(globals.Float(32), 1.5)), Words{0x3fc00000});
  EXPECT_EQ(words(globals.FloatConstant(globals.Float(64), 1.5)), (Words{0, 0x3ff80000}));
  EXPECT_EQ(globals.Integer(globals.Bool(), 1), kNoId);
  EXPECT_EQ(globals.FloatConstant(globals.Bool(), 1), kNoId);
}

TEST(Globals, TypesWithNull) {
  Module module = ReadAssembly(ComputeShader(kReturn, R"(
      %80 = OpTypePointer PhysicalStorageBuffer %uint
      %81 = OpTypeStruct %uint %80
      %82 = OpTypeArray %81 %ten
      %83 = OpTypeStruct %uint %bool
      %84 = OpTypeArray %83 %ten
      %85 = OpTypeSampler
      %86 = OpTypeStruct %84 %85
      %87 = OpTypeRuntimeArray %uint
  )"));
  const Globals globals = module.globals();
  for (uint32_t id : {80u, 81u, 82u, 85u, 86u, 87u}) EXPECT_FALSE(globals.IsNullable(Id{id})) << id;
  for (uint32_t id : {83u, 84u}) EXPECT_TRUE(globals.IsNullable(Id{id})) << id;
  EXPECT_FALSE(globals.IsNullable(Id{60}));
}

TEST(Globals, TypesThatContainOneTypeManyTimes) {
  // 2^40 parts, if each were looked at.
  std::string globals = "%100 = OpTypeStruct %uint %uint\n";
  for (int i = 101; i < 140; ++i) {
    globals +=
        "%" + std::to_string(i) + " = OpTypeStruct %" + std::to_string(i - 1) + " %" + std::to_string(i - 1) + "\n";
  }
  Module module = ReadAssembly(ComputeShader(kReturn, globals));
  EXPECT_TRUE(module.globals().IsNullable(Id{139}));
}

TEST(Globals, Variables) {
  Module module = ReadAssembly(ComputeShader(kReturn));
  Globals globals = module.globals();
  const Id type = globals.Pointer(spv::StorageClass::Private, globals.Uint32());
  const Id variable = globals.AddVariable(type, spv::StorageClass::Private, globals.Uint(3));
  EXPECT_NE(globals.AddVariable(type, spv::StorageClass::Private), variable);
  EXPECT_EQ(module.Find(variable).id(1), globals.Uint(3));
  EXPECT_EQ(ValidationErrors(module), "");
}

}  // namespace
}  // namespace assay::spirv_instrument
