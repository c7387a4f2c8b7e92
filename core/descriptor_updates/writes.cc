// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Writes to descriptor sets.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptor_updates/descriptor_update_rules.h"
#include "core/descriptor_updates/update_check.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/struct_info.h"
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DescriptorSetLayout;
using state::DeviceState;
using state::Items;
using vk::Vuid;
using Binding = DescriptorSetLayout::Binding;

std::string_view TypeName(VkDescriptorType type) { return vk::EnumName(vk::EnumId::kDescriptorType, type); }

// What a type of descriptors needs of a buffer.
struct BufferNeeds {
  VkDeviceSize alignment;
  VkDeviceSize max_range;
  VkBufferUsageFlags usage;
  std::string_view alignment_name;
  std::string_view range_name;
  vk::VuidIndex is_aligned;
  vk::VuidIndex in_range;
  vk::VuidIndex has_usage;
};

BufferNeeds NeedsOf(bool is_uniform, const VkPhysicalDeviceLimits& limits) {
  if (is_uniform) {
    return {limits.minUniformBufferOffsetAlignment,
            limits.maxUniformBufferRange,
            VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
            "minUniformBufferOffsetAlignment",
            "maxUniformBufferRange",
            Vuid("VUID-VkWriteDescriptorSet-descriptorType-00327"),
            Vuid("VUID-VkWriteDescriptorSet-descriptorType-00332"),
            Vuid("VUID-VkWriteDescriptorSet-descriptorType-00330")};
  }
  return {limits.minStorageBufferOffsetAlignment,
          limits.maxStorageBufferRange,
          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
          "minStorageBufferOffsetAlignment",
          "maxStorageBufferRange",
          Vuid("VUID-VkWriteDescriptorSet-descriptorType-00328"),
          Vuid("VUID-VkWriteDescriptorSet-descriptorType-00333"),
          Vuid("VUID-VkWriteDescriptorSet-descriptorType-00331")};
}

void CheckNullBuffer(const VkDescriptorBufferInfo& info, const WriteFacts& facts, const Location& where,
                     const UpdateCheck& check) {
  if (!check.Require(facts.features.may_be_null, Vuid("VUID-VkDescriptorBufferInfo-buffer-02998"), where.Dot("buffer"),
                     [] { return "is VK_NULL_HANDLE, but the feature nullDescriptor is not enabled."; })) {
    return;
  }
  check.Require(info.offset == 0 && info.range == VK_WHOLE_SIZE, Vuid("VUID-VkDescriptorBufferInfo-buffer-02999"),
                where.Dot("buffer"), [] { return "is VK_NULL_HANDLE, but there is an offset or a range."; });
}

