// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/operands/ray_operands.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kLastOpcode = 0x2000;

TEST(RayInstructions, HasAllThatNameAQueryOrAHitObject) {
  uint32_t count = 0;
  for (uint32_t opcode = 0; opcode < kLastOpcode; ++opcode) {
    const OpcodeInfo* info = FindOpcode(opcode);
    if (info == nullptr || !(info->name.starts_with("OpRayQuery") || info->name.starts_with("OpHitObject"))) continue;
    ++count;
    const RayInstruction* ray = FindRayInstruction(static_cast<spv::Op>(opcode));
    ASSERT_NE(ray, nullptr) << info->name;
    EXPECT_EQ(ray->op, static_cast<spv::Op>(opcode));
    EXPECT_NE(ray->initializes, ray->uses) << info->name;
  }
  EXPECT_GT(count, 40u);
}

TEST(RayInstructions, HasRaysWithinTheOperandsOfTheirInstruction) {
  for (const RayInstruction& ray : RayInstructions()) {
    if (!ray.has_ray()) continue;
    const OpcodeInfo* info = FindOpcode(static_cast<uint32_t>(ray.op));
    ASSERT_NE(info, nullptr);
    EXPECT_LT(ray.flags, ray.origin) << info->name;
    ASSERT_LT(ray.largest_t(), info->operands.size()) << info->name;
    // The time, and nothing but the payload, follows.
    const uint32_t last = ray.time == RayInstruction::kAbsent ? ray.largest_t() : ray.time;
    EXPECT_LE(info->operands.size() - 1 - last, 1u) << info->name;
    EXPECT_TRUE(ray.time == RayInstruction::kAbsent || ray.time == ray.largest_t() + 1) << info->name;
  }
}

TEST(RayInstructions, KnowsWhatOneDoes) {
  const RayInstruction* initialize = FindRayInstruction(spv::Op::OpRayQueryInitializeKHR);
  ASSERT_NE(initialize, nullptr);
  EXPECT_TRUE(initialize->initializes);
  EXPECT_EQ(initialize->flags, 2);
  EXPECT_EQ(initialize->direction(), 6);
  const RayInstruction* trace = FindRayInstruction(spv::Op::OpTraceRayKHR);
  ASSERT_NE(trace, nullptr);
  EXPECT_FALSE(trace->initializes || trace->uses);
  const RayInstruction* barycentrics = FindRayInstruction(spv::Op::OpRayQueryGetIntersectionBarycentricsKHR);
  ASSERT_NE(barycentrics, nullptr);
  EXPECT_EQ(barycentrics->need, IntersectionNeed::kTriangle);
  EXPECT_EQ(FindRayInstruction(spv::Op::OpLoad), nullptr);
  EXPECT_EQ(FindRayInstruction(spv::Op::OpTypeRayQueryKHR), nullptr);
}

}  // namespace
}  // namespace assay::spirv_instrument
