// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Bindings and dynamic state of draws.

#include "state/hooks/state_test.h"

namespace assay::state {
namespace {

class DrawStateTest : public StateTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = StateTest::Options();
    options.device_extensions = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                                 VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
                                 VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME,
                                 VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
                                 VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME,
                                 VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME,
                                 VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                 VK_EXT_ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_EXTENSION_NAME,
                                 VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    StateTest::SetUp();
    commands = MakeCommandBuffer();
    Begin(commands);
  }
  const DrawState& State() { return DeviceState::Get(commands)->draw; }
  // Makes a call that changes the state, then one that undoes it; true if the key changed and changed back.
  template <class A, class B>
  bool KeyFollows(A&& change, B&& restore) {
    restore();
    const uint64_t before = State().key();
    change();
    const uint64_t changed = State().key();
    change();
    const bool is_stable = State().key() == changed;
    restore();
    return changed != before && is_stable && State().key() == before;
  }

  VkCommandBuffer commands = VK_NULL_HANDLE;
};

TEST_F(DrawStateTest, VertexBuffers) {
  test::Buffer a = MakeBuffer(1024), b = MakeBuffer(256);
  VkBuffer buffers[] = {a, b, VK_NULL_HANDLE};
  VkDeviceSize offsets[] = {64, 1000, 0};
  vk.CmdBindVertexBuffers(commands, 3, 3, buffers, offsets);
  EXPECT_EQ(State().vertex_bindings(), 0b111000u);
  EXPECT_EQ(State().vertex_buffer(3).buffer, a.handle);
  EXPECT_EQ(State().vertex_buffer(3).size, 960u);
  EXPECT_EQ(State().vertex_buffer(3).address, StateOf<Buffer>(a.handle)->address + 64);
  // It begins where there is nothing any more.
  EXPECT_EQ(State().vertex_buffer(4).size, 0u);
  EXPECT_EQ(State().vertex_buffer(5).address, 0u);
  VkDeviceSize sizes[] = {16, VK_WHOLE_SIZE, 0}, strides[] = {12, 20, 0};
  offsets[1] = 0;
  vk.CmdBindVertexBuffers2(commands, 3, 3, buffers, offsets, sizes, strides);
  EXPECT_EQ(State().vertex_buffer(3).size, 16u);
  EXPECT_EQ(State().vertex_buffer(3).stride, 12u);
  EXPECT_EQ(State().vertex_buffer(4).size, 256u);
  // Strides stay until others are given.
  vk.CmdBindVertexBuffers2(commands, 3, 3, buffers, offsets, nullptr, nullptr);
  EXPECT_EQ(State().vertex_buffer(3).size, 960u);
  EXPECT_EQ(State().vertex_buffer(3).stride, 12u);
  vk.CmdBindVertexBuffers(commands, 31, 1, buffers, offsets);
  EXPECT_EQ(State().vertex_buffer(31).buffer, a.handle);
}
TEST_F(DrawStateTest, BadVertexBuffers) {
  driver().CheckHandles(false);
  test::Buffer a = MakeBuffer(1024);
  VkBuffer buffers[] = {a, a};
  VkDeviceSize offsets[] = {0, 0};
  DestroyNow(a);
  vk.CmdBindVertexBuffers(commands, 31, 2, buffers, offsets);
  EXPECT_EQ(State().vertex_buffer(31).size, 0u);
  EXPECT_EQ(State().vertex_buffer(31).address, 0u);
  vk.CmdBindVertexBuffers(commands, ~0u, 1, buffers, offsets);
  vk.CmdBindVertexBuffers(commands, 0, 1, buffers, nullptr);
  vk.CmdBindVertexBuffers2(commands, 32, 1, buffers, offsets, nullptr, nullptr);
  vk.CmdBindVertexBuffers(commands, 5, 0, nullptr, nullptr);
  EXPECT_EQ(State().vertex_bindings(), 0x80000001u);
}
TEST_F(DrawStateTest, IndexBuffer) {
  test::Buffer a = MakeBuffer(1024);
  vk.CmdBindIndexBuffer(commands, a, 24, VK_INDEX_TYPE_UINT32);
  EXPECT_EQ(State().index_buffer().size, 1000u);
  EXPECT_EQ(State().index_type(), VK_INDEX_TYPE_UINT32);
  vk.CmdBindIndexBuffer2(commands, a, 24, 6, VK_INDEX_TYPE_UINT16);
  EXPECT_EQ(State().index_buffer().size, 6u);
  EXPECT_TRUE(KeyFollows([&] { vk.CmdBindIndexBuffer(commands, a, 0, VK_INDEX_TYPE_UINT32); },
                         [&] { vk.CmdBindIndexBuffer(commands, a, 0, VK_INDEX_TYPE_UINT16); }));
  vk.CmdBindIndexBuffer(commands, VK_NULL_HANDLE, 0, VK_INDEX_TYPE_UINT32);
  EXPECT_EQ(State().index_buffer().size, 0u);
}
TEST_F(DrawStateTest, TransformFeedback) {
  test::Buffer a = MakeBuffer(1024), counter = MakeBuffer(64);
  VkBuffer buffers[] = {a, a}, counters[] = {VK_NULL_HANDLE, counter};
  VkDeviceSize offsets[] = {0, 512}, sizes[] = {VK_WHOLE_SIZE, 16};
  vk.CmdBindTransformFeedbackBuffersEXT(commands, 2, 2, buffers, offsets, sizes);
  EXPECT_EQ(State().transform_feedback_buffer(2).size, 1024u);
  EXPECT_EQ(State().transform_feedback_buffer(3).size, 16u);
  EXPECT_FALSE(State().transform_feedback_is_active());
  const uint64_t key = State().key();
  vk.CmdBeginTransformFeedbackEXT(commands, 0, 2, counters, nullptr);
  EXPECT_TRUE(State().transform_feedback_is_active());
  EXPECT_EQ(State().counter_buffer(0).buffer, VkBuffer{VK_NULL_HANDLE});
  EXPECT_EQ(State().counter_buffer(1).size, 4u);
  EXPECT_NE(State().key(), key);
  vk.CmdEndTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
  EXPECT_FALSE(State().transform_feedback_is_active());
  EXPECT_EQ(State().counter_buffer(1).size, 0u);
  EXPECT_EQ(State().key(), key);
  vk.CmdBindTransformFeedbackBuffersEXT(commands, 3, 2, buffers, offsets, nullptr);
  EXPECT_EQ(State().transform_feedback_buffer(3).size, 1024u);
}
TEST_F(DrawStateTest, ConditionalRendering) {
  test::Buffer a = MakeBuffer(1024);
  VkConditionalRenderingBeginInfoEXT info = {VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, nullptr, a, 32, 0};
  const uint64_t key = State().key();
  vk.CmdBeginConditionalRenderingEXT(commands, &info);
  EXPECT_EQ(State().predicate().size, 4u);
  EXPECT_EQ(State().predicate().offset, 32u);
  EXPECT_NE(State().key(), key);
  vk.CmdEndConditionalRenderingEXT(commands);
  EXPECT_EQ(State().predicate().buffer, VkBuffer{VK_NULL_HANDLE});
  EXPECT_EQ(State().key(), key);
}

