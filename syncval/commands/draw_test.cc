// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modelled accesses of draws besides attachments: to vertex, index and argument buffers, and through descriptors.

#include "syncval/fixture/draw_sync_test.h"
#include "syncval/shaders/captured.h"
#include "syncval/shaders/fragment_array.h"
#include "syncval/shaders/fragment_storage_write.h"
#include "testing/shaders.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr VkPipelineStageFlags2 kVertexInput = VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
constexpr VkAccessFlags2 kVertexRead = VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT;
constexpr VkPipelineStageFlags2 kIndexInput = VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT;
constexpr VkPipelineStageFlags2 kDrawIndirect = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;

class SyncDraw : public DrawSyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = DrawSyncTest::Options();
    options.device_extensions = {VK_EXT_MULTI_DRAW_EXTENSION_NAME, VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
                                 VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME, VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                 VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    DrawSyncTest::SetUp();
    buffer_ = MakeBuffer(1024);
  }
  // A command buffer that fills that range and then begins to render.
  VkCommandBuffer Filled(VkDeviceSize offset, VkDeviceSize size, VkPipeline pipeline) {
    VkCommandBuffer c = Begun();
    Fill(c, buffer_, offset, size);
    BeginRendering(c, Untouched(color_view_));
    BindPipeline(c, pipeline);
    return c;
  }
  void Expect(const char* id, VkPipelineStageFlags2 stage, VkAccessFlags2 access) {
    const Masks fix = ParseFix(ExpectMessage(id).text);
    EXPECT_EQ(fix.dst_stages, stage);
    EXPECT_EQ(fix.dst_access, access);
  }

  Buffer buffer_;
};
class NegativeSyncDraw : public SyncDraw {};
class PositiveSyncDraw : public SyncDraw {};

TEST_F(NegativeSyncDraw, Vertices) {
  // Vertices 2 to 4 are bytes 32 to 79.
  VkCommandBuffer c = Filled(76, 4, MakeVertexPipeline());
  BindVertices(c, buffer_);
  vk.CmdDraw(c, 3, 1, 2, 0);
  Expect(kReadAfterWrite, kVertexInput, kVertexRead);
}
TEST_F(PositiveSyncDraw, Vertices) {
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 32);
  Fill(c, buffer_, 80, 32);
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeVertexPipeline());
  BindVertices(c, buffer_);
  vk.CmdDraw(c, 3, 1, 2, 0);
  // Nothing is drawn.
  vk.CmdDraw(c, 3, 0, 0, 0);
  vk.CmdDraw(c, 0, 1, 0, 0);
  // The shader has no attributes.
  BindPipeline(c, plain_);
  vk.CmdDraw(c, 3, 1, 0, 0);
}
TEST_F(PositiveSyncDraw, VerticesAfterBarrier) {
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Barrier(c, {kClear, kWrite, kVertexInput, kVertexRead});
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeVertexPipeline());
  BindVertices(c, buffer_);
  for (int i = 0; i < 3; ++i) vk.CmdDraw(c, 3, 1, 0, 0);
}
TEST_F(NegativeSyncDraw, WriteAfterVertices) {
  VkCommandBuffer c = Begun();
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeVertexPipeline());
  BindVertices(c, buffer_, 16);
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdDraw(c, 3, 1, 6, 0);
  vk.CmdEndRendering(c);
  Fill(c, buffer_, 0, 16);
  Fill(c, buffer_, 64, 48);
  ExpectNothing();
  Fill(c, buffer_, 112, 4);
  ExpectMessage(kWriteAfterRead);
}
TEST_F(NegativeSyncDraw, Instances) {
  VkCommandBuffer c = Filled(16, 4, MakeVertexPipeline(VK_VERTEX_INPUT_RATE_INSTANCE));
  BindVertices(c, buffer_);
  vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectNothing();
  vk.CmdDraw(c, 3, 1, 0, 1);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncDraw, OtherVerticesOfTheSameState) {
  VkCommandBuffer c = Filled(96, 16, MakeVertexPipeline());
  BindVertices(c, buffer_);
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdDraw(c, 3, 1, 3, 0);
  ExpectNothing();
  vk.CmdDraw(c, 3, 1, 6, 0);
  ExpectMessage(kReadAfterWrite);
}

