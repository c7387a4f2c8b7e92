// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_WANTED_CHECK_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_WANTED_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/runtime/host_limit.h"

namespace assay::spirv_instrument {

class Pass;

// What becomes of the instruction that a check is about.
enum class Form : uint8_t {
  // It is executed only if the condition holds; else its result is zero, and the fault is reported.
  kGuard,
  // It is executed in any case. What kGuard becomes where the result cannot be zero (images, logical pointers, matrices
  // of 16 bits in a module that may only load and store them), and if the configuration says so.
  kReport,
  // There is no condition: what EmitReport emits comes before it.
  kInsert,
  // The same, and the instruction itself is removed; it has no result that anything uses.
  kReplace,
};

// What is accessed, in bytes or another unit that the pass counts in: [begin, end), relative to what the ids and
// literals of the check say.
struct AccessSpan {
  uint32_t begin = 0;
  uint32_t end = 0;

  bool Contains(const AccessSpan& other) const { return begin <= other.begin && other.end <= end; }
  friend bool operator==(const AccessSpan& a, const AccessSpan& b) = default;
};

// Something that the host can decide of the bound descriptors: see Instrumented::host_conditions.
struct HostCondition {
  enum class Kind : uint8_t {
    // The descriptor was written and may be accessed.
    kDescriptorIsValid,
    // The same, and it is a buffer with at least so many bytes.
    kBufferHolds,
  };

  Kind kind = Kind::kDescriptorIsValid;
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t index = 0;
  uint32_t bytes = 0;
  // Bit i: the access may be to a descriptor of the i-th DescriptorType. 0 for any.
  uint32_t types = 0;
  // The access that the condition is for, as Module::At counts; of equal conditions the first.
  uint32_t instruction = 0;
  // Whether the access is executed whenever one of the entry points that reach it is, so that a condition that does not
  // hold is an error.
  bool is_certain = false;
};

// What a pass asks for. Two checks of a pass with the same variant, ids and literals are about
// the same thing, and differ in the span alone: one with a larger span decides one with a smaller span.
struct CheckRequest {
  Form form = Form::kGuard;
  // The pass's own.
  uint32_t variant = 0;
  // All values of the function that the condition is computed of. Each is defined before the access.
  absl::Span<const Id> ids;
  absl::Span<const uint32_t> literals;
  AccessSpan span;
  // The condition is a few instructions and reads no memory, so that nothing is gained by computing it elsewhere.
  bool is_cheap = false;
  // If this holds, the access is good; or, with `has_fast_condition`, it is good where Pass::EmitFastCondition says so.
  // Not for kInsert and kReplace.
  std::optional<HostCondition> host;
  bool has_fast_condition = false;
  // The access is good if and only if Pass::EmitLimitedValue is below this. Of kBuffer, `end` is that of the span. With
  // a condition as well, both are of one descriptor.
  std::optional<HostLimit> limit;
};

// A check as the steps see it and change it, and as it is emitted.
struct WantedCheck {
  Instruction access;
  Pass* pass = nullptr;
  Form form = Form::kGuard;
  uint32_t variant = 0;
  AccessSpan span;
  bool is_cheap = false;
  bool has_fast_condition = false;

  // ---- What the steps decide.
  Outcome outcome = Outcome::kEmitted;
  // This earlier check has the same condition. kNone without.
  uint32_t same_as = kNone;
  // The access is good if the condition of this check for its `widened` span holds, which may be this one; else its own
  // condition decides. kNone without.
  uint32_t good_if = kNone;
  // Not smaller than `span`.
  AccessSpan widened;
  // Whether a fault was reported already, by the check that this one is the same as.
  bool is_reported = false;
  // The block at whose end the condition is computed. Null for right before the access.
  Block position;
  // Whether the host sees to the host condition, so that the fast condition counts, or nothing is left to check.
  bool is_left_to_host = false;
  // Whether the host can say what the limit is.
  bool is_limited = false;

  static constexpr uint32_t kNone = 0xffffffff;

  bool HasCondition() const { return form == Form::kGuard || form == Form::kReport; }
  // Whether the shader has something to do for it.
  bool IsInShader() const { return outcome <= Outcome::kHoisted; }

  // ---- For WantedChecks.
  uint32_t first_id = 0;
  uint32_t id_count = 0;
  uint32_t first_literal = 0;
  uint32_t literal_count = 0;
  uint32_t host_condition = kNone;
  uint32_t host_limit = kNone;
};

// The checks of a module, function by function, in the order of their instructions. Ids, literals, conditions and
// limits of all are in arrays of their own.
class WantedChecks {
 public:
  void Add(Pass& pass, Instruction access, const CheckRequest& request);

  // An access that the pass cannot check, for the statistics.
  void CountUnchecked(const Pass& pass, Outcome reason) { unchecked_.push_back({&pass, reason}); }

  size_t size() const { return checks_.size(); }
  WantedCheck& operator[](size_t index) { return checks_[index]; }
  const WantedCheck& operator[](size_t index) const { return checks_[index]; }

  absl::Span<const Id> Ids(const WantedCheck& check) const;
  // The same, to be replaced by others that have the same values.
  absl::Span<Id> MutableIds(const WantedCheck& check);
  absl::Span<const uint32_t> Literals(const WantedCheck& check) const;
  // Null without.
  HostCondition* Host(const WantedCheck& check);
  const HostCondition* Host(const WantedCheck& check) const;
  // Whether the limit of the check is known only if the host condition holds, so that nobody need look at that.
  bool LimitHasCondition(const WantedCheck& check) const;
  // The limit for a span, which is that of the check or a wider one. The check has one.
  HostLimit LimitOf(const WantedCheck& check, AccessSpan span) const;
  // Equal for checks of the same thing: pass, variant, ids and literals.
  bool IsSameThing(const WantedCheck& a, const WantedCheck& b) const;
  size_t HashOfThing(const WantedCheck& check) const;

  struct Unchecked {
    const Pass* pass;
    Outcome reason;
  };
  absl::Span<const Unchecked> unchecked() const { return unchecked_; }

 private:
  std::vector<WantedCheck> checks_;
  std::vector<Id> ids_;
  std::vector<uint32_t> literals_;
  std::vector<HostCondition> host_conditions_;
  std::vector<HostLimit> host_limits_;
  std::vector<Unchecked> unchecked_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_WANTED_CHECK_H_
