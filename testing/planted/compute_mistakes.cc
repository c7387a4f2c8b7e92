// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes around compute shaders and their buffers.

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"
#include "testing/planted/shaders/dynamic_slice_comp.h"
#include "testing/planted/shaders/third_of_array_comp.h"
#include "testing/planted/shaders/write_image_comp.h"
#include "testing/shaders.h"

namespace assay::planted {

std::vector<Mistake> ComputeMistakes() {
  return {
      {"draw_arguments_not_waited_for",
       "Culling writes the draw's arguments in a compute shader, and nothing makes the draw wait for it.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer arguments = engine.MakeBuffer("draw arguments");
         const Pipeline cull = engine.MakeCompute({}, {arguments});
         const Pipeline mesh = engine.MakeGraphics();
         const Texture frame = engine.MakeTexture("frame");
         engine.Run([&](Commands& c) {
           c.Dispatch(cull);
           if (!bug) c.Barrier(kComputeWrite, kIndirect);
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Render({Cleared(frame)}, [&] { c.DrawIndirect(mesh, arguments); });
         });
       }},
      {"dispatch_arguments_as_shader_read",
       "The arguments of an indirect dispatch are taken for something that its shader reads.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer arguments = engine.MakeBuffer("dispatch arguments"), lights = engine.MakeBuffer("lights");
         const Pipeline count = engine.MakeCompute({}, {arguments});
         const Pipeline shade = engine.MakeCompute({}, {lights});
         engine.Run([&](Commands& c) {
           c.Dispatch(count);
           c.Barrier(kComputeWrite, bug ? kComputeRead : kIndirect);
           c.DispatchIndirect(shade, arguments);
         });
       }},
      {"skinned_vertices_waited_for_by_the_shader",
       "Skinned vertices are waited for at the vertex shader, but vertex attributes are fetched before it.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer vertices = engine.MakeBuffer("skinned vertices");
         const Pipeline skin = engine.MakeCompute({}, {vertices});
         const Pipeline mesh = engine.MakeGraphics({.vertex_buffers = 1});
         const Texture frame = engine.MakeTexture("frame");
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kColorTarget);
           c.Dispatch(skin);
           c.Barrier(vertices, kComputeWrite, bug ? kVertexStorageRead : kVertices);
           c.Render({Cleared(frame)}, [&] { c.Draw(mesh, vertices); });
         });
       }},
      {"ping_pong_without_barrier",
       "A simulation steps back and forth between two buffers, as if dispatches waited for one another.",
       {kReadAfterWrite, kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer even = engine.MakeBuffer("even steps"), odd = engine.MakeBuffer("odd steps");
         const Pipeline forth = engine.MakeCompute({even}, {odd});
         const Pipeline back = engine.MakeCompute({odd}, {even});
         engine.Run([&](Commands& c) {
           c.Dispatch(forth);
           if (!bug) c.Barrier(kComputeWrite, kComputeRead | kComputeWrite);
           c.Dispatch(back);
         });
       }},
      {"execution_dependency_only",
       "The barrier has stages and no accesses, so that the second dispatch waits but need not see what was written.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer keys = engine.MakeBuffer("keys"), sorted = engine.MakeBuffer("sorted");
         const Pipeline make_keys = engine.MakeCompute({}, {keys});
         const Pipeline sort = engine.MakeCompute({keys}, {sorted});
         engine.Run([&](Commands& c) {
           c.Dispatch(make_keys);
           c.Barrier(bug ? kComputeWrite.With(VK_ACCESS_2_NONE) : kComputeWrite,
                     bug ? kComputeRead.With(VK_ACCESS_2_NONE) : kComputeRead);
           c.Dispatch(sort);
         });
       }},
      {"barrier_size_in_elements",
       "The size of the buffer barrier counts elements where it is to count bytes, so that three quarters are not "
       "covered.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer sums = engine.MakeBuffer("prefix sums"), result = engine.MakeBuffer("result");
         const Pipeline scan = engine.MakeCompute({}, {sums});
         const Pipeline scatter = engine.MakeCompute({sums}, {result});
         engine.Run([&](Commands& c) {
           c.Dispatch(scan);
           c.Barrier(sums, kComputeWrite, kComputeRead, 0, bug ? kBytes / sizeof(uint32_t) : kBytes);
           c.Dispatch(scatter);
         });
       }},
      {"barrier_on_the_other_frames_buffer",
       "Of two buffers that take turns, the barrier is on the one of the last frame.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer particles[] = {engine.MakeBuffer("particles 0"), engine.MakeBuffer("particles 1")};
         const Buffer readback = engine.MakeBuffer("readback");
         for (int frame = 0; frame < 2; ++frame) {
           const Pipeline simulate = engine.MakeCompute({}, {particles[frame]});
           engine.Run([&](Commands& c) {
             c.Dispatch(simulate);
             c.Barrier(particles[bug && frame == 1 ? 0 : frame], kComputeWrite, kCopySource);
             c.Copy(particles[frame], readback);
           });
         }
       }},
      {"counter_reset_taken_for_a_shader_write",
       "A counter is reset with vkCmdFillBuffer, and the barrier after it begins at the compute shader.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer counter = engine.MakeBuffer("counter");
         const Pipeline append = engine.MakeCompute({counter}, {counter});
         engine.Run([&](Commands& c) {
           c.Fill(counter);
           c.Barrier(bug ? kComputeWrite : kClearTarget, kComputeRead | kComputeWrite);
           c.Dispatch(append);
         });
       }},
      {"top_of_pipe_as_destination",
       "The barrier's second stage is the top of the pipe, which orders nothing that comes after it.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer image = engine.MakeBuffer("traced image"), readback = engine.MakeBuffer("readback");
         const Pipeline trace = engine.MakeCompute({}, {image});
         engine.Run([&](Commands& c) {
           c.Dispatch(trace);
           c.Barrier(kComputeWrite, bug ? Access{VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT} : kCopySource);
           c.Copy(image, readback);
         });
       }},
      {"bottom_of_pipe_as_source",
       "The barrier begins at the bottom of the pipe: all is waited for, and nothing made available.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer heights = engine.MakeBuffer("heights"), normals = engine.MakeBuffer("normals");
         const Pipeline erode = engine.MakeCompute({}, {heights});
         const Pipeline derive = engine.MakeCompute({heights}, {normals});
         engine.Run([&](Commands& c) {
           c.Dispatch(erode);
           c.Barrier(bug ? Access{VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT} : kComputeWrite, kComputeRead);
           c.Dispatch(derive);
         });
       }},
      {"storage_read_as_uniform_read",
       "A uniform buffer has become a storage buffer, and the barrier's access has stayed what it was.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer bones = engine.MakeBuffer("bones"), vertices = engine.MakeBuffer("vertices");
         const Pipeline animate = engine.MakeCompute({}, {bones});
         const Pipeline skin = engine.MakeCompute({bones}, {vertices});
         engine.Run([&](Commands& c) {
           c.Dispatch(animate);
           c.Barrier(kComputeWrite, bug ? kComputeRead.With(VK_ACCESS_2_UNIFORM_READ_BIT) : kComputeRead);
           c.Dispatch(skin);
         });
       }},
      {"passes_that_write_one_storage_image",
       "Two passes write to one storage image, and since neither reads it nobody thought of a barrier.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture frame = engine.MakeTexture("frame");
         const Pipeline draw_sky = engine.MakeCompute(k_write_image_comp, {StorageImage(frame)});
         const Pipeline draw_sun = engine.MakeCompute(k_write_image_comp, {StorageImage(frame)});
         engine.Run([&](Commands& c) {
           c.Barrier(frame, kUndefined, kComputeWrite);
           c.Dispatch(draw_sky);
           if (!bug) c.Barrier(kComputeWrite, kComputeWrite);
           c.Dispatch(draw_sun);
         });
       }},
      {"input_overwritten_by_the_next_pass",
       "A pass writes where the one before it still reads.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer points = engine.MakeBuffer("points"), bounds = engine.MakeBuffer("bounds");
         const Pipeline reduce = engine.MakeCompute({points}, {bounds});
         const Pipeline emit = engine.MakeCompute({}, {points});
         engine.Run([&](Commands& c) {
           c.Dispatch(reduce);
           if (!bug) c.Barrier(kComputeRead.With(VK_ACCESS_2_NONE), kComputeWrite.With(VK_ACCESS_2_NONE));
           c.Dispatch(emit);
         });
       }},
      {"host_waits_instead_of_the_copy",
       "The barrier before the read-back names the host, who reads the copy, and not the copy.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer luminance = engine.MakeBuffer("luminance"), readback = engine.MakeBuffer("readback");
         const Pipeline measure = engine.MakeCompute({}, {luminance});
         engine.Run([&](Commands& c) {
           c.Dispatch(measure);
           c.Barrier(kComputeWrite, bug ? kHostRead : kCopySource);
           c.Copy(luminance, readback);
           c.Barrier(kCopyTarget, kHostRead);
         });
       }},
      {"element_of_a_descriptor_array",
       "What a shader writes through an element of a descriptor array is left out of the next copy's barrier.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer tiles[] = {engine.MakeBuffer("tiles 0"), engine.MakeBuffer("tiles 1"),
                                 engine.MakeBuffer("tiles 2")};
         const Buffer readback = engine.MakeBuffer("readback");
         const VkDescriptorSetLayout set_layout = engine.MakeSetLayout({{.count = 3}});
         Pipeline sort = {.layout = engine.MakePipelineLayout({set_layout}), .set = engine.MakeSet(set_layout)};
         sort.handle = engine.MakeComputePipeline(sort.layout, engine.MakeShader(k_third_of_array_comp));
         for (uint32_t i = 0; i < 3; ++i) {
           engine.WriteBuffer(sort.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, tiles[i], 0, VK_WHOLE_SIZE, i);
         }
         engine.Run([&](Commands& c) {
           c.Dispatch(sort);
           for (int i = 0; i < (bug ? 2 : 3); ++i) c.Barrier(tiles[i], kComputeWrite, kCopySource);
           c.Copy(tiles[2], readback);
         });
       }},
      {"pushed_descriptor",
       "The buffer is pushed before each dispatch, and the second pass updates the one of the first in place.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer near = engine.MakeBuffer("near cascade"), far = engine.MakeBuffer("far cascade");
         const VkDescriptorSetLayout set_layout =
             engine.MakeSetLayout({{}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT);
         Pipeline fit = {.layout = engine.MakePipelineLayout({set_layout})};
         fit.handle = engine.MakeComputePipeline(fit.layout,
                                                 engine.MakeShader(test::ComputeShader({.reads = {0}, .writes = {0}})));
         const auto push_and_dispatch = [&](Commands& c, const Buffer& buffer) {
           const VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
           const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                               .descriptorCount = 1,
                                               .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                               .pBufferInfo = &info};
           engine.vk.CmdPushDescriptorSet(c, VK_PIPELINE_BIND_POINT_COMPUTE, fit.layout, 0, 1, &write);
           c.Dispatch(fit);
         };
         engine.Run([&](Commands& c) {
           push_and_dispatch(c, near);
           push_and_dispatch(c, bug ? near : far);
         });
       }},
      {"barrier_on_another_slice",
       "Frames have a slice each of one buffer; the dynamic offset is this frame's and the barrier the last one's.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer constants = engine.MakeBuffer("constants"), staging = engine.MakeBuffer("staging");
         const Buffer result = engine.MakeBuffer("result");
         const Pipeline shade = engine.MakeCompute(k_dynamic_slice_comp, {DynamicStorage(constants), Storage(result)});
         constexpr uint32_t kSlice = 2 * kDynamicRange;
         engine.Run([&](Commands& c) {
           c.Copy(staging, constants, kDynamicRange, 0, kSlice);
           c.Barrier(constants, kCopyTarget, kComputeRead, bug ? 0 : kSlice, kDynamicRange);
           c.Dispatch(shade, {kSlice});
         });
       }},
      {"transient_buffers_share_memory",
       "A frame graph gives two short-lived buffers the same memory, and puts no barrier between their lives.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                          .size = kBytes,
                                          .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
         const VkBuffer fog = engine.MakeUnboundBuffer(info), bloom = engine.MakeUnboundBuffer(info);
         VkMemoryRequirements requirements;
         engine.vk.GetBufferMemoryRequirements(engine.device, fog, &requirements);
         const VkDeviceMemory memory = engine.MakeMemory(requirements);
         for (VkBuffer buffer : {fog, bloom}) engine.vk.BindBufferMemory(engine.device, buffer, memory, 0);
         const Pipeline make_fog = engine.MakeCompute({}, {fog});
         const Pipeline make_bloom = engine.MakeCompute({}, {bloom});
         engine.Run([&](Commands& c) {
           c.Dispatch(make_fog);
           if (!bug) c.Barrier(kComputeWrite, kComputeWrite);
           c.Dispatch(make_bloom);
         });
       }},
  };
}

}  // namespace assay::planted
