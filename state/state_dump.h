// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_STATE_DUMP_H_
#define ASSAY_STATE_STATE_DUMP_H_

#include "state/state.h"
#include "testing/dump/dump.h"

namespace assay::state {

// What the state tracker knows of the objects of its device that can change: bindings, recordings, descriptors, and the
// progress of queues, semaphores, fences, events and swapchains. No other thread may use the device.
void DumpState(const DeviceState& state, test::Dump& dump);

// A batch, in the dumps of others.
void AppendTo(test::Dump& dump, const QueuePoint& point);

}  // namespace assay::state

#endif  // ASSAY_STATE_STATE_DUMP_H_
