// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes between command buffers: secondaries, submissions, frames in flight, queues.

#include <cstring>

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"
#include "testing/planted/shaders/tint_frag.h"

namespace assay::planted {
namespace {

constexpr VkPipelineStageFlags2 kAllStages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;

void Execute(Engine& engine, Commands& c, const std::vector<VkCommandBuffer>& secondaries) {
  engine.vk.CmdExecuteCommands(c, static_cast<uint32_t>(secondaries.size()), secondaries.data());
}

// A buffer that stays mapped.
class Mapped {
 public:
  Mapped(Engine& engine, const char* name) : buffer(engine.MakeBuffer(name)), engine_(engine) {
    engine.vk.MapMemory(engine.device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &bytes_);
  }

  // Writes the whole buffer.
  void Write(int value) {
    std::memset(bytes_, value, kBytes);
    engine_.vk.FlushMappedMemoryRanges(engine_.device, 1, &all_);
  }
  void Read() {
    engine_.vk.InvalidateMappedMemoryRanges(engine_.device, 1, &all_);
    uint8_t pixels[kBytes];
    std::memcpy(pixels, bytes_, kBytes);
  }

  const Buffer buffer;

 private:
  const VkMappedMemoryRange all_ = {
      .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = buffer.memory, .size = VK_WHOLE_SIZE};
  Engine& engine_;
  void* bytes_ = nullptr;
};

void WaitFor(Engine& engine, VkFence fence) { engine.vk.WaitForFences(engine.device, 1, &fence, VK_TRUE, UINT64_MAX); }

}  // namespace

std::vector<Mistake> SubmissionMistakes() {
  return {
      {"secondary_reads_what_the_primary_writes",
       "A secondary command buffer was recorded by another thread, which knew nothing of the upload before it.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), lights = engine.MakeBuffer("lights");
         const Buffer clusters = engine.MakeBuffer("clusters");
         const Pipeline assign = engine.MakeCompute({lights}, {clusters});
         const VkCommandBuffer secondary = engine.RecordSecondary([&](Commands& c) { c.Dispatch(assign); });
         engine.Run([&](Commands& c) {
           c.Copy(staging, lights);
           if (!bug) c.Barrier(kCopyTarget, kComputeRead);
           Execute(engine, c, {secondary});
         });
       }},
      {"secondaries_that_depend_on_one_another",
       "Two secondaries go into one vkCmdExecuteCommands, and the second reads what the first writes.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer bones = engine.MakeBuffer("bones"), vertices = engine.MakeBuffer("vertices");
         const Pipeline animate = engine.MakeCompute({}, {bones});
         const Pipeline skin = engine.MakeCompute({bones}, {vertices});
         const VkCommandBuffer first = engine.RecordSecondary([&](Commands& c) {
           c.Dispatch(animate);
           if (!bug) c.Barrier(kComputeWrite, kComputeRead);
         });
         const VkCommandBuffer second = engine.RecordSecondary([&](Commands& c) { c.Dispatch(skin); });
         engine.Run([&](Commands& c) { Execute(engine, c, {first, second}); });
       }},
      {"upload_in_a_submission_of_its_own",
       "An upload is submitted before the frame that draws with it, as if submission order were enough.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), vertices = engine.MakeBuffer("vertices");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics({.vertex_buffers = 1});
         engine.Submit([&](Commands& c) {
           c.Copy(staging, vertices);
           if (!bug) c.Barrier(kCopyTarget, kVertices);
         });
         engine.Submit([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Render({Cleared(frame)}, [&] { c.Draw(mesh, vertices); });
         });
       }},
      {"mesh_uploaded_in_a_submission_of_its_own",
       "A mesh is drawn by its indices, so that it takes more than the draw to know which vertices it reads.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), vertices = engine.MakeBuffer("vertices");
         const Buffer indices = engine.MakeBuffer("indices");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics({.vertex_buffers = 1});
         engine.Run([&](Commands& c) { c.Fill(indices); });
         engine.Submit([&](Commands& c) { c.Copy(staging, vertices); });
         engine.Submit([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           if (!bug) c.Barrier(kCopyTarget, kVertices);
           c.Render({Cleared(frame)}, [&] { c.DrawIndexed(mesh, indices, vertices); });
         });
       }},
      {"command_buffer_submitted_every_frame",
       "A command buffer is recorded once and submitted every frame; it is in order with itself the first time only.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer histogram = engine.MakeBuffer("histogram");
         const VkCommandBuffer commands = engine.MakeCommandBuffer();
         engine.Begin(commands, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
         Commands c(engine, commands);
         if (!bug) c.Barrier(kClearTarget, kClearTarget);
         c.Fill(histogram);
         engine.End(commands);
         for (int frame = 0; frame < 2; ++frame) engine.Submit(engine.Queue(), {commands});
       }},
      {"frames_in_flight_share_uniforms",
       "The next frame updates the uniform buffer that the last one's draws may still read.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer tints[] = {engine.MakeBuffer("tint 0"), engine.MakeBuffer("tint 1")};
         for (int frame = 0; frame < 2; ++frame) {
           const Buffer& tint = tints[bug ? 0 : frame];
           const Texture target = engine.MakeTexture("target");
           const Pipeline object = engine.MakeGraphics({.resources = {Uniform(tint)}, .fragment = k_tint_frag});
           engine.Submit([&](Commands& c) {
             c.Barrier(target, kUndefined, kColorTarget);
             c.Update(tint, 16);
             c.Barrier(kClearTarget, kFragmentUniform);
             c.Render({Cleared(target)}, [&] { c.Draw(object); });
           });
         }
       }},
      {"frames_in_flight_share_depth",
       "There are as many color targets as frames in flight, and one depth image, which every frame clears at once.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture depth = engine.MakeDepth("depth");
         const Pipeline mesh = engine.MakeGraphics({.depth_format = kDepthFormat});
         for (int frame = 0; frame < 2; ++frame) {
           const Texture color = engine.MakeTexture("color");
           engine.Submit([&](Commands& c) {
             c.Barrier(color, kUndefined, kColorTarget);
             c.Barrier(depth, bug ? kUndefined : kDepthTarget.In(VK_IMAGE_LAYOUT_UNDEFINED), kDepthTarget);
             c.Render({Cleared(color), Cleared(depth)}, [&] { c.Draw(mesh); });
           });
         }
       }},
      {"fence_of_another_frame",
       "Before a staging buffer is used again, the host waits for the fence of the frame before the one that read it.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), mesh = engine.MakeBuffer("mesh");
         const Buffer sky = engine.MakeBuffer("sky");
         const VkFence fences[] = {engine.MakeFence(), engine.MakeFence()};
         engine.Submit([&](Commands& c) { c.Fill(sky); }, {.fence = fences[0]});
         engine.Submit([&](Commands& c) { c.Copy(staging, mesh); }, {.fence = fences[1]});
         engine.vk.WaitForFences(engine.device, 1, &fences[bug ? 0 : 1], VK_TRUE, UINT64_MAX);
         engine.Submit([&](Commands& c) { c.Update(staging); });
       }},
      {"host_waits_for_an_older_value",
       "The host waits until a ring's slot is free, for the value of a timeline that was signalled a lap before.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer ring = engine.MakeBuffer("ring"), mesh = engine.MakeBuffer("mesh");
         const VkSemaphore frames = engine.MakeTimeline();
         for (uint64_t frame = 1; frame <= 2; ++frame) {
           engine.Submit([&](Commands& c) { c.Copy(ring, mesh, 256, 256 * frame, 256 * frame); },
                         {.signals = {Engine::At(frames, kAllStages, frame)}});
         }
         const uint64_t value = bug ? 1 : 2;
         const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                           .semaphoreCount = 1,
                                           .pSemaphores = &frames,
                                           .pValues = &value};
         engine.vk.WaitSemaphores(engine.device, &info, UINT64_MAX);
         engine.Submit([&](Commands& c) { c.Fill(ring, 512, 256); });
       }},
      {"mapped_staging_buffer_rewritten_too_early",
       "A staging buffer stays mapped, and the next mesh is written and flushed while the last one's copy is pending.",
       {"SYNC-HAZARD-WRITE-RACING-READ"},
       [](Engine& engine, Bug bug) {
         Mapped staging(engine, "staging");
         const Buffer rock = engine.MakeBuffer("rock"), tree = engine.MakeBuffer("tree");
         const VkFence copied = engine.MakeFence();
         staging.Write(1);
         engine.Submit([&](Commands& c) { c.Copy(staging.buffer, rock); }, {.fence = copied});
         if (!bug) WaitFor(engine, copied);
         staging.Write(2);
         engine.Submit([&](Commands& c) { c.Copy(staging.buffer, tree); });
       }},
      {"screenshot_read_before_its_fence",
       "The host reads a screenshot back when its copy is submitted, and waits for the fence in the next frame.",
       {"SYNC-HAZARD-READ-RACING-WRITE"},
       [](Engine& engine, Bug bug) {
         Mapped screenshot(engine, "screenshot");
         const Buffer pixels = engine.MakeBuffer("pixels");
         const VkFence copied = engine.MakeFence();
         engine.Submit(
             [&](Commands& c) {
               c.Copy(pixels, screenshot.buffer);
               c.Barrier(kCopyTarget, kHostRead);
             },
             {.fence = copied});
         if (!bug) WaitFor(engine, copied);
         screenshot.Read();
         if (bug) WaitFor(engine, copied);
       }},
      {"semaphore_waited_for_too_late",
       "The frame waits for the simulation's semaphore where it outputs color, and fetches the vertices long before.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer particles = engine.MakeBuffer("particles");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline simulate = engine.MakeCompute({}, {particles});
         const Pipeline draw = engine.MakeGraphics({.vertex_buffers = 1});
         const VkSemaphore simulated = engine.MakeSemaphore();
         engine.Submit([&](Commands& c) { c.Dispatch(simulate); }, {.signals = {Engine::At(simulated, kAllStages)}});
         engine.Submit(
             [&](Commands& c) {
               c.Barrier(frame, kUndefined, kColorTarget);
               c.Render({Cleared(frame)}, [&] { c.Draw(draw, particles); });
             },
             {.waits = {Engine::At(simulated, bug ? kColorTarget.stages : kVertices.stages)}});
       }},
      {"semaphore_signalled_too_early",
       "The dispatch signals the semaphore, but the wait is meant for the copy after it.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer cells = engine.MakeBuffer("cells"), upload = engine.MakeBuffer("upload");
         const Buffer shared = engine.MakeBuffer("shared"), readback = engine.MakeBuffer("readback");
         const Pipeline simulate = engine.MakeCompute({}, {cells});
         const VkSemaphore ready = engine.MakeSemaphore();
         engine.Submit(
             [&](Commands& c) {
               c.Dispatch(simulate);
               c.Copy(upload, shared);
             },
             {.signals = {Engine::At(ready, bug ? kComputeWrite.stages : kComputeWrite.stages | kCopyTarget.stages)}});
         engine.Submit([&](Commands& c) { c.Copy(shared, readback); }, {.waits = {Engine::At(ready, kAllStages)}});
       }},
      {"timeline_value_of_the_frame_before",
       "The wait is for the value that the frame before the right one has signalled.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer state = engine.MakeBuffer("state"), readback = engine.MakeBuffer("readback");
         const Pipeline step = engine.MakeCompute({}, {state});
         const VkSemaphore steps = engine.MakeTimeline();
         for (uint64_t frame = 1; frame <= 2; ++frame) {
           engine.Submit([&](Commands& c) { c.Dispatch(step); }, {.waits = {Engine::At(steps, kAllStages, frame - 1)},
                                                                  .signals = {Engine::At(steps, kAllStages, frame)}});
         }
         engine.Submit([&](Commands& c) { c.Copy(state, readback); },
                       {.waits = {Engine::At(steps, kAllStages, bug ? 1 : 2)}});
       }},
      {"queues_without_a_semaphore",
       "A texture is uploaded on the transfer queue, and the graphics queue is not told to wait.",
       {"SYNC-HAZARD-READ-RACING-WRITE"},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), vertices = engine.MakeBuffer("vertices");
         const Buffer readback = engine.MakeBuffer("readback");
         const VkSemaphore uploaded = engine.MakeSemaphore();
         const auto upload = engine.Record(
             [&](Commands& c) {
               c.Copy(staging, vertices);
               c.TransferQueueFamilyOwnership(vertices, 1, 0, kCopyTarget, {});
             },
             1);
         engine.Submit(engine.Queue(1), {upload}, {.signals = {Engine::At(uploaded, kAllStages)}});
         Engine::SubmitOptions options;
         if (!bug) options.waits = {Engine::At(uploaded, kAllStages)};
         engine.Submit(
             [&](Commands& c) {
               c.TransferQueueFamilyOwnership(vertices, 1, 0, {kAllStages}, kCopySource);
               c.Copy(vertices, readback);
             },
             options);
       },
       {.second_queue_family = VK_QUEUE_TRANSFER_BIT}},
      {"image_acquired_without_a_semaphore",
       "The graphics queue acquires a texture from the transfer queue family without a wait for the upload's "
       "semaphore.",
       {"SYNC-HAZARD-WRITE-RACING-WRITE"},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), readback = engine.MakeBuffer("readback");
         const Texture rock = engine.MakeTexture("rock");
         const VkSemaphore uploaded = engine.MakeSemaphore();
         const auto upload = engine.Record(
             [&](Commands& c) {
               c.Barrier(rock, kUndefined, kCopyTarget);
               c.Upload(staging, rock);
               c.TransferQueueFamilyOwnership(rock, 1, 0, kCopyTarget, kCopySource.At(0).With(0));
             },
             1);
         engine.Submit(engine.Queue(1), {upload}, {.signals = {Engine::At(uploaded, kAllStages)}});
         Engine::SubmitOptions options;
         if (!bug) options.waits = {Engine::At(uploaded, kAllStages)};
         engine.Submit(
             [&](Commands& c) {
               c.TransferQueueFamilyOwnership(rock, 1, 0, kCopyTarget.At(kAllStages).With(0), kCopySource);
               c.Download(rock, readback);
             },
             options);
       },
       {.second_queue_family = VK_QUEUE_TRANSFER_BIT}},
      {"queue_family_ownership_transfer_without_release",
       "The graphics queue family acquires what was uploaded, but the transfer queue does not release it.",
       {"VUID-vkQueueSubmit2-commandBuffer-03879"},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), vertices = engine.MakeBuffer("vertices");
         const Buffer readback = engine.MakeBuffer("readback");
         const VkSemaphore uploaded = engine.MakeSemaphore();
         const auto upload = engine.Record(
             [&](Commands& c) {
               c.Copy(staging, vertices);
               if (!bug) c.TransferQueueFamilyOwnership(vertices, 1, 0, kCopyTarget, {});
             },
             1);
         engine.Submit(engine.Queue(1), {upload}, {.signals = {Engine::At(uploaded, kAllStages)}});
         engine.Submit(
             [&](Commands& c) {
               c.TransferQueueFamilyOwnership(vertices, 1, 0, {kAllStages}, kCopySource);
               c.Copy(vertices, readback);
             },
             {.waits = {Engine::At(uploaded, kAllStages)}});
       },
       {.second_queue_family = VK_QUEUE_TRANSFER_BIT}},
      {"async_compute_overwrites_what_is_drawn",
       "Async compute makes the next frame's particles in the buffer from which the graphics queue draws this frame's.",
       {"SYNC-HAZARD-WRITE-RACING-READ"},
       [](Engine& engine, Bug bug) {
         const VkBufferCreateInfo info = {
             .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
             .size = kBytes,
             .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT};
         const Buffer drawn = engine.TestDevice::MakeBuffer(info), made = engine.TestDevice::MakeBuffer(info);
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline draw = engine.MakeGraphics({.vertex_buffers = 1});
         const Pipeline simulate = engine.MakeCompute({}, {bug ? drawn : made});
         engine.Submit([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Render({Cleared(frame)}, [&] { c.Draw(draw, drawn); });
         });
         engine.Submit(engine.Queue(1), {engine.Record([&](Commands& c) { c.Dispatch(simulate); }, 1)});
       },
       {.second_queue_family = VK_QUEUE_COMPUTE_BIT}},
  };
}

}  // namespace assay::planted
