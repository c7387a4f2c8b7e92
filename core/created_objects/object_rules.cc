// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/created_objects/object_rules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/command_info.h"
#include "vk/enum_info.h"
#include "vk/struct_info.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using state::DeviceState;
using vk::MemberInfo;
using vk::ObjectBits;
using vk::ObjectRule;
using vk::ObjectTest;
using vk::StructInfo;

struct ObjectFacts {
  // Usage, or properties of the memory type.
  uint64_t usage = 0;
  // Of the create info.
  uint64_t flags = 0;
  // In bytes; 0 if it is not known.
  VkDeviceSize size = 0;
  bool is_bound = true;
};

// Nothing if the object is not known.
std::optional<ObjectFacts> FactsOf(VkObjectType type, uint64_t handle) {
  const auto with = [&]<class T>(std::type_identity<T>, auto&& read) -> std::optional<ObjectFacts> {
    const T* const object = DeviceState::Get<T>(handle);
    return object != nullptr ? std::optional(read(*object)) : std::nullopt;
  };
  switch (type) {
    case VK_OBJECT_TYPE_BUFFER:
      return with(std::type_identity<state::Buffer>(), [](const state::Buffer& buffer) {
        return ObjectFacts{buffer.usage, buffer.flags, buffer.size, buffer.memory || buffer.is_sparse()};
      });
    case VK_OBJECT_TYPE_IMAGE:
      return with(std::type_identity<state::Image>(), [](const state::Image& image) {
        return ObjectFacts{.usage = image.usage,
                           .flags = image.create_info.flags,
                           .is_bound = image.memory || image.is_sparse() || image.is_presentable};
      });
    case VK_OBJECT_TYPE_IMAGE_VIEW:
      return with(std::type_identity<state::ImageView>(), [](const state::ImageView& view) {
        return ObjectFacts{.usage = view.usage, .flags = view.image ? view.image->create_info.flags : 0};
      });
    case VK_OBJECT_TYPE_DEVICE_MEMORY:
      return with(std::type_identity<state::DeviceMemory>(), [](const state::DeviceMemory& memory) {
        return ObjectFacts{.usage = memory.properties, .size = memory.size};
      });
    case VK_OBJECT_TYPE_DESCRIPTOR_POOL:
      return with(std::type_identity<state::DescriptorPool>(),
                  [](const state::DescriptorPool& pool) { return ObjectFacts{.flags = pool.flags}; });
    case VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT:
      return with(std::type_identity<state::DescriptorSetLayout>(),
                  [](const state::DescriptorSetLayout& layout) { return ObjectFacts{.flags = layout.create_flags()}; });
    case VK_OBJECT_TYPE_SAMPLER:
      return with(std::type_identity<state::Sampler>(),
                  [](const state::Sampler& sampler) { return ObjectFacts{.flags = sampler.create_info.flags}; });
    default:
      return std::nullopt;
  }
}

// The enumeration of the bits, and whether they are usages or properties and not flags.
std::pair<vk::EnumId, bool> EnumOf(ObjectBits kind) {
  switch (kind) {
    case ObjectBits::kBufferUsageFlagBits:
      return {vk::EnumId::kBufferUsageFlagBits, true};
    case ObjectBits::kImageUsageFlagBits:
      return {vk::EnumId::kImageUsageFlagBits, true};
    case ObjectBits::kMemoryPropertyFlagBits:
      return {vk::EnumId::kMemoryPropertyFlagBits, true};
    case ObjectBits::kImageCreateFlagBits:
      return {vk::EnumId::kImageCreateFlagBits, false};
    case ObjectBits::kDescriptorPoolCreateFlagBits:
      return {vk::EnumId::kDescriptorPoolCreateFlagBits, false};
    case ObjectBits::kDescriptorSetLayoutCreateFlagBits:
      return {vk::EnumId::kDescriptorSetLayoutCreateFlagBits, false};
    case ObjectBits::kSamplerCreateFlagBits:
      return {vk::EnumId::kSamplerCreateFlagBits, false};
    default:
      return {vk::EnumId::kBufferCreateFlagBits, false};
  }
}

