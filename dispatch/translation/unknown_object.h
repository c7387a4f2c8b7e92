// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_UNKNOWN_OBJECT_H_
#define ASSAY_DISPATCH_TRANSLATION_UNKNOWN_OBJECT_H_

#include "messages/messages.h"
#include "vk/command_id.h"

namespace assay::dispatch {

// Logs a message that belongs to no VkInstance: there is none yet, or the call's is not known.
void ReportWithoutInstance(const messages::Message& message);

// Reports a command that was called on a handle that is unknown or stale. The call cannot be forwarded, since the
// handle leads to no next function. The message goes to the callbacks of any live instance, or else to the log.
void ReportUnknownObject(vk::CommandId command, const void* handle);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_UNKNOWN_OBJECT_H_
