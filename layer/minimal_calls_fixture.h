// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_LAYER_MINIMAL_CALLS_FIXTURE_H_
#define ASSAY_LAYER_MINIMAL_CALLS_FIXTURE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <source_location>
#include <string_view>
#include <utility>

#include "layer/minimal_caller.h"
#include "testing/fixture.h"
#include "vk/command_info.h"
#include "vk/extension_id.h"
#include "vk/feature_id.h"
#include "vk/vulkan.h"

namespace assay::layer {

// What the fixture's device does not have.
struct Lacking {
  // Features that neither a structure nor an extension nor the version enables.
  std::set<vk::FeatureId> features;
  std::set<vk::ExtensionId> extensions;
  // If not 0, it has a lower version.
  uint32_t version = 0;
};

// The features of extensions alone, all enabled but for some. The fixture enables those of core versions.
class ExtensionFeatures {
 public:
  explicit ExtensionFeatures(const std::set<vk::FeatureId>& without);
  void* head() { return head_; }

 private:
  std::map<VkStructureType, std::unique_ptr<std::byte[]>> structures_;
  VkBaseOutStructure* head_ = nullptr;
};

// Test-only: a device with all extensions and features, or all but some, under the whole layer, and a MinimalCaller
// that calls its commands.
class MinimalCallsFixture : public test::ValidationTest {
 protected:
  explicit MinimalCallsFixture(bool validates_core, Lacking lacking = {})
      : validates_core_(validates_core), lacking_(std::move(lacking)) {}

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

  // A call on the route, with such a command buffer.
  std::unique_ptr<stateless::MinimalCall> PrepareAnywhere(const stateless::Route& route);
  // Runs the call, which must be reported under the id and skipped. There may be other messages.
  void ExpectReport(const stateless::MinimalCall& call, std::string_view id,
                    std::source_location where = std::source_location::current());

  bool validates_core() const { return validates_core_; }

  MinimalCaller caller_{vk};

 private:
  uint32_t ApiVersion() const;
  bool Lacks(vk::ExtensionId extension) const;

  const bool validates_core_;
  const Lacking lacking_;
  ExtensionFeatures features_{lacking_.features};
};

}  // namespace assay::layer

#endif  // ASSAY_LAYER_MINIMAL_CALLS_FIXTURE_H_
