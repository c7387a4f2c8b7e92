// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/memory/buffer.h"

namespace assay::state {

void Buffer::BindTo(DeviceMemory& target, uint64_t begin) {
  // Binding twice is an error. The first memory must not keep a pointer to the buffer.
  if (memory) memory->Remove(*this, address);
  memory = Ref<DeviceMemory>(&target);
  address = begin;
  target.Add(*this, {begin, begin + size});
}

}  // namespace assay::state
