// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes that depend on what a shader does with its descriptors: atomics, elements of arrays, and its own target.

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"
#include "testing/planted/shaders/bump_counter_comp.h"
#include "testing/planted/shaders/first_of_array_comp.h"
#include "testing/planted/shaders/sample_texture_frag.h"
#include "testing/planted/shaders/third_of_array_comp.h"

namespace assay::planted {

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
