// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes around attachments and their layouts.

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"
#include "testing/planted/shaders/sample_texture_frag.h"

namespace assay::planted {

std::vector<Mistake> RenderingMistakes() {
  return {
      {"passes_on_one_target",
       "Two passes draw to one target, the second over the first, as if the order of passes were enough.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics();
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Render({Cleared(frame)}, [&] { c.Draw(mesh); });
           if (!bug) c.Barrier(kColorTarget, kColorTarget);
           c.Render({Loaded(frame)}, [&] { c.Draw(mesh); });
         });
       }},
      {"target_sampled_without_waiting_for_its_output",
       "The transition from target to texture has a layout to come from, and no stage to wait for.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture scene = engine.MakeTexture("scene"), frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics();
         const Pipeline tonemap =
             engine.MakeGraphics({.resources = {Sampled(scene)}, .fragment = k_sample_texture_frag});
         engine.Run([&](Commands& c) {
           for (const Texture& target : {scene, frame}) c.Barrier(target, kUndefined, kColorTarget);
           c.Render({Cleared(scene)}, [&] { c.Draw(mesh); });
           c.Barrier(scene, bug ? kUndefined.In(kColorTarget.layout) : kColorTarget, kFragmentSampled);
           c.Render({Cleared(frame)}, [&] { c.Draw(tonemap); });
         });
       }},
      {"shadow_map_waits_for_early_tests",
       "The shadow map's transition waits for early fragment tests; depth is also written by late ones.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture shadows = engine.MakeDepth("shadow map"), frame = engine.MakeTexture("frame");
         const Pipeline casters = engine.MakeGraphics({.color_formats = {}, .depth_format = kDepthFormat});
         const Pipeline lit = engine.MakeGraphics({.resources = {Sampled(shadows)}, .fragment = k_sample_texture_frag});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Barrier(shadows, kUndefined, kDepthTarget);
           c.Render({Cleared(shadows)}, [&] { c.Draw(casters); });
           c.Barrier(shadows, bug ? kDepthTarget.At(VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT) : kDepthTarget,
                     kFragmentSampled);
           c.Render({Cleared(frame)}, [&] { c.Draw(lit); });
         });
       }},
      {"depth_cleared_while_it_is_sampled",
       "The next view's pass clears the depth image that lighting still samples: it waits for the last view's tests.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Texture depth = engine.MakeDepth("depth"), frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics({.color_formats = {}, .depth_format = kDepthFormat});
         const Pipeline light = engine.MakeGraphics({.resources = {Sampled(depth)}, .fragment = k_sample_texture_frag});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Barrier(depth, kUndefined, kDepthTarget);
           c.Render({Cleared(depth)}, [&] { c.Draw(mesh); });
           c.Barrier(depth, kDepthTarget, kFragmentSampled);
           c.Render({Cleared(frame)}, [&] { c.Draw(light); });
           const VkPipelineStageFlags2 last =
               bug ? VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT : kFragmentSampled.stages;
           c.Barrier(depth, Access{last}.In(kFragmentSampled.layout), kDepthTarget);
           c.Render({Cleared(depth)}, [&] { c.Draw(mesh); });
         });
       }},
      {"color_barrier_for_depth",
       "Between two passes that share color and depth, the barrier has color alone.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture color = engine.MakeTexture("color"), depth = engine.MakeDepth("depth");
         const Pipeline mesh = engine.MakeGraphics({.depth_format = kDepthFormat});
         engine.Run([&](Commands& c) {
           c.Barrier(color, kUndefined, kColorTarget);
           c.Barrier(depth, kUndefined, kDepthTarget);
           c.Render({Cleared(color), Cleared(depth)}, [&] { c.Draw(mesh); });
           const Access targets = bug ? kColorTarget : kColorTarget | kDepthTarget;
           c.Barrier(targets, targets);
           c.Render({Loaded(color), Loaded(depth)}, [&] { c.Draw(mesh); });
         });
       }},
      {"depth_prepass_is_written_after",
       "The dependency after a depth prepass names depth writes only, but the next pass also loads and tests depth.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture color = engine.MakeTexture("color"), depth = engine.MakeDepth("depth");
         const Pipeline prepass = engine.MakeGraphics({.color_formats = {}, .depth_format = kDepthFormat});
         const Pipeline shade = engine.MakeGraphics({.depth_format = kDepthFormat});
         engine.Run([&](Commands& c) {
           c.Barrier(color, kUndefined, kColorTarget);
           c.Barrier(depth, kUndefined, kDepthTarget);
           c.Render({Cleared(depth)}, [&] { c.Draw(prepass); });
           c.Barrier(kDepthTarget,
                     bug ? kDepthTarget.With(VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT) : kDepthTarget);
           c.Render({Cleared(color), Loaded(depth)}, [&] { c.Draw(shade); });
         });
       }},
      {"attachment_resolve_taken_for_a_transfer",
       "Samples are resolved at the end of a pass, and the transition waits for the stage of vkCmdResolveImage.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture samples = engine.MakeMultisampled("samples"), frame = engine.MakeTexture("frame");
         const Buffer readback = engine.MakeBuffer("readback");
         const Pipeline mesh = engine.MakeGraphics({.samples = VK_SAMPLE_COUNT_4_BIT});
         engine.Run([&](Commands& c) {
           for (const Texture& target : {samples, frame}) c.Barrier(target, kUndefined, kColorTarget);
           Attachment target = Cleared(samples);
           target.resolve = &frame;
           c.Render({target}, [&] { c.Draw(mesh); });
           c.Barrier(frame, bug ? kResolveTarget.In(kColorTarget.layout) : kColorTarget, kCopySource);
           c.Download(frame, readback);
         });
       }},
      {"clear_command_before_a_pass",
       "A target is cleared with vkCmdClearColorImage, and its transition waits for the last pass instead.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics();
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kClearTarget);
           c.Clear(frame);
           c.Barrier(frame, bug ? kColorTarget.In(kClearTarget.layout) : kClearTarget, kColorTarget);
           c.Render({Loaded(frame)}, [&] { c.Draw(mesh); });
         });
       }},
      {"second_target_left_out",
       "Of two targets that a pass writes, only the first is waited for before both are read.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture albedo = engine.MakeTexture("albedo"), normals = engine.MakeTexture("normals");
         const Texture frame = engine.MakeTexture("frame");
         constexpr VkImageLayout kLayout = VK_IMAGE_LAYOUT_GENERAL;
         const Pipeline mesh = engine.MakeGraphics({.color_formats = {kColorFormat, kColorFormat}});
         const Pipeline light =
             engine.MakeGraphics({.resources = {Sampled(normals, kLayout)}, .fragment = k_sample_texture_frag});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           for (const Texture& target : {albedo, normals}) c.Barrier(target, kUndefined, kColorTarget.In(kLayout));
           c.Render({{albedo, VK_ATTACHMENT_LOAD_OP_CLEAR, kLayout}, {normals, VK_ATTACHMENT_LOAD_OP_CLEAR, kLayout}},
                    [&] { c.Draw(mesh); });
           c.Barrier(albedo, kColorTarget.In(kLayout), kFragmentSampled.In(kLayout));
           if (!bug) c.Barrier(normals, kColorTarget.In(kLayout), kFragmentSampled.In(kLayout));
           c.Render({Cleared(frame)}, [&] { c.Draw(light); });
         });
       }},
      {"transition_that_nobody_waits_for",
       "A fresh image is moved to its layout with no second stage, as if a change of layout were no access.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics();
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, bug ? kUndefined.In(kColorTarget.layout) : kColorTarget);
           c.Render({Cleared(frame)}, [&] { c.Draw(mesh); });
         });
       }},
      {"bloom_samples_the_level_that_is_drawn",
       "Bloom draws each level of a mip chain from the one above, and waits for the level that it is about to draw.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture bloom = engine.MakeTexture("bloom", kColorFormat, 2);
         constexpr VkImageLayout kLayout = VK_IMAGE_LAYOUT_GENERAL;
         const Texture levels[] = {engine.LevelOf(bloom, 0), engine.LevelOf(bloom, 1)};
         const Pipeline bright = engine.MakeGraphics();
         const Pipeline shrink =
             engine.MakeGraphics({.resources = {Sampled(levels[0], kLayout)}, .fragment = k_sample_texture_frag});
         engine.Run([&](Commands& c) {
           c.Barrier(bloom, kUndefined, kColorTarget.In(kLayout));
           c.Render({{levels[0], VK_ATTACHMENT_LOAD_OP_CLEAR, kLayout}}, [&] { c.Draw(bright); });
           const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, bug ? 1u : 0u, 1, 0, 1};
           c.Barrier(bloom, range, kColorTarget.In(kLayout), kFragmentSampled.In(kLayout));
           c.Render({{levels[1], VK_ATTACHMENT_LOAD_OP_CLEAR, kLayout}}, [&] { c.Draw(shrink); }, kSide / 2);
         });
       }},
  };
}

}  // namespace assay::planted
