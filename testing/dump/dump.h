// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_DUMP_DUMP_H_
#define ASSAY_TESTING_DUMP_DUMP_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace assay::test {

// The state of validators as text, which tests compare before and after a call. A dump is a set of lines, each of which
// is about one object or one entry of a table; their order does not matter.
//
// Values are numbers, enumerants, handles and other pointers, texts, ranges of values, and anything with an overload of
// AppendTo(Dump&, const T&), which is found by its argument.
class Dump {
 public:
  // Adds a line: what it is about, and values.
  template <class... T>
  void Line(std::string_view name, const T&... values) {
    lines_.emplace_back(name);
    (Append(values), ...);
  }
  // Adds values to the last line.
  template <class... T>
  void Values(const T&... values) {
    (Append(values), ...);
  }

  // The first line that is in the old dump alone and the first that is in the new one alone, each with a sign that says
  // in which; empty if there is none.
  static std::string Difference(const Dump& before, const Dump& after) {
    const std::vector<std::string> old_lines = before.Sorted();
    const std::vector<std::string> new_lines = after.Sorted();
    std::vector<std::string> removed;
    std::vector<std::string> added;
    std::ranges::set_difference(old_lines, new_lines, std::back_inserter(removed));
    std::ranges::set_difference(new_lines, old_lines, std::back_inserter(added));
    std::string difference = removed.empty() ? "" : "- " + removed.front();
    if (!added.empty()) difference += (removed.empty() ? "+ " : "\n+ ") + added.front();
    return difference;
  }

 private:
  template <class T>
  void Append(const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      AppendText(value);
    } else if constexpr (std::is_enum_v<T>) {
      AppendText(std::to_string(static_cast<int64_t>(value)));
    } else if constexpr (std::is_arithmetic_v<T>) {
      AppendText(std::to_string(value));
    } else if constexpr (std::is_pointer_v<T>) {
      AppendText(std::to_string(reinterpret_cast<uintptr_t>(value)));
    } else if constexpr (requires(Dump& dump) { AppendTo(dump, value); }) {
      AppendTo(*this, value);
    } else {
      AppendText("[");
      for (const auto& element : value) Append(element);
      AppendText("]");
    }
  }
  void AppendText(std::string_view text) {
    lines_.back() += ' ';
    lines_.back() += text;
  }

  std::vector<std::string> Sorted() const {
    std::vector<std::string> sorted = lines_;
    std::ranges::sort(sorted);
    return sorted;
  }

  std::vector<std::string> lines_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_DUMP_DUMP_H_
