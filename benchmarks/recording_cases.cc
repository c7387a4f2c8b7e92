// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Recorded copies, fills and dispatches, and the list of all recorded commands. Within a command buffer no two commands
// conflict, or a barrier stands between them.

#include <cstdint>
#include <vector>

#include "benchmarks/recording_case.h"

namespace assay::benchmarks {
namespace {

// Each copy writes a place of its own, as uploads from a ring do.
class Copy : public RecordingCase {
 public:
  explicit Copy(test::TestDevice& device)
      : RecordingCase(device), sources_(device, kBufferSize), destinations_(device, kBufferSize) {}

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) {
      VkDeviceSize offset = i * kCopySize;
      VkBufferCopy region = {offset, offset, kCopySize};
      vk.CmdCopyBuffer(commands_, sources_[i], destinations_[i], 1, &region);
    }
  }
  bool MakeHazard() override {
    VkBufferCopy region = {0, 0, kCopySize};
    for (uint32_t i = 0; i < 2; ++i) vk.CmdCopyBuffer(commands_, sources_[i], destinations_[0], 1, &region);
    return true;
  }
  bool MakeInvalidCall() override {
    VkBufferCopy region = {0, 0, kCopySize};
    vk.CmdCopyBuffer(commands_, VK_NULL_HANDLE, destinations_[0], 1, &region);
    return true;
  }
  bool MakeInvalidUse() override {
    VkBufferCopy region = {kBufferSize, 0, kCopySize};
    vk.CmdCopyBuffer(commands_, sources_[0], destinations_[0], 1, &region);
    return true;
  }

 private:
  BufferRing sources_;
  BufferRing destinations_;
};

class Fill : public RecordingCase {
 public:
  explicit Fill(test::TestDevice& device) : RecordingCase(device), buffers_(device, kBufferSize) {}

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) vk.CmdFillBuffer(commands_, buffers_[i], i * kCopySize, kCopySize, i);
  }
  bool MakeHazard() override {
    for (uint32_t i = 0; i < 2; ++i) vk.CmdFillBuffer(commands_, buffers_[0], 0, kCopySize, i);
    return true;
  }
  bool MakeInvalidCall() override {
    vk.CmdFillBuffer(commands_, VK_NULL_HANDLE, 0, kCopySize, 0);
    return true;
  }

 private:
  BufferRing buffers_;
};

class Dispatch : public RecordingCase {
 public:
  explicit Dispatch(test::TestDevice& device) : RecordingCase(device), pipeline_(device) {}

  void RecordFirst() override {
    pipeline_.Bind(commands_);
    pipeline_.BindSet(commands_, 0);
  }
  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) pipeline_.Dispatch(commands_);
  }
  bool MakeHazard() override {
    vk.CmdFillBuffer(commands_, pipeline_.buffer(1), 0, VK_WHOLE_SIZE, 0);
    pipeline_.BindSet(commands_, 1);
    pipeline_.Dispatch(commands_);
    return true;
  }

 protected:
  ReadingPipeline pipeline_;
};

// A set is bound before each dispatch; the two count as one.
class DispatchOtherSets : public Dispatch {
 public:
  using Dispatch::Dispatch;

  void Run() override {
    for (uint32_t i = 0; i < kCommands; ++i) {
      pipeline_.BindSet(commands_, i);
      pipeline_.Dispatch(commands_);
    }
  }
  bool MakeInvalidCall() override {
    vk.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, VK_NULL_HANDLE, 0, 0, nullptr, 0, nullptr);
    return true;
  }
};

}  // namespace

std::vector<CaseInfo> RecordingCases() {
  std::vector<CaseInfo> cases = {
      {"copy", kCommands, &Make<Copy>},
      {"fill", kCommands, &Make<Fill>},
  };
  const auto append = [&](const std::vector<CaseInfo>& others) {
    cases.insert(cases.end(), others.begin(), others.end());
  };
  append(DrawCases());
  append({
      {"dispatch", kCommands, &Make<Dispatch>},
      {"bind_and_dispatch", kCommands, &Make<DispatchOtherSets>},
  });
  append(BarrierCases());
  return cases;
}

}  // namespace assay::benchmarks
