// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_TEST_LIMIT_H_
#define ASSAY_STATELESS_TEST_CASES_TEST_LIMIT_H_

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/strings/match.h"
#include "vk/rules/limit_info.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::stateless {

// Test-only: a limit of devices of tests. It is small, so that arrays that are longer are short, and as large as the
// specification requires; properties are VK_FALSE.
inline uint64_t TestLimit(const vk::LimitInfo& limit) {
  constexpr uint64_t kUnit = 16, kMost = 48;
  const auto contains = [&](std::string_view part) { return absl::StrContains(limit.name, part); };
  const auto is_property = [&](const vk::MemberInfo& member) {
    return member.offset == limit.offset && member.kind == vk::MemberKind::kBool32;
  };
  if (std::ranges::any_of(vk::FindStruct(limit.struct_name)->members, is_property)) return VK_FALSE;
  if (contains("lignment") || contains("AtomSize") || contains("HandleSize")) return kUnit;
  return std::max(kMost, limit.required);
}

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_TEST_LIMIT_H_
