// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors in buffers that a shader need not read.

#include <string_view>

#include "syncval/commands/descriptor_buffer_test.h"
#include "testing/shaders.h"

namespace assay::syncval {
namespace {

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
  // Writes the descriptor of binding 1, then dispatches the shader.
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

}  // namespace
}  // namespace assay::syncval
