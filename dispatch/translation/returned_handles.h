// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_RETURNED_HANDLES_H_
#define ASSAY_DISPATCH_TRANSLATION_RETURNED_HANDLES_H_

#include "dispatch/hooks/instance.h"
#include "vk/command_info.h"

namespace assay::dispatch {

// Registers the handles that the driver returned in output parameters and overwrites each with the application's. The
// command must have succeeded, or return partial results (kReturnsPartialResults in command_traits.h). call is the
// command's parameter struct. device is null for a command of an instance.
//
// Some commands return the same object again and again: displays, swapchain images, queues. Such an object keeps its
// slot.
void TranslateFromDriver(const vk::CommandInfo& command, void* call, Instance* instance, Device* device);

// Writes VK_NULL_HANDLE to every non-dispatchable handle that the command is to return.
void ClearReturned(const vk::CommandInfo& command, const void* call);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_RETURNED_HANDLES_H_
