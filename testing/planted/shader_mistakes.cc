// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes that depend on what a shader does with its descriptors: atomics, elements of arrays, and its own target.

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"
#include "testing/planted/shaders/bump_counter_comp.h"
#include "testing/planted/shaders/first_of_array_comp.h"
#include "testing/planted/shaders/sample_texture_frag.h"
#include "testing/planted/shaders/third_of_array_comp.h"
#include "testing/shaders.h"

namespace assay::planted {
namespace {

// A shader that reads the buffer of binding 0 and writes that of binding 1. Both descriptors may be updated after they
// are bound.
Pipeline MakeUpdatable(Engine& engine) {
  constexpr VkDescriptorBindingFlags kUpdatable = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
  const VkDescriptorBindingFlags flags[] = {kUpdatable, kUpdatable};
  const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 2, flags};
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, nullptr},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, nullptr}};
  const VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &flags_info,
                                                VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, 2,
                                                bindings};
  Pipeline pipeline;
  engine.vk.CreateDescriptorSetLayout(engine.device, &info, nullptr, &pipeline.set_layout);
  engine.Defer(pipeline.set_layout, [&engine, layout = pipeline.set_layout] {
    engine.vk.DestroyDescriptorSetLayout(engine.device, layout, nullptr);
  });
  pipeline.layout = engine.MakePipelineLayout({pipeline.set_layout});
  pipeline.handle = engine.MakeComputePipeline(pipeline.layout,
                                               engine.MakeShader(test::ComputeShader({.reads = {0}, .writes = {1}})));
  pipeline.set = engine.MakeSet(pipeline.set_layout);
  return pipeline;
}

}  // namespace

std::vector<Mistake> ShaderMistakes() {
  return {
      {"counter_read_and_written_beside_atomics",
       "Passes count in one buffer by atomics, which need no barrier, and one of them reads it and writes it back.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Buffer counter = engine.MakeBuffer("counter"), readback = engine.MakeBuffer("readback");
         const Pipeline bump = engine.MakeCompute(k_bump_counter_comp, {Storage(counter)});
         const Pipeline add = engine.MakeCompute({counter}, {counter});
         engine.Run([&](Commands& c) {
           c.Dispatch(bump);
           c.Dispatch(bump);
           c.Dispatch(bug ? add : bump);
           c.Barrier(kComputeWrite, kCopySource);
           c.Copy(counter, readback);
         });
       }},
      {"two_passes_on_one_element",
       "Two passes share an array of descriptors, and both write the same element of it.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer tiles[] = {engine.MakeBuffer("tiles 0"), engine.MakeBuffer("tiles 1"),
                                 engine.MakeBuffer("tiles 2")};
         const VkDescriptorSetLayout set_layout = engine.MakeSetLayout({{.count = 3}});
         Pipeline near = {.layout = engine.MakePipelineLayout({set_layout}), .set = engine.MakeSet(set_layout)};
         for (uint32_t i = 0; i < 3; ++i) {
           engine.WriteBuffer(near.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, tiles[i], 0, VK_WHOLE_SIZE, i);
         }
         Pipeline far = near;
         near.handle = engine.MakeComputePipeline(near.layout, engine.MakeShader(k_third_of_array_comp));
         far.handle = engine.MakeComputePipeline(
             far.layout, bug ? engine.MakeShader(k_third_of_array_comp) : engine.MakeShader(k_first_of_array_comp));
         engine.Run([&](Commands& c) {
           c.Dispatch(near);
           c.Dispatch(far);
         });
       }},
      {"descriptor_updated_after_recording",
       "A pass is recorded with a barrier for the buffer that its descriptor has then. Before the pass is submitted, "
       "the descriptor gets another buffer.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
         const Buffer last = engine.MakeBuffer("last frame's lights"), lights = engine.MakeBuffer("lights");
         const Buffer sorted = engine.MakeBuffer("sorted lights");
         const Pipeline sort = MakeUpdatable(engine);
         engine.WriteBuffer(sort.set, 0, kType, last);
         engine.WriteBuffer(sort.set, 1, kType, sorted);
         VkCommandBuffer commands = engine.Record([&](Commands& c) {
           c.Fill(lights);
           c.Barrier(bug ? last : lights, kClearTarget, kComputeRead);
           c.Dispatch(sort);
         });
         engine.WriteBuffer(sort.set, 0, kType, lights);
         engine.Submit(engine.Queue(), {commands});
         engine.WaitIdle();
       }},
      {"target_sampled_by_its_own_pass",
       "The last frame is to be blended in, and the descriptor has the target itself instead.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture frame = engine.MakeTexture("frame"), last = engine.MakeTexture("last frame");
         const Pipeline mesh = engine.MakeGraphics();
         const Pipeline blend = engine.MakeGraphics(
             {.resources = {Sampled(bug ? frame : last, VK_IMAGE_LAYOUT_GENERAL)}, .fragment = k_sample_texture_frag});
         engine.Run([&](Commands& c) {
           constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
           c.Barrier(frame, kUndefined, kColorTarget.In(kGeneral));
           c.Barrier(last, kUndefined, kFragmentSampled.In(kGeneral));
           Attachment target = Cleared(frame);
           target.layout = kGeneral;
           c.Render({target}, [&] {
             c.Draw(mesh);
             c.Draw(blend);
           });
         });
       }},
  };
}

}  // namespace assay::planted
