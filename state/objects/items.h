// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_ITEMS_H_
#define ASSAY_STATE_OBJECTS_ITEMS_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"

namespace assay::state {

// An array that the application passes. It is empty if the pointer is null, whatever the count; another validator
// reports that.
template <class T>
absl::Span<const T> Items(const T* items, size_t count) {
  return {items, items != nullptr ? count : 0};
}

// A copy of them.
template <class T>
std::vector<T> ItemList(const T* items, size_t count) {
  const auto span = Items(items, count);
  return {span.begin(), span.end()};
}

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_ITEMS_H_
