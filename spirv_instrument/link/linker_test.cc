// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/link/linker.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/link/library.h"

namespace assay::spirv_instrument {
namespace {

// Twice(x) is Add(x, x). Count() counts in a storage buffer. Named() calls Imported().
constexpr std::string_view kLibrary = R"(
    OpCapability Shader
    %set = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    OpName %add "Add(u1;u1;"
    OpName %twice "Twice(u1;"
    OpName %count "Count("
    OpName %imported "Imported("
    OpName %named "Named("
    OpName %counts "counts"
    OpName %half "Half(d1;"
    OpDecorate %array ArrayStride 4
    OpDecorate %Counts Block
    OpMemberDecorate %Counts 0 Offset 0
    OpDecorate %counts DescriptorSet 0
    OpDecorate %counts Binding 5
    OpDecorate %counts Coherent
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %int = OpTypeInt 32 1
    %double = OpTypeFloat 64
    %fn_uint = OpTypeFunction %uint
    %fn_uint_1 = OpTypeFunction %uint %uint
    %fn_uint_2 = OpTypeFunction %uint %uint %uint
    %fn_double = OpTypeFunction %double %double
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %first = OpConstant %int 0
    %ten = OpConstant %uint 10
    %array = OpTypeRuntimeArray %uint
    %Counts = OpTypeStruct %array
    %ptr_Counts = OpTypePointer StorageBuffer %Counts
    %ptr_uint = OpTypePointer StorageBuffer %uint
    %counts = OpVariable %ptr_Counts StorageBuffer
    %main = OpFunction %void None %fn
    %e = OpLabel
    OpReturn
    OpFunctionEnd
    %add = OpFunction %uint None %fn_uint_2
    %x = OpFunctionParameter %uint
    %y = OpFunctionParameter %uint
    %add_e = OpLabel
    %sum = OpIAdd %uint %x %y
    OpReturnValue %sum
    OpFunctionEnd
    %twice = OpFunction %uint None %fn_uint_1
    %z = OpFunctionParameter %uint
    %twice_e = OpLabel
    %double_z = OpFunctionCall %uint %add %z %z
    %max = OpExtInst %uint %set UMax %double_z %ten
    OpReturnValue %max
    OpFunctionEnd
    %count = OpFunction %uint None %fn_uint
    %count_e = OpLabel
    %place = OpAccessChain %ptr_uint %counts %first %ten
    %old = OpAtomicIAdd %uint %place %one %zero %one
    OpReturnValue %old
    OpFunctionEnd
    %imported = OpFunction %uint None %fn_uint
    %imported_e = OpLabel
    OpReturnValue %zero
    OpFunctionEnd
    %named = OpFunction %uint None %fn_uint
    %named_e = OpLabel
    %name = OpFunctionCall %uint %imported
    OpReturnValue %name
    OpFunctionEnd
    %half = OpFunction %double None %fn_double
    %d = OpFunctionParameter %double
    %half_e = OpLabel
    %h = OpFAdd %double %d %d
    OpReturnValue %h
    OpFunctionEnd
)";

class LinkerTest : public testing::Test {
 protected:
  LinkerTest() : library_(*Library::Read(Assemble(kLibrary))), module_(ReadAssembly(Target("GLSL450"))) {}

  static std::string Target(std::string_view memory_model) {
    std::string text = ComputeShader("%entry = OpLabel\nOpReturn\n");
    const std::string from = "OpMemoryModel Logical GLSL450";
    std::string to = absl::StrCat("OpMemoryModel Logical ", memory_model);
    if (memory_model == "Vulkan") to = "OpCapability VulkanMemoryModel\n" + to;
    return text.replace(text.find(from), from.size(), to);
  }

  Linker MakeLinker(Linker::Options options = {}) { return Linker(module_, library_, options); }

