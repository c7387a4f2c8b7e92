// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Writes to descriptor sets.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptor_updates/descriptor_update_rules.h"
#include "core/descriptor_updates/update_check.h"
#include "vk/enum_info.h"

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

void CheckBuffer(const VkDescriptorBufferInfo& info, const BufferNeeds& needs, const Location& where,
                 const UpdateCheck& check) {
  const auto* const buffer = DeviceState::Get<state::Buffer>(info.buffer);
  if (buffer == nullptr) return;
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
    CheckBuffer(write.pBufferInfo[i], needs, where, check);
  }
}

void CheckUsage(const state::ImageView& view, VkImageUsageFlags usage, vk::VuidIndex rule, const Location& where,
                const UpdateCheck& check) {
  check.Require((view.usage & usage) != 0, rule, where, [&] {
    return absl::StrCat("(", check.reporter().Describe(messages::ObjectRef{VK_OBJECT_TYPE_IMAGE_VIEW, view.handle()}),
                        ") was created without ", vk::FlagsToString(vk::EnumId::kImageUsageFlagBits, usage), ".");
  });
}

void CheckImages(const VkWriteDescriptorSet& write, const WriteFacts& facts, const UpdateCheck& check) {
  const bool is_attachment = write.descriptorType == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  for (uint32_t i = 0; i < Items(write.pImageInfo, write.descriptorCount).size(); ++i) {
    const VkImageView handle = write.pImageInfo[i].imageView;
    const Location element = check.where().Dot("pImageInfo", i);
    const Location where = element.Dot("imageView");
    if (handle == VK_NULL_HANDLE) {
      check.Require(!is_attachment, Vuid("VUID-VkWriteDescriptorSet-descriptorType-07683"), where,
                    [] { return "is VK_NULL_HANDLE, but descriptorType is VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT."; });
      check.Require(is_attachment || facts.may_be_null, Vuid("VUID-VkWriteDescriptorSet-descriptorType-02997"), where,
                    [] { return "is VK_NULL_HANDLE, but the feature nullDescriptor is not enabled."; });
      continue;
    }
    const auto* const view = DeviceState::Get<state::ImageView>(handle);
    if (view == nullptr) continue;
    switch (write.descriptorType) {
      case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        CheckUsage(*view, VK_IMAGE_USAGE_SAMPLED_BIT, Vuid("VUID-VkWriteDescriptorSet-descriptorType-00337"), where,
                   check);
        break;
      case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        CheckUsage(*view, VK_IMAGE_USAGE_STORAGE_BIT, Vuid("VUID-VkWriteDescriptorSet-descriptorType-00339"), where,
                   check);
        break;
      default:
        CheckUsage(*view, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, Vuid("VUID-VkWriteDescriptorSet-descriptorType-00338"),
                   where, check);
    }
  }
}

void CheckViews(const VkWriteDescriptorSet& write, const WriteFacts& facts, const UpdateCheck& check) {
  if (facts.may_be_null) return;
  const auto views = Items(write.pTexelBufferView, write.descriptorCount);
  for (uint32_t i = 0; i < views.size(); ++i) {
    const Location where = check.where().Dot("pTexelBufferView", i);
    check.Require(views[i] != VK_NULL_HANDLE, Vuid("VUID-VkWriteDescriptorSet-descriptorType-02995"), where,
                  [] { return "is VK_NULL_HANDLE, but the feature nullDescriptor is not enabled."; });
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
bool CheckTarget(const VkWriteDescriptorSet& write, const DescriptorSetLayout& layout, const UpdateCheck& check) {
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

void CheckSamplers(const VkWriteDescriptorSet& write, const DescriptorSetLayout* layout, const UpdateCheck& check) {
  const Binding* const binding = layout != nullptr ? layout->Find(write.dstBinding) : nullptr;
  check.Require(binding == nullptr || !binding->has_immutable_samplers,
                Vuid("VUID-VkWriteDescriptorSet-descriptorType-02752"), "dstBinding", [&] {
                  return absl::StrCat("(", write.dstBinding, ") has immutable samplers, which are not written.");
                });
}

}  // namespace

void CheckWrite(const VkWriteDescriptorSet& write, const DescriptorSetLayout* layout, const WriteFacts& facts,
                const UpdateCheck& check) {
  if (layout != nullptr && !CheckTarget(write, *layout, check)) return;
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
      return CheckImages(write, facts, check);
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      if (!facts.is_pushed) CheckSamplers(write, layout, check);
      return;
    default:
      return;
  }
}

void DescriptorUpdateRules::PreCallValidate(const vk::UpdateDescriptorSets& call, Report& report) const {
  const Location command = report.location();
  const auto writes = Items(call.pDescriptorWrites, call.descriptorWriteCount);
  for (uint32_t i = 0; i < writes.size(); ++i) {
    const auto* const set = DeviceState::Get<state::DescriptorSet>(writes[i].dstSet);
    if (set == nullptr) continue;
    const Location where = command.Dot("pDescriptorWrites", i);
    CheckWrite(writes[i], &set->contents.layout(), {limits_, may_be_null_, false},
               UpdateCheck(Object(writes[i].dstSet), where, report));
  }
  const auto copies = Items(call.pDescriptorCopies, call.descriptorCopyCount);
  for (uint32_t i = 0; i < copies.size(); ++i) CheckCopy(copies[i], command.Dot("pDescriptorCopies", i), report);
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
    CheckWrite(pushes.writes[i], set, {limits_, may_be_null_, true},
               UpdateCheck(Object(pushes.layout), element, report));
  }
}

}  // namespace assay::core
