// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/handles/handle_fast_path.h"

#include <array>

#include "dispatch/translation/ignored_members.h"
#include "vk/walk/array_walk.h"
#include "vk/walk/load_store.h"

namespace assay::object_lifetimes {
namespace {

using dispatch::HandleTable;
using dispatch::Slot;
using vk::Indirection;
using vk::LengthKind;
using vk::Load;
using vk::MemberInfo;
using vk::MemberKind;

bool IsFromDevice(vk::TypeIndex handle) {
  for (; handle != vk::kNoType; handle = vk::Handles()[handle].parent) {
    if (vk::Handles()[handle].object_type == VK_OBJECT_TYPE_DEVICE) return true;
  }
  return false;
}

// Structures with a pointer to handles that is ignored or not, as dispatch::IsIgnored decides.
bool MayBeIgnored(const vk::StructInfo& info) {
  return info.structure_type == VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO ||
         info.structure_type == VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO ||
         info.name == "VkDescriptorSetLayoutBinding";
}

}  // namespace

const HandleFastPath& HandleFastPath::Get() {
  static const HandleFastPath* const all = new HandleFastPath;
  return *all;
}

HandleFastPath::HandleFastPath() {
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const auto id = static_cast<vk::CommandId>(i);
    commands_.push_back(static_cast<uint32_t>(ops_.size()));
    // Objects of an instance or physical device have no device to compare.
    if (vk::GetCommandInfo(id).dispatch >= vk::DispatchLevel::kDevice) {
      Compile(HandleRules::All().Of(id).parameters, 0);
      ops_.push_back({.code = Code::kAccept});
    } else {
      ops_.push_back({.code = Code::kReject});
    }
  }
  CompileLinks();
}

// As HandleCheck does, the walk leaves out structures that the registry does not have, and those that only drivers fill
// in. HandleCheck follows even a structure that may be in no chain.
void HandleFastPath::CompileLinks() {
  const auto nothing = static_cast<uint32_t>(ops_.size());
  ops_.push_back({.code = Code::kAccept});
  const auto wrong = static_cast<uint32_t>(ops_.size());
  ops_.push_back({.code = Code::kReject});
  links_.resize(vk::Structs().size(), nothing);
  for (size_t i = 0; i < links_.size(); ++i) {
    const vk::StructInfo& info = vk::Structs()[i];
    if ((info.flags & vk::kStructReturnedOnly) != 0) continue;
    if (info.extends.empty()) {
      links_[i] = wrong;
      continue;
    }
    const StructRules& rules = HandleRules::All().Of(info);
    links_[i] = static_cast<uint32_t>(ops_.size());
    for (const Step& step : rules.steps) {
      if (step.member->kind != MemberKind::kNext) Add(rules, step, 0, 0);
    }
    ops_.push_back({.code = Code::kAccept});
  }
}

void HandleFastPath::Compile(const StructRules& rules, size_t depth) {
  for (const Step& step : rules.steps) Add(rules, step, 0, depth);
}

void HandleFastPath::Add(const StructRules& rules, const Step& step, uint32_t base, size_t depth) {
  const MemberInfo& member = *step.member;
  const bool in_line = member.kind == MemberKind::kStruct && member.indirection == Indirection::kInline;
  if (in_line && !step.is_array && (step.inner->info->flags & vk::kStructUnion) == 0) {
    for (const Step& inner : step.inner->steps) Add(*step.inner, inner, base + member.offset, depth);
    return;
  }
  const bool may_be_ignored = member.indirection == Indirection::kPointer && MayBeIgnored(*rules.info);
  if (may_be_ignored) {
    ops_.push_back({.code = Code::kUnlessIgnored, .offset = base, .length = static_cast<uint32_t>(ignorable_.size())});
    ignorable_.push_back({rules.info, &member});
  }
  const size_t at = ops_.size();
  ops_.push_back(Translate(rules, step, base));
  if (ops_[at].code == Code::kStructs && depth == kMaxDepth) ops_[at].code = Code::kReject;
  if (ops_[at].code == Code::kStructs) {
    Compile(*step.inner, depth + 1);
    ops_.push_back({.code = Code::kNextElement, .stride = member.element_size});
    ops_[at].body = static_cast<uint16_t>(ops_.size() - at - 1);
  }
  if (may_be_ignored) ops_[at - 1].body = static_cast<uint16_t>(ops_.size() - at);
}

