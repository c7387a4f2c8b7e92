// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_STORAGE_HANDLE_ITERATOR_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_STORAGE_HANDLE_ITERATOR_H_

#include <cstddef>
#include <iterator>

namespace assay::spirv_instrument {

// Goes from a handle to its next(). A null handle is the end.
template <typename Handle>
class HandleIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = Handle;
  using difference_type = std::ptrdiff_t;
  using pointer = const Handle*;
  using reference = Handle;

  HandleIterator() = default;
  explicit HandleIterator(Handle at) : at_(at) {}
  Handle operator*() const { return at_; }
  const Handle* operator->() const { return &at_; }
  HandleIterator& operator++() {
    at_ = at_.next();
    return *this;
  }
  HandleIterator operator++(int) {
    const HandleIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const HandleIterator& a, const HandleIterator& b) { return a.at_.index() == b.at_.index(); }

 private:
  Handle at_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_STORAGE_HANDLE_ITERATOR_H_
