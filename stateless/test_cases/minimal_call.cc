// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/test_cases/minimal_call.h"

#include <algorithm>
#include <cstring>

#include "dispatch/dispatch.h"
#include "stateless/implicit/conditional_pointers.h"
#include "vk/commands.h"
#include "vk/enum_info.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using vk::ElementCount;
using vk::LengthKind;
using vk::Load;
using vk::Store;

constexpr ImplicitRuleInfo kNotOptional{vk::VuidIndex{}, 0, ImplicitRuleInfo::kNoAlternative,
                                        ImplicitRuleKind::kParameter, 0};
constexpr ImplicitRuleInfo kRequired{vk::VuidIndex{}, 0, ImplicitRuleInfo::kNoAlternative,
                                     ImplicitRuleKind::kRequiredBitmask, 0};

void StoreUnsigned(void* at, size_t size, uint64_t value) { std::memcpy(at, &value, std::min(size, sizeof(value))); }

bool HasRule(std::span<const ImplicitRuleInfo> rules, ImplicitRuleKind kind, bool not_optional = false) {
  return std::ranges::any_of(rules, [&](const ImplicitRuleInfo& rule) {
    return rule.kind == kind && !(not_optional && (rule.flags & vk::kRuleOptional) != 0);
  });
}

// A command buffer that the handle tables list as secondary.
uint64_t SecondaryCommandBuffer() {
  static const uint64_t handle = [] {
    static uint64_t object = 0;
    const auto value = reinterpret_cast<uint64_t>(&object);
    dispatch::Slot* slot = dispatch::HandleTable::Get().Add(VK_OBJECT_TYPE_COMMAND_BUFFER, value, nullptr, nullptr,
                                                            dispatch::HandleKind::kDispatchable);
    slot->is_secondary = true;
    dispatch::DispatchableTable::Get().Add(reinterpret_cast<void*>(value), slot);
    return value;
  }();
  return handle;
}

}  // namespace

MinimalCall::MinimalCall(const Route& route) : route_(route) {
  const StructInfo& info = *route.command->parameters;
  parameters_ = Allocate(info.size);
  Fill(info, vk::ImplicitRulesOf(route.command->id), parameters_);
  if (route.command->id == vk::CommandId::kBeginCommandBuffer) Store(parameters_, 0, SecondaryCommandBuffer());
  target_ = parameters_;
  target_info_ = &info;
  for (const RouteStep& step : route_.steps) {
    MakeConditionalPointersRead(step, target_);
    target_ = Make(step, target_);
    target_info_ = &StructOf(step);
  }
}

void* MinimalCall::Allocate(size_t bytes) {
  // A test case may change the member that selects the structure behind a union's pointer, and the other structure may
  // be larger.
  constexpr size_t kZeros = 128;
  memory_.push_back(std::make_unique<std::byte[]>(bytes + kZeros));
  return memory_.back().get();
}

void* MinimalCall::MakeStruct(const StructInfo& info) {
  void* structure = Allocate(info.size);
  Fill(info, vk::ImplicitRulesOf(info), structure);
  return structure;
}

void MinimalCall::Fill(const StructInfo& info, std::span<const ImplicitRuleInfo> rules, void* base) {
  if ((info.flags & vk::kStructUnion) != 0) return;
  // Set before any rule requires it, so that chained structures without such a rule have one.
  if (info.structure_type != VK_STRUCTURE_TYPE_MAX_ENUM) Store(base, 0, info.structure_type);
  for (const ImplicitRuleInfo& rule : rules) {
    if (rule.kind == ImplicitRuleKind::kLength) FillLength(info, rule, base);
  }
  for (const MemberInfo& member : info.members) {
    const auto index = static_cast<size_t>(&member - info.members.data());
    const auto first = std::ranges::find_if(rules, [&](const ImplicitRuleInfo& rule) { return rule.member == index; });
    const auto last =
        std::find_if(first, rules.end(), [&](const ImplicitRuleInfo& rule) { return rule.member != index; });
    FillMember(info, member, {first, last}, base);
  }
  for (const ImplicitRuleInfo& rule : rules) {
    if (rule.alternative != ImplicitRuleInfo::kNoAlternative) FillAlternative(info, rule, base);
    if (rule.kind == ImplicitRuleKind::kLength &&
        info.members[rule.member].length_kind == LengthKind::kMemberOfPointee) {
      // The array comes after the structure that holds its length.
      const MemberInfo& array = info.members[rule.member];
      const MemberInfo& pointer = info.members[static_cast<size_t>(array.length_member)];
      Store(Load<void*>(base, pointer.offset), array.length_offset, uint32_t{1});
      FillPointer(info, array, base);
    }
  }
}

