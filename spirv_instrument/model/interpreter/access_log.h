// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_ACCESS_LOG_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_ACCESS_LOG_H_

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include "spirv_instrument/corpus/description/description.h"

namespace assay::spirv_instrument::model {

// A set of kinds of faults.
class FaultKinds {
 public:
  constexpr FaultKinds() = default;
  constexpr FaultKinds(std::initializer_list<corpus::FaultKind> kinds) {
    for (const corpus::FaultKind kind : kinds) Add(kind);
  }
  static constexpr FaultKinds All() {
    FaultKinds all;
    all.bits_ = ~0u;
    return all;
  }

  constexpr bool Has(corpus::FaultKind kind) const { return (bits_ >> static_cast<uint32_t>(kind) & 1) != 0; }
  constexpr void Add(corpus::FaultKind kind) { bits_ |= 1u << static_cast<uint32_t>(kind); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool IsWithin(FaultKinds other) const { return (bits_ & ~other.bits_) == 0; }
  friend constexpr FaultKinds operator&(FaultKinds a, FaultKinds b) {
    a.bits_ &= b.bits_;
    return a;
  }
  friend constexpr FaultKinds operator|(FaultKinds a, FaultKinds b) {
    a.bits_ |= b.bits_;
    return a;
  }
  friend bool operator==(FaultKinds, FaultKinds) = default;

 private:
  uint32_t bits_ = 0;
};

// The faults of a descriptor itself, whatever is accessed of it.
inline constexpr FaultKinds kDescriptorFaults = {
    corpus::FaultKind::kDescriptorIndex, corpus::FaultKind::kDescriptorUnwritten,
    corpus::FaultKind::kDescriptorDestroyed, corpus::FaultKind::kDescriptorNull};

// A bad access: what was wrong, and the instruction, as Module::At counts in the module as it was read.
struct Fault {
  corpus::FaultKind kind = corpus::FaultKind::kDescriptorIndex;
  uint32_t instruction = 0;
  friend auto operator<=>(const Fault&, const Fault&) = default;
};

// One access of one invocation.
struct Access {
  uint32_t instruction = 0;
  // 1 for the source of OpCopyMemory, else 0.
  uint32_t part = 0;
  // A descriptor, or a device address.
  bool is_address = false;
  uint32_t set = 0;
  uint32_t binding = 0;
  uint64_t index = 0;
  // In bytes; for texels, and operands of arithmetic, two numbers that differ if these do.
  uint64_t begin = 0;
  uint64_t end = 0;
  // That the instruction says; 0 for none.
  uint32_t alignment = 0;
  FaultKinds faults;
};

// An instruction and part, as a number.
using Site = uint32_t;
constexpr Site SiteOf(const Access& access) { return access.instruction * 2 + access.part; }
constexpr uint32_t InstructionOf(Site site) { return site / 2; }

// Decides whether accesses are executed, and keeps which were bad.
//
// A fault that an earlier check of the same thing on all paths has found need not be reported again
// (StepsConfig::dominated). The log finds out which earlier faults there are for each.
class AccessLog {
 public:
  // Bad accesses of kinds that are not in `checked` are executed. So are accesses through null descriptors, which are
  // good unless kDescriptorNull is checked: they read zero and write nothing.
  explicit AccessLog(FaultKinds checked) : checked_(checked) {}

  // What a call of a function has accessed so far: of each site the last access.
  using Entries = std::map<Site, Access>;

  // Whether the access is executed.
  bool Note(Entries& entries, const Access& access);

  const std::set<Fault>& faults() const { return faults_; }
  // Whether an access was executed though it was bad, so that nothing that comes after it is defined.
  bool is_undefined() const { return is_undefined_; }

  // For each fault, the faults of the same kind that may be reported in its place: those of instructions that, whenever
  // the first was executed, had been executed before in the same call, and had accessed the same bytes; or the same
  // descriptor, or a place that is aligned alike, if that is what is wrong.
  std::map<Fault, std::set<Fault>> Earlier() const;

 private:
  // Two sites, the later one first.
  struct Pair {
    uint64_t count = 0;
    bool has_same_descriptor = true;
    bool has_same_bytes = true;
    bool is_aligned_alike = true;

    bool IsAlike(corpus::FaultKind kind) const {
      if (kind == corpus::FaultKind::kAddressAlignment) return is_aligned_alike;
      return kDescriptorFaults.Has(kind) ? has_same_descriptor : has_same_bytes;
    }
  };

  void ComparePairs(const Entries& entries, const Access& access);

  FaultKinds checked_;
  std::set<Fault> faults_;
  std::map<Site, uint64_t> counts_;
  std::map<std::pair<Site, Site>, Pair> pairs_;
  bool is_undefined_ = false;
};

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_ACCESS_LOG_H_
