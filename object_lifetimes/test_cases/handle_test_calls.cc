// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/test_cases/handle_test_calls.h"

#include <cstring>
#include <deque>

#include "object_lifetimes/handles/handle_check.h"
#include "object_lifetimes/handles/handle_fast_path.h"
#include "vk/walk/load_store.h"

namespace assay::object_lifetimes {
namespace {

using dispatch::DispatchableTable;
using dispatch::HandleKind;
using dispatch::HandleTable;
using dispatch::Slot;
using vk::Indirection;
using vk::MemberInfo;
using vk::MemberKind;
using vk::Store;
using vk::StructInfo;

// Addresses that no object of the process has.
uint64_t NewDriverHandle() {
  static uint64_t last = 0x10000;
  return last += 64;
}

// Where a route goes on from a structure.
void Extend(const StructInfo& owner, const StructRules& rules, const StructRoute& route,
            std::map<const StructInfo*, StructRoute>* routes, std::deque<const StructInfo*>* pending) {
  const auto add = [&](const StructInfo& next, const RouteStep& step) {
    if ((next.flags & vk::kStructReturnedOnly) != 0 || routes->contains(&next)) return;
    StructRoute& longer = (*routes)[&next];
    longer = route;
    longer.steps.push_back(step);
    pending->push_back(&next);
  };
  for (const Step& step : rules.steps) {
    const MemberInfo& member = *step.member;
    if (member.kind == MemberKind::kStruct && member.length_kind != vk::LengthKind::kUnknown) {
      add(vk::Structs()[member.type], {&owner, &member});
    } else if (member.kind == MemberKind::kNext) {
      for (vk::TypeIndex type : owner.extended_by) add(vk::Structs()[type], {&owner, &member, &vk::Structs()[type]});
    }
  }
}

bool IsDeviceLevel(const vk::CommandInfo& command) { return command.dispatch >= vk::DispatchLevel::kDevice; }

}  // namespace

bool IsOfInstance(VkObjectType type) {
  for (const vk::HandleInfo* info = vk::FindHandle(type); info != nullptr;) {
    if (info->object_type == VK_OBJECT_TYPE_DEVICE) return false;
    info = info->parent != vk::kNoType ? &vk::Handles()[info->parent] : nullptr;
  }
  return true;
}

namespace {

VkObjectType ParentType(VkObjectType type) {
  switch (type) {
    case VK_OBJECT_TYPE_COMMAND_BUFFER:
      return VK_OBJECT_TYPE_COMMAND_POOL;
    case VK_OBJECT_TYPE_DESCRIPTOR_SET:
      return VK_OBJECT_TYPE_DESCRIPTOR_POOL;
    case VK_OBJECT_TYPE_DISPLAY_KHR:
    case VK_OBJECT_TYPE_DISPLAY_MODE_KHR:
      return VK_OBJECT_TYPE_PHYSICAL_DEVICE;
    default:
      return VK_OBJECT_TYPE_UNKNOWN;
  }
}

}  // namespace

std::map<const StructInfo*, StructRoute> FindRoutes() {
  std::map<const StructInfo*, StructRoute> routes;
  std::deque<const StructInfo*> pending;
  const auto extend = [&](vk::CommandId id) {
    const vk::CommandInfo& command = vk::GetCommandInfo(id);
    if (command.dispatch == vk::DispatchLevel::kGlobal) return;
    Extend(*command.parameters, HandleRules::All().Of(command.id).parameters, {&command, {}}, &routes, &pending);
  };
  // vkCmdPushDescriptorSet ignores dstSet.
  extend(vk::CommandId::kUpdateDescriptorSets);
  for (size_t i = 0; i < vk::kCommandCount; ++i) extend(static_cast<vk::CommandId>(i));
  while (!pending.empty()) {
    const StructInfo* info = pending.front();
    pending.pop_front();
    const StructRoute route = routes[info];
    Extend(*info, HandleRules::All().Of(*info), route, &routes, &pending);
  }
  return routes;
}

TestObjects::TestObjects() {
  VkDebugUtilsMessengerCreateInfoEXT messenger = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                  .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                  .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                  .pfnUserCallback = Collect,
                                                  .pUserData = &ids_};
  instances_[0].reporter.AddMessenger(reinterpret_cast<VkDebugUtilsMessengerEXT>(uint64_t{1}), messenger);
  instances_[0].next_get_proc_addr = [](VkInstance, const char*) -> PFN_vkVoidFunction { return [] {}; };
  for (bool other : {false, true}) {
    devices_[other] = std::make_unique<dispatch::Device>(instances_[0]);
    devices_[other]->physical_device = &physical_device_;
  }
  for (VkObjectType first : {VK_OBJECT_TYPE_INSTANCE, VK_OBJECT_TYPE_PHYSICAL_DEVICE, VK_OBJECT_TYPE_DEVICE,
                             VK_OBJECT_TYPE_COMMAND_POOL, VK_OBJECT_TYPE_DESCRIPTOR_POOL}) {
    for (bool other : {false, true}) Add(first, other);
  }
  physical_device_.handle = reinterpret_cast<VkPhysicalDevice>(Handle(VK_OBJECT_TYPE_PHYSICAL_DEVICE, false));
  for (const vk::HandleInfo& info : vk::Handles()) {
    for (bool other : {false, true}) {
      if (!slots_.contains({info.object_type, other})) Add(info.object_type, other);
    }
  }
}

