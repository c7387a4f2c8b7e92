// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors that lie in buffers: they are read themselves, whatever they lead to.

#include <string_view>
#include <vector>

#include "syncval/fixture/draw_sync_test.h"
#include "syncval/shaders/descriptor_array.h"
#include "syncval/shaders/fragment_array.h"
#include "syncval/shaders/fragment_storage_write.h"
#include "testing/shaders.h"

namespace assay::syncval {
namespace {

constexpr VkAccessFlags2 kDescriptorRead = VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT;
constexpr VkPipelineStageFlags2 kFragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
constexpr VkPipelineBindPoint kComputePoint = VK_PIPELINE_BIND_POINT_COMPUTE;
constexpr VkPipelineBindPoint kGraphicsPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
// Where the buffer is bound from, and what the driver needs for a descriptor. Bytes.
constexpr VkDeviceSize kBegin = 256;
constexpr VkDeviceSize kDescriptor = 64;

class SyncDescriptorBuffer : public DrawSyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = DrawSyncTest::Options();
    options.device_extensions = {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    DrawSyncTest::SetUp();
    layout_ = MakePipelineLayout({MakeLayout({{0}, {1}})});
    // Of the two descriptors of its set it uses the second.
    compute_ = MakeComputePipeline(layout_, MakeShader(test::ComputeShader({.reads = {}, .writes = {1}})));
    descriptors_ = MakeDescriptors();
  }
  VkDescriptorSetLayout MakeLayout(const std::vector<test::Binding>& bindings) {
    return MakeSetLayout(bindings, VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  }
  test::Buffer MakeDescriptors() {
    return MakeBuffer(1024, VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  }
  VkPipeline MakeDraws() { return MakePipeline({.layout = layout_, .fragment = k_fragment_storage_write}); }

  void BindBuffers(VkCommandBuffer c, const std::vector<VkBuffer>& buffers) {
    std::vector<VkDescriptorBufferBindingInfoEXT> infos;
    for (VkBuffer buffer : buffers) {
      const VkBufferDeviceAddressInfo of = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
      infos.push_back({.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                       .address = vk.GetBufferDeviceAddress(device, &of) + kBegin,
                       .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT});
    }
    vk.CmdBindDescriptorBuffersEXT(c, static_cast<uint32_t>(infos.size()), infos.data());
  }
  void SetOffset(VkCommandBuffer c, VkDeviceSize offset, uint32_t buffer = 0,
                 VkPipelineBindPoint point = kComputePoint) {
    vk.CmdSetDescriptorBufferOffsetsEXT(c, point, layout_, 0, 1, &buffer, &offset);
  }
  // Recording, with the buffers and a pipeline bound.
  VkCommandBuffer Bound(const std::vector<VkBuffer>& buffers) {
    VkCommandBuffer c = Begun();
    BindBuffers(c, buffers);
    vk.CmdBindPipeline(c, kComputePoint, compute_);
    return c;
  }
  void DispatchAt(VkCommandBuffer c, VkDeviceSize offset, uint32_t buffer = 0) {
    SetOffset(c, offset, buffer);
    vk.CmdDispatch(c, 1, 1, 1);
  }
  void Expect(const char* id, VkPipelineStageFlags2 stage) {
    const test::Message message = ExpectMessage(id);
    const Masks fix = ParseFix(message.text);
    EXPECT_EQ(fix.dst_stages, stage);
    EXPECT_EQ(fix.dst_access, kDescriptorRead);
    EXPECT_NE(message.text.find("for the descriptor at set 0, binding "), std::string::npos) << message.text;
  }

  VkPipeline compute_ = VK_NULL_HANDLE;
  test::Buffer descriptors_;
};
class NegativeSyncDescriptorBuffer : public SyncDescriptorBuffer {};
class PositiveSyncDescriptorBuffer : public SyncDescriptorBuffer {};

// ---- Dispatches

TEST_F(NegativeSyncDescriptorBuffer, WrittenBefore) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_, kBegin + 3 * kDescriptor, kDescriptor);
  DispatchAt(c, 0);
  DispatchAt(c, kDescriptor);
  DispatchAt(c, 3 * kDescriptor);
  ExpectNothing();
  DispatchAt(c, 2 * kDescriptor);
  Expect(kReadAfterWrite, kCompute);
}
TEST_F(PositiveSyncDescriptorBuffer, WrittenBefore) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  Barrier(c, {kClear, kWrite, kCompute, kDescriptorRead});
  for (VkDeviceSize offset = 0; offset < 4 * kDescriptor; offset += kDescriptor) DispatchAt(c, offset);
}
// Only the descriptors are made visible by a barrier for them, not what they lead to, and the other way round.
TEST_F(NegativeSyncDescriptorBuffer, BarrierForOtherReads) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  Barrier(c, {kClear, kWrite, kCompute, kStorageRead | kStorageWrite});
  DispatchAt(c, 0);
  Expect(kReadAfterWrite, kCompute);
}
TEST_F(NegativeSyncDescriptorBuffer, WrittenAfterwards) {
  VkCommandBuffer c = Bound({descriptors_});
  DispatchAt(c, 0);
  Fill(c, descriptors_, kBegin, kDescriptor);
  Fill(c, descriptors_, kBegin + 2 * kDescriptor, kDescriptor);
  ExpectNothing();
  Fill(c, descriptors_, kBegin + kDescriptor, kDescriptor);
  ExpectMessage(kWriteAfterRead);
}
TEST_F(PositiveSyncDescriptorBuffer, WrittenAfterwards) {
  VkCommandBuffer c = Bound({descriptors_});
  DispatchAt(c, 0);
  Barrier(c, {kCompute, 0, kClear, 0});
  Fill(c, descriptors_);
}
TEST_F(NegativeSyncDescriptorBuffer, IndirectDispatch) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  SetOffset(c, 0);
  vk.CmdDispatchIndirect(c, MakeBuffer(64), 0);
  Expect(kReadAfterWrite, kCompute);
}
TEST_F(NegativeSyncDescriptorBuffer, SecondOfTwoBuffers) {
  const test::Buffer other = MakeDescriptors();
  VkCommandBuffer c = Bound({other, descriptors_});
  Fill(c, descriptors_);
  DispatchAt(c, 0, 0);
  ExpectNothing();
  DispatchAt(c, 0, 1);
  Expect(kReadAfterWrite, kCompute);
}
TEST_F(NegativeSyncDescriptorBuffer, NewerCommand) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  const uint32_t buffer = 0;
  const VkDeviceSize offset = 0;
  const VkSetDescriptorBufferOffsetsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SET_DESCRIPTOR_BUFFER_OFFSETS_INFO_EXT,
                                                    .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                                    .layout = layout_,
                                                    .setCount = 1,
                                                    .pBufferIndices = &buffer,
                                                    .pOffsets = &offset};
  vk.CmdSetDescriptorBufferOffsets2EXT(c, &info);
  vk.CmdDispatch(c, 1, 1, 1);
  Expect(kReadAfterWrite, kCompute);
}
// The pipeline layout keeps what the set's own layout said.
TEST_F(NegativeSyncDescriptorBuffer, SetLayoutDestroyed) {
  VkDescriptorSetLayout set_layout = MakeLayout({{0}, {1}});
  layout_ = MakePipelineLayout({set_layout});
  DestroyNow(set_layout);
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_, kBegin + kDescriptor, 4);
  DispatchAt(c, 0);
  Expect(kReadAfterWrite, kCompute);
}

