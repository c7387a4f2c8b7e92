// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/grammar/grammar.h"

#include <cstdint>
#include <string_view>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/operand_kind.h"

namespace assay::spirv_instrument {
namespace {

const OpcodeInfo& Info(spv::Op op) { return *FindOpcode(static_cast<uint32_t>(op)); }

TEST(Grammar, EveryOpcodeIsFoundUnderItsNumber) {
  uint32_t found = 0;
  for (uint32_t opcode = 0; opcode <= 0xffff; ++opcode) {
    const OpcodeInfo* info = FindOpcode(opcode);
    if (info == nullptr) continue;
    ++found;
    EXPECT_EQ(info->opcode, opcode);
    EXPECT_TRUE(info->name.starts_with("Op"));
    EXPECT_LE(info->min_words, info->max_words);
    EXPECT_LE(info->simple_words, info->max_words);
  }
  EXPECT_GT(found, 700u);
  EXPECT_EQ(FindOpcode(0x10000), nullptr);
  EXPECT_EQ(FindOpcode(0xffffffff), nullptr);
}

TEST(Grammar, AgreesWithTheHeadersOnResults) {
  for (uint32_t opcode = 0; opcode < 7000; ++opcode) {
    const OpcodeInfo* info = FindOpcode(opcode);
    if (info == nullptr) continue;
    uint32_t ids = 0;
    for (const OperandPattern& operand : info->operands) {
      ids += operand.kind == OperandKind::kIdResult || operand.kind == OperandKind::kIdResultType ? 1 : 0;
    }
    EXPECT_EQ(ids, (info->has_type ? 1u : 0u) + (info->has_result ? 1u : 0u)) << info->name;
    // A type comes with a result.
    EXPECT_LE(info->has_type, info->has_result) << info->name;
  }
}

TEST(Grammar, ShapesOfInstructions) {
  const OpcodeInfo& chain = Info(spv::Op::OpAccessChain);
  EXPECT_EQ(chain.min_words, 4);
  EXPECT_EQ(chain.max_words, kNoLimit);
  EXPECT_EQ(chain.simple_words, kNoLimit);
  EXPECT_EQ(chain.id_bits, 0xffffffffu);
  const OpcodeInfo& extract = Info(spv::Op::OpCompositeExtract);
  EXPECT_EQ(extract.simple_words, kNoLimit);
  EXPECT_EQ(extract.id_bits, 1u);
  // What follows a mask of memory operands depends on it.
  const OpcodeInfo& load = Info(spv::Op::OpLoad);
  EXPECT_EQ(load.min_words, 4);
  EXPECT_EQ(load.max_words, kNoLimit);
  EXPECT_EQ(load.simple_words, 4);
  const OpcodeInfo& add = Info(spv::Op::OpIAdd);
  EXPECT_EQ(add.min_words, 5);
  EXPECT_EQ(add.max_words, 5);
  EXPECT_EQ(add.id_bits, 3u);
  EXPECT_EQ(Info(spv::Op::OpBranchConditional).id_bits, 7u);
  // Pairs count as two words.
  EXPECT_EQ(Info(spv::Op::OpPhi).min_words, 3);
  EXPECT_EQ(Info(spv::Op::OpVariable).id_bits, 2u);
}

TEST(Grammar, Groups) {
  EXPECT_EQ(Info(spv::Op::OpTypeRayQueryKHR).group, OpcodeGroup::kType);
  EXPECT_EQ(Info(spv::Op::OpTypeForwardPointer).group, OpcodeGroup::kOther);
  EXPECT_EQ(Info(spv::Op::OpConstantNull).group, OpcodeGroup::kConstant);
  EXPECT_EQ(Info(spv::Op::OpSpecConstantOp).group, OpcodeGroup::kSpecializationConstant);
  EXPECT_EQ(Info(spv::Op::OpDecorationGroup).group, OpcodeGroup::kAnnotation);
  EXPECT_EQ(Info(spv::Op::OpMemberDecorateString).group, OpcodeGroup::kAnnotation);
  EXPECT_EQ(Info(spv::Op::OpName).group, OpcodeGroup::kOther);
}

TEST(Grammar, Enumerants) {
  const EnumerantInfo* built_in =
      FindEnumerant(OperandKind::kDecoration, static_cast<uint32_t>(spv::Decoration::BuiltIn));
  ASSERT_NE(built_in, nullptr);
  EXPECT_EQ(built_in->name, "BuiltIn");
  ASSERT_EQ(built_in->parameters.size(), 1u);
  EXPECT_EQ(built_in->parameters[0].kind, OperandKind::kBuiltIn);
  EXPECT_EQ(FindEnumerant(OperandKind::kDecoration, 0x7fffffff), nullptr);
  EXPECT_EQ(FindEnumerant(OperandKind::kImageOperands, 8)->name, "ConstOffset");
  EXPECT_EQ(FindEnumerant(OperandKind::kImageOperands, 12), nullptr);
  const EnumerantInfo* ray_query =
      FindEnumerant(OperandKind::kCapability, static_cast<uint32_t>(spv::Capability::RayQueryKHR));
  EXPECT_EQ(ray_query->version, kNoVersion);
  ASSERT_FALSE(ray_query->extensions.empty());
  EXPECT_EQ(ray_query->extensions.front(), "SPV_KHR_ray_query");
  EXPECT_EQ(FindEnumerant(OperandKind::kCapability, static_cast<uint32_t>(spv::Capability::ShaderNonUniform))->version,
            0x00010500u);
}

TEST(Grammar, EnumerantsAreSorted) {
  for (uint32_t kind = 0; kind <= static_cast<uint32_t>(OperandKind::kPairIdRefIdRef); ++kind) {
    uint64_t next = 0;
    for (const EnumerantInfo& enumerant : InfoOf(static_cast<OperandKind>(kind)).enumerants) {
      EXPECT_GE(enumerant.value, next);
      next = uint64_t{enumerant.value} + 1;
      EXPECT_EQ(FindEnumerant(static_cast<OperandKind>(kind), enumerant.value), &enumerant);
    }
  }
}

TEST(Grammar, Kinds) {
  EXPECT_EQ(InfoOf(OperandKind::kIdRef).category, OperandCategory::kId);
  EXPECT_EQ(InfoOf(OperandKind::kLiteralString).category, OperandCategory::kLiteral);
  EXPECT_EQ(InfoOf(OperandKind::kMemoryAccess).category, OperandCategory::kBitEnum);
  EXPECT_TRUE(InfoOf(OperandKind::kMemoryAccess).has_parameters);
  EXPECT_FALSE(InfoOf(OperandKind::kStorageClass).has_parameters);
  EXPECT_EQ(InfoOf(OperandKind::kPairLiteralIntegerIdRef).parts.size(), 2u);
}

TEST(Grammar, ExtendedSets) {
  const ExtendedSetInfo* glsl = FindExtendedSet("GLSL.std.450");
  ASSERT_NE(glsl, nullptr);
  EXPECT_TRUE(glsl->has_ids_only);
  EXPECT_EQ(FindExtendedInstruction(*glsl, 31)->name, "Sqrt");
  EXPECT_EQ(FindExtendedInstruction(*glsl, 10000), nullptr);
  const ExtendedSetInfo* opencl = FindExtendedSet("OpenCL.std");
  ASSERT_NE(opencl, nullptr);
  EXPECT_FALSE(opencl->has_ids_only);
  EXPECT_TRUE(FindExtendedSet("NonSemantic.Shader.DebugInfo.100")->has_ids_only);
  EXPECT_FALSE(FindExtendedSet("OpenCL.DebugInfo.100")->has_ids_only);
  EXPECT_EQ(FindExtendedSet("NonSemantic.Unheard"), nullptr);
}

TEST(Grammar, Names) {
  EXPECT_EQ(NameOf(spv::Op::OpLoad), "OpLoad");
  EXPECT_EQ(NameOf(static_cast<spv::Op>(0xfff0)), "unknown opcode");
  EXPECT_GE(NewestVersion(), 0x00010600u);
}

}  // namespace
}  // namespace assay::spirv_instrument
