// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "layer/minimal_caller.h"

#include <algorithm>

#include "layer/minimal_choices.h"
#include "testing/call_by_id.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::layer {
namespace {

using stateless::MinimalCall;
using vk::Indirection;
using vk::Load;
using vk::MemberInfo;
using vk::MemberKind;
using vk::Store;
using vk::StructInfo;

// The parameter in which a command returns the object that it creates, or null.
const MemberInfo* CreatedParameter(const vk::CommandInfo& command) {
  const MemberInfo& last = command.parameters->members.back();
  const bool is_created = last.kind == MemberKind::kHandle && (last.flags & vk::kMemberOutput) != 0;
  return is_created && command.lifetime != vk::LifetimeEffect::kDestroy ? &last : nullptr;
}

// Whether the command is the one that creates objects of the type with the fewest parameters.
bool IsSimplestCreator(const vk::CommandInfo& command, VkObjectType type) {
  switch (type) {
    case VK_OBJECT_TYPE_DISPLAY_KHR:
      return command.id == vk::CommandId::kGetDrmDisplayEXT;
    case VK_OBJECT_TYPE_PERFORMANCE_CONFIGURATION_INTEL:
      return command.id == vk::CommandId::kAcquirePerformanceConfigurationINTEL;
    case VK_OBJECT_TYPE_PIPELINE:
      return command.id == vk::CommandId::kCreateComputePipelines;
    case VK_OBJECT_TYPE_SURFACE_KHR:
      return command.id == vk::CommandId::kCreateHeadlessSurfaceEXT;
    case VK_OBJECT_TYPE_SWAPCHAIN_KHR:
      return command.id == vk::CommandId::kCreateSwapchainKHR;
    default:
      return command.lifetime == vk::LifetimeEffect::kCreate;
  }
}

const vk::CommandInfo* CreatorOf(VkObjectType type) {
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    const MemberInfo* created = CreatedParameter(command);
    if (created != nullptr && vk::Handles()[created->type].object_type == type && IsSimplestCreator(command, type))
      return &command;
  }
  return nullptr;
}

// Whether the structure needs the optional layout, unless its chain has a VkPipelineLayoutCreateInfo.
bool NeedsLayout(const StructInfo& info, const MemberInfo& member) {
  return member.type_name == "VkPipelineLayout" && std::ranges::any_of(info.extended_by, [](vk::TypeIndex link) {
           return vk::Structs()[link].structure_type == VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
         });
}

}  // namespace

const MemberInfo* AllocatorOf(const vk::CommandInfo& command) {
  const auto& members = command.parameters->members;
  const auto found = std::ranges::find(members, "VkAllocationCallbacks", &MemberInfo::type_name);
  return found != members.end() ? &*found : nullptr;
}

std::unique_ptr<MinimalCall> MinimalCaller::Prepare(const stateless::Route& route) {
  const vk::CommandInfo& command = *route.command;
  auto call = std::make_unique<MinimalCall>(route);
  // vkResetDescriptorPool frees the sets of its pool.
  const bool ends_objects =
      command.lifetime == vk::LifetimeEffect::kDestroy || command.id == vk::CommandId::kResetDescriptorPool;
  Fill(*command.parameters, call->parameters(), ends_objects, *call);
  // Fill() does not follow pNext.
  const auto is_chained = [](const stateless::RouteStep& step) { return step.chained != nullptr; };
  if (std::ranges::any_of(route.steps, is_chained)) Fill(call->target_info(), call->target(), false, *call);
  return call;
}

void MinimalCaller::Run(const MinimalCall& call) {
  const vk::CommandId command = call.command().id;
  test::CallById(command, call.parameters(), functions_.Find(command));
}

uint64_t MinimalCaller::Handle(VkObjectType type) {
  const auto found = handles_.find(type);
  if (found != handles_.end()) return found->second;
  return handles_[type] = NewHandle(type);
}

uint64_t MinimalCaller::NewHandle(VkObjectType type) {
  const vk::CommandInfo* const creator = CreatorOf(type);
  if (creator == nullptr) return 0;
  calls_.push_back(Prepare(*creator));
  const MinimalCall& call = *calls_.back();
  const MemberInfo* const allocator = AllocatorOf(*creator);
  if (allocator != nullptr) Store(static_cast<char*>(call.parameters()) + allocator->offset, allocator_);
  Run(call);
  const MemberInfo& created = *CreatedParameter(*creator);
  return Load<uint64_t>(Load<void*>(static_cast<char*>(call.parameters()) + created.offset));
}

