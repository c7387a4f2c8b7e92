// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_MINIMAL_CALL_H_
#define ASSAY_STATELESS_TEST_CASES_MINIMAL_CALL_H_

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "stateless/test_cases/route.h"
#include "vk/rules/implicit_rule_info.h"
#include "vk/struct_info.h"

namespace assay::stateless {

using vk::ImplicitRuleInfo, vk::ImplicitRuleKind, vk::Indirection, vk::MemberInfo, vk::MemberKind, vk::StructInfo;

// Test-only: the smallest correct call of a command, made from the registry's tables, with everything on a route filled
// in.
class MinimalCall {
 public:
  // An invalid address.
  static inline void* const kInvalidAddress = reinterpret_cast<void*>(8);

  explicit MinimalCall(const Route& route);

  const vk::CommandInfo& command() const { return *route_.command; }
  void* parameters() const { return parameters_; }
  // The end of the route: a structure, or the parameters if the route has no steps.
  void* target() const { return target_; }
  const StructInfo& target_info() const { return *target_info_; }

  // Memory that lives as long as the call, all zero.
  void* Allocate(size_t bytes);
  // A minimal correct structure.
  void* MakeStruct(const StructInfo& info);
  // Makes the structure, or the elements, that the step leads to and returns the first.
  void* Make(const RouteStep& step, void* owner);
  // Gives the array of that member of the target at least one element, if its length is a free number.
  void GrowArray(const MemberInfo& member) { SetLength(target_info(), member, target_, 1); }

 private:
  void Fill(const StructInfo& info, std::span<const ImplicitRuleInfo> rules, void* base);
  void FillLength(const StructInfo& info, const ImplicitRuleInfo& rule, void* base);
  void FillMember(const StructInfo& info, const MemberInfo& member, std::span<const ImplicitRuleInfo> rules,
                  void* base);
  void FillAlternative(const StructInfo& info, const ImplicitRuleInfo& rule, void* base);
  void FillPointer(const StructInfo& info, const MemberInfo& member, void* base);
  void FillValue(const MemberInfo& member, std::span<const ImplicitRuleInfo> rules, void* at);
  void SetLength(const StructInfo& info, const MemberInfo& member, void* base, uint64_t count);
  void* MakePointee(const StructInfo& info, const MemberInfo& member, void* base);
  // Makes the implementation read pointers that it sometimes ignores.
  void MakeConditionalPointersRead(const RouteStep& step, void* owner);

  Route route_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  void* parameters_;
  void* target_;
  const StructInfo* target_info_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_MINIMAL_CALL_H_
