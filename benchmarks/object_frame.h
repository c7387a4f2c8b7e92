// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_BENCHMARKS_OBJECT_FRAME_H_
#define ASSAY_BENCHMARKS_OBJECT_FRAME_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::benchmarks {

// Frames that make an object of each kind, use it together with one that lives on, and destroy it when it is no longer
// in use. Three frames are in flight. Nothing may be left of a frame.
class ObjectFrames {
 public:
  static constexpr uint32_t kSubmissions = 2;
  // What the device needs besides the features of Vulkan 1.3.
  static std::vector<const char*> DeviceExtensions();
  static void* DeviceFeatures();

  explicit ObjectFrames(test::TestDevice& device);
  ~ObjectFrames();
  ObjectFrames(const ObjectFrames&) = delete;
  ObjectFrames& operator=(const ObjectFrames&) = delete;

  // Two batches on the first queue. Waits for what the third-last call submitted.
  void Run();

 private:
  struct Objects;

  std::unique_ptr<Objects> Make();
  void MakeResources(Objects& made);
  void MakePipelines(Objects& made);
  void MakeDescriptors(Objects& made);
  void MakeOfExtensions(Objects& made);
  void MakeCommandBuffers(Objects& made);
  void Record(VkCommandBuffer commands, const Objects& objects);
  void UseEvent(VkCommandBuffer commands, VkEvent event);
  void Submit(const Objects& objects);
  void Destroy(const Objects& objects);

  test::TestDevice& device_;
  const test::Functions& vk;
  const std::vector<uint32_t> vertex_code_;
  const std::vector<uint32_t> fragment_code_;
  const VkSemaphore timeline_;
  uint64_t time_ = 0;
  uint64_t number_ = 0;
  const std::unique_ptr<Objects> lasting_;
  std::array<std::unique_ptr<Objects>, 3> in_flight_;
};

}  // namespace assay::benchmarks

#endif  // ASSAY_BENCHMARKS_OBJECT_FRAME_H_
