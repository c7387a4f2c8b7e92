// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_ITEMS_H_
#define ASSAY_STATE_OBJECTS_ITEMS_H_

#include <cstddef>

#include "absl/types/span.h"

namespace assay::state {

// An array that the application passes. Empty when there is none, whatever the count says: that is another validator's
// to report.
template <class T>
absl::Span<const T> Items(const T* items, size_t count) {
  return {items, items != nullptr ? count : 0};
}

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_ITEMS_H_
