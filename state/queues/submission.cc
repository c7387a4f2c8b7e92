// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/queues/submission.h"

namespace assay::state {

SubmittedBatch& SubmittedBatch::operator=(const SubmittedBatch& other) {
  if (this == &other) return *this;
  queue = other.queue;
  serial = other.serial;
  command = other.command;
  index = other.index;
  is_protected = other.is_protected;
  waits = other.waits;
  command_buffers = other.command_buffers;
  signals = other.signals;
  presents = other.presents;
  sparse_bindings = other.sparse_bindings;
  fences = other.fences;
  return *this;
}

void SubmittedBatch::DropReferences() {
  waits.clear();
  waits.shrink_to_fit();
  command_buffers.clear();
  signals.clear();
  signals.shrink_to_fit();
  presents.clear();
  sparse_bindings.clear();
  fences.clear();
}

}  // namespace assay::state
