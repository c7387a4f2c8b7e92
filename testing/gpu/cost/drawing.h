// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_GPU_COST_DRAWING_H_
#define ASSAY_TESTING_GPU_COST_DRAWING_H_

#include <cstdint>

#include "testing/gpu/cost/measured_device.h"
#include "testing/test_device.h"

namespace assay::test {

// A barrier that changes an image's layout.
void ChangeLayout(const MeasuredDevice& device, VkCommandBuffer commands, const Image& image, VkImageLayout before,
                  VkImageLayout after);

// A square to draw into.
class DrawTarget {
 public:
  DrawTarget(MeasuredDevice& device, uint32_t width);

  // Begins rendering, with viewport and scissor.
  void Begin(VkCommandBuffer commands) const;

 private:
  MeasuredDevice& device_;
  const uint32_t width_;
  VkImageView view_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_GPU_COST_DRAWING_H_