TestObjects::~TestObjects() {
  for (const auto& [key, slot] : slots_) {
    DispatchableTable::Get().Remove(reinterpret_cast<const void*>(slot->driver_handle), slot);
    slot->first_child = slot->next_sibling = slot->previous_sibling = slot->parent = HandleTable::kNone;
    HandleTable::Get().Remove(slot, vk::CommandId::kDestroyInstance);
  }
}

void TestObjects::Add(VkObjectType type, bool other) {
  const bool dispatchable = vk::FindHandle(type)->dispatchable;
  const bool of_instance = IsOfInstance(type) && type != VK_OBJECT_TYPE_DEVICE;
  Slot* parent = ParentType(type) != VK_OBJECT_TYPE_UNKNOWN ? SlotOf(ParentType(type), other) : nullptr;
  Slot* slot = HandleTable::Get().Add(type, NewDriverHandle(), &instances_[of_instance && other],
                                      of_instance ? nullptr : devices_[other].get(),
                                      dispatchable ? HandleKind::kDispatchable : HandleKind::kWrapped, parent);
  if (dispatchable) DispatchableTable::Get().Add(reinterpret_cast<const void*>(slot->driver_handle), slot);
  slots_[{type, other}] = slot;
  handles_[{type, other}] = slot->application_handle;
  if (type == VK_OBJECT_TYPE_INSTANCE)
    instances_[other].handle = reinterpret_cast<VkInstance>(slot->application_handle);
  if (type == VK_OBJECT_TYPE_DEVICE) devices_[other]->handle = reinterpret_cast<VkDevice>(slot->application_handle);
}

uint64_t TestObjects::Destroyed(VkObjectType type) {
  const bool dispatchable = vk::FindHandle(type)->dispatchable;
  Slot* slot =
      HandleTable::Get().Add(type, NewDriverHandle(), &instances_[0], IsOfInstance(type) ? nullptr : devices_[0].get(),
                             dispatchable ? HandleKind::kDispatchable : HandleKind::kWrapped);
  const uint64_t handle = slot->application_handle;
  HandleTable::Get().Remove(slot, vk::CommandId::kDestroyBuffer);
  return handle;
}

VkBool32 VKAPI_PTR TestObjects::Collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                        const VkDebugUtilsMessengerCallbackDataEXT* data, void* ids) {
  static_cast<std::vector<std::string>*>(ids)->push_back(data->pMessageIdName);
  return VK_FALSE;
}

std::vector<std::string> TestObjects::Check(const vk::CommandInfo& command, const void* call) {
  messages::Report report(instances_[0].reporter, command.id);
  dispatch::Device* const device = IsDeviceLevel(command) ? devices_[0].get() : nullptr;
  const bool took_fast_path =
      rules_ == &HandleRules::All() && HandleFastPath::Get().Accepts(command.id, call, device, nullptr);
  if (!took_fast_path) HandleCheck(*rules_, instances_[0], device, call, report).Run();
  return TakeIds();
}

uint64_t TestObjects::DispatchedOn(const vk::CommandInfo& command) const {
  return Handle(vk::Handles()[command.parameters->members[0].type].object_type, false);
}

TestCall::TestCall(const StructRoute& route, const TestObjects& objects) : route_(route) {
  const StructInfo& info = *route_.command->parameters;
  parameters_ = Allocate(info.size);
  Store(parameters_, 0, objects.DispatchedOn(*route_.command));
  target_ = parameters_;
  target_info_ = &info;
  for (const RouteStep& step : route_.steps) {
    target_ = MakePointee(step, target_);
    target_info_ = step.chained != nullptr ? step.chained : &vk::Structs()[step.member->type];
    for (const Step& inner : HandleRules::All().Of(*target_info_).steps) {
      if (inner.explicit_rule == nullptr || !inner.explicit_rule->forbids_null) continue;
      Store(target_, inner.member->offset, objects.Handle(inner.type, false));
    }
  }
  Adjust();
}

