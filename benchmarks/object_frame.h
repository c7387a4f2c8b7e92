// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_BENCHMARKS_OBJECT_FRAME_H_
#define ASSAY_BENCHMARKS_OBJECT_FRAME_H_

#include <cstdint>
#include <memory>

#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::benchmarks {

// Frames that make an object of each kind, use it together with one that lives on, and destroy it. Nothing may be left
// of a frame.
class ObjectFrames {
 public:
  explicit ObjectFrames(test::TestDevice& device);
  ~ObjectFrames();
  ObjectFrames(const ObjectFrames&) = delete;
  ObjectFrames& operator=(const ObjectFrames&) = delete;

  // Two batches on the first queue. The host waits for them.
  void Run();

 private:
  struct Objects;

  std::unique_ptr<Objects> Make();
  void Record(VkCommandBuffer commands, const Objects& objects);
  void UseEvent(VkCommandBuffer commands, VkEvent event);
  void Submit(const Objects& objects);
  void Destroy(const Objects& objects);

  test::TestDevice& device_;
  const test::Functions& vk;
  const VkSemaphore timeline_;
  uint64_t time_ = 0;
  const std::unique_ptr<Objects> lasting_;
};

}  // namespace assay::benchmarks

#endif  // ASSAY_BENCHMARKS_OBJECT_FRAME_H_
