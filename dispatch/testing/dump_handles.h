// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TESTING_DUMP_HANDLES_H_
#define ASSAY_DISPATCH_TESTING_DUMP_HANDLES_H_

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "testing/dump/dump.h"

namespace assay::dispatch {

// What the tables of handles and of names know of the objects of the instance and device; with a null device, of those
// of the instance alone. Slot::is_recorded is left out: it says no more than that a recording may have the object.
inline void DumpHandles(const Instance& instance, const Device* device, test::Dump& dump) {
  for (const Slot* slot : HandleTable::Get().SlotsOf(&instance, device)) {
    const messages::ObjectRef object = {slot->type, slot->application_handle};
    dump.Line("slot", slot->index, instance.reporter.Describe(object), slot->driver_handle, slot->type, slot->state,
              slot->thread_use.load(), slot->parent, slot->first_child, slot->next_sibling, slot->previous_sibling,
              slot->is_secondary, slot->has_allocator, static_cast<bool>(slot->allows_concurrent_update),
              static_cast<bool>(slot->has_several_physical_devices), slot->is_referenced.load(),
              slot->dispatch_data.get(), slot->recording.get());
  }
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TESTING_DUMP_HANDLES_H_