void CheckBuffer(const VkDescriptorBufferInfo& info, const BufferNeeds& needs, const WriteFacts& facts,
                 const Location& where, const UpdateCheck& check) {
  if (info.buffer == VK_NULL_HANDLE) return CheckNullBuffer(info, facts, where, check);
  const auto* const buffer = DeviceState::Get<state::Buffer>(info.buffer);
  if (buffer == nullptr) return;
  check.Require(buffer->memory || buffer->is_sparse(), Vuid("VUID-VkWriteDescriptorSet-descriptorType-00329"),
                where.Dot("buffer"), [&] {
                  return absl::StrCat("(", check.reporter().Describe(Object(info.buffer)), ") is not bound to memory.");
                });
  check.Require((buffer->usage & needs.usage) != 0, needs.has_usage, where.Dot("buffer"), [&] {
    return absl::StrCat("(", check.reporter().Describe(Object(info.buffer)), ") was created without ",
                        vk::FlagsToString(vk::EnumId::kBufferUsageFlagBits, needs.usage), ".");
  });
  check.Require(needs.alignment == 0 || info.offset % needs.alignment == 0, needs.is_aligned, where.Dot("offset"), [&] {
    return absl::StrCat("(", info.offset, ") is not a multiple of ", needs.alignment_name, " (", needs.alignment, ").");
  });
  if (!check.Require(
          info.offset < buffer->size, Vuid("VUID-VkDescriptorBufferInfo-offset-00340"), where.Dot("offset"), [&] {
            return absl::StrCat("(", info.offset, ") is not less than the size of the buffer (", buffer->size, ").");
          })) {
    return;
  }
  check.Require(info.range != 0, Vuid("VUID-VkDescriptorBufferInfo-range-00341"), where.Dot("range"),
                [] { return "is 0."; });
  const VkDeviceSize rest = buffer->size - info.offset;
  const bool is_whole = info.range == VK_WHOLE_SIZE;
  if (!check.Require(is_whole || info.range <= rest, Vuid("VUID-VkDescriptorBufferInfo-range-00342"),
                     where.Dot("range"), [&] {
                       return absl::StrCat("(", info.range, ") is greater than what the buffer has from offset ",
                                           info.offset, " on (", rest, ").");
                     })) {
    return;
  }
  const VkDeviceSize range = is_whole ? rest : info.range;
  check.Require(range <= needs.max_range, needs.in_range, where.Dot("range"), [&] {
    return absl::StrCat(is_whole ? "(VK_WHOLE_SIZE: " : "(", range, ") is greater than ", needs.range_name, " (",
                        needs.max_range, ").");
  });
}

void CheckBuffers(const VkWriteDescriptorSet& write, bool is_uniform, const WriteFacts& facts,
                  const UpdateCheck& check) {
  if (!check.Require(write.pBufferInfo != nullptr || write.descriptorCount == 0,
                     Vuid("VUID-VkWriteDescriptorSet-descriptorType-00324"), "pBufferInfo", [&] {
                       return absl::StrCat("is NULL, but descriptorType is ", TypeName(write.descriptorType), ".");
                     })) {
    return;
  }
  const BufferNeeds needs = NeedsOf(is_uniform, facts.limits);
  for (uint32_t i = 0; i < write.descriptorCount; ++i) {
    const Location where = check.where().Dot("pBufferInfo", i);
    CheckBuffer(write.pBufferInfo[i], needs, facts, where, check);
  }
}

void CheckViews(const VkWriteDescriptorSet& write, const WriteFacts& facts, const UpdateCheck& check) {
  const bool is_uniform = write.descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  const auto usage = is_uniform ? VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT : VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
  const auto views = Items(write.pTexelBufferView, write.descriptorCount);
  for (uint32_t i = 0; i < views.size(); ++i) {
    const Location where = check.where().Dot("pTexelBufferView", i);
    check.Require(views[i] != VK_NULL_HANDLE || facts.features.may_be_null,
                  Vuid("VUID-VkWriteDescriptorSet-descriptorType-02995"), where,
                  [] { return "is VK_NULL_HANDLE, but the feature nullDescriptor is not enabled."; });
    // A view may have less than its buffer (VkBufferUsageFlags2CreateInfo), but not more.
    const auto* const view = DeviceState::Get<state::BufferView>(views[i]);
    check.Require(view == nullptr || (view->buffer->usage & usage) != 0,
                  is_uniform ? Vuid("VUID-VkWriteDescriptorSet-descriptorType-08765")
                             : Vuid("VUID-VkWriteDescriptorSet-descriptorType-08766"),
                  where, [&] {
                    return absl::StrCat("is of a buffer without ",
                                        vk::FlagsToString(vk::EnumId::kBufferUsageFlagBits, usage), ".");
                  });
  }
}

// That the chain has a structure with as many elements, or bytes, as there are descriptors.
template <class T>
const T* CheckChained(const VkWriteDescriptorSet& write, uint32_t T::* count, vk::VuidIndex rule,
                      const UpdateCheck& check) {
  const T* const link = vk::FindInChain<T>(write.pNext);
  const bool fits = check.Require(link != nullptr && link->*count == write.descriptorCount, rule, "pNext", [&] {
    const std::string_view name = vk::FindStruct(vk::kStructureTypeOf<T>)->name;
    return link == nullptr ? absl::StrCat("has no ", name, ".")
                           : absl::StrCat("has a ", name, " for ", link->*count,
                                          " descriptors, but descriptorCount is ", write.descriptorCount, ".");
  });
  return fits ? link : nullptr;
}

