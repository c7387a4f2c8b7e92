// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TESTING_FABRICATED_CALLS_FIXTURE_H_
#define ASSAY_DISPATCH_TESTING_FABRICATED_CALLS_FIXTURE_H_

#include <cstdint>

#include "testing/fixture.h"
#include "vk/command_info.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// Test-only: a device over dispatch without validators. It makes the handles of fabricated calls
// (fabricated_parameters.h). The mock driver accepts handles that it did not make.
class FabricatedCallsFixture : public test::ValidationTest {
 protected:
  void SetUp() override;
  void TearDown() override;

  // The instance, the physical device, the device, its queue or its command buffer; for any other type, the wrapped
  // handle of a new object of the device, or 0 if the type is dispatchable.
  uint64_t MakeHandle(const vk::HandleInfo& type);

 private:
  VkCommandBuffer command_buffer_ = VK_NULL_HANDLE;
  uint64_t made_ = 0;
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TESTING_FABRICATED_CALLS_FIXTURE_H_