// Positions are bytes 0 to 15 of each 32; the shader does not read the others.
class SyncInterleaved : public SyncDraw {
 protected:
  VkCommandBuffer FilledPositions(VkDeviceSize offset, VkDeviceSize size) {
    VkCommandBuffer c = Filled(offset, size,
                               MakePipeline({.bindings = {{0, 32, VK_VERTEX_INPUT_RATE_VERTEX}},
                                             .attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}}}));
    BindVertices(c, buffer_);
    return c;
  }
};
class NegativeSyncInterleaved : public SyncInterleaved {};
class PositiveSyncInterleaved : public SyncInterleaved {};

TEST_F(PositiveSyncInterleaved, BetweenFewPositions) {
  VkCommandBuffer c = FilledPositions(48, 16);
  vk.CmdDraw(c, 3, 1, 0, 0);
}
TEST_F(NegativeSyncInterleaved, FewPositions) {
  VkCommandBuffer c = FilledPositions(76, 4);
  vk.CmdDraw(c, 3, 1, 0, 0);
  Expect(kReadAfterWrite, kVertexInput, kVertexRead);
}
TEST_F(PositiveSyncInterleaved, BetweenManyPositions) {
  VkCommandBuffer c = FilledPositions(48, 16);
  vk.CmdDraw(c, 30, 1, 0, 0);
}
TEST_F(NegativeSyncInterleaved, ManyPositions) {
  for (const VkDeviceSize begin : {0, 29 * 32}) {
    VkCommandBuffer c = FilledPositions(begin, 4);
    vk.CmdDraw(c, 30, 1, 0, 0);
    Expect(kReadAfterWrite, kVertexInput, kVertexRead);
  }
  VkCommandBuffer c = FilledPositions(0, VK_WHOLE_SIZE);
  vk.CmdDraw(c, 30, 1, 0, 0);
  Expect(kReadAfterWrite, kVertexInput, kVertexRead);
}
TEST_F(NegativeSyncInterleaved, WriteAfterManyPositions) {
  VkCommandBuffer c = FilledPositions(960, 4);
  vk.CmdDraw(c, 30, 1, 0, 0);
  vk.CmdEndRendering(c);
  Fill(c, buffer_, 16, 16);
  ExpectNothing();
  Fill(c, buffer_, 0, 960);
  ExpectMessage(kWriteAfterRead);
}

TEST_F(NegativeSyncDraw, Indices) {
  VkCommandBuffer c = Filled(12, 4, plain_);
  vk.CmdBindIndexBuffer(c, buffer_, 4, VK_INDEX_TYPE_UINT16);
  vk.CmdDrawIndexed(c, 4, 1, 0, 0, 0);
  ExpectNothing();
  vk.CmdDrawIndexed(c, 3, 1, 2, 0, 0);
  Expect(kReadAfterWrite, kIndexInput, VK_ACCESS_2_INDEX_READ_BIT);
}
// A possible read: some vertices are read, it is unknown which.
TEST_F(NegativeSyncDraw, IndexedVertices) {
  Buffer indices = MakeBuffer(64);
  VkCommandBuffer c = Filled(16, VK_WHOLE_SIZE, MakeVertexPipeline());
  vk.CmdBindIndexBuffer(c, indices, 0, VK_INDEX_TYPE_UINT16);
  BindVertices(c, buffer_);
  vk.CmdDrawIndexed(c, 3, 1, 0, 1, 0);
  Expect(kReadAfterWrite, kVertexInput, kVertexRead);
}
TEST_F(PositiveSyncDraw, IndexedVertices) {
  Buffer indices = MakeBuffer(64);
  VkCommandBuffer c = Filled(16, VK_WHOLE_SIZE, MakeVertexPipeline());
  vk.CmdBindIndexBuffer(c, indices, 0, VK_INDEX_TYPE_UINT16);
  BindVertices(c, buffer_);
  vk.CmdDrawIndexed(c, 3, 1, 0, 0, 0);
  vk.CmdEndRendering(c);
  Fill(c, buffer_, 0, 16);
}

