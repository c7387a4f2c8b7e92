// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/test_cases/test_call.h"

#include <cstring>

#include "object_lifetimes/rules/handle_rules.h"
#include "vk/walk/load_store.h"

namespace assay::object_lifetimes {
namespace {

using vk::Indirection;
using vk::MemberInfo;
using vk::Store;
using vk::StructInfo;

}  // namespace

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
  // Selects the alternative of a union that the route goes through.
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

// Sets other members without which the handle is ignored.
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
