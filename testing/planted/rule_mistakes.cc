// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes with objects that are in use or destroyed, and calls that are always wrong, whatever comes before or after.

#include <vector>

#include "gtest/gtest.h"
#include "testing/planted/commands.h"
#include "testing/planted/planted.h"
#include "testing/planted/shaders/triangle_vert.h"

namespace assay::planted {
namespace {

// A pipeline that draws depth alone. It draws lists and enables primitive restart, which is not allowed for lists
// unless a dynamic state replaces the one or the other.
Pipeline MakeListPipeline(Engine& engine, const std::vector<VkDynamicState>& dynamic_states) {
  const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                 .module = engine.MakeShader(k_triangle_vert),
                                                 .pName = "main"};
  const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .primitiveRestartEnable = VK_TRUE};
  const VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineDepthStencilStateCreateInfo depth = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = VK_TRUE,
      .depthWriteEnable = VK_TRUE,
      .depthCompareOp = VK_COMPARE_OP_LESS};
  const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                    .dynamicStateCount = static_cast<uint32_t>(dynamic_states.size()),
                                                    .pDynamicStates = dynamic_states.data()};
  const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                   .depthAttachmentFormat = kDepthFormat};
  Pipeline pipeline = {.bind_point = VK_PIPELINE_BIND_POINT_GRAPHICS, .layout = engine.MakePipelineLayout({})};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .pNext = &rendering,
                                             .stageCount = 1,
                                             .pStages = &stage,
                                             .pVertexInputState = &input,
                                             .pInputAssemblyState = &assembly,
                                             .pViewportState = &viewport,
                                             .pRasterizationState = &rasterization,
                                             .pMultisampleState = &multisample,
                                             .pDepthStencilState = &depth,
                                             .pColorBlendState = &blend,
                                             .pDynamicState = &dynamic,
                                             .layout = pipeline.layout};
  EXPECT_EQ(engine.vk.CreateGraphicsPipelines(engine.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline.handle),
            VK_SUCCESS);
  engine.Defer(pipeline.handle, [this_device = &engine, handle = pipeline.handle] {
    this_device->vk.DestroyPipeline(this_device->device, handle, nullptr);
  });
  return pipeline;
}

}  // namespace