HandleFastPath::Op HandleFastPath::Translate(const StructRules& rules, const Step& step, uint32_t base) {
  const MemberInfo& member = *step.member;
  Op op{.type = step.type, .offset = base + member.offset, .stride = member.element_size};
  if (member.kind == MemberKind::kNext) {
    op.code = Code::kChain;
    return op;
  }
  const bool is_from_device =
      member.kind == MemberKind::kHandle && IsFromDevice(member.type) && step.parent_kind <= Ancestor::kDevice;
  const bool is_dispatchable = is_from_device && vk::Handles()[member.type].dispatchable;
  const bool is_handle = is_from_device && !is_dispatchable;
  const bool is_non_null = step.explicit_rule != nullptr && step.explicit_rule->forbids_null;
  if (member.indirection == Indirection::kInline) {
    if (is_handle && !step.is_array) op.code = is_non_null ? Code::kNonNullHandle : Code::kHandle;
    if (is_dispatchable && !step.is_array && !is_non_null) op.code = Code::kDispatchableHandle;
    return op;
  }
  if (member.indirection != Indirection::kPointer) return op;
  // The command's override leaves the pointer alone for a primary command buffer, whatever it is.
  if (rules.info->structure_type == VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO) {
    op.code = Code::kNull;
    return op;
  }
  if (!SetLength(*rules.info, member, base, op)) return op;
  if (is_handle && !is_non_null) op.code = Code::kHandles;
  if (is_dispatchable && !is_non_null) op.code = Code::kDispatchableHandles;
  if (member.kind == MemberKind::kStruct && (step.inner->info->flags & vk::kStructUnion) == 0) {
    const bool is_write = step.inner->info->structure_type == VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    const bool is_update = rules.info == vk::GetCommandInfo(vk::CommandId::kUpdateDescriptorSets).parameters;
    op.code = !is_write ? Code::kStructs : is_update ? Code::kDescriptorWrites : Code::kPushDescriptorWrites;
  }
  return op;
}

bool HandleFastPath::SetLength(const vk::StructInfo& info, const MemberInfo& member, uint32_t base, Op& op) {
  if (member.length_kind == LengthKind::kOne) return true;
  if (member.length_kind != LengthKind::kMember || member.length_member < 0) return false;
  const MemberInfo& length = info.members[static_cast<size_t>(member.length_member)];
  op.length = base + length.offset;
  return length.indirection == Indirection::kInline && length.element_size == sizeof(uint32_t);
}

inline bool HandleFastPath::IsLive(uint64_t handle, VkObjectType type, const Call& call) {
  const Slot* const slot = HandleTable::Get().FindWrapped(handle);
  if (slot == nullptr || slot->type != type || slot->device != call.device) return false;
  if (call.recording != nullptr) call.recording->Note(*slot, call.command);
  return true;
}

inline bool HandleFastPath::IsNullOrLive(uint64_t handle, VkObjectType type, const Call& call) {
  return handle == 0 || IsLive(handle, type, call);
}

bool HandleFastPath::AcceptsDescriptors(const VkWriteDescriptorSet& write, const Call& call) {
  if (write.pNext != nullptr) return false;
  const uint32_t count = write.descriptorCount;
  switch (dispatch::PayloadOf(write.descriptorType)) {
    case dispatch::DescriptorPayload::kBuffer:
      if (write.pBufferInfo == nullptr) return false;
      for (uint32_t i = 0; i < count; ++i) {
        if (!IsNullOrLive(write.pBufferInfo[i].buffer, VK_OBJECT_TYPE_BUFFER, call)) return false;
      }
      return true;
    case dispatch::DescriptorPayload::kImage:
      if (write.pImageInfo == nullptr) return false;
      // A member that the descriptor type does not use may be garbage; HandleCheck decides then.
      for (uint32_t i = 0; i < count; ++i) {
        if (!IsNullOrLive(write.pImageInfo[i].imageView, VK_OBJECT_TYPE_IMAGE_VIEW, call)) return false;
        if (!IsNullOrLive(write.pImageInfo[i].sampler, VK_OBJECT_TYPE_SAMPLER, call)) return false;
      }
      return true;
    case dispatch::DescriptorPayload::kTexelBuffer:
      if (write.pTexelBufferView == nullptr) return false;
      for (uint32_t i = 0; i < count; ++i) {
        if (!IsNullOrLive(write.pTexelBufferView[i], VK_OBJECT_TYPE_BUFFER_VIEW, call)) return false;
      }
      return true;
    case dispatch::DescriptorPayload::kNone:
      return false;
  }
  return false;
}