void* TestCall::Allocate(size_t bytes) {
  memory_.push_back(std::make_unique<uint64_t[]>(bytes / sizeof(uint64_t) + 1));
  return memory_.back().get();
}

void TestCall::SetCount(const StructInfo& info, const MemberInfo& member, void* base, uint32_t elements) {
  if (member.length_member < 0) return;
  const MemberInfo& length = info.members[static_cast<size_t>(member.length_member)];
  void* at = static_cast<char*>(base) + length.offset;
  if (length.indirection == Indirection::kPointer) {
    void* pointee = Allocate(256);
    Store(pointee, member.length_kind == vk::LengthKind::kMemberOfPointee ? member.length_offset : 0, elements);
    Store(at, 0, pointee);
    return;
  }
  const uint64_t count =
      elements * uint64_t{member.length_kind == vk::LengthKind::kMemberDivided ? member.length_offset : 1};
  std::memcpy(at, &count, length.element_size);
}

void* TestCall::MakePointee(const RouteStep& step, void* base) {
  char* const at = static_cast<char*>(base) + step.member->offset;
  const StructInfo& next = step.chained != nullptr ? *step.chained : vk::Structs()[step.member->type];
  // The alternative of a union that leads on.
  if ((step.owner->flags & vk::kStructUnion) != 0 && route_.steps.size() > 1) {
    for (size_t i = 1; i < route_.steps.size(); ++i) {
      if (route_.steps[i].member != step.member) continue;
      const RouteStep& before = route_.steps[i - 1];
      const MemberInfo& selector = before.owner->members[static_cast<size_t>(before.member->selector)];
      Store(static_cast<char*>(base) - before.member->offset, selector.offset,
            static_cast<int32_t>(vk::Selections(*step.member)[0]));
    }
  }
  if (step.member->indirection == Indirection::kInline && step.chained == nullptr) {
    if (next.structure_type != VK_STRUCTURE_TYPE_MAX_ENUM) Store(at, 0, next.structure_type);
    return at;
  }
  void* structure = Allocate(next.size);
  if (next.structure_type != VK_STRUCTURE_TYPE_MAX_ENUM) Store(structure, 0, next.structure_type);
  if (step.chained == nullptr) SetCount(*step.owner, *step.member, base);
  if (step.member->indirection == Indirection::kPointerToPointer) {
    void* pointers = Allocate(sizeof(void*));
    Store(pointers, 0, structure);
    Store(at, 0, pointers);
  } else {
    Store(at, 0, structure);
  }
  return structure;
}

// What else has to be so that the handle is looked at.
void TestCall::Adjust() {
  if (target_info_->name == "VkDescriptorBufferInfo" && route_.steps.size() > 1 &&
      route_.steps[route_.steps.size() - 1].owner->name == "VkWriteDescriptorSet") {
    auto* writes =
        *reinterpret_cast<VkWriteDescriptorSet**>(static_cast<char*>(parameters_) + route_.steps[0].member->offset);
    writes->descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  }
}

void TestCall::SetHandles(const MemberInfo& member, const std::vector<uint64_t>& handles) {
  char* const at = static_cast<char*>(target_) + member.offset;
  if (target_info_->structure_type == VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET) {
    static_cast<VkWriteDescriptorSet*>(target_)->descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  }
  if (target_info_->name == "VkDescriptorUpdateTemplateCreateInfo" && member.name == "pipelineLayout") {
    static_cast<VkDescriptorUpdateTemplateCreateInfo*>(target_)->templateType =
        VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS;
  }
  if (member.indirection == Indirection::kInline) return Store(at, 0, handles[0]);
  SetCount(*target_info_, member, target_, static_cast<uint32_t>(handles.size()));
  void* array = Allocate(handles.size() * sizeof(uint64_t));
  std::memcpy(array, handles.data(), handles.size() * sizeof(uint64_t));
  Store(at, 0, array);
}

void TestCall::SetSelector(const MemberInfo& member, VkObjectType type) {
  const MemberInfo& selector = target_info_->members[static_cast<size_t>(member.selector)];
  const vk::HandleInfo& info = *vk::FindHandle(type);
  const auto value =
      selector.type_name == "VkObjectType" ? static_cast<int32_t>(type) : static_cast<int32_t>(info.debug_report_type);
  Store(target_, selector.offset, value);
}

}  // namespace assay::object_lifetimes