// is_destroyed: the call destroys the object of the last handle, so no other call may name it.
void MinimalCaller::Fill(const StructInfo& info, void* base, bool is_destroyed, MinimalCall& call) {
  if ((info.flags & vk::kStructUnion) != 0) return;
  const MemberInfo* last_handle = nullptr;
  for (const MemberInfo& member : info.members) {
    if (member.kind == MemberKind::kHandle) last_handle = &member;
  }
  for (const MemberInfo& member : info.members) {
    // A cache must not be merged into itself.
    const bool is_own = (is_destroyed && &member == last_handle) || member.name == "dstCache";
    FillMember(info, member, base, is_own, call);
    if (member.indirection == Indirection::kInline && member.fixed_count == 1) ChooseNumber(member, base);
  }
  ChooseMembers(info.name, base);
}

void MinimalCaller::FillMember(const StructInfo& info, const MemberInfo& member, void* base, bool is_destroyed,
                               MinimalCall& call) {
  if ((member.flags & (vk::kMemberOutput | vk::kMemberBitField)) != 0) return;
  if (member.kind == MemberKind::kTypedHandle) return FillTyped(info, member, base);
  if (member.kind != MemberKind::kHandle && member.kind != MemberKind::kStruct) return;
  char* at = static_cast<char*>(base) + member.offset;
  if (NeedsLayout(info, member)) Store(at, Handle(VK_OBJECT_TYPE_PIPELINE_LAYOUT));
  if (member.selector >= 0) return FillSelected(info, member, base, call);
  const uint64_t count = vk::ElementCount(info, member, base);
  if (is_destroyed && member.indirection == Indirection::kPointer && Load<void*>(at) == nullptr) {
    // The specification allows a null array here, which would test little.
    Store(at, call.Allocate(count * member.element_size));
  }
  if (member.indirection != Indirection::kInline) at = Load<char*>(at);
  if (at == nullptr) return;
  const bool to_pointers = member.indirection == Indirection::kPointerToPointer;
  for (uint64_t i = 0; i < count; ++i) {
    if (to_pointers) {
      FillElement(member, Load<char*>(at + i * sizeof(void*)), is_destroyed, call);
    } else {
      FillElement(member, at + i * member.element_size, is_destroyed, call);
    }
  }
}

// A handle in a uint64_t, and its type.
void MinimalCaller::FillTyped(const StructInfo& info, const MemberInfo& member, void* base) {
  if (member.selector < 0) return;
  const MemberInfo& selector = info.members[static_cast<size_t>(member.selector)];
  const bool is_report = selector.type_name == "VkDebugReportObjectTypeEXT";
  Store(static_cast<char*>(base) + selector.offset,
        is_report ? int32_t{VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT} : int32_t{VK_OBJECT_TYPE_BUFFER});
  Store(static_cast<char*>(base) + member.offset, Handle(VK_OBJECT_TYPE_BUFFER));
}

// The member of a union that its selector chooses.
void MinimalCaller::FillSelected(const StructInfo& info, const MemberInfo& member, void* base, MinimalCall& call) {
  const auto selected =
      Load<int32_t>(static_cast<char*>(base) + info.members[static_cast<size_t>(member.selector)].offset);
  const StructInfo& alternatives = vk::Structs()[member.type];
  for (const MemberInfo& alternative : alternatives.members) {
    if (std::ranges::count(vk::Selections(alternative), int64_t{selected}) == 0) continue;
    FillMember(alternatives, alternative, static_cast<char*>(base) + member.offset, false, call);
  }
}

void MinimalCaller::FillElement(const MemberInfo& member, void* at, bool is_destroyed, MinimalCall& call) {
  if (member.kind == MemberKind::kStruct) return Fill(vk::Structs()[member.type], at, false, call);
  if (Load<uint64_t>(at) == 0 && !is_destroyed) return;
  const VkObjectType type = vk::Handles()[member.type].object_type;
  Store(at, is_destroyed ? NewHandle(type) : Handle(type));
}

}  // namespace assay::layer