template <class S, class T>
void CheckStructures(const T* link, vk::VuidIndex is_top, vk::VuidIndex not_null, const WriteFacts& facts,
                     const UpdateCheck& check) {
  if (link == nullptr) return;
  const auto structures = Items(link->pAccelerationStructures, link->accelerationStructureCount);
  for (uint32_t i = 0; i < structures.size(); ++i) {
    const auto* const structure = DeviceState::Get<S>(structures[i]);
    const Location where = check.where().Dot("pNext");
    const Location at = where.Dot("pAccelerationStructures", i);
    check.Require(structure == nullptr || structure->structure_type != VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
                  is_top, at, [] { return "is of type VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR."; });
    check.Require(structures[i] != VK_NULL_HANDLE || facts.features.may_be_null || not_null == vk::kNoVuid, not_null,
                  at, [] { return "is VK_NULL_HANDLE, but the feature nullDescriptor is not enabled."; });
  }
}

// The bindings that one write continues in are alike.
void CheckConsecutive(const VkWriteDescriptorSet& write, const DescriptorSetLayout& layout, const Binding& first,
                      const UpdateCheck& check) {
  const uint64_t end = uint64_t{write.dstArrayElement} + write.descriptorCount;
  uint64_t covered = first.count;
  for (const Binding& binding : layout.bindings()) {
    if (covered >= end) return;
    if (binding.binding <= first.binding || binding.count == 0) continue;
    covered += binding.count;
    const auto name = [&] {
      return absl::StrCat("(", write.descriptorCount, ") continues in binding ", binding.binding);
    };
    if (!check.Require(binding.type == first.type && binding.stages == first.stages,
                       Vuid("VUID-VkWriteDescriptorSet-descriptorCount-00317"), "descriptorCount",
                       [&] {
                         return absl::StrCat(name(), ", whose ",
                                             binding.type != first.type ? "descriptorType" : "stageFlags",
                                             " is not that of dstBinding (", write.dstBinding, ").");
                       }) ||
        !check.Require(binding.has_immutable_samplers == first.has_immutable_samplers,
                       Vuid("VUID-VkWriteDescriptorSet-descriptorCount-00318"), "descriptorCount", [&] {
                         return absl::StrCat(name(), ". Of that and of dstBinding (", write.dstBinding,
                                             "), only one has immutable samplers.");
                       })) {
      return;
    }
  }
}

// Whether the descriptors are in the set, and of the type.
bool CheckTarget(const VkWriteDescriptorSet& write, const DescriptorSetLayout& layout, const MutableTypes& types,
                 const UpdateCheck& check) {
  const Binding* const binding = layout.Find(write.dstBinding);
  if (binding == nullptr || binding->count == 0) {
    const bool is_beyond = !layout.bindings().empty() && write.dstBinding > layout.bindings().back().binding;
    const vk::VuidIndex rule = layout.bindings().empty() ? Vuid("VUID-VkWriteDescriptorSet-dstBinding-10009")
                               : is_beyond               ? Vuid("VUID-VkWriteDescriptorSet-dstBinding-00315")
                                                         : Vuid("VUID-VkWriteDescriptorSet-dstBinding-00316");
    return check.Require(false, rule, "dstBinding", [&] {
      return absl::StrCat("(", write.dstBinding, ") is not a binding of the set layout that has descriptors.");
    });
  }
  if (!check.Require(binding->type == write.descriptorType || binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
                     Vuid("VUID-VkWriteDescriptorSet-descriptorType-00319"), "descriptorType", [&] {
                       return absl::StrCat("(", TypeName(write.descriptorType), ") is not the type of binding ",
                                           write.dstBinding, " (", TypeName(binding->type), ").");
                     })) {
    return false;
  }
  check.Require(
      binding->type != VK_DESCRIPTOR_TYPE_MUTABLE_EXT || types.MayHave(layout, write.dstBinding, write.descriptorType),
      Vuid("VUID-VkWriteDescriptorSet-dstSet-04611"), "descriptorType", [&] {
        return absl::StrCat("(", TypeName(write.descriptorType), ") is not one of the types that binding ",
                            write.dstBinding, " may have.");
      });
  const uint64_t available = CountFrom(layout, write.dstBinding, write.dstArrayElement);
  if (check.Require(write.descriptorCount <= available, Vuid("VUID-VkWriteDescriptorSet-dstArrayElement-00321"),
                    "dstArrayElement", [&] {
                      return absl::StrCat("(", write.dstArrayElement, ") leaves ", available,
                                          " descriptors in binding ", write.dstBinding,
                                          " and those after it, but descriptorCount is ", write.descriptorCount, ".");
                    })) {
    CheckConsecutive(write, layout, *binding, check);
  }
  return true;
}

