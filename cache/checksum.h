// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CACHE_CHECKSUM_H_
#define ASSAY_CACHE_CHECKSUM_H_

#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay::cache {

// Two sums that depend on each byte and on its place. They find damage; they do not keep out who means harm, who would
// have to be the user. The same in every process and build.
class Checksum {
 public:
  // The parts "ab", "c" have another sum than "a", "bc".
  void Add(std::string_view bytes) {
    AddWord(bytes.size());
    while (bytes.size() >= sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, bytes.data(), sizeof(word));
      AddWord(word);
      bytes.remove_prefix(sizeof(word));
    }
    uint64_t rest = 0;
    if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
    AddWord(rest);
  }
  uint64_t low() const { return Finish(low_); }
  uint64_t high() const { return Finish(high_); }

 private:
  void AddWord(uint64_t word) {
    low_ = (low_ ^ word) * 0x9e3779b97f4a7c15;
    low_ ^= low_ >> 29;
    high_ = (high_ + word) * 0xd6e8feb86659fd93;
    high_ ^= high_ >> 31;
  }
  static uint64_t Finish(uint64_t sum) {
    sum = (sum ^ (sum >> 32)) * 0xbf58476d1ce4e5b9;
    return sum ^ (sum >> 29);
  }

  uint64_t low_ = 0x243f6a8885a308d3;
  uint64_t high_ = 0x13198a2e03707344;
};

}  // namespace assay::cache

#endif  // ASSAY_CACHE_CHECKSUM_H_