bool HandleFastPath::AcceptsHandles(const Op& op, const char* base, const Call& call) {
  const char* const handles = Load<const char*>(base, op.offset);
  if (handles == nullptr) return true;
  const uint32_t count = LengthOf(op, base);
  for (uint32_t i = 0; i < count; ++i) {
    if (!IsNullOrLive(Load<uint64_t>(handles, size_t{i} * sizeof(uint64_t)), op.type, call)) return false;
  }
  return true;
}

bool HandleFastPath::IsNullOrLiveDispatchable(const void* handle, VkObjectType type, const Call& call) {
  if (handle == nullptr) return true;
  const Slot* const slot = dispatch::DispatchableTable::Get().Find(handle);
  if (slot == nullptr || slot->type != type || slot->device != call.device) return false;
  if (call.recording != nullptr) call.recording->Note(*slot, call.command);
  return true;
}

bool HandleFastPath::AcceptsDispatchableHandles(const Op& op, const char* base, const Call& call) {
  const auto* const handles = Load<const void* const*>(base, op.offset);
  if (handles == nullptr) return true;
  const uint32_t count = LengthOf(op, base);
  for (uint32_t i = 0; i < count; ++i) {
    if (!IsNullOrLiveDispatchable(handles[i], op.type, call)) return false;
  }
  return true;
}

bool HandleFastPath::AcceptsChain(const VkBaseInStructure* link, const Call& call) const {
  for (; link != nullptr; link = link->pNext) {
    const vk::StructInfo* const info = vk::FindStruct(link->sType);
    if (info == nullptr) continue;
    const uint32_t first = links_[static_cast<size_t>(info - vk::Structs().data())];
    if (!Run(ops_.data() + first, reinterpret_cast<const char*>(link), call)) return false;
  }
  return true;
}

bool HandleFastPath::AcceptsWrites(const Op& op, const char* base, const Call& call) {
  const auto* const writes = Load<const VkWriteDescriptorSet*>(base, op.offset);
  if (writes == nullptr) return true;
  const uint32_t count = LengthOf(op, base);
  // Neighbouring writes often go to the same set.
  uint64_t last = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const auto set = reinterpret_cast<uint64_t>(writes[i].dstSet);
    if (op.code == Code::kDescriptorWrites && (set == 0 || set != last)) {
      if (!IsLive(set, VK_OBJECT_TYPE_DESCRIPTOR_SET, call)) return false;
      last = set;
    }
    if (!AcceptsDescriptors(writes[i], call)) return false;
  }
  return true;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch-enum"

bool HandleFastPath::Run(const Op* op, const char* base, const Call& call) const {
  std::array<vk::ArrayFrame<Op>, kMaxDepth> frames;
  vk::ArrayWalk<Op> arrays(frames.data());
  for (;; ++op) {
    switch (op->code) {
      case Code::kHandle:
        if (!IsNullOrLive(Load<uint64_t>(base, op->offset), op->type, call)) return false;
        break;
      case Code::kNonNullHandle:
        if (!IsLive(Load<uint64_t>(base, op->offset), op->type, call)) return false;
        break;
      case Code::kDispatchableHandle:
        if (!IsNullOrLiveDispatchable(Load<const void*>(base, op->offset), op->type, call)) return false;
        break;
      case Code::kChain: {
        const auto* const link = Load<const VkBaseInStructure*>(base, op->offset);
        if (link != nullptr && !AcceptsChain(link, call)) return false;
        break;
      }
      case Code::kUnlessIgnored: {
        const Ignorable& ignorable = ignorable_[op->length];
        if (dispatch::IsIgnored(*ignorable.info, *ignorable.member, base + op->offset)) op += op->body;
        break;
      }
      case Code::kNull:
        if (Load<const void*>(base, op->offset) != nullptr) return false;
        break;
      case Code::kHandles:
        if (!AcceptsHandles(*op, base, call)) return false;
        break;
      case Code::kDispatchableHandles:
        if (!AcceptsDispatchableHandles(*op, base, call)) return false;
        break;
      case Code::kDescriptorWrites:
      case Code::kPushDescriptorWrites:
        if (!AcceptsWrites(*op, base, call)) return false;
        break;
      case Code::kStructs: {
        if (IsEmpty(*op, base)) {
          op += op->body;
        } else {
          arrays.Enter(op, base, Load<const char*>(base, op->offset), LengthOf(*op, base));
        }
        break;
      }
      case Code::kNextElement:
        arrays.Next(op, base);
        break;
      case Code::kAccept:
        return true;
      case Code::kReject:
        return false;
      default:
        // All codes are above, which the compiler checks. Without this, each step would first be compared with the
        // last.
        __builtin_unreachable();
    }
  }
}

#pragma GCC diagnostic pop

}  // namespace assay::object_lifetimes
