// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes around the data that draws read: vertices, indices, arguments, and resources of their shaders.

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"
#include "testing/planted/shaders/capture_vert.h"
#include "testing/planted/shaders/count_fragments_frag.h"
#include "testing/planted/shaders/pull_vertices_vert.h"
#include "testing/planted/shaders/sample_texture_comp.h"
#include "testing/planted/shaders/tint_frag.h"

namespace assay::planted {

std::vector<Mistake> DrawMistakes() {
  return {
      {"vertices_drawn_while_they_are_uploaded",
       "Vertices are uploaded and drawn in one command buffer, in that order and nothing more.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), vertices = engine.MakeBuffer("vertices");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics({.vertex_buffers = 1});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Copy(staging, vertices);
           if (!bug) c.Barrier(kCopyTarget, kVertices);
           c.Render({Cleared(frame)}, [&] { c.Draw(mesh, vertices); });
         });
       }},
      {"vertices_overwritten_after_the_draw",
       "One small vertex buffer serves text after text, and is updated while the draw before reads it.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer vertices = engine.MakeBuffer("text vertices");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline text = engine.MakeGraphics({.vertex_buffers = 1});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Render({Cleared(frame)}, [&] { c.Draw(text, vertices); });
           if (!bug) c.Barrier(kVertices.With(VK_ACCESS_2_NONE), kClearTarget.With(VK_ACCESS_2_NONE));
           c.Update(vertices);
         });
       }},
      {"indices_as_vertices",
       "One barrier was to do for the whole mesh, but it has vertex attributes only and no indices.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer staging = engine.MakeBuffer("staging"), indices = engine.MakeBuffer("indices");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics();
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Copy(staging, indices);
           c.Barrier(kCopyTarget, bug ? kVertices : kVertices | kIndices);
           c.Render({Cleared(frame)}, [&] { c.DrawIndexed(mesh, indices); });
         });
       }},
      {"uniforms_updated_under_a_draw",
       "The uniform buffer is updated for the second object while the first is being drawn with it.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer tint = engine.MakeBuffer("tint");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline object = engine.MakeGraphics({.resources = {Uniform(tint)}, .fragment = k_tint_frag});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Render({Cleared(frame)}, [&] { c.Draw(object); });
           if (!bug) c.Barrier(kFragmentUniform, kClearTarget);
           c.Update(tint);
           c.Barrier(kClearTarget | kColorTarget, kFragmentUniform | kColorTarget);
           c.Render({Loaded(frame)}, [&] { c.Draw(object); });
         });
       }},
      {"uniforms_waited_for_by_the_wrong_shader",
       "The tint is read in the fragment shader; the barrier makes the compute shader wait, where it was read before.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer tint = engine.MakeBuffer("tint");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline object = engine.MakeGraphics({.resources = {Uniform(tint)}, .fragment = k_tint_frag});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Update(tint);
           c.Barrier(kClearTarget,
                     bug ? kFragmentUniform.At(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT) : kFragmentUniform);
           c.Render({Cleared(frame)}, [&] { c.Draw(object); });
         });
       }},
      {"draw_count_left_out",
       "The draws' arguments have a barrier, and the buffer with their count has none.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer arguments = engine.MakeBuffer("draw arguments"), count = engine.MakeBuffer("draw count");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline mesh = engine.MakeGraphics();
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Fill(arguments);
           c.Fill(count);
           c.Barrier(arguments, kClearTarget, kIndirect);
           if (!bug) c.Barrier(count, kClearTarget, kIndirect);
           c.Render({Cleared(frame)}, [&] { c.DrawIndirectCount(mesh, arguments, count); });
         });
       }},
      {"vertices_pulled_too_early",
       "Vertices that the vertex shader pulls from a storage buffer are waited for at the fragment shader.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer positions = engine.MakeBuffer("positions");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline simulate = engine.MakeCompute({}, {positions});
         const Pipeline cloth =
             engine.MakeGraphics({.resources = {Storage(positions)}, .vertex = k_pull_vertices_vert});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Dispatch(simulate);
           c.Barrier(kComputeWrite, bug ? kFragmentStorageRead : kVertexStorageRead);
           c.Render({Cleared(frame)}, [&] { c.Draw(cloth); });
         });
       }},
      {"fragments_write_what_the_next_pass_reads",
       "Fragment shaders count into a storage buffer, and the barrier to the next dispatch begins at color output.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer counts = engine.MakeBuffer("counts"), sum = engine.MakeBuffer("sum");
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline count =
             engine.MakeGraphics({.resources = {Storage(counts)}, .fragment = k_count_fragments_frag});
         const Pipeline add = engine.MakeCompute({counts}, {sum});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Render({Cleared(frame)}, [&] { c.Draw(count); });
           c.Barrier(bug ? kColorTarget : kFragmentStorageWrite, kComputeRead);
           c.Dispatch(add);
         });
       }},
      {"post_processing_moved_to_compute",
       "A fragment shader has become a compute shader, and the transition before it still makes fragments wait.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture frame = engine.MakeTexture("frame");
         const Buffer histogram = engine.MakeBuffer("histogram");
         const Pipeline mesh = engine.MakeGraphics();
         const Pipeline measure = engine.MakeCompute(k_sample_texture_comp, {Sampled(frame), Storage(histogram)});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Render({Cleared(frame)}, [&] { c.Draw(mesh); });
           c.Barrier(frame, kColorTarget, bug ? kFragmentSampled : kComputeSampled);
           c.Dispatch(measure);
         });
       }},
      {"captured_vertices_not_waited_for",
       "Particles are captured by transform feedback and drawn at once as vertices.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer particles = {engine.TestDevice::MakeBuffer(
             kBytes, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT)};
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline emit = engine.MakeGraphics({.vertex = k_capture_vert});
         const Pipeline draw = engine.MakeGraphics({.vertex_buffers = 1});
         const Access captured = {VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
                                  VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT};
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           const VkDeviceSize offset = 0, size = kBytes;
           engine.vk.CmdBindTransformFeedbackBuffersEXT(c, 0, 1, &particles.handle, &offset, &size);
           c.Render({Cleared(frame)}, [&] {
             c.Bind(emit);
             engine.vk.CmdBeginTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
             engine.vk.CmdDraw(c, 3, 1, 0, 0);
             engine.vk.CmdEndTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
           });
           c.Barrier(bug ? kColorTarget : captured | kColorTarget, kVertices | kColorTarget);
           c.Render({Loaded(frame)}, [&] { c.Draw(draw, particles); });
         });
       },
       {.transform_feedback = true}},
      {"visibility_not_waited_for",
       "A compute shader decides whether an object is drawn, and the conditional draw does not wait for it.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer visible = {engine.TestDevice::MakeBuffer(
             256, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)};
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline decide = engine.MakeCompute({}, {visible});
         const Pipeline object = engine.MakeGraphics();
         const Access predicate = {VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
                                   VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT};
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Dispatch(decide);
           c.Barrier(kComputeWrite, bug ? kIndirect : predicate);
           c.Render({Cleared(frame)}, [&] {
             const VkConditionalRenderingBeginInfoEXT info = {
                 .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, .buffer = visible};
             engine.vk.CmdBeginConditionalRenderingEXT(c, &info);
             c.Draw(object);
             engine.vk.CmdEndConditionalRenderingEXT(c);
           });
         });
       },
       {.conditional_rendering = true}},
  };
}

}  // namespace assay::planted
