// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_CONTEXT_DUMP_H_
#define ASSAY_SYNCVAL_CONTEXT_DUMP_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "syncval/engine/engine.h"
#include "testing/dump/dump.h"

namespace assay::syncval {

// For tests: what contexts of the engine have, as text. Two dumps are equal if the contexts find the same hazards ever
// after. What only makes them fast is left out: which accesses are pending, how ranges are cut, and which barriers have
// been applied to a state already.
class ContextDump {
 public:
  // The states of all ranges, and the events that are set. what and owner begin each line.
  static void Append(std::string_view what, uint64_t owner, AccessContext& context, test::Dump& dump);
  // The queues of a device. A queue without any work is left out.
  static void Append(DeviceContext& device, test::Dump& dump);

  // The number of barriers so far in the context of a command buffer that cover everything.
  static uint32_t BarrierCount(const AccessContext& context) { return context.states_.log().epoch(); }
  // The queues that have a tag in the clock, each with the tag.
  static std::string ToText(const VectorClock& clock);
  static std::string ToText(const QueuePoint& point);
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_CONTEXT_DUMP_H_