// ---- What else takes a set number's place

TEST_F(PositiveSyncDescriptorBuffer, SetInItsPlace) {
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0}, {1}});
  VkPipelineLayout layout = MakePipelineLayout({set_layout});
  VkDescriptorSet set = MakeSet(set_layout);
  WriteBuffer(set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MakeBuffer(64));
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  SetOffset(c, 0);
  vk.CmdBindDescriptorSets(c, kComputePoint, layout, 0, 1, &set, 0, nullptr);
  vk.CmdDispatch(c, 1, 1, 1);
}
TEST_F(PositiveSyncDescriptorBuffer, EmbeddedSamplersInItsPlace) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  SetOffset(c, 0);
  vk.CmdBindDescriptorBufferEmbeddedSamplersEXT(c, kComputePoint, layout_, 0);
  vk.CmdDispatch(c, 1, 1, 1);
  SetOffset(c, 0);
  const VkBindDescriptorBufferEmbeddedSamplersInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_BUFFER_EMBEDDED_SAMPLERS_INFO_EXT,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
      .layout = layout_};
  vk.CmdBindDescriptorBufferEmbeddedSamplers2EXT(c, &info);
  vk.CmdDispatch(c, 1, 1, 1);
}
TEST_F(NegativeSyncDescriptorBuffer, InPlaceOfASet) {
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0}, {1}});
  VkPipelineLayout layout = MakePipelineLayout({set_layout});
  VkDescriptorSet set = MakeSet(set_layout);
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  vk.CmdBindDescriptorSets(c, kComputePoint, layout, 0, 1, &set, 0, nullptr);
  DispatchAt(c, 0);
  Expect(kReadAfterWrite, kCompute);
}
// Other buffers take the place of all, and offsets into those that were are gone.
TEST_F(PositiveSyncDescriptorBuffer, BuffersBoundAnew) {
  VkCommandBuffer c = Bound({descriptors_});
  SetOffset(c, 0);
  BindBuffers(c, {descriptors_});
  Fill(c, descriptors_);
  vk.CmdDispatch(c, 1, 1, 1);
}
TEST_F(PositiveSyncDescriptorBuffer, RecordedAnew) {
  VkCommandBuffer c = Bound({descriptors_});
  SetOffset(c, 0);
  End(c);
  Begin(c);
  Fill(c, descriptors_);
  vk.CmdBindPipeline(c, kComputePoint, compute_);
  vk.CmdDispatch(c, 1, 1, 1);
  // Nor is the buffer bound any more.
  DispatchAt(c, 0);
}
TEST_F(PositiveSyncDescriptorBuffer, BadInput) {
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_);
  vk.CmdBindPipeline(c, kComputePoint, compute_);
  // Before a buffer is bound.
  DispatchAt(c, 0);
  vk.CmdBindDescriptorBuffersEXT(c, 0, nullptr);
  vk.CmdBindDescriptorBuffersEXT(c, 1, nullptr);
  // An address of no buffer.
  const VkDescriptorBufferBindingInfoEXT nowhere = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                                                    .address = 1};
  vk.CmdBindDescriptorBuffersEXT(c, 1, &nowhere);
  DispatchAt(c, 0);
  BindBuffers(c, {descriptors_});
  // No such buffer, no such set, no such place, no such layout.
  DispatchAt(c, 0, 1);
  DispatchAt(c, 0, ~0u);
  DispatchAt(c, VkDeviceSize{1} << 63);
  DispatchAt(c, 4096);
  const uint32_t buffer = 0;
  const VkDeviceSize offset = 0;
  vk.CmdSetDescriptorBufferOffsetsEXT(c, kComputePoint, layout_, ~0u, 1, &buffer, &offset);
  vk.CmdSetDescriptorBufferOffsetsEXT(c, kComputePoint, layout_, 0, 1, &buffer, nullptr);
  vk.CmdSetDescriptorBufferOffsetsEXT(c, kComputePoint, VK_NULL_HANDLE, 0, 1, &buffer, &offset);
  vk.CmdDispatch(c, 1, 1, 1);
  vk.CmdSetDescriptorBufferOffsets2EXT(c, nullptr);
  vk.CmdBindDescriptorBufferEmbeddedSamplers2EXT(c, nullptr);
  SetOffset(c, 0);
  test::Buffer gone = MakeDescriptors();
  BindBuffers(c, {gone});
  SetOffset(c, 0);
  DestroyNow(gone.handle);
  vk.CmdDispatch(c, 1, 1, 1);
}