TEST_F(NegativeSyncDraw, Indirect) {
  VkCommandBuffer c = Filled(40, 4, plain_);
  vk.CmdDrawIndirect(c, buffer_, 0, 2, 64);
  ExpectNothing();
  vk.CmdDrawIndirect(c, buffer_, 0, 3, 16);
  Expect(kReadAfterWrite, kDrawIndirect, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
}
TEST_F(NegativeSyncDraw, IndexedIndirect) {
  Buffer indices = MakeBuffer(64);
  VkCommandBuffer c = Filled(16, 4, plain_);
  vk.CmdBindIndexBuffer(c, indices, 0, VK_INDEX_TYPE_UINT16);
  vk.CmdDrawIndexedIndirect(c, buffer_, 20, 1, 20);
  ExpectNothing();
  vk.CmdDrawIndexedIndirect(c, buffer_, 0, 1, 20);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncDraw, IndirectCount) {
  Buffer count = MakeBuffer(64);
  VkCommandBuffer c = Filled(0, 16, plain_);
  // Of four draws perhaps only the first is executed, or none.
  vk.CmdDrawIndirectCount(c, buffer_, 0, count, 0, 4, 16);
  ExpectNothing();
  vk.CmdDrawIndirectCount(c, buffer_, 32, buffer_, 12, 4, 16);
  ExpectMessage(kReadAfterWrite);
  vk.CmdDrawIndirectCount(c, buffer_, 0, count, 0, 1, 16);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncDraw, MultiDraw) {
  const VkMultiDrawInfoEXT draws[] = {{0, 3}, {6, 3}, {0, 0}};
  VkCommandBuffer c = Filled(48, 48, MakeVertexPipeline());
  BindVertices(c, buffer_);
  vk.CmdDrawMultiEXT(c, 3, draws, 1, 0, sizeof(draws[0]));
  ExpectNothing();
  BindVertices(c, buffer_, 16);
  vk.CmdDrawMultiEXT(c, 1, draws, 1, 0, sizeof(draws[0]));
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncDraw, Predicate) {
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 8);
  VkConditionalRenderingBeginInfoEXT info = {VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, nullptr, buffer_,
                                             8, 0};
  vk.CmdBeginConditionalRenderingEXT(c, &info);
  vk.CmdEndConditionalRenderingEXT(c);
  ExpectNothing();
  info.offset = 4;
  vk.CmdBeginConditionalRenderingEXT(c, &info);
  Expect(kReadAfterWrite, VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
         VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT);
}
TEST_F(NegativeSyncDraw, TransformFeedbackCounter) {
  VkCommandBuffer c = Filled(0, 4, plain_);
  VkBuffer counter = buffer_;
  VkDeviceSize offset = 4;
  vk.CmdBeginTransformFeedbackEXT(c, 0, 1, &counter, &offset);
  vk.CmdEndTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
  ExpectNothing();
  vk.CmdBeginTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
  vk.CmdEndTransformFeedbackEXT(c, 0, 1, &counter, nullptr);
  Expect(kWriteAfterWrite, VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
         VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT);
}

// Transform feedback that goes on where it was, and counts on in place.
TEST_F(NegativeSyncDraw, TransformFeedbackResumes) {
  VkCommandBuffer c = Filled(64, 4, plain_);
  VkBuffer counter = buffer_;
  VkDeviceSize offset = 4;
  vk.CmdBeginTransformFeedbackEXT(c, 0, 1, &counter, &offset);
  vk.CmdEndTransformFeedbackEXT(c, 0, 1, &counter, &offset);
  ExpectNothing();
  vk.CmdBeginTransformFeedbackEXT(c, 0, 1, &counter, &offset);
  ExpectMessage(kReadAfterWrite);
  vk.CmdEndTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
}

