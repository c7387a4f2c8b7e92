// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/struct_info.h"

#include <algorithm>

#include "vk/struct_tables.h"

namespace assay::vk {

static_assert(sizeof(MemberInfo) == 64, "a member is one cache line");

std::span<const StructInfo> Structs() { return {tables::kStructs, tables::kStructCount}; }

std::span<const int64_t> Selections(const MemberInfo& member) {
  return {tables::kSelections + member.first_selection, member.selection_count};
}

const StructInfo* FindStruct(VkStructureType type) {
  const uint16_t index = tables::kStructByType.Find(type);
  return index == ValueIndex::kNone ? nullptr : &tables::kStructs[index];
}

const StructInfo* FindStruct(std::string_view name) {
  const auto structs = Structs();
  auto found = std::ranges::lower_bound(structs, name, {}, &StructInfo::name);
  return found == structs.end() || found->name != name ? nullptr : &*found;
}

std::span<const HandleInfo> Handles() { return {tables::kHandles, tables::kHandleCount}; }

const HandleInfo* FindHandle(VkObjectType type) {
  const uint16_t index = tables::kHandleByObjectType.Find(type);
  return index == ValueIndex::kNone ? nullptr : &tables::kHandles[index];
}

const HandleInfo* FindHandle(VkDebugReportObjectTypeEXT type) {
  const uint16_t index = tables::kHandleByDebugReportType.Find(type);
  return index == ValueIndex::kNone ? nullptr : &tables::kHandles[index];
}

}  // namespace assay::vk