// ---- Arrays

TEST_F(PositiveSyncDescriptorBuffer, ElementThatMayBeUnused) {
  layout_ = MakePipelineLayout({MakeLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}, {1}})});
  VkPipeline pipeline = MakeComputePipeline(layout_, MakeShader(k_descriptor_array));
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_, kBegin, kDescriptor);
  vk.CmdBindPipeline(c, kComputePoint, pipeline);
  DispatchAt(c, 0);
}

TEST_F(NegativeSyncDescriptorBuffer, FirstOfArray) {
  layout_ = MakePipelineLayout({MakeLayout({{0}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}})});
  VkPipeline pipeline = MakeComputePipeline(layout_, MakeShader(test::ComputeShader({.reads = {}, .writes = {1}})));
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_, kBegin + kDescriptor, kDescriptor);
  vk.CmdBindPipeline(c, kComputePoint, pipeline);
  DispatchAt(c, 0);
  Expect(kReadAfterWrite, kCompute);
}

// ---- What need not be read

// Samples an image of binding 0 with the sampler of binding 1.
constexpr char kSamples[] = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %texture %sampler
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %texture DescriptorSet 0
OpDecorate %texture Binding 0
OpDecorate %sampler DescriptorSet 0
OpDecorate %sampler Binding 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%zero = OpConstant %float 0
%place = OpConstantComposite %vec2 %zero %zero
%image_type = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampler_type = OpTypeSampler
%sampled_type = OpTypeSampledImage %image_type
%image_pointer = OpTypePointer UniformConstant %image_type
%sampler_pointer = OpTypePointer UniformConstant %sampler_type
%texture = OpVariable %image_pointer UniformConstant
%sampler = OpVariable %sampler_pointer UniformConstant
%main = OpFunction %void None %function
%label = OpLabel
%image = OpLoad %image_type %texture
%with = OpLoad %sampler_type %sampler
%sampled = OpSampledImage %sampled_type %image %with
%texel = OpImageSampleExplicitLod %vec4 %sampled %place Lod %zero
OpReturn
OpFunctionEnd
)";

