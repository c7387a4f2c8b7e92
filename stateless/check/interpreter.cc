// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/check/interpreter.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "stateless/check/utf8.h"
#include "stateless/implicit/conditional_pointers.h"
#include "stateless/implicit/pnext_chain.h"
#include "stateless/implicit/reports.h"
#include "vk/command_info.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using vk::ElementCount;
using vk::Indirection;
using vk::IsAddress;
using vk::Load;
using vk::LoadUnsigned;
using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

bool IsOfLoader(VkStructureType type) {
  return type == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || type == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO;
}

// An sType of an extension that is newer than the registry. The structure is unknown.
bool IsNewerThanRegistry(const EnabledApi& enabled, VkStructureType type) {
  static const vk::EnumInfo* const info = vk::FindEnumInfo("VkStructureType");
  static const auto id = static_cast<uint16_t>(info - &vk::GetEnumInfo(vk::EnumId{}));
  return enabled.HasValue(id, type) &&
         !std::ranges::binary_search(info->values, int64_t{type}, {}, &vk::EnumValue::value);
}

}  // namespace

void Interpreter::RunCommand() {
  const vk::CommandInfo& command = vk::GetCommandInfo(report_.command());
  Run(programs_.Of(command.id),
      {*command.parameters, static_cast<const char*>(parameters_), nullptr, Direction::kInput});
}

void Interpreter::RunStruct(const StructInfo& info, const void* structure, const Step& where) {
  Run(programs_.Of(info), {info, static_cast<const char*>(structure), &where, Direction::kInput});
}

void Interpreter::Run(std::span<const Op> ops, const Scope& scope) {
  for (size_t i = 0; i < ops.size() && !stopped_; ++i) {
    if (ops[i].code == OpCode::kSelected) {
      if (!IsSelected(ops[i], scope)) ++i;
    } else {
      RunOp(ops[i], scope);
    }
  }
}

bool Interpreter::IsSelected(const Op& op, const Scope& scope) const {
  const MemberInfo& selector = scope.info.members[op.size];
  const int64_t value = Load<int32_t>(scope.base, selector.offset);
  return std::ranges::count(vk::Selections(*op.member), value) != 0;
}

void Interpreter::RunOp(const Op& op, const Scope& scope) {
  const char* const at = scope.base + op.offset;
  const CheckedCall call{report_, parameters_};
  const Step where{scope.where, op.member->name, {}, Step::kNoIndex};
  if (scope.direction == Direction::kOutput && op.code != OpCode::kStructureType && op.code != OpCode::kNext &&
      op.code != OpCode::kPointer && op.code != OpCode::kStruct) {
    return;
  }
  switch (op.code) {
    case OpCode::kStructureType:
      if (Load<uint32_t>(at) != op.size) {
        ReportWrongStructureType(call, op.vuid, where, Load<int32_t>(at), static_cast<VkStructureType>(op.size));
      }
      return;
    case OpCode::kNext:
      if (Load<const void*>(at) != nullptr) CheckChain(op, scope);
      return;
    case OpCode::kHandle:
    case OpCode::kEnum:
    case OpCode::kFlags:
    case OpCode::kBool32:
      if ((op.flags & kOpSeveral) == 0) {
        CheckValue(op, at, where);
      } else {
        CheckElementsInLine(op, at, scope);
      }
      return;
    case OpCode::kFunction:
      if (Load<const void*>(at) == nullptr && (op.flags & kOpOptional) == 0)
        ReportNull(call, op.vuid, where, *op.member, 1);
      return;
    case OpCode::kStruct:
      CheckStructs(op, at, op.member->fixed_count, scope, scope.direction, (op.flags & kOpSeveral) != 0);
      return;
    case OpCode::kNotZero:
      if (LoadUnsigned(at, op.size) == 0) ReportZero(call, op.vuid, where);
      return;
    case OpCode::kZero:
      if (LoadUnsigned(at, op.size) != 0) ReportNotZero(call, op.vuid, where, LoadUnsigned(at, op.size));
      return;
    case OpCode::kLength:
      if (LoadUnsigned(at, op.size) == 0) ReportZero(call, op.vuid, where);
      return;
    case OpCode::kLengthOfArrays: {
      if (LoadUnsigned(at, op.size) != 0) return;
      const auto is_there = [&](const MemberInfo& array) {
        return (array.flags & vk::kMemberOptional) != 0 && array.length_member >= 0 &&
               &scope.info.members[static_cast<size_t>(array.length_member)] == op.member &&
               Load<const void*>(scope.base, array.offset) != nullptr;
      };
      if (std::ranges::any_of(scope.info.members, is_there)) ReportZero(call, op.vuid, where);
      return;
    }
    case OpCode::kLengthOfPointee: {
      const MemberInfo& pointer = scope.info.members[static_cast<size_t>(op.member->length_member)];
      if (IsAddress(Load<const void*>(scope.base, pointer.offset)) &&
          ElementCount(scope.info, *op.member, scope.base) == 0) {
        const Step pointee{scope.where, pointer.name, {}, Step::kNoIndex};
        ReportZero(call, op.vuid, pointee);
      }
      return;
    }
    case OpCode::kPointer:
      CheckPointer(op, scope);
      return;
    case OpCode::kConditionalPointer:
      if (IsKnownToBeRead(*op.member, scope.base, parameters_)) CheckPointer(op, scope);
      return;
    case OpCode::kExplicit:
      if (explicit_rules_ != nullptr) explicit_rules_->Check(scope.info, scope.base, scope.where, call);
      return;
    case OpCode::kSelected:
      return;
  }
}