void MinimalCall::FillAlternative(const StructInfo& info, const ImplicitRuleInfo& rule, void* base) {
  const MemberInfo& member = info.members[rule.member];
  const MemberInfo& alternative = vk::Structs()[member.type].members[rule.alternative];
  const auto selected = Load<int32_t>(base, info.members[static_cast<size_t>(member.selector)].offset);
  if ((rule.flags & vk::kRuleOptional) != 0 || std::ranges::count(vk::Selections(alternative), int64_t{selected}) == 0)
    return;
  FillMember(vk::Structs()[member.type], alternative, {&rule, 1}, static_cast<char*>(base) + member.offset);
}

void MinimalCall::FillLength(const StructInfo& info, const ImplicitRuleInfo& rule, void* base) {
  const MemberInfo& length = info.members[rule.member];
  if (length.indirection != Indirection::kInline || (rule.flags & vk::kRuleOptional) != 0) return;
  uint64_t value = 1;
  for (const MemberInfo& member : info.members) {
    const bool of_this =
        member.length_member >= 0 && &info.members[static_cast<size_t>(member.length_member)] == &length;
    if (of_this && member.length_kind == LengthKind::kMemberDivided) value = member.length_offset;
  }
  StoreUnsigned(static_cast<char*>(base) + length.offset, length.element_size, value);
}

void MinimalCall::FillMember(const StructInfo& info, const MemberInfo& member, std::span<const ImplicitRuleInfo> rules,
                             void* base) {
  if ((member.flags & vk::kMemberBitField) != 0 || member.kind == MemberKind::kNext ||
      member.kind == MemberKind::kStructureType) {
    return;
  }
  if (member.indirection != Indirection::kInline) {
    if (HasRule(rules, ImplicitRuleKind::kParameter, true)) FillPointer(info, member, base);
    return;
  }
  for (uint32_t i = 0; i < member.fixed_count; ++i) {
    FillValue(member, rules, static_cast<char*>(base) + member.offset + size_t{i} * member.element_size);
  }
}

void MinimalCall::FillValue(const MemberInfo& member, std::span<const ImplicitRuleInfo> rules, void* at) {
  const bool not_optional = HasRule(rules, ImplicitRuleKind::kParameter, true);
  switch (member.kind) {
    case MemberKind::kHandle:
      // A cache must not be merged into itself.
      if (not_optional) Store(at, 0, uint64_t{member.name == "dstCache" ? 0x2000u : 0x1000u});
      return;
    case MemberKind::kEnum:
      if (not_optional)
        Store(at, 0, static_cast<int32_t>(vk::GetEnumInfo(static_cast<vk::EnumId>(member.type)).values[0].value));
      return;
    case MemberKind::kFlags: {
      const bool one = (member.flags & vk::kMemberSingleBit) != 0 && not_optional;
      if (!one && !HasRule(rules, ImplicitRuleKind::kRequiredBitmask)) return;
      const auto values = vk::GetEnumInfo(static_cast<vk::EnumId>(member.type)).values;
      const auto bit = std::ranges::find_if(values, [](const vk::EnumValue& value) { return value.value != 0; });
      if (bit != values.end()) StoreUnsigned(at, member.element_size, static_cast<uint64_t>(bit->value));
      return;
    }
    case MemberKind::kStruct:
      Fill(vk::Structs()[member.type], vk::ImplicitRulesOf(vk::Structs()[member.type]), at);
      return;
    case MemberKind::kOpaquePointer:
      if (not_optional) Store(at, 0, Allocate(64));
      return;
    default:
      return;
  }
}

void MinimalCall::FillPointer(const StructInfo& info, const MemberInfo& member, void* base) {
  if (Load<void*>(base, member.offset) != nullptr) return;
  // A count that the command writes back: request none.
  const bool text = member.kind == MemberKind::kString;
  const bool unknown = member.length_kind == LengthKind::kUnknown;
  const uint64_t count = text || unknown ? 1 : ElementCount(info, member, base);
  if (count != 0) MakePointee(info, member, base);
}

