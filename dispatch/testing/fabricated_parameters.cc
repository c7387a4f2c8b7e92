// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/testing/fabricated_parameters.h"

#include <cstring>

#include "dispatch/translation/ignored_members.h"
#include "vk/vulkan.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::dispatch {
namespace {

using vk::ElementCount;
using vk::Indirection;
using vk::LengthKind;
using vk::Load;
using vk::MemberInfo;
using vk::MemberKind;
using vk::Store;
using vk::StructInfo;

constexpr auto kUnknownStructure = static_cast<VkStructureType>(0x7abcdef0);
constexpr uint32_t kElements = 2;
const void* const kNowhere = reinterpret_cast<const void*>(0x10);

const StructInfo& StructOf(const MemberInfo& member) { return vk::Structs()[member.type]; }
bool IsUnion(const StructInfo& info) { return (info.flags & vk::kStructUnion) != 0; }
bool IsNonDispatchableHandle(const MemberInfo& member) {
  return member.kind == MemberKind::kHandle && !vk::Handles()[member.type].dispatchable;
}

// A member of a union that leads to a handle, or null.
const MemberInfo* AlternativeWithHandle(const StructInfo& info) {
  for (const MemberInfo& member : info.members) {
    if (vk::Selections(member).empty()) continue;
    if (IsNonDispatchableHandle(member)) return &member;
    if (member.kind == MemberKind::kStruct && (StructOf(member).flags & vk::kStructReachesHandle) != 0) return &member;
  }
  return nullptr;
}

}  // namespace

std::byte* FabricatedCall::Allocate(size_t bytes, bool output) {
  Block& block = blocks_.emplace_back();
  block.bytes.resize(bytes + 16);
  // Fill() copies the bytes when all is filled in. Memory that the command writes has no copy.
  if (!output) block.original.resize(1);
  return block.bytes.data();
}

void FabricatedCall::Fill(const vk::CommandInfo& command, void* call) {
  FillStruct(*command.parameters, static_cast<std::byte*>(call), false, 0);
  for (Block& block : blocks_) {
    if (!block.original.empty()) block.original = block.bytes;
  }
}

bool FabricatedCall::IsUntouched() const {
  for (const Block& block : blocks_) {
    if (!block.original.empty() && block.original != block.bytes) return false;
  }
  return true;
}

void FabricatedCall::FillStruct(const StructInfo& info, std::byte* base, bool output, int depth) {
  // First the lengths of arrays.
  for (const MemberInfo& member : info.members) {
    if (member.length_member < 0) continue;
    const MemberInfo& length = info.members[static_cast<size_t>(member.length_member)];
    uint64_t count = kElements;
    if (member.length_kind == LengthKind::kMemberDivided) count *= member.length_offset;
    if (length.kind == MemberKind::kStruct || member.length_kind == LengthKind::kMemberOfPointee) continue;
    if (length.indirection == Indirection::kPointer) {
      auto* pointee = Load<std::byte*>(base + length.offset);
      if (pointee == nullptr) pointee = Allocate(8, true);
      std::memcpy(pointee, &count, length.element_size);
      Store(base + length.offset, pointee);
    } else {
      std::memcpy(base + length.offset, &count, length.element_size);
    }
  }
  for (const MemberInfo& member : info.members) {
    if ((member.flags & vk::kMemberBitField) == 0) FillMember(info, member, base, output, depth);
  }
  for (const MemberInfo& member : info.members) {
    if (member.indirection == Indirection::kPointer && !IsUnion(info) && IsIgnored(info, member, base)) {
      Store(base + member.offset, kNowhere);
    }
  }
}

