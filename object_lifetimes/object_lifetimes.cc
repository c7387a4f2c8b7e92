// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/object_lifetimes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dispatch/translation/call_handles.h"
#include "object_lifetimes/handles/handle_check.h"
#include "object_lifetimes/handles/origins.h"
#include "object_lifetimes/rules/destroy_rules.h"
#include "object_lifetimes/rules/handle_rules.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::object_lifetimes {
namespace {

using dispatch::FindSlot;
using dispatch::HandleTable;
using dispatch::Slot;
using vk::Load;

template <class H>
uint64_t ToInteger(H handle) {
  return reinterpret_cast<uint64_t>(handle);
}

// pInheritanceInfo of a primary command buffer is ignored, and nothing else leads to a handle.
bool IsBeginOfPrimary(const messages::Report& report, const void* call) {
  if (report.command() != vk::CommandId::kBeginCommandBuffer) return false;
  const Slot* slot =
      dispatch::DispatchableTable::Get().Find(static_cast<const vk::BeginCommandBuffer*>(call)->commandBuffer);
  return slot == nullptr || !slot->is_secondary;
}

// Whether the application must destroy the slot's object itself. False for objects that are freed with a pool, or
// belong to the driver.
bool MustBeDestroyedByApplication(const Slot& slot) {
  if (!IsDestroyedByApplication(slot.type) || slot.type == VK_OBJECT_TYPE_INSTANCE) return false;
  return slot.type == VK_OBJECT_TYPE_DEVICE || slot.parent == HandleTable::kNone;
}

}  // namespace

void ObjectLifetimes::CheckHandles(const void* call, messages::Report& report, dispatch::Recording* recording) {
  if (recording != nullptr) recording->Mark();
  // Apart, so that a call without handles does not have to save registers.
  if (!fast_path_.HasNoHandles(report.command(), call)) CheckEachHandle(call, report, recording);
}

void ObjectLifetimes::CheckEachHandle(const void* call, messages::Report& report, dispatch::Recording* recording) {
  if (fast_path_.Accepts(report.command(), call, device_, recording)) [[likely]]
    return;
  if (IsBeginOfPrimary(report, call)) return;
  HandleCheck(rules_, instance_, device_, call, report, recording).Run();
}

void ObjectLifetimes::CheckDestroy(const void* call, messages::Report& report) {
  const DestroyRules& rules = DestroyRulesOf(report.command());
  if (rules.allocator != nullptr) CheckAllocator(call, report);
  if (rules.children != vk::kNoVuid) CheckLeaks(report);
  if (report.command() == vk::CommandId::kDestroySurfaceKHR) {
    CheckSwapchainsOf(static_cast<const vk::DestroySurfaceKHR*>(call)->surface, report);
  }
}

void ObjectLifetimes::CheckAllocator(const void* call, messages::Report& report) {
  const DestroyRules& rules = DestroyRulesOf(report.command());
  if (rules.object == nullptr || rules.object->indirection != vk::Indirection::kInline) return;
  const VkObjectType type = vk::Handles()[rules.object->type].object_type;
  const auto handle = Load<uint64_t>(call, rules.object->offset);
  const Slot* slot = FindSlot(type, handle);
  const bool given = Load<const void*>(call, rules.allocator->offset) != nullptr;
  if (slot == nullptr || slot->has_allocator == given) return;
  const vk::VuidIndex rule = given ? rules.without_allocator : rules.with_allocator;
  if (rule == vk::kNoVuid) return;
  const messages::ObjectRef object = {type, handle};
  const std::string name = report.reporter().Describe(object);
  report.Error(rule, {object}, report.location().Dot("pAllocator"),
               given ? absl::StrCat("is not NULL, but ", name, " was created without an allocator.")
                     : absl::StrCat("is NULL, but ", name, " was created with an allocator."));
}

void ObjectLifetimes::CheckLeaks(messages::Report& report) {
  std::vector<Slot*> left = HandleTable::Get().SlotsOf(&instance_, device_);
  if (device_ == nullptr) {
    for (Slot* slot : HandleTable::Get().DevicesOf(&instance_)) left.push_back(slot);
  }
  const Slot* own = device_ != nullptr ? device_->slot : instance_.slot;
  {
    absl::MutexLock lock(&uncertain_mutex_);
    std::erase_if(left, [&](const Slot* slot) {
      uncertain_mutex_.AssertHeld();
      return slot == own || !MustBeDestroyedByApplication(*slot) ||
             (slot->type == VK_OBJECT_TYPE_SHADER_EXT && uncertain_shaders_.contains(slot->application_handle));
    });
  }
  if (left.empty()) return;
  constexpr size_t kMostNamed = 32;
  const vk::VuidInfo rule = vk::GetVuid(DestroyRulesOf(report.command()).children);
  messages::Message message;
  message.id = std::string(rule.id);
  message.specification = std::string(rule.text);
  message.text = absl::StrCat(left.size(), left.size() == 1 ? " object has" : " objects have", " not been destroyed: ");
  for (size_t i = 0; i < std::min(left.size(), kMostNamed); ++i) {
    const messages::ObjectRef object = {left[i]->type, left[i]->application_handle};
    message.objects.push_back(object);
    absl::StrAppend(&message.text, i == 0 ? "" : ", ", report.reporter().Describe(object));
  }
  if (left.size() > kMostNamed) absl::StrAppend(&message.text, " and ", left.size() - kMostNamed, " more");
  message.text += ".";
  message.location = report.location().Text();
  report.Deliver(std::move(message));
}

