// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_LAYER_MINIMAL_CALLS_FIXTURE_H_
#define ASSAY_LAYER_MINIMAL_CALLS_FIXTURE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "layer/minimal_caller.h"
#include "testing/fixture.h"
#include "vk/command_info.h"
#include "vk/vulkan.h"

namespace assay::layer {

// The features of extensions alone, all enabled. The fixture enables those of core versions.
class ExtensionFeatures {
 public:
  ExtensionFeatures();
  void* head() { return head_; }

 private:
  std::map<VkStructureType, std::unique_ptr<std::byte[]>> structures_;
  VkBaseOutStructure* head_ = nullptr;
};

// Test-only: a device with all extensions and features under the whole layer, and a MinimalCaller that calls its
// commands.
class MinimalCallsFixture : public test::ValidationTest {
 protected:
  explicit MinimalCallsFixture(bool validates_core) : validates_core_(validates_core) {}

  test::DeviceOptions Options() override;
  void SetUp() override;
  // The objects of the MinimalCaller are not destroyed.
  void TearDown() override;

  template <class Handle>
  void SetHandle(VkObjectType type, Handle handle) {
    caller_.SetHandle(type, reinterpret_cast<uint64_t>(handle));
  }
  void Call(vk::CommandId id) { caller_.Run(*caller_.Prepare(vk::GetCommandInfo(id))); }
  // Makes a command buffer in the state and the scope that the command needs.
  void SetCommandBufferFor(const vk::CommandInfo& command);

  bool validates_core() const { return validates_core_; }

  MinimalCaller caller_{vk};

 private:
  const bool validates_core_;
  ExtensionFeatures features_;
};

}  // namespace assay::layer

#endif  // ASSAY_LAYER_MINIMAL_CALLS_FIXTURE_H_
