// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/translate.h"

#include <vector>

#include "dispatch/handles/handle_table.h"
#include "dispatch/translation/handle_members.h"
#include "dispatch/translation/ignored_members.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::dispatch {
namespace {

using vk::ElementCount;
using vk::Indirection;
using vk::Load;
using vk::MemberInfo;
using vk::MemberKind;
using vk::Store;
using vk::StructInfo;

// Replaces handles in one command's parameters. Its copies of structures are in the arena.
class HandleTranslator {
 public:
  explicit HandleTranslator(ScratchArena& arena) : arena_(arena) {}

  // Replaces the handles that members of a copy reach. info describes the copy.
  void TranslateCopy(const StructInfo& info, const std::vector<const MemberInfo*>& members, void* copy) {
    for (const MemberInfo* member : members) TranslateMember(info, *member, copy);
  }

 private:
  void TranslateMember(const StructInfo& info, const MemberInfo& member, void* copy) {
    if ((member.flags & vk::kMemberOutput) != 0) return;
    if (member.kind == MemberKind::kNext) {
      if (Load<const void*>(copy, member.offset) != nullptr) TranslateChain(member.offset, copy);
      return;
    }
    void* const field = static_cast<char*>(copy) + member.offset;
    switch (member.indirection) {
      case Indirection::kInline:
        TranslateElements(info, member, copy, field, member.fixed_count);
        return;
      case Indirection::kPointer: {
        const void* source = Load<const void*>(field);
        if (source == nullptr || IsIgnored(info, member, copy)) return;
        const uint64_t count = ElementCount(info, member, copy);
        if (count == 0 || !AnyReachesHandle(member, source, count)) return;
        void* elements = arena_.Copy(source, count * member.element_size);
        TranslateElements(info, member, copy, elements, count);
        Store(field, 0, elements);
        return;
      }
      case Indirection::kPointerToPointer: {
        const void* source = Load<const void*>(field);
        if (source == nullptr || member.kind != MemberKind::kStruct) return;
        const uint64_t count = ElementCount(info, member, copy);
        auto* pointers = static_cast<void**>(arena_.Copy(source, count * sizeof(void*)));
        for (uint64_t i = 0; i < count; ++i) {
          pointers[i] = arena_.Copy(pointers[i], member.element_size);
          TranslateElements(info, member, copy, pointers[i], 1);
        }
        Store(field, 0, pointers);
        return;
      }
    }
  }

  // False for structures that reach a handle only through their own pNext chains when none has a chain. A structure in
  // the structure may have a chain too.
  static bool AnyReachesHandle(const MemberInfo& member, const void* elements, uint64_t count) {
    if (member.kind != MemberKind::kStruct) return true;
    const StructInfo& info = vk::Structs()[member.type];
    if (info.structure_type == VK_STRUCTURE_TYPE_MAX_ENUM || HandleMembers::Get().ReachesHandleWithoutChain(info))
      return true;
    for (uint64_t i = 0; i < count; ++i) {
      const size_t at = i * member.element_size + offsetof(VkBaseInStructure, pNext);
      if (Load<const void*>(elements, at) != nullptr) return true;
    }
    return false;
  }

  void TranslateElements(const StructInfo& parent, const MemberInfo& member, void* parent_copy, void* elements,
                         uint64_t count) {
    char* element = static_cast<char*>(elements);
    if (member.kind != MemberKind::kStruct) {
      const HandleTable& handles = HandleTable::Get();
      // A handle of a dispatchable object does not look wrapped, so ToDriver returns it unchanged.
      for (uint64_t i = 0; i < count; ++i, element += member.element_size) {
        Store(element, 0, handles.ToDriver(Load<uint64_t>(element)));
      }
      return;
    }
    const StructInfo& info = vk::Structs()[member.type];
    if ((info.flags & vk::kStructUnion) != 0) {
      for (uint64_t i = 0; i < count; ++i, element += member.element_size) {
        TranslateUnion(parent, member, parent_copy, info, element);
      }
      return;
    }
    const std::vector<const MemberInfo*>& members = HandleMembers::Get().OfStruct(info);
    for (uint64_t i = 0; i < count; ++i, element += member.element_size) TranslateCopy(info, members, element);
  }

  void TranslateUnion(const StructInfo& parent, const MemberInfo& member, const void* parent_copy,
                      const StructInfo& info, void* element) {
    if (member.selector < 0) return;
    const MemberInfo& selector = parent.members[static_cast<size_t>(member.selector)];
    const auto selected = static_cast<int64_t>(Load<int32_t>(parent_copy, selector.offset));
    for (const MemberInfo& alternative : info.members) {
      for (int64_t selection : vk::Selections(alternative)) {
        if (selection != selected || !ReachesHandle(alternative)) continue;
        TranslateMember(info, alternative, element);
        return;
      }
    }
  }

  // Copies the chain up to the last link that reaches a handle without the links after it. The rest stays the
  // application's. A link that the registry does not have cannot be copied: it is left out when handles follow it, and
  // kept otherwise.
  void TranslateChain(size_t offset, void* copy) {
    const auto* head = Load<const VkBaseInStructure*>(copy, offset);
    const VkBaseInStructure* last = nullptr;
    for (const auto* link = head; link != nullptr; link = link->pNext) {
      const StructInfo* info = vk::FindStruct(link->sType);
      if (info != nullptr && HandleMembers::Get().ReachesHandleWithoutChain(*info)) last = link;
    }
    if (last == nullptr) return;
    void* previous = copy;
    size_t previous_offset = offset;
    for (const auto* link = head;; link = link->pNext) {
      if (const StructInfo* info = vk::FindStruct(link->sType)) {
        void* link_copy = arena_.Copy(link, info->size);
        Store(previous, previous_offset, link_copy);
        for (const MemberInfo* member : HandleMembers::Get().OfStruct(*info)) {
          if (member->kind != MemberKind::kNext) TranslateMember(*info, *member, link_copy);
        }
        previous = link_copy;
        previous_offset = offsetof(VkBaseInStructure, pNext);
      }
      if (link == last) break;
    }
    Store(previous, previous_offset, last->pNext);
  }

  ScratchArena& arena_;
};

}  // namespace

void TranslateToDriver(const vk::CommandInfo& command, void* call, ScratchArena& arena) {
  HandleTranslator(arena).TranslateCopy(*command.parameters, HandleMembers::Get().OfCommand(command.id), call);
}

}  // namespace assay::dispatch
