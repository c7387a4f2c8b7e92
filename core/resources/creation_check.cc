// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/resources/creation_check.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "vk/enum_info.h"
#include "vk/struct_info.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

std::string TextOf(const MemberInfo& member, const char* at);

std::string TextOf(const StructInfo& info, const char* base) {
  return absl::StrJoin(info.members, ", ", [&](std::string* out, const MemberInfo& member) {
    absl::StrAppend(out, TextOf(member, base + member.offset));
  });
}

// Of one element.
std::string TextOf(const MemberInfo& member, const char* at) {
  if (member.kind == MemberKind::kStruct) return TextOf(vk::Structs()[member.type], at);
  if (member.type_name == "float") return absl::StrCat(vk::Load<float>(at));
  const uint64_t value = vk::LoadUnsigned(at, member.element_size);
  switch (member.kind) {
    case MemberKind::kBool32:
      return value == VK_FALSE ? "VK_FALSE" : "VK_TRUE";
    case MemberKind::kEnum: {
      const auto name =
          vk::EnumName(static_cast<vk::EnumId>(member.type), static_cast<int32_t>(static_cast<uint32_t>(value)));
      return name.empty() ? absl::StrCat(value) : std::string(name);
    }
    case MemberKind::kFlags:
      return member.type == vk::kNoType ? absl::StrCat(value)
                                        : vk::FlagsToString(static_cast<vk::EnumId>(member.type), value);
    default:
      return absl::StrCat(value);
  }
}

// At most eight elements of an array.
std::string ElementsText(const StructInfo& info, const MemberInfo& member, const void* base) {
  constexpr uint64_t kMost = 8;
  const char* const own = static_cast<const char*>(base) + member.offset;
  const char* const at = member.indirection == vk::Indirection::kInline ? own : vk::Load<const char*>(own);
  if (member.kind == MemberKind::kNext || !vk::IsAddress(at)) return at == nullptr ? "NULL" : "not NULL";
  const uint64_t count = vk::ElementCount(info, member, base);
  std::vector<std::string> texts;
  texts.reserve(std::min(count, kMost) + 1);
  for (uint64_t i = 0; i < std::min(count, kMost); ++i) texts.push_back(TextOf(member, at + i * member.element_size));
  if (count > kMost) texts.emplace_back("...");
  return absl::StrJoin(texts, ", ");
}

std::optional<std::string> ValueIn(const StructInfo* info, const void* base, std::string_view path) {
  const std::pair<std::string_view, std::string_view> parts = absl::StrSplit(path, absl::MaxSplits('.', 1));
  if (info == nullptr || base == nullptr) return std::nullopt;
  const auto member = std::ranges::find(info->members, parts.first, &MemberInfo::name);
  if (member == info->members.end()) return std::nullopt;
  if (parts.second.empty()) return ElementsText(*info, *member, base);
  return ValueIn(&vk::Structs()[member->type], static_cast<const char*>(base) + member->offset, parts.second);
}

}  // namespace

std::optional<std::string> CreationCheck::ValueOf(std::string_view path) const {
  const std::pair<std::string_view, std::string_view> parts = absl::StrSplit(path, absl::MaxSplits('.', 1));
  if (parts.first == other_.name) return ValueIn(vk::FindStruct(other_.type), other_.base, parts.second);
  if (!parts.first.starts_with("Vk")) return ValueIn(vk::FindStruct(info_.type), info_.base, path);
  const StructInfo* const info = vk::FindStruct(parts.first);
  if (info == nullptr || (physical_device_ == nullptr && parts.first.starts_with("VkPhysicalDevice")))
    return std::nullopt;
  if (parts.first == "VkPhysicalDeviceLimits") return ValueIn(info, &physical_device_->properties.limits, parts.second);
  if (parts.first.starts_with("VkPhysicalDevice"))
    return ValueIn(info, physical_device_->Find(info->structure_type), parts.second);
  const auto* link = static_cast<const VkBaseInStructure*>(info_.base);
  while (link != nullptr && link->sType != info->structure_type) link = link->pNext;
  return ValueIn(info, link, parts.second);
}

std::string CreationCheck::Describe(std::string_view path) const {
  const std::optional<std::string> value = ValueOf(path);
  return value ? absl::StrCat(path, " (", *value, ")") : std::string(path);
}

void CreationCheck::Report(vk::VuidIndex id, std::string_view member, std::string_view others) {
  if (id == vk::kNoVuid || std::ranges::count(reported_, member) != 0) return;
  reported_.push_back(member);
  std::vector<std::string> texts;
  for (const std::string_view each : absl::StrSplit(others, " and ")) texts.push_back(Describe(each));
  const std::pair<std::string_view, std::string_view> parts = absl::StrSplit(member, absl::MaxSplits('.', 1));
  const bool is_chained = member.starts_with("Vk");
  const std::optional<std::string> value = ValueOf(member);
  report_.Error(id, {object_}, is_chained ? where_.Next(parts.first, parts.second) : where_.Dot(member),
                absl::StrCat(value ? absl::StrCat("(", *value, ") ") : "", "does not go with ",
                             absl::StrJoin(texts, " and "), "."));
}

}  // namespace assay::core