void FabricatedCall::FillMember(const StructInfo& info, const MemberInfo& member, std::byte* base, bool output,
                                int depth) {
  output = output || (member.flags & vk::kMemberOutput) != 0;
  std::byte* const field = base + member.offset;
  if (member.kind == MemberKind::kNext) {
    if (!output && depth >= first_chain_depth_ && depth < kMaxDepth) Store(field, MakeChain(info, depth));
    return;
  }
  if (member.indirection == Indirection::kInline) {
    return FillElements(info, member, base, field, member.fixed_count, output, depth);
  }
  if (member.kind == MemberKind::kOpaquePointer || member.element_size == 0 || Load<void*>(field) != nullptr) return;
  if (member.kind == MemberKind::kString && member.length_kind == LengthKind::kNullTerminated) {
    return Store<const char*>(field, "name");
  }
  if (member.kind == MemberKind::kStruct && depth >= kMaxDepth) return;
  const uint64_t count = member.length_kind == LengthKind::kUnknown ? 1 : ElementCount(info, member, base);
  if (member.indirection == Indirection::kPointer) {
    std::byte* elements = Allocate(count * member.element_size, output);
    FillElements(info, member, base, elements, count, output, depth);
    return Store(field, elements);
  }
  if (member.kind != MemberKind::kStruct || (member.flags & vk::kMemberOuterLengthOnly) != 0) return;
  std::byte* pointers = Allocate(count * sizeof(void*), output);
  for (uint64_t i = 0; i < count; ++i) {
    std::byte* element = Allocate(member.element_size, output);
    FillElements(info, member, base, element, 1, output, depth);
    Store(pointers + i * sizeof(void*), element);
  }
  Store(field, pointers);
}

void FabricatedCall::FillElements(const StructInfo& info, const MemberInfo& member, std::byte* base,
                                  std::byte* elements, uint64_t count, bool output, int depth) {
  for (uint64_t i = 0; i < count; ++i) {
    std::byte* const element = elements + i * member.element_size;
    switch (member.kind) {
      case MemberKind::kStructureType:
        if (info.structure_type != VK_STRUCTURE_TYPE_MAX_ENUM) Store(element, info.structure_type);
        break;
      case MemberKind::kHandle:
        if (!output) Store(element, make_handle_(vk::Handles()[member.type]));
        break;
      case MemberKind::kTypedHandle: {
        const MemberInfo& type = info.members[static_cast<size_t>(member.selector)];
        const bool old = type.type_name.find("DebugReport") != std::string_view::npos;
        Store(base + type.offset,
              old ? int32_t{VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT} : int32_t{VK_OBJECT_TYPE_BUFFER});
        Store(element, make_handle_(*vk::FindHandle(VK_OBJECT_TYPE_BUFFER)));
        break;
      }
      case MemberKind::kStruct:
        if (IsUnion(StructOf(member))) {
          if (!output) FillUnion(info, member, base, element, depth);
        } else {
          FillStruct(StructOf(member), element, output, depth + 1);
        }
        break;
      default:
        break;
    }
  }
}

void FabricatedCall::FillUnion(const StructInfo& parent, const MemberInfo& member, std::byte* parent_base,
                               std::byte* element, int depth) {
  if (member.selector < 0) return;
  const StructInfo& info = StructOf(member);
  const MemberInfo* alternative = AlternativeWithHandle(info);
  if (alternative == nullptr) return;
  const MemberInfo& selector = parent.members[static_cast<size_t>(member.selector)];
  Store(parent_base + selector.offset, static_cast<int32_t>(vk::Selections(*alternative)[0]));
  FillMember(info, *alternative, element, false, depth);
}

std::byte* FabricatedCall::MakeChain(const StructInfo& info, int depth) {
  std::byte* next = nullptr;
  const auto prepend = [&](VkStructureType type, size_t size) {
    std::byte* link = Allocate(size, false);
    Store(link, type);
    Store(link + offsetof(VkBaseInStructure, pNext), next);
    next = link;
    return link;
  };
  const auto prepend_known = [&](const StructInfo& known) {
    std::byte* link = prepend(known.structure_type, known.size);
    std::byte* const rest = Load<std::byte*>(link + offsetof(VkBaseInStructure, pNext));
    FillStruct(known, link, false, depth + 1);
    Store(link + offsetof(VkBaseInStructure, pNext), rest);
  };
  const auto prepend_unknown = [&] {
    if (unknown_ == UnknownStructures::kAround) prepend(kUnknownStructure, sizeof(VkBaseInStructure));
  };
  prepend_unknown();
  for (vk::TypeIndex index : info.extended_by) {
    const StructInfo& known = vk::Structs()[index];
    if ((known.flags & vk::kStructReachesHandleDirectly) == 0) continue;
    prepend_known(known);
    prepend_unknown();
  }
  if (info.structure_type == VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR && depth < kMaxDepth - 2) {
    prepend_known(*vk::FindStruct(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO));
  }
  return next;
}

}  // namespace assay::dispatch