class SyncUnreadDescriptor : public SyncDescriptorBuffer {
 protected:
  // One dispatch of the shader, with the descriptor of binding 1 just written.
  void DispatchWith(std::string_view shader, const VkDescriptorSetLayoutBinding& second,
                    VkDescriptorType first = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VkDescriptorBindingFlags flags = 0) {
    const VkDescriptorSetLayoutBinding bindings[] = {{0, first, 1, VK_SHADER_STAGE_ALL, nullptr}, second};
    const VkDescriptorBindingFlags of_bindings[] = {0, flags};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 2, of_bindings};
    const VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &flags_info,
                                                  VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT, 2,
                                                  bindings};
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateDescriptorSetLayout(device, &info, nullptr, &set_layout), VK_SUCCESS);
    Defer(set_layout, [=, this] { vk.DestroyDescriptorSetLayout(device, set_layout, nullptr); });
    layout_ = MakePipelineLayout({set_layout});
    VkPipeline pipeline = MakeComputePipeline(layout_, MakeShader(shader));
    VkCommandBuffer c = Bound({descriptors_});
    Fill(c, descriptors_, kBegin + kDescriptor, kDescriptor);
    vk.CmdBindPipeline(c, kComputePoint, pipeline);
    DispatchAt(c, 0);
  }
};
class NegativeSyncUnreadDescriptor : public SyncUnreadDescriptor {};
class PositiveSyncUnreadDescriptor : public SyncUnreadDescriptor {};

TEST_F(NegativeSyncUnreadDescriptor, Sampler) {
  DispatchWith(kSamples, {1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, nullptr});
  Expect(kReadAfterWrite, kCompute);
}
TEST_F(PositiveSyncUnreadDescriptor, ImmutableSampler) {
  const VkSampler sampler = MakeSampler();
  DispatchWith(kSamples, {1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, &sampler});
}
TEST_F(NegativeSyncUnreadDescriptor, Bound) {
  DispatchWith(test::ComputeShader({.reads = {}, .writes = {1}}),
               {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, nullptr},
               VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  Expect(kReadAfterWrite, kCompute);
}
TEST_F(PositiveSyncUnreadDescriptor, PartiallyBound) {
  DispatchWith(test::ComputeShader({.reads = {}, .writes = {1}}),
               {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, nullptr},
               VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT);
}

// ---- Draws

TEST_F(NegativeSyncDescriptorBuffer, Draw) {
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_, kBegin + kDescriptor, kDescriptor);
  BindBuffers(c, {descriptors_});
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeDraws());
  SetOffset(c, 0, 0, kGraphicsPoint);
  for (int i = 0; i < 2; ++i) vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectNothing();
  // All is like before but for the offset.
  SetOffset(c, kDescriptor, 0, kGraphicsPoint);
  vk.CmdDraw(c, 3, 1, 0, 0);
  Expect(kReadAfterWrite, kFragment);
}
TEST_F(NegativeSyncDescriptorBuffer, DrawWithOtherBuffer) {
  const test::Buffer other = MakeDescriptors();
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_);
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeDraws());
  BindBuffers(c, {other});
  SetOffset(c, 0, 0, kGraphicsPoint);
  vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectNothing();
  // The same number and the same offset.
  BindBuffers(c, {descriptors_});
  SetOffset(c, 0, 0, kGraphicsPoint);
  vk.CmdDraw(c, 3, 1, 0, 0);
  Expect(kReadAfterWrite, kFragment);
}
TEST_F(PositiveSyncDescriptorBuffer, Draw) {
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_);
  Barrier(c, {kClear, kWrite, kFragment, kDescriptorRead});
  BindBuffers(c, {descriptors_});
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeDraws());
  for (VkDeviceSize offset : {0, 64, 0}) {
    SetOffset(c, offset, 0, kGraphicsPoint);
    vk.CmdDraw(c, 3, 1, 0, 0);
  }
}
// The shader uses the last of three alone.
TEST_F(PositiveSyncDescriptorBuffer, DrawWithOtherElement) {
  layout_ = MakePipelineLayout({MakeLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 3}})});
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_, kBegin, kDescriptor);
  BindBuffers(c, {descriptors_});
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakePipeline({.layout = layout_, .fragment = k_fragment_array}));
  SetOffset(c, 0, 0, kGraphicsPoint);
  vk.CmdDraw(c, 3, 1, 0, 0);
}
// Of the other bind point.
TEST_F(PositiveSyncDescriptorBuffer, OffsetsOfOtherPoint) {
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_);
  BindBuffers(c, {descriptors_});
  SetOffset(c, 0, 0, kComputePoint);
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeDraws());
  vk.CmdDraw(c, 3, 1, 0, 0);
}

}  // namespace
}  // namespace assay::syncval