TEST_F(NegativeSyncDraw, TransformFeedback) {
  DrawPipeline settings;
  settings.vertex = k_captured;
  VkCommandBuffer c = Filled(0, 128, MakePipeline(settings));
  VkBuffer buffer = buffer_;
  VkDeviceSize offset = 128, size = 64;
  vk.CmdBindTransformFeedbackBuffersEXT(c, 0, 1, &buffer, &offset, &size);
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdBeginTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
  // One behind the other.
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdDraw(c, 1, 1, 0, 0);
  vk.CmdDraw(c, 3, 1, 1, 0);
  vk.CmdEndTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
  ExpectNothing();
  BindPipeline(c, MakeVertexPipeline());
  BindVertices(c, buffer_, 128);
  vk.CmdDraw(c, 3, 1, 0, 0);
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("as transform feedback buffer 0"), std::string::npos) << message.text;
  EXPECT_NE(message.text.find("Between the two, end the render pass instance"), std::string::npos) << message.text;
}
TEST_F(NegativeSyncDraw, TransformFeedbackAfterFill) {
  DrawPipeline settings;
  settings.vertex = k_captured;
  VkCommandBuffer c = Filled(0, 128, MakePipeline(settings));
  VkBuffer buffer = buffer_;
  VkDeviceSize offset = 124;
  vk.CmdBindTransformFeedbackBuffersEXT(c, 0, 1, &buffer, &offset, nullptr);
  vk.CmdBeginTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
  vk.CmdDraw(c, 3, 1, 0, 0);
  Expect(kWriteAfterWrite, VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
         VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT);
}
TEST_F(NegativeSyncDraw, MeshTasks) {
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  Fill(c, buffer_, 0, 12);
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, plain_);
  vk.CmdDrawMeshTasksEXT(c, 1, 0, 1);
  ExpectNothing();
  vk.CmdDrawMeshTasksEXT(c, 1, 1, 1);
  ExpectMessage(kWriteAfterWrite);
  vk.CmdDrawMeshTasksIndirectEXT(c, buffer_, 12, 1, 12);
  vk.CmdDrawMeshTasksIndirectEXT(c, buffer_, 4, 0, 12);
  ExpectNothing();
  vk.CmdDrawMeshTasksIndirectEXT(c, buffer_, 8, 1, 12);
  ExpectMessage(kReadAfterWrite);
}
// Shader objects: only bound ones count.
TEST_F(NegativeSyncDraw, ShaderObject) {
  const std::vector<uint32_t> words = test::AssembleSpirv(test::VertexShader(1));
  VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                .codeSize = words.size() * sizeof(uint32_t),
                                .pCode = words.data(),
                                .pName = "main"};
  VkShaderEXT shader = VK_NULL_HANDLE;
  vk.CreateShadersEXT(device, 1, &info, nullptr, &shader);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 16);
  BeginRendering(c, Untouched(color_view_));
  VkVertexInputBindingDescription2EXT binding = {
      VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, nullptr, 0, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1};
  VkVertexInputAttributeDescription2EXT attribute = {
      VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, nullptr, 0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
  vk.CmdSetVertexInputEXT(c, 1, &binding, 1, &attribute);
  BindVertices(c, buffer_);
  vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectNothing();
  const VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
  vk.CmdBindShadersEXT(c, 1, &stage, &shader);
  vk.CmdDraw(c, 3, 1, 1, 0);
  ExpectNothing();
  vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectMessage(kReadAfterWrite);
  End(c);
  vk.DestroyShaderEXT(device, shader, nullptr);
}

TEST_F(NegativeSyncDraw, Storage) {
  VkPipeline pipeline = MakeFragmentPipeline(k_fragment_storage_write, {{0}});
  WriteBuffer(set_, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer_);
  VkCommandBuffer c = Filled(0, 4, pipeline);
  BindSet(c);
  vk.CmdDraw(c, 3, 1, 0, 0);
  Expect(kWriteAfterWrite, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, kStorageWrite);
  vk.CmdEndRendering(c);
  Copy(c, buffer_, MakeBuffer(64));
  ExpectMessage(kReadAfterWrite);
}
// Fragments of one render pass instance write their own places; no barrier could order them.
TEST_F(PositiveSyncDraw, StorageIsShared) {
  VkPipeline pipeline = MakeFragmentPipeline(k_fragment_storage_write, {{0}});
  WriteBuffer(set_, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer_);
  VkCommandBuffer c = Begun();
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, pipeline);
  BindSet(c);
  for (uint32_t i = 0; i < 4; ++i) vk.CmdDraw(c, 3, 1, 0, i / 2);
}
TEST_F(NegativeSyncDraw, StorageOfAnotherRendering) {
  VkPipeline pipeline = MakeFragmentPipeline(k_fragment_storage_write, {{0}});
  WriteBuffer(set_, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer_);
  VkCommandBuffer c = Begun();
  BindPipeline(c, pipeline);
  BindSet(c);
  BeginRendering(c, Untouched(color_view_));
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdEndRendering(c);
  BeginRendering(c, Untouched(MakeView(MakeImage(kColorFormat, kSide, kSide))));
  vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncDraw, ElementOfArray) {
  VkPipeline pipeline = MakeFragmentPipeline(k_fragment_array, {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 3}});
  for (uint32_t i = 0; i < 3; ++i)
    WriteBuffer(set_, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, buffer_, VkDeviceSize{i} * 256, 256, i);
  VkCommandBuffer c = Filled(0, 512, pipeline);
  BindSet(c);
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdEndRendering(c);
  ExpectNothing();
  Fill(c, buffer_, 512, 4);
  ExpectMessage(kWriteAfterRead);
}

}  // namespace
}  // namespace assay::syncval