std::vector<Mistake> RuleMistakes() {
  return {
      {"command_buffer_recorded_again_too_early",
       "The fence of a frame in flight is forgotten, and its command buffer recorded again.",
       {"VUID-vkBeginCommandBuffer-commandBuffer-00049"},
       [](Engine& engine, Bug bug) {
         const Buffer constants = engine.MakeBuffer("constants");
         const VkCommandBuffer commands = engine.Record([&](Commands& c) { c.Update(constants); });
         engine.Submit(engine.Queue(), {commands});
         bug ? engine.LetFinish() : engine.WaitIdle();
         engine.Begin(commands);
         engine.End(commands);
         engine.WaitIdle();
       }},
      {"staging_buffer_destroyed_too_early",
       "A staging buffer is destroyed as soon as its upload is submitted.",
       {"VUID-vkDestroyBuffer-buffer-00922"},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), mesh = engine.MakeBuffer("mesh");
         engine.Submit([&](Commands& c) { c.Copy(staging, mesh); });
         bug ? engine.LetFinish() : engine.WaitIdle();
         engine.DestroyNow(staging);
       }},
      {"pool_reset_too_early",
       "The command pool of a frame is reset while the frame is in flight.",
       {"VUID-vkResetCommandPool-commandPool-00040"},
       [](Engine& engine, Bug bug) {
         const Buffer constants = engine.MakeBuffer("constants");
         const VkCommandPool pool = engine.MakeCommandPool();
         const VkCommandBufferAllocateInfo info = {
             .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = 1};
         VkCommandBuffer commands = VK_NULL_HANDLE;
         engine.vk.AllocateCommandBuffers(engine.device, &info, &commands);
         engine.Begin(commands);
         Commands(engine, commands).Update(constants);
         engine.End(commands);
         engine.Submit(engine.Queue(), {commands});
         bug ? engine.LetFinish() : engine.WaitIdle();
         engine.vk.ResetCommandPool(engine.device, pool, 0);
       }},
      {"fence_reset_too_early",
       "A fence is reset before a frame that has not waited for it.",
       {"VUID-vkResetFences-pFences-01123"},
       [](Engine& engine, Bug bug) {
         const Buffer constants = engine.MakeBuffer("constants");
         const VkFence fence = engine.MakeFence();
         engine.Submit([&](Commands& c) { c.Update(constants); }, {.fence = fence});
         bug ? engine.LetFinish() : engine.WaitIdle();
         engine.vk.ResetFences(engine.device, 1, &fence);
       }},
      {"staging_buffer_destroyed_after_the_first_half",
       "A staging buffer is destroyed when the first half of an upload is there, not the second.",
       {"VUID-vkDestroyBuffer-buffer-00922"},
       [](Engine& engine, Bug bug) {
         const Buffer first = engine.MakeBuffer("first"), second = engine.MakeBuffer("second");
         const Buffer mesh = engine.MakeBuffer("mesh"), sky = engine.MakeBuffer("sky");
         const VkSemaphore uploads = engine.MakeTimeline();
         constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
         engine.Submit([&](Commands& c) { c.Copy(first, mesh); }, {.signals = {Engine::At(uploads, kAll, 2)}});
         engine.Submit([&](Commands& c) { c.Copy(second, sky); }, {.signals = {Engine::At(uploads, kAll, 5)}});
         // Only the signal of 5 can end a wait for 3.
         const uint64_t value = bug ? 2 : 3;
         const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                           .semaphoreCount = 1,
                                           .pSemaphores = &uploads,
                                           .pValues = &value};
         engine.vk.WaitSemaphores(engine.device, &info, UINT64_MAX);
         if (bug) engine.LetFinish();
         engine.DestroyNow(second);
       }},
      {"layout_of_a_batch_that_waits",
       "A batch that waits until the host has streamed a texture in names the layout of a render target for it.",
       {"VUID-VkImageMemoryBarrier2-oldLayout-01197"},
       [](Engine& engine, Bug bug) {
         const Texture streamed = engine.MakeTexture("streamed");
         const VkSemaphore loaded = engine.MakeTimeline();
         engine.Run([&](Commands& c) { c.Barrier(streamed, kUndefined, kCopyTarget); });
         engine.Submit(
             [&](Commands& c) {
               c.Barrier(streamed, kCopyTarget.In(bug ? kColorTarget.layout : kCopyTarget.layout), kFragmentSampled);
             },
             {.waits = {Engine::At(loaded, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 1)}});
         const VkSemaphoreSignalInfo info = {
             .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = loaded, .value = 1};
         engine.vk.SignalSemaphore(engine.device, &info);
         engine.WaitIdle();
       }},
      {"buffer_destroyed_before_submission",
       "A buffer is destroyed between the recording and the submission of a copy from it.",
       {"VUID-vkQueueSubmit2-commandBuffer-03874"},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), mesh = engine.MakeBuffer("mesh");
         const VkCommandBuffer upload = engine.Record([&](Commands& c) { c.Copy(staging, mesh); });
         if (bug) engine.DestroyNow(staging);
         engine.SkipWrongCalls();
         engine.Submit(engine.Queue(), {upload});
         engine.WaitIdle();
       }},
      {"copy_while_rendering",
       "An object's data is uploaded when it is first drawn, in the middle of a pass.",
       {"VUID-vkCmdUpdateBuffer-renderpass"},
       [](Engine& engine, Bug bug) {
         const Buffer constants = engine.MakeBuffer("constants");
         const Texture frame = engine.MakeTexture("frame");
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           if (!bug) c.Update(constants);
           c.Render({Cleared(frame)}, [&] {
             if (bug) c.Update(constants);
           });
         });
       }},
      {"access_that_its_stage_cannot_make",
       "The barrier's access was changed with the code and its stage was not.",
       {"VUID-VkMemoryBarrier2-dstAccessMask-03902"},
       [](Engine& engine, Bug bug) {
         const Buffer vertices = engine.MakeBuffer("vertices");
         const Pipeline skin = engine.MakeCompute({}, {vertices});
         engine.Run([&](Commands& c) {
           c.Dispatch(skin);
           c.Barrier(kComputeWrite, bug ? kVertices.At(VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT) : kVertices);
         });
       }},
      {"texture_layout_for_what_is_no_texture",
       "A render target is moved to the layout of textures without the usage of one.",
       {"VUID-VkImageMemoryBarrier2-oldLayout-01211"},
       [](Engine& engine, Bug bug) {
         const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
         Texture frame = {
             engine.MakeImage(kColorFormat, kSide, kSide, bug ? usage : usage | VK_IMAGE_USAGE_SAMPLED_BIT)};
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Barrier(frame, kColorTarget, kFragmentSampled);
         });
       }},
      {"uploaded_in_the_layout_of_textures",
       "The upload names the layout that the texture is to have after it.",
       {"VUID-vkCmdCopyBufferToImage-dstImageLayout-00180", "VUID-vkCmdCopyBufferToImage-dstImageLayout-01396"},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging");
         const Texture albedo = engine.MakeTexture("albedo");
         engine.Run([&](Commands& c) {
           c.Barrier(albedo, kUndefined, kCopyTarget);
           c.Upload(staging, albedo, bug ? kFragmentSampled.layout : kCopyTarget.layout);
           c.Barrier(albedo, kCopyTarget, kFragmentSampled);
         });
       }},
      {"primitive_restart_without_its_dynamic_state",
       "Pipelines enable primitive restart and commands turn it off for lists, but one pipeline does not let them.",
       {"VUID-VkPipelineInputAssemblyStateCreateInfo-topology-06252"},
       [](Engine& engine, Bug bug) {
         std::vector<VkDynamicState> states = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
         if (!bug) states.push_back(VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE);
         const Pipeline casters = MakeListPipeline(engine, states);
         const Texture shadows = engine.MakeDepth("shadow map");
         engine.Run([&](Commands& c) {
           c.Barrier(shadows, kUndefined, kDepthTarget);
           c.Render({Cleared(shadows)}, [&] {
             c.Bind(casters);
             if (!bug) engine.vk.CmdSetPrimitiveRestartEnable(c, VK_FALSE);
             engine.vk.CmdDraw(c, 3, 1, 0, 0);
           });
         });
       }},
      {"buffer_used_after_it_was_destroyed",
       "A cache keeps the handle of a buffer that is gone.",
       {"VUID-vkCmdFillBuffer-dstBuffer-parameter"},
       [](Engine& engine, Bug bug) {
         const Buffer cached = engine.MakeBuffer("cached");
         if (bug) engine.DestroyNow(cached);
         engine.SkipWrongCalls();
         engine.Record([&](Commands& c) { c.Fill(cached); });
       }},
  };
}

}  // namespace assay::planted
