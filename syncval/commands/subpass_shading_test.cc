// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of subpass shading, whose shader runs like a compute shader for the render area.

#include <cstdint>
#include <string_view>
#include <vector>

#include "syncval/fixture/sync_test.h"
#include "testing/shaders.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr uint32_t kSide = 64;
constexpr VkPipelineStageFlags2 kShading = VK_PIPELINE_STAGE_2_SUBPASS_SHADER_BIT_HUAWEI;
constexpr VkPipelineStageFlags2 kColorOutput = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkAccessFlags2 kColorWrite = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
constexpr VkAccessFlags2 kInputRead = VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;

// Reads the input attachment at set 0, binding 0.
constexpr std::string_view kReadsInput =
    "OpCapability Shader\n"
    "OpCapability InputAttachment\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %input\n"
    "OpExecutionMode %main LocalSize 1 1 1\n"
    "OpDecorate %input DescriptorSet 0\n"
    "OpDecorate %input Binding 0\n"
    "OpDecorate %input InputAttachmentIndex 0\n"
    "%void = OpTypeVoid\n"
    "%function = OpTypeFunction %void\n"
    "%int = OpTypeInt 32 1\n"
    "%float = OpTypeFloat 32\n"
    "%int2 = OpTypeVector %int 2\n"
    "%float4 = OpTypeVector %float 4\n"
    "%zero = OpConstant %int 0\n"
    "%here = OpConstantComposite %int2 %zero %zero\n"
    "%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n"
    "%pointer = OpTypePointer UniformConstant %image\n"
    "%input = OpVariable %pointer UniformConstant\n"
    "%main = OpFunction %void None %function\n"
    "%entry = OpLabel\n"
    "%loaded = OpLoad %image %input\n"
    "%texel = OpImageRead %float4 %loaded %here\n"
    "OpReturn\n"
    "OpFunctionEnd\n";

class SyncSubpassShading : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.device_extensions = {VK_HUAWEI_SUBPASS_SHADING_EXTENSION_NAME};
    return options;
  }

  Compute MakeShading(std::string_view shader, VkDescriptorType type) {
    Compute shading;
    shading.set_layout = MakeSetLayout({{0, type}});
    shading.layout = MakePipelineLayout({shading.set_layout});
    shading.set = MakeSet(shading.set_layout);
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI,
                                                  .module = MakeShader(shader),
                                                  .pName = "main"},
                                        .layout = shading.layout};
    EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &shading.pipeline), VK_SUCCESS);
    Defer(shading.pipeline, [this, pipeline = shading.pipeline] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return shading;
  }
  Compute MakeStorageShading(VkBuffer buffer) {
    const Compute shading =
        MakeShading(test::ComputeShader({.reads = {}, .writes = {0}}), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    WriteStorage(shading, 0, buffer);
    return shading;
  }
  void Shade(VkCommandBuffer c, const Compute& shading) {
    constexpr VkPipelineBindPoint kPoint = VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI;
    vk.CmdBindPipeline(c, kPoint, shading.pipeline);
    vk.CmdBindDescriptorSets(c, kPoint, shading.layout, 0, 1, &shading.set, 0, nullptr);
    vk.CmdSubpassShadingHUAWEI(c);
  }

  VkRenderPass MakeRenderPass(const VkRenderPassCreateInfo2& info) {
    VkRenderPass render_pass = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateRenderPass2(device, &info, nullptr, &render_pass), VK_SUCCESS);
    Defer(render_pass, [=, this] { vk.DestroyRenderPass(device, render_pass, nullptr); });
    return render_pass;
  }
  void BeginPass(VkCommandBuffer c, VkRenderPass render_pass, const std::vector<VkImageView>& views) {
    const VkClearValue clear = {};
    const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = render_pass,
                                        .framebuffer = MakeFramebuffer(render_pass, views, kSide, kSide),
                                        .renderArea = {{0, 0}, {kSide, kSide}},
                                        .clearValueCount = 1,
                                        .pClearValues = &clear};
    vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
  }
  // In a render pass without attachments.
  void ShadeAlone(VkCommandBuffer c, const Compute& shading) {
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pipelineBindPoint = VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI};
    BeginPass(c,
              MakeRenderPass(
                  {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .subpassCount = 1, .pSubpasses = &subpass}),
              {});
    Shade(c, shading);
    vk.CmdEndRenderPass(c);
  }
  // The first subpass clears an attachment, which subpass shading reads in the second. `masks` are those of a
  // dependency between them.
  void ShadeCleared(VkCommandBuffer c, const Masks& masks) {
    VkImageView view = MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, kSide, kSide));
    const Compute shading = MakeShading(kReadsInput, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT);
    WriteImage(shading.set, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, view, VK_IMAGE_LAYOUT_GENERAL);
    const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                 .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                 .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference2 reference = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                              .attachment = 0,
                                              .layout = VK_IMAGE_LAYOUT_GENERAL,
                                              .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkSubpassDescription2 subpasses[] = {{.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                                .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                                .colorAttachmentCount = 1,
                                                .pColorAttachments = &reference},
                                               {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                                .pipelineBindPoint = VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI,
                                                .inputAttachmentCount = 1,
                                                .pInputAttachments = &reference}};
    const VkMemoryBarrier2 barrier = MemoryBarrier(masks);
    const VkSubpassDependency2 dependency = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, .pNext = &barrier, .srcSubpass = 0, .dstSubpass = 1};
    BeginPass(c,
              MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                              .attachmentCount = 1,
                              .pAttachments = &attachment,
                              .subpassCount = 2,
                              .pSubpasses = subpasses,
                              .dependencyCount = 1,
                              .pDependencies = &dependency}),
              {view});
    vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
    Shade(c, shading);
    vk.CmdEndRenderPass(c);
  }
};
class NegativeSyncSubpassShading : public SyncSubpassShading {};
class PositiveSyncSubpassShading : public SyncSubpassShading {};

TEST_F(NegativeSyncSubpassShading, StorageIsWritten) {
  const Buffer buffer = MakeBuffer(256);
  const Compute shading = MakeStorageShading(buffer);
  VkCommandBuffer c = Begun();
  Fill(c, buffer);
  ShadeAlone(c, shading);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncSubpassShading, WrittenStorageIsRead) {
  const Buffer buffer = MakeBuffer(256);
  const Compute shading = MakeStorageShading(buffer);
  VkCommandBuffer c = Begun();
  ShadeAlone(c, shading);
  Barrier(c, {kCompute, kStorageWrite, kCopy, kRead});
  Copy(c, buffer, MakeBuffer(64));
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncSubpassShading, StorageInOrder) {
  const Buffer buffer = MakeBuffer(256);
  const Compute shading = MakeStorageShading(buffer);
  VkCommandBuffer c = Begun();
  Fill(c, buffer);
  Barrier(c, {kClear, kWrite, kShading, kStorageWrite});
  ShadeAlone(c, shading);
  Barrier(c, {kShading, kStorageWrite, kCopy, kRead});
  Copy(c, buffer, MakeBuffer(64));
}

TEST_F(NegativeSyncSubpassShading, InputWithoutDependency) {
  // To another stage.
  ShadeCleared(Begun(), {kColorOutput, kColorWrite, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, kInputRead});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncSubpassShading, InputAfterADependency) {
  ShadeCleared(Begun(), {kColorOutput, kColorWrite, kShading, kInputRead});
}

}  // namespace
}  // namespace assay::syncval
