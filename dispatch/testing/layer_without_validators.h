// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TESTING_LAYER_WITHOUT_VALIDATORS_H_
#define ASSAY_DISPATCH_TESTING_LAYER_WITHOUT_VALIDATORS_H_

#include <functional>

#include "dispatch/dispatch.h"

// dispatch as a layer of its own, for test::ValidationTest. It has the hooks for messages and no validators. So a test
// may call any command with any parameters.
namespace assay::dispatch {

// Attaches a test's validators to each device that is created. builder collects the device's hooks. The validators must
// outlive the device. The function may throw, as a validator's constructor may. An empty function attaches nothing,
// which is the default.
using AttachDeviceHooks = std::function<void(Device& device, HookBuilder& builder)>;
void SetTestValidators(AttachDeviceHooks attach);
// The same for each instance.
using AttachInstanceHooks = std::function<void(Instance& instance, HookBuilder& builder)>;
void SetTestInstanceValidators(AttachInstanceHooks attach);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TESTING_LAYER_WITHOUT_VALIDATORS_H_
