// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TESTING_LAYER_WITHOUT_VALIDATORS_H_
#define ASSAY_DISPATCH_TESTING_LAYER_WITHOUT_VALIDATORS_H_

#include <functional>

#include "dispatch/dispatch.h"

// The chassis as a layer of its own, for test::ValidationTest: with the hooks of messages and no validator, so that a
// test may call anything with any parameters and see what becomes of them.
namespace assay::dispatch {

// Called for each device that is created, with what its hooks are collected in. An empty one for none, as at first.
// What it attaches must outlive the device. It may throw, as a validator's constructor may.
using AttachDeviceHooks = std::function<void(Device& device, HookBuilder& builder)>;
void SetTestValidators(AttachDeviceHooks attach);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TESTING_LAYER_WITHOUT_VALIDATORS_H_
