// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/tracking/tracked_objects.h"

#include <cstdint>
#include <string_view>

#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/module_facts.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kShader = R"(
    OpCapability Shader
    OpCapability RayQueryKHR
    OpExtension "SPV_KHR_ray_query"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %101
    OpExecutionMode %main LocalSize 1 1 1
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %90 = OpConstant %uint 1
    %91 = OpConstant %uint 2
    %query = OpTypeRayQueryKHR
    %row = OpTypeArray %query %91
    %rows = OpTypeArray %row %91
    %p_query = OpTypePointer Function %query
    %p_private = OpTypePointer Private %query
    %p_row = OpTypePointer Function %row
    %p_rows = OpTypePointer Function %rows
    %p_uint = OpTypePointer Function %uint
    %101 = OpVariable %p_private Private
    %use_type = OpTypeFunction %void %p_query
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %100 = OpVariable %p_query Function
    %102 = OpVariable %p_rows Function
    %103 = OpVariable %p_uint Function
    %104 = OpVariable %p_query Function
    %110 = OpAccessChain %p_query %102 %90 %91
    %111 = OpAccessChain %p_row %102 %90
    %112 = OpAccessChain %p_query %111 %91
    %113 = OpCopyObject %p_query %100
    %c0 = OpFunctionCall %void %always %100
    %c1 = OpFunctionCall %void %always %100
    %c2 = OpFunctionCall %void %sometimes %100
    %c3 = OpFunctionCall %void %sometimes %104
    OpReturn
    OpFunctionEnd
    %always = OpFunction %void None %use_type
    %120 = OpFunctionParameter %p_query
    %always_entry = OpLabel
    OpReturn
    OpFunctionEnd
    %sometimes = OpFunction %void None %use_type
    %121 = OpFunctionParameter %p_query
    %sometimes_entry = OpLabel
    OpReturn
    OpFunctionEnd
)";

class Tracked : public testing::Test {
 protected:
  TrackedObject Find(uint32_t id) {
    EXPECT_TRUE(module_.Find(Id{id})) << id;
    return objects_.Find(Id{id});
  }

  Module module_ = ReadAssembly(kShader);
  ModuleFacts facts_{module_};
  TrackedObjects objects_{facts_};
};

TEST_F(Tracked, AreVariables) {
  EXPECT_EQ(Find(100).variable, Id{100});
  EXPECT_TRUE(Find(100).indices.empty());
  EXPECT_EQ(Find(101).variable, Id{101});
  EXPECT_EQ(Find(113).variable, Id{100});
}

TEST_F(Tracked, AreInArrays) {
  for (uint32_t id : {110u, 112u}) {
    const TrackedObject object = Find(id);
    EXPECT_EQ(object.variable, Id{102});
    ASSERT_EQ(object.indices.size(), 2u);
    EXPECT_EQ(object.indices[0], Id{90});
    EXPECT_EQ(object.indices[1], Id{91});
  }
  // A row is no query.
  EXPECT_FALSE(Find(111));
  EXPECT_FALSE(Find(102));
}

TEST_F(Tracked, ArePassedToFunctions) {
  EXPECT_EQ(Find(120).variable, Id{100});
  EXPECT_FALSE(Find(121));
}

TEST_F(Tracked, AreForgottenWherePassed) {
  objects_.ForgetPassed();
  EXPECT_TRUE(objects_.IsForgotten(Id{100}));
  for (uint32_t id : {100u, 104u, 113u, 120u}) EXPECT_FALSE(Find(id)) << id;
  // No function gets these.
  EXPECT_EQ(Find(101).variable, Id{101});
  EXPECT_EQ(Find(110).variable, Id{102});
}

TEST_F(Tracked, AreQueriesAndHitObjectsOnly) {
  EXPECT_FALSE(Find(103));
  EXPECT_FALSE(objects_.Find(kNoId));
}

}  // namespace
}  // namespace assay::spirv_instrument
