// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_BENCHMARKS_RECORDING_CASE_H_
#define ASSAY_BENCHMARKS_RECORDING_CASE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "benchmarks/cases.h"
#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::benchmarks {

inline constexpr uint32_t kBuffers = 8;
// Bytes that a copy or fill writes, and of a buffer in which each of kCommands has bytes of its own.
inline constexpr VkDeviceSize kCopySize = 256;
inline constexpr VkDeviceSize kBufferSize = kCopySize * kCommands;

// A few buffers of the same size.
class BufferRing {
 public:
  BufferRing(test::TestDevice& device, VkDeviceSize size) {
    for (VkBuffer& buffer : buffers_) buffer = device.MakeBuffer(size);
  }
  VkBuffer operator[](uint32_t i) const { return buffers_[i % kBuffers]; }

 private:
  std::array<VkBuffer, kBuffers> buffers_;
};

// A case that records into a command buffer. Begin, end and reset are not measured.
class RecordingCase : public Case {
 public:
  explicit RecordingCase(test::TestDevice& device)
      : device_(device), vk(device.vk), commands_(device.MakeCommandBuffer()) {}

  void Prepare() override {
    device_.Begin(commands_);
    RecordFirst();
  }
  void CleanUp() override {
    RecordLast();
    device_.End(commands_);
    vk.ResetCommandBuffer(commands_, 0);
  }

 protected:
  // Commands before and after the measured ones.
  virtual void RecordFirst() {}
  virtual void RecordLast() {}

  test::TestDevice& device_;
  const test::Functions& vk;
  VkCommandBuffer commands_;
};

// A compute pipeline that reads four storage buffers, and eight descriptor sets for it.
class ReadingPipeline {
 public:
  explicit ReadingPipeline(test::TestDevice& device);
  void Bind(VkCommandBuffer commands) const;
  void BindSet(VkCommandBuffer commands, uint32_t i) const;
  void Dispatch(VkCommandBuffer commands) const;
  VkDescriptorSet set(uint32_t i) const { return sets_[i % kBuffers]; }
  // The first buffer of set(i).
  VkBuffer buffer(uint32_t i) const { return buffers_[i]; }

 private:
  const test::Functions& vk;
  BufferRing buffers_;
  VkPipelineLayout layout_;
  VkPipeline pipeline_;
  std::array<VkDescriptorSet, kBuffers> sets_;
};

inline VkMemoryBarrier CopyToCopyBarrier() {
  constexpr VkAccessFlags kAccess = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  return {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT, kAccess};
}

// The recorded draws and barriers: parts of RecordingCases().
std::vector<CaseInfo> DrawCases();
std::vector<CaseInfo> BarrierCases();

// CaseInfo::make of a case.
template <class T>
Case* Make(test::TestDevice& device) {
  return new T(device);
}

}  // namespace assay::benchmarks

#endif  // ASSAY_BENCHMARKS_RECORDING_CASE_H_
