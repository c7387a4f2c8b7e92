// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_CORE_H_
#define ASSAY_CORE_CORE_H_

// Stateful valid usage: rules that need to know what objects are and what was done with them, which the state tracker
// (state/state.h) keeps.
//
// Command rules (command_rules.h) are those that every recorded command has: its command buffer is recording, was
// allocated from a pool of a family that can do the command, is primary where it has to be, and is inside or outside a
// render pass instance and a video coding scope. They are one check over a row of the registry's table for each
// command. Where a command buffer is with regard to the two scopes is kept by a sub-state of it (recording_scope.h).
//
// Synchronization rules (sync/sync_rules.h) are the explicit ones of barriers, events, semaphores, submissions and
// subpass dependencies. Transfers of ownership between queue families (sync/ownership_transfer_rules.h) are followed
// through submissions. What queues have been given and have completed decides of semaphores, fences and pending command
// buffers (sync/queue_rules.h), and of what is acquired and presented (sync/swapchain_rules.h). The layouts of images
// (sync/layout_rules.h), what events were set with (sync/event_rules.h) and which render pass instances are suspended
// (sync/suspension_rules.h) are followed through recordings and submissions.

#include "core/barriers/sync_rules.h"
#include "core/commands/command_rules.h"
#include "core/events/event_rules.h"
#include "core/layouts/layout_rules.h"
#include "core/ownership_transfers/ownership_transfer_rules.h"
#include "core/queues/queue_rules.h"
#include "core/queues/suspension_rules.h"
#include "core/swapchains/swapchain_rules.h"

#endif  // ASSAY_CORE_CORE_H_
