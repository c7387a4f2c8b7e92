// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_RENDERING_TEST_H_
#define ASSAY_SYNCVAL_COMMANDS_RENDERING_TEST_H_

#include "syncval/fixture/draw_sync_test.h"

// The fixture of tests of dynamic rendering.
namespace assay::syncval {

class SyncRendering : public DrawSyncTest {
 protected:
  void ClearColor(VkCommandBuffer c) { Clear(c, color_, color_.Range()); }
  void CopyOut(VkCommandBuffer c, const test::Image& image) {
    VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = {kSide, kSide, 1}};
    vk.CmdCopyImageToBuffer(c, image, VK_IMAGE_LAYOUT_GENERAL, MakeBuffer(kBytes), 1, &region);
  }
  VkCommandBuffer Drawing(const Target& color, VkPipeline pipeline, const Target& depth = {}) {
    VkCommandBuffer c = Begun();
    ClearColor(c);
    BeginRendering(c, color, depth);
    BindPipeline(c, pipeline);
    return c;
  }
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_RENDERING_TEST_H_