void CheckSamplers(const VkWriteDescriptorSet& write, const Binding* binding, const UpdateCheck& check) {
  check.Require(binding == nullptr || !binding->has_immutable_samplers,
                Vuid("VUID-VkWriteDescriptorSet-descriptorType-02752"), "dstBinding", [&] {
                  return absl::StrCat("(", write.dstBinding, ") has immutable samplers, which are not written.");
                });
}

}  // namespace

void CheckWrite(const VkWriteDescriptorSet& write, const DescriptorSetLayout* layout, const WriteFacts& facts,
                const UpdateCheck& check) {
  if (layout != nullptr && !CheckTarget(write, *layout, facts.types, check)) return;
  const Binding* const binding = layout != nullptr ? layout->Find(write.dstBinding) : nullptr;
  switch (write.descriptorType) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
      return CheckBuffers(write, true, facts, check);
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return CheckBuffers(write, false, facts, check);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return CheckViews(write, facts, check);
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
      return CheckImages(write, binding, facts, check);
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      if (!facts.is_pushed) CheckSamplers(write, binding, check);
      return CheckImages(write, binding, facts, check);
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
      CheckChained(write, &VkWriteDescriptorSetInlineUniformBlock::dataSize,
                   Vuid("VUID-VkWriteDescriptorSet-descriptorType-02221"), check);
      return;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
      return CheckStructures<state::AccelerationStructure>(
          CheckChained(write, &VkWriteDescriptorSetAccelerationStructureKHR::accelerationStructureCount,
                       Vuid("VUID-VkWriteDescriptorSet-descriptorType-02382"), check),
          Vuid("VUID-VkWriteDescriptorSetAccelerationStructureKHR-pAccelerationStructures-03579"), vk::kNoVuid, facts,
          check);
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV:
      return CheckStructures<state::AccelerationStructureNV>(
          CheckChained(write, &VkWriteDescriptorSetAccelerationStructureNV::accelerationStructureCount,
                       Vuid("VUID-VkWriteDescriptorSet-descriptorType-03817"), check),
          Vuid("VUID-VkWriteDescriptorSetAccelerationStructureNV-pAccelerationStructures-03748"),
          Vuid("VUID-VkWriteDescriptorSetAccelerationStructureNV-pAccelerationStructures-03749"), facts, check);
    case VK_DESCRIPTOR_TYPE_PARTITIONED_ACCELERATION_STRUCTURE_NV:
      if (vk::FindInChain<VkWriteDescriptorSetPartitionedAccelerationStructureNV>(write.pNext) == nullptr) return;
      CheckChained(write, &VkWriteDescriptorSetPartitionedAccelerationStructureNV::accelerationStructureCount,
                   Vuid("VUID-VkWriteDescriptorSetPartitionedAccelerationStructureNV-accelerationStructureCount-10511"),
                   check);
      return;
    default:
      return;
  }
}

