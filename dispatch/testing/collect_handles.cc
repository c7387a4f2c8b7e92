// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/testing/collect_handles.h"

#include <cstddef>
#include <utility>

#include "dispatch/translation/ignored_members.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::dispatch {
namespace {

using vk::ElementCount;
using vk::Indirection;
using vk::Load;
using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

const StructInfo& StructOf(const MemberInfo& member) { return vk::Structs()[member.type]; }
bool IsUnion(const StructInfo& info) { return (info.flags & vk::kStructUnion) != 0; }
bool IsNonDispatchableHandle(const MemberInfo& member) {
  return member.kind == MemberKind::kHandle && !vk::Handles()[member.type].dispatchable;
}

// The alternative of a union that its selector chooses, or null.
const MemberInfo* Selected(const StructInfo& info, int64_t selector) {
  for (const MemberInfo& member : info.members) {
    for (int64_t selection : vk::Selections(member)) {
      if (selection == selector) return &member;
    }
  }
  return nullptr;
}

// Walks parameters as a driver would.
class Collector {
 public:
  std::vector<uint64_t> handles;

  void Walk(const StructInfo& info, const std::byte* base, bool skip_next = false) {
    for (const MemberInfo& member : info.members) {
      if ((member.flags & (vk::kMemberOutput | vk::kMemberBitField)) == 0) WalkMember(info, member, base, skip_next);
    }
  }

 private:
  void WalkMember(const StructInfo& info, const MemberInfo& member, const std::byte* base, bool skip_next) {
    const std::byte* const field = base + member.offset;
    if (member.kind == MemberKind::kNext) {
      if (!skip_next) WalkChain(Load<const VkBaseInStructure*>(field));
      return;
    }
    if (member.kind != MemberKind::kStruct && member.kind != MemberKind::kTypedHandle &&
        !IsNonDispatchableHandle(member))
      return;
    if (member.indirection == Indirection::kInline) return WalkElements(info, member, base, field, member.fixed_count);
    const auto* elements = Load<const std::byte*>(field);
    if (elements == nullptr || IsIgnored(info, member, base)) return;
    const uint64_t count = ElementCount(info, member, base);
    if (member.indirection == Indirection::kPointer) return WalkElements(info, member, base, elements, count);
    if ((member.flags & vk::kMemberOuterLengthOnly) != 0) return;
    for (uint64_t i = 0; i < count; ++i) {
      WalkElements(info, member, base, Load<const std::byte*>(elements + i * sizeof(void*)), 1);
    }
  }

  void WalkElements(const StructInfo& parent, const MemberInfo& member, const std::byte* base,
                    const std::byte* elements, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      const std::byte* const element = elements + i * member.element_size;
      if (member.kind != MemberKind::kStruct) {
        handles.push_back(Load<uint64_t>(element));
      } else if (!IsUnion(StructOf(member))) {
        Walk(StructOf(member), element);
      } else if (member.selector >= 0) {
        const auto selector = Load<int32_t>(base + parent.members[static_cast<size_t>(member.selector)].offset);
        const MemberInfo* selected = Selected(StructOf(member), selector);
        if (selected != nullptr) WalkMember(StructOf(member), *selected, element, false);
      }
    }
  }

  void WalkChain(const VkBaseInStructure* link) {
    for (; link != nullptr; link = link->pNext) {
      const StructInfo* info = vk::FindStruct(link->sType);
      if (info != nullptr) Walk(*info, reinterpret_cast<const std::byte*>(link), true);
    }
  }
};

}  // namespace

std::vector<uint64_t> CollectHandles(const vk::CommandInfo& command, const void* call) {
  Collector collector;
  collector.Walk(*command.parameters, static_cast<const std::byte*>(call));
  return std::move(collector.handles);
}

}  // namespace assay::dispatch
