// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes with swapchain images: too early, too late, or with the wrong semaphore.

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"

namespace assay::planted {
namespace {

constexpr VkPipelineStageFlags2 kAllStages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;

}  // namespace

std::vector<Mistake> SwapchainMistakes() {
  return {
      {"swapchain_image_drawn_before_it_is_acquired",
       "The frame is submitted without a wait for the semaphore of vkAcquireNextImageKHR.",
       {"SYNC-HAZARD-WRITE-AFTER-PRESENT"},
       [](Engine& engine, Bug bug) {
         const Window window = engine.MakeWindow();
         const VkSemaphore acquired = engine.MakeSemaphore(), drawn = engine.MakeSemaphore();
         const uint32_t index = engine.Acquire(window, acquired);
         const Texture& image = window.images[index];
         Engine::SubmitOptions options = {.signals = {Engine::At(drawn, kAllStages)}};
         if (!bug) options.waits = {Engine::At(acquired, kColorTarget.stages)};
         engine.Submit(
             [&](Commands& c) {
               c.Barrier(image, kColorTarget.With(0).In(VK_IMAGE_LAYOUT_UNDEFINED), kColorTarget);
               c.Render({Cleared(image)}, [] {});
               c.Barrier(image, kColorTarget, kPresented);
             },
             options);
         engine.Present(window, index, {drawn});
       },
       {.presentation = true}},
      {"transition_before_the_acquire_is_waited_for",
       "Color output waits for the acquired image, and the image's first transition waits for nothing.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Window window = engine.MakeWindow();
         const VkSemaphore acquired = engine.MakeSemaphore(), drawn = engine.MakeSemaphore();
         const uint32_t index = engine.Acquire(window, acquired);
         const Texture& image = window.images[index];
         engine.Submit(
             [&](Commands& c) {
               c.Barrier(image, bug ? kUndefined : kColorTarget.With(0).In(VK_IMAGE_LAYOUT_UNDEFINED), kColorTarget);
               c.Render({Cleared(image)}, [] {});
               c.Barrier(image, kColorTarget, kPresented);
             },
             {.waits = {Engine::At(acquired, kColorTarget.stages)}, .signals = {Engine::At(drawn, kAllStages)}});
         engine.Present(window, index, {drawn});
       },
       {.presentation = true}},
      {"acquire_waited_for_at_color_output_alone",
       "The image's first transition waits for nothing, which is right only if everything waits for the acquired "
       "image.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Window window = engine.MakeWindow();
         const VkSemaphore acquired = engine.MakeSemaphore(), drawn = engine.MakeSemaphore();
         const uint32_t index = engine.Acquire(window, acquired);
         const Texture& image = window.images[index];
         engine.Submit(
             [&](Commands& c) {
               c.Barrier(image, kUndefined, kColorTarget);
               c.Render({Cleared(image)}, [] {});
               c.Barrier(image, kColorTarget, kPresented);
             },
             {.waits = {Engine::At(acquired, bug ? kColorTarget.stages : kAllStages)},
              .signals = {Engine::At(drawn, kAllStages)}});
         engine.Present(window, index, {drawn});
       },
       {.presentation = true}},
      {"acquire_taken_for_the_end_of_the_last_frame",
       "Every frame draws a scene to one texture. The wait for the acquired image is taken for a wait for the last "
       "frame.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Window window = engine.MakeWindow();
         const Texture scene = engine.MakeTexture("scene");
         uint32_t last = UINT32_MAX;
         for (int frame = 0; frame < 2; ++frame) {
           VkSemaphore acquired = engine.MakeSemaphore();
           const VkSemaphore drawn = engine.MakeSemaphore();
           uint32_t index = engine.Acquire(window, acquired);
           if (index == last) {
             // That image is after the last frame indeed. It stays acquired.
             acquired = engine.MakeSemaphore();
             index = engine.Acquire(window, acquired);
           }
           last = index;
           const Texture& image = window.images[index];
           engine.Submit(
               [&](Commands& c) {
                 c.Barrier(scene, bug ? kUndefined : kColorTarget.In(VK_IMAGE_LAYOUT_UNDEFINED), kColorTarget);
                 c.Render({Cleared(scene)}, [] {});
                 c.Barrier(image, kColorTarget.With(0).In(VK_IMAGE_LAYOUT_UNDEFINED), kColorTarget);
                 c.Render({Cleared(image)}, [] {});
                 c.Barrier(image, kColorTarget, kPresented);
               },
               {.waits = {Engine::At(acquired, kColorTarget.stages)}, .signals = {Engine::At(drawn, kAllStages)}});
           engine.Present(window, index, {drawn});
         }
       },
       {.presentation = true}},
      {"acquire_waited_for_where_nothing_is_drawn",
       "A program that clears its image by a command waits for the acquired image at color output, as the tutorial "
       "does.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Window window = engine.MakeWindow();
         const VkSemaphore acquired = engine.MakeSemaphore(), drawn = engine.MakeSemaphore();
         const uint32_t index = engine.Acquire(window, acquired);
         const Texture& image = window.images[index];
         engine.Submit(
             [&](Commands& c) {
               c.Barrier(image, kClearTarget.With(0).In(VK_IMAGE_LAYOUT_UNDEFINED), kClearTarget);
               c.Clear(image);
               c.Barrier(image, kClearTarget, kPresented);
             },
             {.waits = {Engine::At(acquired, bug ? kColorTarget.stages : kClearTarget.stages)},
              .signals = {Engine::At(drawn, kAllStages)}});
         engine.Present(window, index, {drawn});
       },
       {.presentation = true}},
      {"presented_before_it_is_drawn",
       "vkQueuePresentKHR has no semaphore to wait for, since the queue is the same.",
       {"SYNC-HAZARD-PRESENT-AFTER-WRITE"},
       [](Engine& engine, Bug bug) {
         const Window window = engine.MakeWindow();
         const VkSemaphore acquired = engine.MakeSemaphore(), drawn = engine.MakeSemaphore();
         const uint32_t index = engine.Acquire(window, acquired);
         const Texture& image = window.images[index];
         engine.Submit(
             [&](Commands& c) {
               c.Barrier(image, kColorTarget.With(0).In(VK_IMAGE_LAYOUT_UNDEFINED), kColorTarget);
               c.Render({Cleared(image)}, [] {});
               c.Barrier(image, kColorTarget, kPresented);
             },
             {.waits = {Engine::At(acquired, kColorTarget.stages)}, .signals = {Engine::At(drawn, kAllStages)}});
         engine.Present(window, index, bug ? std::vector<VkSemaphore>() : std::vector<VkSemaphore>{drawn});
       },
       {.presentation = true}},
      {"one_semaphore_for_all_acquires",
       "The next image is acquired with the semaphore of the last, before anything waits for that.",
       {"VUID-vkAcquireNextImageKHR-semaphore-01286"},
       [](Engine& engine, Bug bug) {
         const Window window = engine.MakeWindow();
         const VkSemaphore acquired = engine.MakeSemaphore(), other = engine.MakeSemaphore();
         engine.Acquire(window, acquired);
         engine.Acquire(window, bug ? acquired : other);
       },
       {.presentation = true}},
  };
}

}  // namespace assay::planted
