// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/debug/source_locations.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kLines = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    %1 = OpString "a.comp"
    %2 = OpString "b.h"
    OpSource GLSL 450 %1 "#version 450
void main() {
  uint x = "
    OpSourceContinued "1;
  uint y = 2;
"
    OpSourceContinued "}
"
    %10 = OpTypeVoid
    %11 = OpTypeFunction %10
    %12 = OpTypeInt 32 0
    %13 = OpConstant %12 1
    %20 = OpFunction %10 None %11
    %21 = OpLabel
    %22 = OpIAdd %12 %13 %13
    OpLine %1 3 8
    %23 = OpIAdd %12 %13 %13
    OpLine %1 4 8
    %24 = OpIAdd %12 %13 %13
    OpLine %2 3 1
    %25 = OpIAdd %12 %13 %13
    OpNoLine
    %26 = OpIAdd %12 %13 %13
    OpLine %1 99 0
    %27 = OpIAdd %12 %13 %13
    OpReturn
    OpFunctionEnd
)";

TEST(SourceLocations, OfLines) {
  const Module module = ReadAssembly(kLines);
  const SourceLocations locations(module);
  EXPECT_EQ(locations.Of(module.Find(Id{22})), std::nullopt);
  const SourceLocation x = *locations.Of(module.Find(Id{23}));
  EXPECT_EQ(x.file, "a.comp");
  EXPECT_EQ(x.line, 3u);
  EXPECT_EQ(x.column, 8u);
  EXPECT_EQ(x.text, "  uint x = 1;");
  EXPECT_EQ(x.function, "");
  EXPECT_EQ(locations.Of(module.Find(Id{24}))->text, "  uint y = 2;");
  EXPECT_EQ(locations.Of(module.Find(Id{25}))->file, "b.h");
  EXPECT_EQ(locations.Of(module.Find(Id{26})), std::nullopt);
  EXPECT_EQ(locations.Of(module.Find(Id{27}))->line, 99u);
  EXPECT_EQ(locations.Of(module.Find(Id{27}))->text, "");
  EXPECT_TRUE(locations.InlinedAt(module.Find(Id{23})).empty());
}

constexpr std::string_view kDebugInfo = R"(
    OpCapability Shader
    OpExtension "SPV_KHR_non_semantic_info"
    %1 = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
    OpMemoryModel Logical GLSL450
    %2 = OpString "a.frag"
    %3 = OpString "one
two
"
    %4 = OpString "three
four"
    %5 = OpString "shade"
    %6 = OpString "main"
    %10 = OpTypeVoid
    %11 = OpTypeFunction %10
    %12 = OpTypeInt 32 0
    %30 = OpConstant %12 0
    %31 = OpConstant %12 1
    %32 = OpConstant %12 2
    %33 = OpConstant %12 3
    %34 = OpConstant %12 4
    %37 = OpConstant %12 7
    %40 = OpExtInst %10 %1 DebugSource %2 %3
    %41 = OpExtInst %10 %1 DebugSourceContinued %4
    %42 = OpExtInst %10 %1 DebugCompilationUnit %31 %34 %40 %32
    %43 = OpExtInst %10 %1 DebugTypeFunction %33 %10
    %44 = OpExtInst %10 %1 DebugFunction %5 %43 %40 %31 %30 %42 %5 %33 %31
    %45 = OpExtInst %10 %1 DebugFunction %6 %43 %40 %33 %30 %42 %6 %33 %33
    %46 = OpExtInst %10 %1 DebugLexicalBlock %40 %32 %30 %44
    %47 = OpExtInst %10 %1 DebugInlinedAt %34 %45
    %20 = OpFunction %10 None %11
    %21 = OpLabel
    %50 = OpExtInst %10 %1 DebugScope %45
    %51 = OpExtInst %10 %1 DebugLine %40 %33 %33 %37 %37
    %22 = OpIAdd %12 %31 %31
    %52 = OpExtInst %10 %1 DebugScope %46 %47
    %53 = OpExtInst %10 %1 DebugLine %40 %32 %32 %31 %31
    %23 = OpIAdd %12 %31 %31
    %54 = OpExtInst %10 %1 DebugNoScope
    %55 = OpExtInst %10 %1 DebugNoLine
    %24 = OpIAdd %12 %31 %31
    OpReturn
    OpFunctionEnd
)";

TEST(SourceLocations, OfDebugInfo) {
  const Module module = ReadAssembly(kDebugInfo);
  const SourceLocations locations(module);
  const SourceLocation in_main = *locations.Of(module.Find(Id{22}));
  EXPECT_EQ(in_main.file, "a.frag");
  EXPECT_EQ(in_main.line, 3u);
  EXPECT_EQ(in_main.column, 7u);
  EXPECT_EQ(in_main.text, "three");
  EXPECT_EQ(in_main.function, "main");
  EXPECT_TRUE(locations.InlinedAt(module.Find(Id{22})).empty());
  // In a block of a function that was inlined into main.
  const SourceLocation inlined = *locations.Of(module.Find(Id{23}));
  EXPECT_EQ(inlined.text, "two");
  EXPECT_EQ(inlined.function, "shade");
  const std::vector<SourceLocation> calls = locations.InlinedAt(module.Find(Id{23}));
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].file, "a.frag");
  EXPECT_EQ(calls[0].line, 4u);
  EXPECT_EQ(calls[0].text, "four");
  EXPECT_EQ(calls[0].function, "main");
  EXPECT_EQ(locations.Of(module.Find(Id{24})), std::nullopt);
}

TEST(SourceLocations, CirclesEnd) {
  // A block in itself, called from itself.
  std::string text(kDebugInfo);
  const auto replace = [&](std::string_view from, std::string_view to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("DebugLexicalBlock %40 %32 %30 %44", "DebugLexicalBlock %40 %32 %30 %46");
  replace("DebugInlinedAt %34 %45", "DebugInlinedAt %34 %46 %47");
  const Module module = ReadAssembly(text);
  const SourceLocations locations(module);
  EXPECT_EQ(locations.Of(module.Find(Id{23}))->function, "");
  EXPECT_LE(locations.InlinedAt(module.Find(Id{23})).size(), 256u);
}

}  // namespace
}  // namespace assay::spirv_instrument