void ObjectLifetimes::CheckSwapchainsOf(VkSurfaceKHR surface, messages::Report& report) {
  for (uint64_t swapchain : Origins::OfSwapchains().From(ToInteger(surface))) {
    const Slot* slot = FindSlot(VK_OBJECT_TYPE_SWAPCHAIN_KHR, swapchain);
    if (slot == nullptr || slot->instance != &instance_) continue;
    const messages::ObjectRef object = {VK_OBJECT_TYPE_SWAPCHAIN_KHR, swapchain};
    report.Error(vk::Vuid("VUID-vkDestroySurfaceKHR-surface-01266"), {messages::Object(surface), object},
                 report.location().Dot("surface"),
                 absl::StrCat("(", report.reporter().Describe(messages::Object(surface)), ") still has ",
                              report.reporter().Describe(object), "."));
    return;
  }
}

void ObjectLifetimes::AddUncertain(const vk::CreateShadersEXT& call, VkResult result) {
  if (result == VK_SUCCESS || call.pShaders == nullptr) return;
  absl::MutexLock lock(&uncertain_mutex_);
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    if (call.pShaders[i] != VK_NULL_HANDLE) uncertain_shaders_.insert(ToInteger(call.pShaders[i]));
  }
}

void ObjectLifetimes::RemoveUncertain(const vk::DestroyShaderEXT& call) {
  absl::MutexLock lock(&uncertain_mutex_);
  uncertain_shaders_.erase(ToInteger(call.shader));
}

void ObjectLifetimes::NoteAllocator(vk::CommandId command, const void* call) {
  const vk::StructInfo& info = *vk::GetCommandInfo(command).parameters;
  for (const vk::MemberInfo& member : info.members) {
    if (member.kind != vk::MemberKind::kHandle || (member.flags & vk::kMemberOutput) == 0) continue;
    const auto* handles = Load<const uint64_t*>(call, member.offset);
    const uint64_t count = handles != nullptr ? vk::ElementCount(info, member, call) : 0;
    for (uint64_t i = 0; i < count; ++i) {
      if (Slot* slot = FindSlot(vk::Handles()[member.type].object_type, handles[i])) slot->has_allocator = true;
    }
  }
  // Its handles are in a structure.
  if (command != vk::CommandId::kCreatePipelineBinariesKHR) return;
  const VkPipelineBinaryHandlesInfoKHR* const binaries =
      static_cast<const vk::CreatePipelineBinariesKHR*>(call)->pBinaries;
  if (binaries == nullptr || binaries->pPipelineBinaries == nullptr) return;
  for (uint32_t i = 0; i < binaries->pipelineBinaryCount; ++i) {
    const auto handle = reinterpret_cast<uint64_t>(binaries->pPipelineBinaries[i]);
    if (Slot* slot = FindSlot(VK_OBJECT_TYPE_PIPELINE_BINARY_KHR, handle)) slot->has_allocator = true;
  }
}

void ObjectLifetimes::AddOrigin(const vk::CreateVideoSessionParametersKHR& call) {
  Origins::OfVideoSessionParameters().Add(ToInteger(*call.pVideoSessionParameters),
                                          ToInteger(call.pCreateInfo->videoSession));
}
void ObjectLifetimes::RemoveOrigin(const vk::DestroyVideoSessionParametersKHR& call) {
  Origins::OfVideoSessionParameters().Remove(ToInteger(call.videoSessionParameters));
}

void ObjectLifetimes::AddOrigin(const vk::CreateSwapchainKHR& call) {
  Origins::OfSwapchains().Add(ToInteger(*call.pSwapchain), ToInteger(call.pCreateInfo->surface));
}
void ObjectLifetimes::AddOrigin(const vk::CreateSharedSwapchainsKHR& call) {
  for (uint32_t i = 0; i < call.swapchainCount; ++i) {
    Origins::OfSwapchains().Add(ToInteger(call.pSwapchains[i]), ToInteger(call.pCreateInfos[i].surface));
  }
}
void ObjectLifetimes::RemoveOrigin(const vk::DestroySwapchainKHR& call) {
  Origins::OfSwapchains().Remove(ToInteger(call.swapchain));
}

}  // namespace assay::object_lifetimes
