// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_RULES_H_
#define ASSAY_STATELESS_EXPLICIT_RULES_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "stateless/device_facts.h"
#include "stateless/path.h"
#include "stateless/wording.h"
#include "stateless/written_rules.h"
#include "vk/command_id.h"
#include "vk/explicit_rule_info.h"
#include "vk/struct_info.h"

namespace assay::stateless {

// One test of one number.
struct ExplicitStep {
  // Bytes from the beginning of the structure; of the number.
  uint32_t offset = 0;
  uint8_t size = 0;
  bool is_signed = false;
  // Whether the number is just what is at the offset, and the test one of it and the operand without a sign.
  bool is_simple = false;
  vk::ExplicitTest test{};
  // Bytes of the number at plus_offset that is added; 0 for none.
  uint8_t plus_size = 0;
  uint32_t plus_offset = 0;
  // The structure that, if it is in the chain, has the number instead: 64 bits after its pNext.
  VkStructureType replaced_by = VK_STRUCTURE_TYPE_MAX_ENUM;
  // The mask of a test of bits, the only operand of others; those of kOneOf and kNoneOf are in a list.
  uint64_t operand = 0;
  uint32_t first_value = 0;
  uint32_t value_count = 0;
};

// A rule that counts on this device: its steps are the conditions and then the claims.
struct ExplicitCheck {
  const vk::ExplicitRuleInfo* rule;
  uint32_t first_step;
  uint8_t condition_count;
  uint8_t claim_count;
};

// Checks whose first condition is that one member has some bits, together: with none of their bits there is nothing to
// be looked at.
struct ExplicitGate {
  // size is 0 for checks that begin otherwise.
  uint32_t offset = 0;
  uint8_t size = 0;
  uint64_t bits = 0;
  uint32_t first_check = 0;
  uint32_t check_count = 0;
};

// All that a rule without conditions says of one number, of 4 or 8 bytes.
struct ExplicitClaim {
  uint32_t offset = 0;
  uint8_t size = 0;
  // Bits that it must not have; whether it must not be 0.
  uint64_t forbidden = 0;
  bool is_not_zero = false;
};

// The explicit rules that count on one device: those of vk/explicit_rule_info.h, with the device's numbers in them, and
// those of written_rules.h. Of the former, what the enabled features settle is not there and costs nothing.
class ExplicitRules {
 public:
  // facts must outlive the rules. leave_out is for tests: rules for which it is true are not told of.
  using LeaveOut = std::function<bool(vk::VuidIndex)>;
  explicit ExplicitRules(const DeviceFacts& facts, const LeaveOut& leave_out = {});

  bool HasAny(vk::CommandId command) const {
    const Range& range = commands_[static_cast<size_t>(command)];
    return range.HasAny();
  }

  // For a pass that only finds out whether there is anything to be said of a structure: the claims that it is to look
  // at itself, and whether all the rest is right. type is the structure's index in Structs().
  std::span<const ExplicitClaim> Claims(vk::TypeIndex type) const {
    return std::span(claims_).subspan(structs_[type].first_claim, structs_[type].claim_count);
  }
  bool AcceptsRest(vk::TypeIndex type, const void* structure) const { return AcceptsRest(structs_[type], structure); }
  bool HasRest(vk::TypeIndex type) const { return structs_[type].count != 0 || structs_[type].written != nullptr; }

  // Says what is wrong with one structure, which where leads to.
  void Check(const vk::StructInfo& info, const void* structure, const Step* where, const Speaker& speaker) const {
    const Range range = structs_[static_cast<size_t>(&info - vk::Structs().data())];
    if (range.HasAny()) Check(range, info, structure, where, speaker);
  }
  // The same for the parameters of the speaker's command.
  void CheckCommand(const Speaker& speaker) const;

 private:
  struct Range {
    // Of gates_.
    uint32_t first = 0;
    uint32_t count = 0;
    // Of claims_, and of checks_ those that say the same.
    uint32_t first_claim = 0;
    uint32_t claim_count = 0;
    uint32_t first_claim_check = 0;
    WrittenCheck written = nullptr;

    bool HasAny() const { return count != 0 || claim_count != 0 || written != nullptr; }
  };
  class Context;
  class SilentContext;

  Range Compile(std::string_view owner, const vk::StructInfo& info, std::span<const vk::ExplicitRuleInfo> rules);
  // The gate that a check could stand behind.
  ExplicitGate GateOf(const ExplicitCheck& check) const;
  // The check as a claim, if it is one; size 0 if it is not.
  ExplicitClaim ClaimOf(const ExplicitCheck& check) const;
  void Arrange(std::vector<ExplicitCheck> checks, Range& range);
  bool AcceptsRest(const Range& range, const void* structure) const;
  // False when the device does not know an operand.
  bool CompileTerm(const vk::StructInfo& info, const vk::ExplicitTerm& term);
  void Check(Range range, const vk::StructInfo& info, const void* structure, const Step* where,
             const Speaker& speaker) const;
  void Check(const ExplicitCheck& check, const vk::StructInfo& info, const void* structure, const Step* where,
             const Speaker& speaker) const;
  bool Holds(const ExplicitStep& step, const void* structure) const;
  bool HoldsInFull(const ExplicitStep& step, const void* structure) const;

  const DeviceFacts& facts_;
  const LeaveOut leave_out_;
  std::vector<ExplicitStep> steps_;
  std::vector<uint64_t> values_;
  std::vector<ExplicitCheck> checks_;
  std::vector<ExplicitGate> gates_;
  std::vector<ExplicitClaim> claims_;
  std::vector<Range> structs_;
  std::vector<Range> commands_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_RULES_H_
