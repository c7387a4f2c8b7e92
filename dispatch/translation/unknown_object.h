// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_UNKNOWN_OBJECT_H_
#define ASSAY_DISPATCH_TRANSLATION_UNKNOWN_OBJECT_H_

#include "messages/messages.h"
#include "vk/command_id.h"

namespace assay::dispatch {

// Delivers a message that belongs to no VkInstance, as there is none yet or none that can be told: to the log.
void ReportWithoutInstance(const messages::Message& message);

// Says that a command was called on a handle that the layer has never seen or that was destroyed. The call cannot be
// passed on, since nobody knows where to. The message goes to the callbacks of an instance that is alive, if there is
// one.
void ReportUnknownObject(vk::CommandId command, const void* handle);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_UNKNOWN_OBJECT_H_
