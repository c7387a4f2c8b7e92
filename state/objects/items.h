// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_ITEMS_H_
#define ASSAY_STATE_OBJECTS_ITEMS_H_

#include <cstddef>

#include "absl/types/span.h"

namespace assay::state {

// An array that the application passes. It is empty if the pointer is null, whatever the count; another validator
// reports that.
template <class T>
absl::Span<const T> Items(const T* items, size_t count) {
  return {items, items != nullptr ? count : 0};
}

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_ITEMS_H_