void MutableTypes::Note(VkDescriptorSetLayout layout, const VkDescriptorSetLayoutCreateInfo& info) {
  const auto* const lists = vk::FindInChain<VkMutableDescriptorTypeCreateInfoEXT>(info.pNext);
  if (lists == nullptr) return;
  auto noted = std::make_shared<Lists>();
  noted->of = DeviceState::Get<DescriptorSetLayout>(layout);
  const auto all = Items(lists->pMutableDescriptorTypeLists, lists->mutableDescriptorTypeListCount);
  for (uint32_t i = 0; i < std::min<size_t>(info.bindingCount, all.size()); ++i) {
    noted->by_binding[info.pBindings[i].binding] = state::ItemList(all[i].pDescriptorTypes, all[i].descriptorTypeCount);
  }
  lists_.Set(layout, std::move(noted));
}

bool MutableTypes::MayHave(const DescriptorSetLayout& layout, uint32_t binding, VkDescriptorType type) const {
  const auto lists = lists_.Find(layout.handle()).value_or(nullptr);
  if (lists == nullptr || lists->of != &layout) return true;
  const auto found = lists->by_binding.find(binding);
  return found == lists->by_binding.end() || found->second.empty() || std::ranges::count(found->second, type) != 0;
}

void DescriptorUpdateRules::PreCallValidate(const vk::UpdateDescriptorSets& call, Report& report) const {
  const Location command = report.location();
  const auto writes = Items(call.pDescriptorWrites, call.descriptorWriteCount);
  for (uint32_t i = 0; i < writes.size(); ++i) {
    const auto* const set = DeviceState::Get<state::DescriptorSet>(writes[i].dstSet);
    if (set == nullptr) continue;
    const Location where = command.Dot("pDescriptorWrites", i);
    CheckWrite(writes[i], &set->contents.layout(), {limits_, features_, types_, false},
               UpdateCheck(Object(writes[i].dstSet), where, report));
  }
  const auto copies = Items(call.pDescriptorCopies, call.descriptorCopyCount);
  for (uint32_t i = 0; i < copies.size(); ++i)
    CheckCopy(copies[i], types_, command.Dot("pDescriptorCopies", i), report);
}

void DescriptorUpdateRules::PreCallValidate(const vk::CmdPushDescriptorSet& call, dispatch::Slot&,
                                            Report& report) const {
  const Location command = report.location();
  CheckPushes({call.layout, call.set, Items(call.pDescriptorWrites, call.descriptorWriteCount)}, command, report);
}

void DescriptorUpdateRules::PreCallValidate(const vk::CmdPushDescriptorSet2& call, dispatch::Slot&,
                                            Report& report) const {
  if (call.pPushDescriptorSetInfo == nullptr) return;
  const VkPushDescriptorSetInfo& info = *call.pPushDescriptorSetInfo;
  const Location command = report.location();
  CheckPushes({info.layout, info.set, Items(info.pDescriptorWrites, info.descriptorWriteCount)},
              command.Dot("pPushDescriptorSetInfo"), report);
}

void DescriptorUpdateRules::CheckPushes(const Pushes& pushes, const Location& where, Report& report) const {
  const auto* const layout = DeviceState::Get<state::PipelineLayout>(pushes.layout);
  // Other writes are to a set that is not for them, which is reported in core/binding.
  if (layout == nullptr || pushes.set >= layout->set_layouts.size()) return;
  const DescriptorSetLayout* const set = layout->set_layouts[pushes.set].get();
  if (set == nullptr || !set->is_push()) return;
  for (uint32_t i = 0; i < pushes.writes.size(); ++i) {
    const Location element = where.Dot("pDescriptorWrites", i);
    CheckWrite(pushes.writes[i], set, {limits_, features_, types_, true},
               UpdateCheck(Object(pushes.layout), element, report));
  }
}

}  // namespace assay::core
