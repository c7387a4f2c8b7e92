// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes around uploads, copies, mip chains and read-backs.

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"
#include "testing/planted/shaders/sample_texture_frag.h"

namespace assay::planted {

std::vector<Mistake> TransferMistakes() {
  return {
      {"staging_buffer_overwritten",
       "A staging buffer is filled for the next upload while the copy of the last one reads it.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), mesh = engine.MakeBuffer("mesh");
         engine.Run([&](Commands& c) {
           c.Copy(staging, mesh, 256);
           if (!bug) c.Barrier(kCopySource.With(VK_ACCESS_2_NONE), kClearTarget.With(VK_ACCESS_2_NONE));
           c.Update(staging);
         });
       }},
      {"overlapping_uploads",
       "An allocator hands out places that overlap, and the second upload goes over the end of the first.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), geometry = engine.MakeBuffer("geometry");
         engine.Run([&](Commands& c) {
           c.Copy(staging, geometry, 1024, 0, 0);
           c.Copy(staging, geometry, 1024, 1024, bug ? 1000 : 1024);
         });
       }},
      {"shifted_in_place",
       "A pool is compacted by copies within its buffer, each of which reads what the one before it has written.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer pool = engine.MakeBuffer("pool");
         engine.Run([&](Commands& c) {
           c.Copy(pool, pool, 256, 512, 256);
           if (!bug) c.Barrier(kCopyTarget, kCopySource);
           c.Copy(pool, pool, 256, 256, 0);
         });
       }},
      {"mip_chain_waits_for_the_wrong_level",
       "Mips are made by a chain of blits, and the barrier before each is on the level to be written.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture texture = engine.MakeTexture("texture", kColorFormat, 3);
         constexpr VkImageLayout kLayout = VK_IMAGE_LAYOUT_GENERAL;
         engine.Run([&](Commands& c) {
           c.Barrier(texture, kUndefined, kClearTarget.In(kLayout));
           c.Clear(texture, kLayout);
           c.Barrier(kClearTarget, kBlitSource | kBlitTarget);
           c.Blit(texture, 0, texture, 1, kLayout, kLayout);
           for (uint32_t level = 2; level < 3; ++level) {
             const VkImageSubresourceRange made = {VK_IMAGE_ASPECT_COLOR_BIT, bug ? level : level - 1, 1, 0, 1};
             c.Barrier(texture, made, kBlitTarget.In(kLayout), kBlitSource.In(kLayout));
             c.Blit(texture, level - 1, texture, level, kLayout, kLayout);
           }
         });
       }},
      {"one_layer_of_an_array",
       "The barrier after an upload of several layers has a layerCount of one.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture faces = engine.MakeTexture("faces", kColorFormat, 1, 6);
         const Buffer readback = engine.MakeBuffer("readback");
         constexpr VkImageLayout kLayout = VK_IMAGE_LAYOUT_GENERAL;
         engine.Run([&](Commands& c) {
           c.Barrier(faces, kUndefined, kClearTarget.In(kLayout));
           c.Clear(faces, kLayout);
           const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, bug ? 1u : 6u};
           c.Barrier(faces, range, kClearTarget.In(kLayout), kCopySource.In(kLayout));
           c.Download(faces, readback, 5, VK_IMAGE_ASPECT_COLOR_BIT, kLayout);
         });
       }},
      {"stencil_left_out",
       "Depth and stencil are cleared, the barrier has the depth aspect alone, and stencil is read back.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture depth = engine.MakeTexture("depth and stencil", VK_FORMAT_D32_SFLOAT_S8_UINT);
         const Buffer readback = engine.MakeBuffer("readback");
         constexpr VkImageLayout kLayout = VK_IMAGE_LAYOUT_GENERAL;
         engine.Run([&](Commands& c) {
           c.Barrier(depth, kUndefined, kClearTarget.In(kLayout));
           c.Clear(depth, kLayout);
           VkImageSubresourceRange range = depth.Range();
           if (bug) range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
           c.Barrier(depth, range, kClearTarget.In(kLayout), kCopySource.In(kLayout));
           c.Download(depth, readback, 0, VK_IMAGE_ASPECT_STENCIL_BIT, kLayout);
         });
       }},
      {"query_results_not_waited_for",
       "Results of queries are copied to a buffer and read from there at once, since the query is over.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const VkQueryPool timers = engine.MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 1);
         const Buffer times = engine.MakeBuffer("times"), history = engine.MakeBuffer("history");
         engine.Run([&](Commands& c) {
           engine.vk.CmdResetQueryPool(c, timers, 0, 1);
           engine.vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, timers, 0);
           engine.vk.CmdCopyQueryPoolResults(c, timers, 0, 1, times, 0, 8,
                                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
           if (!bug) c.Barrier(kCopyTarget, kCopySource);
           c.Copy(times, history, 8);
         });
       }},
      {"resolve_taken_for_a_copy",
       "What were all transfers has become stages of their own, and the barrier after a resolve waits for copies.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture samples = engine.MakeMultisampled("samples"), frame = engine.MakeTexture("frame");
         const Buffer readback = engine.MakeBuffer("readback");
         engine.Run([&](Commands& c) {
           c.Barrier(samples, kUndefined, kClearTarget);
           c.Clear(samples);
           c.Barrier(samples, kClearTarget, kResolveSource);
           c.Barrier(frame, kUndefined, kResolveTarget);
           c.Resolve(samples, frame);
           c.Barrier(frame, bug ? kCopyTarget : kResolveTarget, kCopySource);
           c.Download(frame, readback);
         });
       }},
      {"upload_waited_for_by_the_top_of_the_pipe",
       "The transition after an upload has the top of the pipe for its second stage, and the draw samples too early.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging");
         const Texture albedo = engine.MakeTexture("albedo"), frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics({.resources = {Sampled(albedo)}, .fragment = k_sample_texture_frag});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Barrier(albedo, kUndefined, kCopyTarget);
           c.Upload(staging, albedo);
           c.Barrier(albedo, kCopyTarget,
                     bug ? Access{VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, 0, kFragmentSampled.layout} : kFragmentSampled);
           c.Render({Cleared(frame)}, [&] { c.Draw(mesh); });
         });
       }},
      {"texture_streamed_under_a_draw",
       "A texture's old contents are not wanted, so its transition waits for nobody, though a draw still samples them.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging");
         const Texture video = engine.MakeTexture("video"), frame = engine.MakeTexture("frame");
         const Pipeline show = engine.MakeGraphics({.resources = {Sampled(video)}, .fragment = k_sample_texture_frag});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Barrier(video, kUndefined, kFragmentSampled);
           c.Render({Cleared(frame)}, [&] { c.Draw(show); });
           c.Barrier(video, bug ? kUndefined : kFragmentSampled.In(VK_IMAGE_LAYOUT_UNDEFINED), kCopyTarget);
           c.Upload(staging, video);
           c.Barrier(video, kCopyTarget, kFragmentSampled);
         });
       }},
  };
}

}  // namespace assay::planted
