// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/implicit/program.h"

#include <algorithm>

#include "stateless/implicit/conditional_pointers.h"
#include "stateless/manual/manual_rules.h"
#include "vk/command_info.h"
#include "vk/rules/explicit_rule_info.h"

namespace assay::stateless {
namespace {

using vk::ImplicitRuleInfo;
using vk::ImplicitRuleKind;
using vk::Indirection;
using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

bool HasExplicitRules(const StructInfo& structure) {
  return !vk::ExplicitRulesOf(structure).empty() || FindManualCheck(structure.name) != nullptr;
}

// Whether anything in a structure is to be checked.
class Interest {
 public:
  Interest() : of_(vk::Structs().size(), false) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const StructInfo& structure : vk::Structs()) {
        const auto index = static_cast<size_t>(&structure - vk::Structs().data());
        if (!of_[index] && Compute(structure)) changed = of_[index] = true;
      }
    }
  }
  bool Of(uint16_t structure) const { return of_[structure]; }

 private:
  bool Compute(const StructInfo& structure) const {
    if ((structure.flags & vk::kStructUnion) != 0) return false;
    if (!vk::ImplicitRulesOf(structure).empty() || HasExplicitRules(structure)) return true;
    return std::ranges::any_of(structure.members, [&](const MemberInfo& member) {
      if (member.kind == MemberKind::kBool32) return (structure.flags & vk::kStructReturnedOnly) == 0;
      return member.kind == MemberKind::kStruct && member.indirection == Indirection::kInline && Of(member.type);
    });
  }

  std::vector<bool> of_;
};

// Makes the steps of one structure or command.
class Compiler {
 public:
  Compiler(const Interest& interest, const Programs::LeaveOut& leave_out, std::vector<Op>& ops)
      : interest_(interest), leave_out_(leave_out), ops_(ops) {}

  void Compile(const StructInfo& info, std::span<const ImplicitRuleInfo> rules, bool skip_first) {
    for (size_t i = skip_first ? 1 : 0; i < info.members.size(); ++i) {
      const auto first = std::ranges::find_if(rules, [&](const ImplicitRuleInfo& rule) { return rule.member == i; });
      const auto last =
          std::find_if(first, rules.end(), [&](const ImplicitRuleInfo& rule) { return rule.member != i; });
      CompileMember(info, info.members[i], {first, last});
    }
  }

 private:
  void CompileMember(const StructInfo& info, const MemberInfo& member, std::span<const ImplicitRuleInfo> rules) {
    if ((member.flags & vk::kMemberBitField) != 0) return;
    bool has_parameter = false;
    for (const ImplicitRuleInfo& rule : rules) {
      has_parameter |= rule.kind == ImplicitRuleKind::kParameter;
      CompileRule(info, member, rule);
    }
    if (has_parameter) return;
    const bool input = (info.flags & vk::kStructReturnedOnly) == 0 && (member.flags & vk::kMemberNoAutoValidity) == 0;
    if (member.kind == MemberKind::kBool32 && input && member.indirection == Indirection::kInline) {
      Add(OpCode::kBool32, member, vk::kNoVuid);
    }
    if (member.kind == MemberKind::kStruct && member.indirection == Indirection::kInline && interest_.Of(member.type)) {
      Add(OpCode::kStruct, member, vk::kNoVuid);
    }
    if (IsConditionalPointer(info, member)) Add(OpCode::kConditionalPointer, member, vk::kNoVuid).flags |= kOpElements;
  }

  void CompileRule(const StructInfo& info, const MemberInfo& member, const ImplicitRuleInfo& rule) {
    switch (rule.kind) {
      case ImplicitRuleKind::kStructureType:
        Add(OpCode::kStructureType, member, rule.vuid).size = static_cast<uint32_t>(info.structure_type);
        return;
      case ImplicitRuleKind::kNext:
        Add(OpCode::kNext, member, rule.vuid);
        return;
      case ImplicitRuleKind::kUnique:
        AddUnique(info, member, rule);
        return;
      case ImplicitRuleKind::kRequiredBitmask:
        if (member.indirection == Indirection::kInline) {
          Add(OpCode::kNotZero, member, rule.vuid);
        } else {
          // Each element of an array; the pointer's own step comes before.
          ops_.back().other_vuid = Kept(rule.vuid);
        }
        return;
      case ImplicitRuleKind::kZeroBitmask:
        Add(OpCode::kZero, member, rule.vuid);
        return;
      case ImplicitRuleKind::kLength:
        AddLength(member, rule);
        return;
      case ImplicitRuleKind::kParameter:
        AddParameter(member, rule);
        return;
    }
  }

  // The id says sType, but it is about the chain: VUID-VkBufferCreateInfo-sType-unique.
  void AddUnique(const StructInfo& info, const MemberInfo&, const ImplicitRuleInfo& rule) {
    const auto next =
        std::ranges::find_if(info.members, [](const MemberInfo& m) { return m.kind == MemberKind::kNext; });
    Add(OpCode::kNext, *next, vk::kNoVuid).other_vuid = Kept(rule.vuid);
  }

  void AddLength(const MemberInfo& member, const ImplicitRuleInfo& rule) {
    if (member.length_kind == vk::LengthKind::kMemberOfPointee) {
      Add(OpCode::kLengthOfPointee, member, rule.vuid);
    } else {
      Add((rule.flags & vk::kRuleOptional) != 0 ? OpCode::kLengthOfArrays : OpCode::kLength, member, rule.vuid);
    }
  }