class ObjectCheck {
 public:
  ObjectCheck(const DeviceState& state, messages::Report& report) : state_(state), report_(report) {}

  // Checks a rule from a structure on the rule's path, which has the number of steps behind it.
  void Check(const ObjectRule& rule, size_t steps, const StructInfo& info, const void* base, const Location& where) {
    if (steps == rule.path_length) return CheckChain(rule, info, base, where);
    const MemberInfo& member = info.members[rule.path[steps]];
    const StructInfo& inner = vk::Structs()[member.type];
    const char* const elements = Elements(member, base);
    if (elements == nullptr) return;
    const uint64_t count = vk::ElementCount(info, member, base);
    for (uint64_t i = 0; i < count; ++i) {
      const Location at = Is(member) ? where.Dot(member.name, static_cast<uint32_t>(i)) : where.Dot(member.name);
      Check(rule, steps + 1, inner, elements + i * member.element_size, at);
    }
  }

 private:
  // Whether the member is an array.
  static bool Is(const MemberInfo& member) { return member.length_kind != vk::LengthKind::kOne; }
  // A structure in the chain may have the flags instead. Then they are not looked at.
  static bool HasFlags(const ObjectRule& rule, const StructInfo& info, const void* base) {
    const auto* const link = static_cast<const VkBaseInStructure*>(base)->pNext;
    return vk::FindInChain<VkBufferUsageFlags2CreateInfo>(link) == nullptr &&
           (Number(info.members[rule.flags], base) & rule.flag_bits) != 0;
  }
  static uint64_t Number(const MemberInfo& member, const void* base) {
    return vk::LoadUnsigned(static_cast<const char*>(base) + member.offset, member.element_size);
  }
  static const char* Elements(const MemberInfo& member, const void* base) {
    if (member.indirection == vk::Indirection::kInline) return static_cast<const char*>(base) + member.offset;
    const auto* const elements = vk::Load<const char*>(base, member.offset);
    return vk::IsAddress(elements) ? elements : nullptr;
  }

  void CheckChain(const ObjectRule& rule, const StructInfo& info, const void* base, const Location& where) {
    if (rule.chained == VkStructureType{}) return CheckHandles(rule, info, base, where);
    const StructInfo* const linked = vk::FindStruct(rule.chained);
    const auto* link = static_cast<const VkBaseInStructure*>(base)->pNext;
    while (link != nullptr && link->sType != rule.chained) link = link->pNext;
    if (link != nullptr && linked != nullptr) CheckHandles(rule, *linked, link, where.Next(*linked));
  }

  void CheckHandles(const ObjectRule& rule, const StructInfo& info, const void* base, const Location& where) {
    const MemberInfo& member = info.members[rule.handle];
    if (rule.flags != ObjectRule::kNoMember && !HasFlags(rule, info, base)) return;
    const char* const elements = Elements(member, base);
    if (elements == nullptr) return;
    const uint64_t count = vk::ElementCount(info, member, base);
    for (uint64_t i = 0; i < count; ++i) {
      const auto handle = vk::Load<uint64_t>(elements, i * sizeof(uint64_t));
      if (handle == 0) continue;
      const Location at = Is(member) ? where.Dot(member.name, static_cast<uint32_t>(i)) : where.Dot(member.name);
      if (member.kind == vk::MemberKind::kDeviceAddress) {
        CheckAddress(rule, info, base, handle, at);
        continue;
      }
      Test(rule, info, base, {vk::Handles()[member.type].object_type, handle}, at, where);
    }
  }

  // Buffers in the same memory share addresses: of those, one that keeps the rule will do.
  void CheckAddress(const ObjectRule& rule, const StructInfo& info, const void* base, VkDeviceAddress address,
                    const Location& at) {
    const auto buffers = state_.buffer_addresses().Find(address);
    const auto keeps = [&](const state::Ref<state::Buffer>& buffer) {
      return rule.test == ObjectTest::kBound ? buffer->memory || buffer->is_sparse() : (buffer->usage & rule.bits) != 0;
    };
    if (buffers.empty() || std::ranges::any_of(buffers, keeps)) return;
    Test(rule, info, base, {VK_OBJECT_TYPE_BUFFER, buffers[0]->handle()}, at, at);
  }