void Interpreter::CheckValue(const Op& op, const char* at, const Step& where) {
  const CheckedCall call{report_, parameters_};
  switch (op.member->kind) {
    case MemberKind::kHandle:
      if (Load<uint64_t>(at) == 0 && (op.flags & kOpNullableElements) == 0)
        ReportNullHandle(call, op.vuid, where, *op.member);
      return;
    case MemberKind::kEnum: {
      const auto value = Load<int32_t>(at);
      if (!enabled_.HasValue(op.type, value) && (value != 0 || (op.flags & kOpOptional) == 0)) {
        ReportWrongValue(call, op.vuid, where, op.type, value);
      }
      return;
    }
    case MemberKind::kFlags: {
      const uint64_t value = LoadUnsigned(at, op.size);
      if (value == 0 && op.other_vuid != vk::kNoVuid) ReportZero(call, op.other_vuid, where);
      if (!enabled_.HasBits(op.type, value)) {
        ReportWrongBits(call, op.vuid, where, op.type, value, enabled_.OtherBits(op.type, value));
      } else if ((op.flags & kOpSingleBit) != 0 && !std::has_single_bit(value) &&
                 (value != 0 || (op.flags & kOpOptional) == 0)) {
        ReportNotOneBit(call, op.vuid, where, op.type, value);
      }
      return;
    }
    case MemberKind::kBool32:
      if (Load<uint32_t>(at) > VK_TRUE) ReportWrongBool(call, op, where, Load<uint32_t>(at));
      return;
    default:
      return;
  }
}

void Interpreter::CheckElementsInLine(const Op& op, const char* at, const Scope& scope) {
  for (uint32_t i = 0; i < op.member->fixed_count; ++i) {
    const Step where{scope.where, op.member->name, {}, i};
    CheckValue(op, at + size_t{i} * op.size, where);
  }
}

void Interpreter::CheckStructs(const Op& op, const char* elements, uint64_t count, const Scope& scope,
                               Direction direction, bool several) {
  const StructInfo& info = vk::Structs()[op.type];
  const std::span<const Op> ops = programs_.Of(info);
  if (ops.empty()) return;
  const vk::VuidIndex struct_rule = op.code == OpCode::kStruct ? op.vuid : vk::kNoVuid;
  for (uint64_t i = 0; i < count && !stopped_; ++i) {
    const char* const element = elements + i * info.size;
    if (TakesFastPath(info, element, direction)) continue;
    const Step where{
        scope.where, op.member->name, {}, several ? static_cast<uint32_t>(i) : Step::kNoIndex, struct_rule};
    Run(ops, {info, element, &where, direction});
  }
}

void Interpreter::CheckPointer(const Op& op, const Scope& scope) {
  const char* const pointer = Load<const char*>(scope.base + op.offset);
  if (pointer == nullptr) {
    if ((op.flags & kOpOptional) != 0 || op.code == OpCode::kConditionalPointer) return;
    const bool text = op.member->length_kind == vk::LengthKind::kNullTerminated;
    const bool unknown = op.member->length_kind == vk::LengthKind::kUnknown;
    const uint64_t count = text || unknown ? 1 : ElementCount(scope.info, *op.member, scope.base);
    if (count == 0) return;
    const Step where{scope.where, op.member->name, {}, Step::kNoIndex};
    ReportNull({report_, parameters_}, op.vuid, where, *op.member, count);
    return;
  }
  if (!IsAddress(pointer)) {
    // The implementation does not read an array without elements.
    if (op.member->length_kind == vk::LengthKind::kMember && ElementCount(scope.info, *op.member, scope.base) == 0)
      return;
    const Step where{scope.where, op.member->name, {}, Step::kNoIndex};
    ReportNoAddress({report_, parameters_}, op.vuid, where, pointer);
    return;
  }
  if ((op.flags & kOpElements) == 0) return;
  if (op.member->kind == MemberKind::kString && op.member->indirection == Indirection::kPointer) {
    const Step where{scope.where, op.member->name, {}, Step::kNoIndex};
    CheckText(op, pointer, where);
    return;
  }
  const uint64_t count = ElementCount(scope.info, *op.member, scope.base);
  if (op.member->indirection == Indirection::kPointerToPointer) {
    CheckPointers(op, pointer, count, scope);
  } else {
    CheckElements(op, pointer, count, scope);
  }
}