  void AddParameter(const MemberInfo& member, const ImplicitRuleInfo& rule) {
    if (rule.alternative == ImplicitRuleInfo::kNoAlternative) {
      AddParameterOf(member, 0, rule);
      return;
    }
    const MemberInfo& alternative = vk::Structs()[member.type].members[rule.alternative];
    Op& selected = Add(OpCode::kSelected, member, vk::kNoVuid);
    selected.member = &alternative;
    selected.size = static_cast<uint8_t>(member.selector);
    const size_t before = ops_.size();
    AddParameterOf(alternative, member.offset, rule);
    if (ops_.size() == before) ops_.pop_back();
  }

  void AddParameterOf(const MemberInfo& member, uint32_t base, const ImplicitRuleInfo& rule) {
    const bool in_line = member.indirection == Indirection::kInline;
    const bool optional = (rule.flags & vk::kRuleOptional) != 0;
    Op* op = nullptr;
    if (!in_line) {
      op = &Add(OpCode::kPointer, member, rule.vuid);
      if (ElementsMatter(member)) op->flags |= kOpElements;
    } else {
      switch (member.kind) {
        case MemberKind::kHandle:
          // object_lifetimes checks whether a handle that is not null is valid.
          if (!optional) op = &Add(OpCode::kHandle, member, rule.vuid);
          break;
        case MemberKind::kEnum:
          op = &Add(OpCode::kEnum, member, rule.vuid);
          break;
        case MemberKind::kFlags:
          if (member.type != vk::kNoType) op = &Add(OpCode::kFlags, member, rule.vuid);
          break;
        case MemberKind::kStruct:
          if (interest_.Of(member.type)) op = &Add(OpCode::kStruct, member, rule.vuid);
          break;
        case MemberKind::kOpaquePointer:
          op = &Add(OpCode::kFunction, member, rule.vuid);
          break;
        default:
          break;
      }
    }
    if (op == nullptr) return;
    op->offset += base;
    if (optional) op->flags |= kOpOptional;
    if ((rule.flags & vk::kRuleNullableElements) != 0) op->flags |= kOpNullableElements;
  }

  bool ElementsMatter(const MemberInfo& member) const {
    switch (member.kind) {
      case MemberKind::kStruct:
        return member.indirection == Indirection::kPointerToPointer || interest_.Of(member.type);
      case MemberKind::kHandle:
      case MemberKind::kEnum:
      case MemberKind::kBool32:
        return (member.flags & vk::kMemberOutput) == 0;
      case MemberKind::kFlags:
        return (member.flags & vk::kMemberOutput) == 0 && member.type != vk::kNoType;
      case MemberKind::kString:
        return true;
      default:
        return false;
    }
  }

  Op& Add(OpCode code, const MemberInfo& member, vk::VuidIndex vuid) {
    // The two rules of a chain are one step, whichever comes first.
    if (code == OpCode::kNext && !ops_.empty() && ops_.back().code == code && ops_.back().member == &member) {
      if (vuid != vk::kNoVuid) ops_.back().vuid = Kept(vuid);
      return ops_.back();
    }
    Op& op = ops_.emplace_back();
    op.code = code;
    op.type = member.type;
    op.offset = member.offset;
    op.size = member.element_size;
    op.vuid = Kept(vuid);
    op.member = &member;
    if ((member.flags & vk::kMemberOutput) != 0) op.flags |= kOpOutput;
    if ((member.flags & vk::kMemberSingleBit) != 0) op.flags |= kOpSingleBit;
    if (member.indirection == Indirection::kInline && member.fixed_count > 1) op.flags |= kOpSeveral;
    return op;
  }

  vk::VuidIndex Kept(vk::VuidIndex vuid) const {
    return vuid != vk::kNoVuid && leave_out_ && leave_out_(vuid) ? vk::kNoVuid : vuid;
  }

  const Interest& interest_;
  const Programs::LeaveOut& leave_out_;
  std::vector<Op>& ops_;
};

}  // namespace

Programs::Programs(const LeaveOut& leave_out) {
  static const Interest* const interest = new Interest;
  std::vector<Op> ops;
  const auto compile = [&](const StructInfo& info, std::span<const ImplicitRuleInfo> rules, bool skip_first,
                           bool is_struct) -> Range {
    ops.clear();
    Compiler(*interest, leave_out, ops).Compile(info, rules, skip_first);
    if (is_struct && HasExplicitRules(info)) {
      ops.push_back({.code = OpCode::kExplicit, .member = info.members.data()});
    }
    const Range range{static_cast<uint32_t>(ops_.size()), static_cast<uint32_t>(ops.size())};
    ops_.insert(ops_.end(), ops.begin(), ops.end());
    return range;
  };
  for (const StructInfo& structure : vk::Structs()) {
    // The rules of the structure that holds a union check its members.
    const bool is_union = (structure.flags & vk::kStructUnion) != 0;
    structs_.push_back(is_union ? Range{} : compile(structure, vk::ImplicitRulesOf(structure), false, true));
  }
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& info = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    // Dispatch has found the object that a command is dispatched on before any check.
    commands_.push_back(
        compile(*info.parameters, vk::ImplicitRulesOf(info.id), info.dispatch != vk::DispatchLevel::kGlobal, false));
  }
}

const Programs& Programs::All() {
  static const Programs* const all = new Programs;
  return *all;
}

std::span<const Op> Programs::OfChained(const StructInfo& structure) const {
  std::span<const Op> ops = Of(structure);
  while (!ops.empty() && (ops.front().code == OpCode::kStructureType || ops.front().code == OpCode::kNext)) {
    ops = ops.subspan(1);
  }
  return ops;
}

}  // namespace assay::stateless