  void Test(const ObjectRule& rule, const StructInfo& info, const void* base, const messages::ObjectRef& object,
            const Location& at, const Location& owner) {
    if (rule.test == ObjectTest::kUnprotected) {
      const auto* const buffer = DeviceState::Get(reinterpret_cast<VkCommandBuffer>(object.handle));
      if (buffer != nullptr && (buffer->pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0)
        Report(rule, object, at, "is a protected command buffer.");
      return;
    }
    if (object.handle != last_handle_ || object.type != last_type_) {
      facts_ = FactsOf(object.type, object.handle);
      last_handle_ = object.handle;
      last_type_ = object.type;
    }
    if (!facts_) return;
    const ObjectFacts& facts = *facts_;
    switch (rule.test) {
      case ObjectTest::kBound:
        if (!facts.is_bound) Report(rule, object, at, "is not bound to memory.");
        return;
      case ObjectTest::kHas:
      case ObjectTest::kHasNot: {
        const auto [bits, is_usage] = EnumOf(rule.kind);
        const bool has = ((is_usage ? facts.usage : facts.flags) & rule.bits) != 0;
        if (has == (rule.test == ObjectTest::kHas)) return;
        return Report(rule, object, at, absl::StrCat(has ? "has " : "does not have ", Names(bits, rule.bits), "."));
      }
      default:
        if (facts.size != 0) CheckRange(rule, info, base, facts, object, owner);
    }
  }
  // "A or B".
  static std::string Names(vk::EnumId bits, uint64_t value) {
    return absl::StrReplaceAll(vk::FlagsToString(bits, value), {{" | ", " or "}});
  }

  void CheckRange(const ObjectRule& rule, const StructInfo& info, const void* base, const ObjectFacts& facts,
                  const messages::ObjectRef& object, const Location& where) {
    const auto number = [&](uint8_t index) {
      return index != ObjectRule::kNoMember ? Number(info.members[index], base) : 0;
    };
    const uint64_t count = number(rule.count);
    if (rule.counts == vk::ObjectCount::kOne    ? count != 1
        : rule.counts == vk::ObjectCount::kMore ? count < 2
                                                : rule.counts == vk::ObjectCount::kOneOrMore && count == 0) {
      return;
    }
    const uint64_t offset = number(rule.offset);
    const uint64_t more = number(rule.more);
    if (rule.more != ObjectRule::kNoMember && more == VK_WHOLE_SIZE) return;
    const uint64_t between = rule.stride != ObjectRule::kNoMember ? number(rule.stride) * (count - 1) : 0;
    const uint64_t needed = more + rule.size + between;
    const bool is_below = rule.test == ObjectTest::kBelow;
    if (is_below ? offset < facts.size : offset <= facts.size && needed <= facts.size - offset) return;
    Report(rule, object, where.Dot(info.members[rule.offset].name),
           absl::StrCat("(", offset, ")", is_below ? "" : absl::StrCat(", and ", needed, " bytes behind it,"),
                        is_below ? " is not less than" : " do not end within", " the size of ",
                        report_.reporter().Describe(object), " (", facts.size, ")."));
  }

  void Report(const ObjectRule& rule, const messages::ObjectRef& object, const Location& at, std::string text) {
    report_.Error(rule.vuid, {object}, at, std::move(text));
  }

  const DeviceState& state_;
  messages::Report& report_;
  // A command has several rules of one object, one after the other.
  std::optional<ObjectFacts> facts_;
  uint64_t last_handle_ = 0;
  VkObjectType last_type_ = VK_OBJECT_TYPE_UNKNOWN;
};

}  // namespace

void CheckObjects(std::span<const ObjectRule> rules, const void* call, const DeviceState& state,
                  messages::Report& report) {
  const StructInfo& parameters = *vk::GetCommandInfo(rules.front().command).parameters;
  ObjectCheck check(state, report);
  for (const ObjectRule& rule : rules) check.Check(rule, 0, parameters, call, report.location());
}

}  // namespace assay::core