void Interpreter::CheckElements(const Op& op, const char* elements, uint64_t count, const Scope& scope) {
  const bool several = op.member->length_kind != vk::LengthKind::kOne;
  if (op.member->kind == MemberKind::kStruct) {
    CheckStructs(op, elements, count, scope, (op.flags & kOpOutput) != 0 ? Direction::kOutput : scope.direction,
                 several);
    return;
  }
  if (scope.direction == Direction::kOutput) return;
  for (uint64_t i = 0; i < count; ++i) {
    const Step where{scope.where, op.member->name, {}, several ? static_cast<uint32_t>(i) : Step::kNoIndex};
    CheckValue(op, elements + i * op.size, where);
  }
}

void Interpreter::CheckPointers(const Op& op, const char* pointers, uint64_t count, const Scope& scope) {
  for (uint64_t i = 0; i < count && !stopped_; ++i) {
    const char* const pointer = Load<const char*>(pointers, i * sizeof(void*));
    const Step where{scope.where, op.member->name, {}, static_cast<uint32_t>(i)};
    if (pointer == nullptr) {
      ReportNull({report_, parameters_}, op.vuid, where, *op.member, 0);
    } else if (!IsAddress(pointer)) {
      ReportNoAddress({report_, parameters_}, op.vuid, where, pointer);
    } else if (op.member->kind == MemberKind::kString) {
      CheckText(op, pointer, where);
    } else if (op.member->kind == MemberKind::kStruct && (op.member->flags & vk::kMemberOuterLengthOnly) == 0) {
      const StructInfo& info = vk::Structs()[op.type];
      Run(programs_.Of(info), {info, pointer, &where, scope.direction});
    }
  }
}

void Interpreter::CheckText(const Op& op, const char* text, const Step& where) {
  if (!IsUtf8(text)) ReportNotUtf8({report_, parameters_}, op.vuid, where);
}

void Interpreter::CheckChain(const Op& op, const Scope& scope) {
  const Step where{scope.where, op.member->name, {}, Step::kNoIndex};
  const auto* const head = Load<const VkBaseInStructure*>(scope.base + op.offset);
  for (const auto* link = head; link != nullptr && !stopped_; link = link->pNext) {
    if (!IsAddress(link)) {
      ReportNoAddress({report_, parameters_}, op.vuid, where, link);
      stopped_ = true;
      return;
    }
    CheckLink(op, *link, *head, scope, where);
  }
  if (!stopped_ && head->pNext != nullptr && op.other_vuid != vk::kNoVuid) CheckUnique(op, head, where);
}

void Interpreter::CheckLink(const Op& op, const VkBaseInStructure& link, const VkBaseInStructure& first,
                            const Scope& scope, const Step& where) {
  if (IsOfLoader(link.sType)) return;
  const CheckedCall call{report_, parameters_};
  const StructInfo* const info = vk::FindStruct(link.sType);
  if (info == nullptr || !MayBeIn(scope.info, first, *info)) {
    if (info == nullptr && IsNewerThanRegistry(enabled_, link.sType)) return;
    const std::vector<SuggestedStruct> suggested = SuggestStructs(programs_, enabled_, scope.info, first, link.sType);
    ReportWrongLink(call, op.vuid, where, scope.info, link.sType, info, suggested);
    return;
  }
  if (!enabled_.Has(*info)) {
    ReportLinkNotEnabled(call, op.vuid, where, *info);
    return;
  }
  if (fast_path_ != nullptr && scope.direction == Direction::kInput &&
      fast_path_->AcceptsLink(*info, &link, parameters_)) {
    return;
  }
  const Step chained{scope.where, {}, info->name, Step::kNoIndex};
  Run(programs_.OfChained(*info), {*info, reinterpret_cast<const char*>(&link), &chained, scope.direction});
}

void Interpreter::CheckUnique(const Op& op, const VkBaseInStructure* head, const Step& where) {
  for (const auto* link = head; link != nullptr; link = link->pNext) {
    if (IsOfLoader(link->sType)) continue;
    const StructInfo* const info = vk::FindStruct(link->sType);
    if (info == nullptr || (info->flags & vk::kStructAllowDuplicate) != 0) continue;
    for (const auto* earlier = head; earlier != link; earlier = earlier->pNext) {
      if (earlier->sType != link->sType) continue;
      ReportTwice({report_, parameters_}, op.other_vuid, where, link->sType);
      return;
    }
  }
}

}  // namespace assay::stateless