TEST_F(DrawStateTest, KeyDoesNotDependOnTheOrderOfCalls) {
  test::Buffer a = MakeBuffer(1024), b = MakeBuffer(1024);
  VkDeviceSize zero = 0;
  const auto bind = [&](uint32_t binding, VkBuffer buffer) {
    vk.CmdBindVertexBuffers(commands, binding, 1, &buffer, &zero);
  };
  bind(0, a);
  bind(1, b);
  const uint64_t key = State().key();
  bind(0, b);
  EXPECT_NE(State().key(), key);
  bind(1, a);
  // The same two, the other way round.
  EXPECT_NE(State().key(), key);
  bind(1, b);
  bind(0, a);
  EXPECT_EQ(State().key(), key);
  zero = 4;
  bind(0, a);
  EXPECT_NE(State().key(), key);
}

TEST_F(DrawStateTest, EveryFunctionIsInTheKey) {
  const auto follows = [&](auto&& set, auto on, auto off) { return KeyFollows([&] { set(on); }, [&] { set(off); }); };
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetPrimitiveTopology(commands, v); }, VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetPrimitiveRestartEnable(commands, v); }, VK_TRUE, VK_FALSE));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetRasterizerDiscardEnable(commands, v); }, VK_TRUE, VK_FALSE));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetCullMode(commands, v); }, VK_CULL_MODE_BACK_BIT, VK_CULL_MODE_NONE));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetDepthTestEnable(commands, v); }, VK_TRUE, VK_FALSE));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetDepthWriteEnable(commands, v); }, VK_TRUE, VK_FALSE));
  EXPECT_TRUE(
      follows([&](auto v) { vk.CmdSetDepthCompareOp(commands, v); }, VK_COMPARE_OP_LESS, VK_COMPARE_OP_GREATER));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetDepthBoundsTestEnable(commands, v); }, VK_TRUE, VK_FALSE));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetStencilTestEnable(commands, v); }, VK_TRUE, VK_FALSE));
  EXPECT_TRUE(follows(
      [&](auto v) {
        vk.CmdSetStencilOp(commands, VK_STENCIL_FACE_BACK_BIT, VK_STENCIL_OP_KEEP, v, VK_STENCIL_OP_KEEP,
                           VK_COMPARE_OP_LESS);
      },
      VK_STENCIL_OP_ZERO, VK_STENCIL_OP_KEEP));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetStencilCompareMask(commands, VK_STENCIL_FACE_FRONT_BIT, v); }, 7u, 0u));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetStencilWriteMask(commands, VK_STENCIL_FACE_FRONT_BIT, v); }, 7u, 0u));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetRasterizationSamplesEXT(commands, v); }, VK_SAMPLE_COUNT_4_BIT,
                      VK_SAMPLE_COUNT_1_BIT));
  EXPECT_TRUE(follows([&](VkBool32 v) { vk.CmdSetColorWriteEnableEXT(commands, 1, &v); }, VK_TRUE, VK_FALSE));
  EXPECT_TRUE(follows([&](VkColorComponentFlags v) { vk.CmdSetColorWriteMaskEXT(commands, 3, 1, &v); }, 1u, 2u));
  EXPECT_TRUE(follows([&](VkBool32 v) { vk.CmdSetColorBlendEnableEXT(commands, 3, 1, &v); }, VK_TRUE, VK_FALSE));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetLogicOpEnableEXT(commands, v); }, VK_TRUE, VK_FALSE));
  EXPECT_TRUE(follows([&](auto v) { vk.CmdSetLogicOpEXT(commands, v); }, VK_LOGIC_OP_AND, VK_LOGIC_OP_OR));
  EXPECT_TRUE(follows([&](VkImageAspectFlags v) { vk.CmdSetAttachmentFeedbackLoopEnableEXT(commands, v); },
                      VK_IMAGE_ASPECT_COLOR_BIT, 0));
  EXPECT_TRUE(follows(
      [&](VkFragmentShadingRateCombinerOpKHR v) {
        const VkExtent2D size = {1, 1};
        const VkFragmentShadingRateCombinerOpKHR ops[] = {VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR, v};
        vk.CmdSetFragmentShadingRateKHR(commands, &size, ops);
      },
      VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MAX_KHR, VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR));
  EXPECT_EQ(State().set_functions(), kAllFixedFunctions);
}
TEST_F(DrawStateTest, EachFaceAndAttachmentIsSetByItself) {
  vk.CmdSetStencilWriteMask(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
  vk.CmdSetStencilWriteMask(commands, VK_STENCIL_FACE_BACK_BIT, 2);
  EXPECT_EQ(State().dynamic().stencil_write_masks, (StencilMasks{1, 2}));
  VkBool32 both[] = {VK_FALSE, VK_TRUE};
  vk.CmdSetColorBlendEnableEXT(commands, 2, 2, both);
  EXPECT_EQ(State().dynamic().blend_enables, 0b1000u);
  vk.CmdSetColorWriteEnableEXT(commands, 2, both);
  EXPECT_EQ(State().dynamic().color_write_enables, ~1u);
  VkColorComponentFlags none = 0;
  vk.CmdSetColorWriteMaskEXT(commands, 1, 1, &none);
  EXPECT_FALSE(State().dynamic().WritesColor(0));
  EXPECT_FALSE(State().dynamic().WritesColor(1));
  EXPECT_TRUE(State().dynamic().WritesColor(2));
  EXPECT_TRUE(State().dynamic().ReadsColor(3));
  EXPECT_FALSE(State().dynamic().ReadsColor(2));
  // Past the end.
  vk.CmdSetColorWriteMaskEXT(commands, ~0u, 1, &none);
  vk.CmdSetColorBlendEnableEXT(commands, 31, 2, both);
}
TEST_F(DrawStateTest, VertexInput) {
  VkVertexInputBindingDescription2EXT bindings[] = {
      {VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, nullptr, 2, 24, VK_VERTEX_INPUT_RATE_INSTANCE, 3},
      {VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, nullptr, 99, 24, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
  VkVertexInputAttributeDescription2EXT attribute = {
      VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, nullptr, 5, 2, VK_FORMAT_R32G32_SFLOAT, 8};
  vk.CmdSetVertexInputEXT(commands, 2, bindings, 1, &attribute);
  const VertexInput& input = State().dynamic_vertex_input();
  EXPECT_EQ(input.described_bindings, 0b100u);
  EXPECT_EQ(input.bindings[2].stride, 24u);
  EXPECT_EQ(input.bindings[2].divisor, 3u);
  EXPECT_EQ(input.bindings[2].rate, VK_VERTEX_INPUT_RATE_INSTANCE);
  ASSERT_EQ(input.attribute_count, 1u);
  EXPECT_EQ(input.attributes[0].offset, 8u);
  EXPECT_EQ(State().vertex_buffer(2).stride, 24u);
  EXPECT_TRUE(KeyFollows([&] { vk.CmdSetVertexInputEXT(commands, 1, bindings, 1, &attribute); },
                         [&] { vk.CmdSetVertexInputEXT(commands, 1, bindings, 0, nullptr); }));
  EXPECT_EQ(input.attribute_count, 0u);
}
TEST_F(DrawStateTest, ShadersAndPipelinesReplaceEachOther) {
  driver().CheckHandles(false);
  const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_COMPUTE_BIT,
                                          VK_SHADER_STAGE_MESH_BIT_EXT};
  const VkShaderEXT shaders[] = {reinterpret_cast<VkShaderEXT>(1), reinterpret_cast<VkShaderEXT>(2), VK_NULL_HANDLE};
  const uint64_t key = State().key();
  vk.CmdBindShadersEXT(commands, 3, stages, shaders);
  EXPECT_TRUE(State().has_graphics_shaders());
  EXPECT_EQ(State().shader(VK_SHADER_STAGE_VERTEX_BIT), shaders[0]);
  EXPECT_EQ(State().shader(VK_SHADER_STAGE_COMPUTE_BIT), shaders[1]);
  EXPECT_EQ(State().shader(VK_SHADER_STAGE_MISS_BIT_KHR), VkShaderEXT{VK_NULL_HANDLE});
  EXPECT_NE(State().key(), key);
  vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, VK_NULL_HANDLE);
  EXPECT_FALSE(State().has_graphics_shaders());
  EXPECT_EQ(State().shader(VK_SHADER_STAGE_VERTEX_BIT), VkShaderEXT{VK_NULL_HANDLE});
  EXPECT_EQ(State().shader(VK_SHADER_STAGE_COMPUTE_BIT), shaders[1]);
  vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, VK_NULL_HANDLE);
  EXPECT_EQ(State().key(), key);
  vk.CmdBindShadersEXT(commands, 1, stages, shaders);
  EXPECT_TRUE(State().has_graphics_shaders());
  vk.CmdBindShadersEXT(commands, 1, stages, nullptr);
  EXPECT_FALSE(State().has_graphics_shaders());
}
TEST_F(DrawStateTest, EachRecordingBeginsWithDefaults) {
  const uint64_t key = State().key();
  test::Buffer a = MakeBuffer(1024);
  vk.CmdBindIndexBuffer(commands, a, 0, VK_INDEX_TYPE_UINT32);
  vk.CmdSetDepthTestEnable(commands, VK_TRUE);
  End(commands);
  Begin(commands);
  EXPECT_EQ(State().key(), key);
  EXPECT_EQ(State().set_functions(), 0u);
  EXPECT_EQ(State().index_buffer().buffer, VkBuffer{VK_NULL_HANDLE});
}