// Allocates as many elements as the length says, points the member to them, and returns the first.
void* MinimalCall::MakePointee(const StructInfo& info, const MemberInfo& member, void* base) {
  const bool to_pointers = member.indirection == Indirection::kPointerToPointer;
  const uint64_t count = std::max<uint64_t>(1, ElementCount(info, member, base));
  const size_t size = member.element_size != 0 ? member.element_size : 8;
  char* const elements = static_cast<char*>(Allocate(count * (to_pointers ? sizeof(void*) : size)));
  Store(base, member.offset, static_cast<void*>(elements));
  char* first = elements;
  for (uint64_t i = 0; i < count; ++i) {
    char* at = elements + i * (to_pointers ? sizeof(void*) : size);
    if (to_pointers) {
      char* const element = static_cast<char*>(Allocate(member.kind == MemberKind::kString ? 8 : size));
      Store(at, 0, element);
      at = element;
      if (i == 0) first = element;
    }
    if (member.kind == MemberKind::kOpaquePointer || member.kind == MemberKind::kString) continue;
    const bool flags = member.kind == MemberKind::kFlags && member.type != vk::kNoType;
    FillValue(member, {flags ? &kRequired : &kNotOptional, 1}, at);
  }
  return first;
}

void MinimalCall::SetLength(const StructInfo& info, const MemberInfo& member, void* base, uint64_t count) {
  if (member.length_member < 0 || ElementCount(info, member, base) >= count) return;
  const MemberInfo& length = info.members[static_cast<size_t>(member.length_member)];
  void* at = static_cast<char*>(base) + length.offset;
  if (length.indirection == Indirection::kPointer) {
    if (member.length_kind == LengthKind::kMemberOfPointee) return;
    if (Load<void*>(at) == nullptr) Store(at, 0, Allocate(8));
    at = Load<void*>(at);
  }
  const uint64_t divisor = member.length_kind == LengthKind::kMemberDivided ? member.length_offset : 1;
  StoreUnsigned(at, length.element_size, count * divisor);
  // Other arrays of the same length must exist too.
  const bool of_command = info.members.data() == route_.command->parameters->members.data();
  Fill(info, of_command ? vk::ImplicitRulesOf(route_.command->id) : vk::ImplicitRulesOf(info), base);
  StoreUnsigned(at, length.element_size, count * divisor);
}

void* MinimalCall::Make(const RouteStep& step, void* owner) {
  char* const at = static_cast<char*>(owner) + step.member->offset;
  if (step.chained != nullptr) {
    void* link = MakeStruct(*step.chained);
    // Added at the beginning of the chain.
    Store(link, offsetof(VkBaseInStructure, pNext), Load<void*>(at));
    Store(at, 0, link);
    return link;
  }
  if (step.alternative != nullptr) {
    const MemberInfo& selector = step.owner->members[static_cast<size_t>(step.member->selector)];
    Store(owner, selector.offset, static_cast<int32_t>(vk::Selections(*step.alternative)[0]));
    if (step.alternative->indirection == Indirection::kInline) {
      FillValue(*step.alternative, {&kNotOptional, 1}, at + step.alternative->offset);
      return at + step.alternative->offset;
    }
    return MakePointee(vk::Structs()[step.member->type], *step.alternative, at);
  }
  if (step.member->indirection == Indirection::kInline) return at;
  SetLength(*step.owner, *step.member, owner, 1);
  if (void* there = Load<void*>(at); there != nullptr) {
    return step.member->indirection == Indirection::kPointerToPointer ? Load<void*>(there) : there;
  }
  return MakePointee(*step.owner, *step.member, owner);
}

void MinimalCall::MakeConditionalPointersRead(const RouteStep& step, void* owner) {
  if (step.owner->structure_type != VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO ||
      step.member->kind == MemberKind::kNext)
    return;
  auto& create = *static_cast<VkGraphicsPipelineCreateInfo*>(owner);
  constexpr VkShaderStageFlagBits kStages[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                               VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT};
  const StructInfo& stage_info = *vk::FindStruct(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  auto* stages = static_cast<VkPipelineShaderStageCreateInfo*>(Allocate(std::size(kStages) * sizeof(*create.pStages)));
  for (size_t i = 0; i < std::size(kStages); ++i) {
    Fill(stage_info, vk::ImplicitRulesOf(stage_info), &stages[i]);
    stages[i].stage = kStages[i];
  }
  create.stageCount = static_cast<uint32_t>(std::size(kStages));
  create.pStages = stages;
  create.pRasterizationState = static_cast<const VkPipelineRasterizationStateCreateInfo*>(
      MakeStruct(*vk::FindStruct(VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO)));
  auto* rendering = static_cast<VkPipelineRenderingCreateInfo*>(
      MakeStruct(*vk::FindStruct(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO)));
  auto* format = static_cast<VkFormat*>(Allocate(sizeof(VkFormat)));
  *format = VK_FORMAT_R8G8B8A8_UNORM;
  rendering->colorAttachmentCount = 1;
  rendering->pColorAttachmentFormats = format;
  rendering->depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
  create.pNext = rendering;
}

}  // namespace assay::stateless
