// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_LOG_ARCHIVE_H_
#define ASSAY_SYNCVAL_TRACE_LOG_ARCHIVE_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/functional/function_ref.h"
#include "syncval/trace/recorded/recorded_trace.h"

// How the fields of a record become bytes, and bytes become fields. The two classes have the same members, so that
// fields.h lists the fields of each structure once. Numbers take seven bits a byte, the low ones first; all but the
// last byte have the high bit set.
namespace assay::syncval::trace {

class FieldWriter {
 public:
  template <class T>
  using Ref = const T&;

  // number gives the number of a recording that is already in the log.
  FieldWriter(std::string& out, absl::FunctionRef<uint64_t(const RecordedTrace&)> number)
      : out_(out), number_(number) {}

  // An integer, a bool or an enumeration.
  template <class T>
  void Number(T value) {
    auto rest = static_cast<uint64_t>(value);
    for (; rest >= 0x80; rest >>= 7) out_.push_back(static_cast<char>(rest | 0x80));
    out_.push_back(static_cast<char>(rest));
  }
  // An index that is often kNone.
  void Index(uint32_t value) { Number(value + 1); }
  void Text(const std::string& text) {
    Number(text.size());
    out_ += text;
  }
  // Elements, each by write(element).
  template <class Container, class Write>
  void Array(const Container& values, Write&& write) {
    Number(values.size());
    for (const auto& value : values) write(value);
  }
  void Recording(const RecordedTraceRef& trace) { Number(trace != nullptr ? number_(*trace) : 0); }

 private:
  std::string& out_;
  const absl::FunctionRef<uint64_t(const RecordedTrace&)> number_;
};

// Any bytes can be read. After the first field that is none, everything is read as zero.
class FieldReader {
 public:
  template <class T>
  using Ref = T&;

  // recordings are those of the log so far.
  FieldReader(std::string_view bytes, const std::vector<RecordedTraceRef>& recordings)
      : bytes_(bytes), recordings_(recordings) {}

  // All fields were there, and nothing else.
  bool IsWhole() const { return !has_failed_ && bytes_.empty(); }

  template <class T>
  void Number(T& value) {
    const uint64_t number = Take();
    if (number > LimitOf<T>()) has_failed_ = true;
    value = static_cast<T>(has_failed_ ? 0 : number);
  }
  void Index(uint32_t& value) {
    Number(value);
    --value;
  }
  void Text(std::string& text) {
    uint64_t size = 0;
    Number(size);
    if (size > bytes_.size()) has_failed_ = true;
    if (has_failed_) return;
    text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }
  template <class T, class Read>
  void Array(std::vector<T>& values, Read&& read) {
    uint64_t count = 0;
    Number(count);
    // Each element takes a byte at least, so that the memory for them is a multiple of the record's size.
    if (count > bytes_.size()) has_failed_ = true;
    for (; count > 0 && !has_failed_; --count) read(values.emplace_back());
  }
  void Recording(RecordedTraceRef& trace) {
    uint64_t number = 0;
    Number(number);
    if (number > recordings_.size()) has_failed_ = true;
    if (number != 0 && !has_failed_) trace = recordings_[number - 1];
  }

 private:
  // Vulkan's enumerations have no fixed type. They hold 31 bits.
  template <class T>
  static constexpr uint64_t LimitOf() {
    if constexpr (std::is_enum_v<T>) {
      return std::min<uint64_t>(std::numeric_limits<std::underlying_type_t<T>>::max(), 0x7FFFFFFF);
    } else {
      return static_cast<uint64_t>(std::numeric_limits<T>::max());
    }
  }

  uint64_t Take() {
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) break;
      const auto byte = static_cast<uint8_t>(bytes_.front());
      bytes_.remove_prefix(1);
      number |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return has_failed_ ? 0 : number;
    }
    has_failed_ = true;
    return 0;
  }

  std::string_view bytes_;
  const std::vector<RecordedTraceRef>& recordings_;
  bool has_failed_ = false;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_LOG_ARCHIVE_H_
