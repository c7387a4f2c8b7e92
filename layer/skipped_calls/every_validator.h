// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_LAYER_SKIPPED_CALLS_EVERY_VALIDATOR_H_
#define ASSAY_LAYER_SKIPPED_CALLS_EVERY_VALIDATOR_H_

#include <functional>

#include "messages/messages.h"
#include "testing/dump/dump.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// Test-only: every validator of the layer in a layer of its own, for test::ValidationTest, whose tests can look
// into them. Settings do not switch validators off, but GPU-assisted validation does nothing
// without gpuav_enable.
namespace assay::layer {

// From now on `check` runs at every call that validators see, after all of them have checked it but synchronization
// validation, which is asked last and only if the call is not skipped yet. An empty function ends that.
void SetLastCheck(std::function<void(messages::Report& report)> check);

// The same after synchronization validation has reported what it found by recording a call, such as the hazards of a
// submission. IsReportedLate() names the commands for which it does so.
void SetLastReport(std::function<void(messages::Report& report)> report);
bool IsReportedLate(vk::CommandId command);

// What the validators and the tables of handles know of the instance and of its device, which may be null. No other
// thread may call commands.
test::Dump DumpOf(VkInstance instance, VkDevice device);
// What core alone, synchronization validation alone, and GPU-assisted validation alone know of a device.
test::Dump DumpOfCore(VkDevice device);
test::Dump DumpOfSync(VkDevice device);
test::Dump DumpOfGpuav(VkDevice device);

}  // namespace assay::layer

#endif  // ASSAY_LAYER_SKIPPED_CALLS_EVERY_VALIDATOR_H_