TEST(FixedFunctions, StencilIsWrittenIfAnOperationCanHappen) {
  FixedFunctions functions;
  functions.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  functions.stencil_write_masks = {~0u, ~0u};
  functions.stencil_faces[0] = {.pass_op = VK_STENCIL_OP_REPLACE, .compare_op = VK_COMPARE_OP_ALWAYS};
  EXPECT_FALSE(functions.WritesStencil());
  functions.stencil_test = true;
  EXPECT_TRUE(functions.WritesStencil());
  functions.cull_mode = VK_CULL_MODE_FRONT_BIT;
  EXPECT_FALSE(functions.WritesStencil());
  // Lines are never culled.
  functions.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  EXPECT_TRUE(functions.WritesStencil());
  functions.stencil_write_masks[0] = 0;
  EXPECT_FALSE(functions.WritesStencil());
  functions.stencil_write_masks[0] = 1;
  // What never passes never replaces; what always passes never fails.
  functions.stencil_faces[0].compare_op = VK_COMPARE_OP_NEVER;
  EXPECT_FALSE(functions.WritesStencil());
  functions.stencil_faces[0] = {.fail_op = VK_STENCIL_OP_ZERO, .compare_op = VK_COMPARE_OP_ALWAYS};
  EXPECT_FALSE(functions.WritesStencil());
  functions.stencil_faces[0] = {.depth_fail_op = VK_STENCIL_OP_ZERO, .compare_op = VK_COMPARE_OP_ALWAYS};
  EXPECT_FALSE(functions.WritesStencil());
  functions.depth_test = true;
  EXPECT_TRUE(functions.WritesStencil());
  functions.depth_compare_op = VK_COMPARE_OP_ALWAYS;
  EXPECT_FALSE(functions.WritesStencil());
  functions.depth_bounds_test = true;
  EXPECT_TRUE(functions.WritesStencil());
}
TEST(FixedFunctions, PolygonsAreCulledFromBothSides) {
  FixedFunctions functions;
  functions.cull_mode = VK_CULL_MODE_FRONT_BIT;
  EXPECT_FALSE(functions.CullsPolygons());
  functions.cull_mode |= VK_CULL_MODE_BACK_BIT;
  EXPECT_TRUE(functions.CullsPolygons());
  EXPECT_TRUE(IsPolygon(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN));
  EXPECT_FALSE(IsPolygon(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP));
}
TEST(FixedFunctions, LogicOperationsReplaceBlending) {
  FixedFunctions functions;
  functions.blend_enables = 1;
  EXPECT_TRUE(functions.ReadsColor(0));
  functions.logic_op_enable = true;
  EXPECT_FALSE(functions.ReadsColor(0));
  functions.logic_op = VK_LOGIC_OP_XOR;
  EXPECT_TRUE(functions.ReadsColor(1));
  functions.color_write_enables = 1;
  EXPECT_FALSE(functions.ReadsColor(1));
  EXPECT_TRUE(functions.WritesColor(kMaxColorAttachments));
}

}  // namespace
}  // namespace assay::state