  // How often a text is in the disassembly.
  size_t Count(std::string_view text) const {
    const std::string all = Disassemble(module_);
    size_t count = 0;
    for (size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++count;
    return count;
  }

  Library library_;
  Module module_;
};

TEST_F(LinkerTest, LinksWhatIsCalledAndNothingElse) {
  Linker linker = MakeLinker();
  EXPECT_NE(linker.Link("Twice"), kNoId);
  EXPECT_EQ(ValidationErrors(module_), "");
  // main, Twice and Add.
  EXPECT_EQ(module_.functions().size(), 3u);
  EXPECT_EQ(Count("OpExtInstImport"), 1u);
  EXPECT_EQ(Count("AtomicIAdd"), 0u);
  EXPECT_TRUE(linker.variables().empty());
}

TEST_F(LinkerTest, AFunctionIsLinkedOnce) {
  Linker linker = MakeLinker();
  const Id add = linker.Link("Add");
  EXPECT_EQ(linker.Link("Add"), add);
  linker.Link("Twice");
  EXPECT_EQ(module_.functions().size(), 3u);
}

TEST_F(LinkerTest, TypesAndConstantsAreShared) {
  Linker linker = MakeLinker();
  linker.Link("Twice");
  linker.Link("Count");
  EXPECT_EQ(ValidationErrors(module_), "");
  // The shader has all of them but the signed zero.
  EXPECT_EQ(Count("OpTypeInt 32 0"), 1u);
  EXPECT_EQ(Count("OpTypeRuntimeArray"), 1u);
  EXPECT_EQ(Count("OpTypeStruct"), 1u);
  EXPECT_EQ(Count("OpConstant %"), 4u);
}

TEST_F(LinkerTest, VariablesGetTheReservedSet) {
  Linker linker = MakeLinker({.descriptor_set = 5});
  linker.Link("Count");
  ASSERT_EQ(linker.variables().size(), 1u);
  const Id variable = linker.variables()[0];
  EXPECT_EQ(module_.decorations().Find(variable, spv::Decoration::DescriptorSet)->parameter(0), 5u);
  EXPECT_EQ(module_.decorations().Find(variable, spv::Decoration::Binding)->parameter(0), 5u);
  EXPECT_TRUE(module_.decorations().Has(variable, spv::Decoration::Coherent));
  EXPECT_EQ(module_.decorations().NameOf(variable), "counts");
}

TEST_F(LinkerTest, NamesAreWithoutParameters) {
  Linker linker = MakeLinker();
  EXPECT_EQ(module_.decorations().NameOf(linker.Link("Twice")), "Twice");
}

TEST_F(LinkerTest, TheVulkanMemoryModelHasOtherScopes) {
  module_ = ReadAssembly(Target("Vulkan"));
  Linker linker = MakeLinker();
  linker.Link("Count");
  EXPECT_EQ(ValidationErrors(module_), "");
  EXPECT_FALSE(module_.decorations().Has(linker.variables()[0], spv::Decoration::Coherent));
  EXPECT_FALSE(HasCapability(module_, spv::Capability::VulkanMemoryModelDeviceScope));
}

TEST_F(LinkerTest, FunctionsAreImported) {
  std::vector<Linker::Variant> asked;
  const auto import = [&](std::string_view name, Linker::Variant variant) {
    EXPECT_EQ(name, "Imported");
    asked.push_back(variant);
    // Any function of that type stands in.
    return Linker(module_, library_, {}).Link("Count");
  };
  constexpr std::string_view kNames[] = {"Imported"};
  Linker linker = MakeLinker({.import = import, .imported_names = kNames});
  const Id first = linker.Link("Named", 1);
  const Id second = linker.Link("Named", 2);
  EXPECT_NE(first, second);
  EXPECT_EQ(linker.Link("Named", 1), first);
  EXPECT_EQ(asked, (std::vector<Linker::Variant>{1, 2}));
  // What imports nothing has no variants.
  EXPECT_EQ(linker.Link("Twice", 1), linker.Link("Twice", 2));
  EXPECT_EQ(ValidationErrors(module_), "");
}

TEST_F(LinkerTest, CapabilitiesAreThoseOfWhatIsLinked) {
  Linker linker = MakeLinker();
  linker.Link("Add");
  EXPECT_FALSE(HasCapability(module_, spv::Capability::Float64));
  linker.Link("Half");
  EXPECT_TRUE(HasCapability(module_, spv::Capability::Float64));
  EXPECT_EQ(ValidationErrors(module_), "");
}

TEST_F(LinkerTest, KnowsWhatItReturns) {
  Linker linker = MakeLinker();
  EXPECT_EQ(module_.Find(linker.ReturnTypeOf("Twice")).op(), spv::Op::OpTypeInt);
  EXPECT_EQ(linker.Link("NoSuchFunction"), kNoId);
  EXPECT_EQ(linker.ReturnTypeOf("NoSuchFunction"), kNoId);
}

TEST_F(LinkerTest, IsDeterministic) {
  MakeLinker().Link("Twice");
  const std::string once = Disassemble(module_);
  module_ = ReadAssembly(Target("GLSL450"));
  MakeLinker().Link("Twice");
  EXPECT_EQ(Disassemble(module_), once);
}

TEST(LinkedModuleOfVersion10, GetsTheExtensionForStorageBuffers) {
  const Library library = *Library::Read(Assemble(kLibrary));
  Module module = ReadAssembly(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpReturn
    OpFunctionEnd)",
                               SPV_ENV_VULKAN_1_0);
  Linker linker(module, library, {});
  linker.Link("Count");
  EXPECT_TRUE(HasExtension(module, "SPV_KHR_storage_buffer_storage_class"));
  EXPECT_EQ(ValidationErrors(module, SPV_ENV_VULKAN_1_0), "");
}

TEST(Library, RefusesTwoFunctionsWithOneName) {
  std::string text(kLibrary);
  text.replace(text.find("\"Add(u1;u1;\""), 12, "\"Twice(u1;u1;\"");
  EXPECT_FALSE(Library::Read(Assemble(text)).ok());
}

}  // namespace
}  // namespace assay::spirv_instrument
