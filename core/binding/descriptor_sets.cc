// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptor sets that are bound, and their dynamic offsets.

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/binding/bind_check.h"
#include "core/binding/binding_rules.h"
#include "core/binding/layout_difference.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DescriptorSetLayout;
using state::DeviceState;
using vk::FamilyVuid;

struct SetIds {
  vk::VuidIndex in_layout;
  vk::VuidIndex is_set;
  vk::VuidIndex identical;
  vk::VuidIndex no_descriptor_buffer;
  vk::VuidIndex not_host_only;
  vk::VuidIndex offset_count;
  vk::VuidIndex uniform_alignment;
  vk::VuidIndex storage_alignment;
  vk::VuidIndex in_buffer;
  vk::VuidIndex whole_size;
};
template <class C>
constexpr SetIds kIds = {
    .in_layout = FamilyVuid<C>("firstSet-00360"),
    // The structure of the other form has an implicit rule that says so.
    .is_set = C::kId == vk::CommandId::kCmdBindDescriptorSets ? FamilyVuid<C>("pDescriptorSets-06563") : vk::kNoVuid,
    .identical = FamilyVuid<C>("pDescriptorSets-00358"),
    .no_descriptor_buffer = FamilyVuid<C>("pDescriptorSets-08010"),
    .not_host_only = FamilyVuid<C>("pDescriptorSets-04616"),
    .offset_count = FamilyVuid<C>("dynamicOffsetCount-00359"),
    .uniform_alignment = FamilyVuid<C>("pDynamicOffsets-01971"),
    .storage_alignment = FamilyVuid<C>("pDynamicOffsets-01972"),
    .in_buffer = FamilyVuid<C>("pDescriptorSets-01979"),
    .whole_size = FamilyVuid<C>("pDescriptorSets-06715"),
};

// What the forms of the command have in common.
struct BoundSets {
  VkPipelineLayout layout;
  uint32_t first;
  absl::Span<const VkDescriptorSet> sets;
  absl::Span<const uint32_t> offsets;
};

class SetCheck {
 public:
  SetCheck(const dispatch::Device& device, const BoundSets& bound, const SetIds& ids, const BindCheck& check,
           const Location& where)
      : limits_(device.physical_device->properties.limits), bound_(bound), ids_(ids), check_(check), where_(where) {}

  void Check(const state::PipelineLayout& layout, bool may_be_null) {
    const uint64_t end = uint64_t{bound_.first} + bound_.sets.size();
    if (!check_.Require(
            end <= layout.set_layouts.size(), ids_.in_layout, Object(bound_.layout), where_.Dot("firstSet"), [&] {
              return absl::StrCat("(", bound_.first, ") and descriptorSetCount (", bound_.sets.size(),
                                  ") lead beyond the layout, which has ", layout.set_layouts.size(), " sets.");
            })) {
      return;
    }
    uint64_t dynamic = 0;
    bool knows_all = true;
    for (uint32_t i = 0; i < bound_.sets.size(); ++i) {
      const auto* const set = DeviceState::Get<state::DescriptorSet>(bound_.sets[i]);
      if (set != nullptr) {
        knows_all &= CheckSet(*set, layout.set_layouts[bound_.first + i].get(), i);
        dynamic += set->contents.layout().dynamic_count();
        continue;
      }
      knows_all = false;
      check_.Require(may_be_null || bound_.sets[i] != VK_NULL_HANDLE, ids_.is_set, where_.Dot("pDescriptorSets", i),
                     [] { return "is VK_NULL_HANDLE, but the feature graphicsPipelineLibrary is not enabled."; });
    }
    if (!knows_all) return;
    if (!check_.Require(dynamic == bound_.offsets.size(), ids_.offset_count, where_.Dot("dynamicOffsetCount"), [&] {
          return absl::StrCat("(", bound_.offsets.size(), ") is not the number of dynamic descriptors in the sets (",
                              dynamic, ").");
        })) {
      return;
    }
    if (dynamic != 0) CheckOffsets();
  }

 private:
  static constexpr auto kForBuffers = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
  static constexpr auto kHostOnly = VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT;

  // Whether the set has the layout that it should have. `expected` is the layout's; null if it is not known.
  bool CheckSet(const state::DescriptorSet& set, const DescriptorSetLayout* expected, uint32_t i) const {
    const DescriptorSetLayout& layout = set.contents.layout();
    const bool is_identical = expected == nullptr || layout.IsDefinedAs(*expected);
    const bool fits = (layout.create_flags() & kForBuffers) == 0 && (set.pool_flags & kHostOnly) == 0;
    if (!is_identical || !fits) [[unlikely]]
      ReportSet(set, expected, i);
    return is_identical;
  }

  void ReportSet(const state::DescriptorSet& set, const DescriptorSetLayout* expected, uint32_t i) const {
    const DescriptorSetLayout& layout = set.contents.layout();
    const messages::ObjectRef object = Object(bound_.sets[i]);
    const Location where = where_.Dot("pDescriptorSets", i);
    check_.Require(expected == nullptr || layout.IsDefinedAs(*expected), ids_.identical, object, where, [&] {
      return absl::StrCat("has a layout that is not defined identically to set ", bound_.first + i,
                          " of layout: ", DifferenceOf(layout, *expected), ".");
    });
    check_.Require((layout.create_flags() & kForBuffers) == 0, ids_.no_descriptor_buffer, object, where, [] {
      return "has a layout that was created with VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT.";
    });
    check_.Require((set.pool_flags & kHostOnly) == 0, ids_.not_host_only, object, where, [] {
      return "is from a descriptor pool that was created with VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT.";
    });
  }

  void CheckOffsets() const {
    uint32_t next = 0;
    for (const VkDescriptorSet handle : bound_.sets) {
      const state::DescriptorSet& set = *DeviceState::Get<state::DescriptorSet>(handle);
      for (const DescriptorSetLayout::Binding& binding : set.contents.layout().bindings()) {
        const bool is_uniform = binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
        if (!is_uniform && binding.type != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC) continue;
        for (uint32_t element = 0; element < binding.count && next < bound_.offsets.size(); ++element, ++next) {
          if (CheckAlignment(next, is_uniform)) CheckRange(set, handle, binding, element, next);
        }
      }
    }
  }

  bool CheckAlignment(uint32_t index, bool is_uniform) const {
    const VkDeviceSize alignment =
        is_uniform ? limits_.minUniformBufferOffsetAlignment : limits_.minStorageBufferOffsetAlignment;
    const uint32_t offset = bound_.offsets[index];
    return check_.Require(
        alignment == 0 || offset % alignment == 0, is_uniform ? ids_.uniform_alignment : ids_.storage_alignment,
        where_.Dot("pDynamicOffsets", index), [&] {
          return absl::StrCat("(", offset, ") is not a multiple of ",
                              is_uniform ? "minUniformBufferOffsetAlignment (" : "minStorageBufferOffsetAlignment (",
                              alignment, ").");
        });
  }

  void CheckRange(const state::DescriptorSet& set, VkDescriptorSet handle, const DescriptorSetLayout::Binding& binding,
                  uint32_t element, uint32_t index) const {
    using Kind = state::Descriptor::Kind;
    const state::Descriptor* const descriptor = set.contents.Find(binding, element);
    if (descriptor == nullptr || descriptor->kind != Kind::kBuffer) return;
    const auto* const buffer = DeviceState::Get<state::Buffer>(reinterpret_cast<VkBuffer>(descriptor->resource));
    if (buffer == nullptr) return;
    const uint64_t offset = bound_.offsets[index];
    const Location where = where_.Dot("pDynamicOffsets", index);
    const auto target = [&] { return absl::StrCat("binding ", binding.binding, ", element ", element); };
    if (descriptor->range == VK_WHOLE_SIZE) {
      check_.Require(offset == 0, ids_.whole_size, Object(handle), where, [&] {
        return absl::StrCat("(", offset, ") is not 0, but the range of ", target(), ", is VK_WHOLE_SIZE.");
      });
      return;
    }
    check_.Require(
        offset + descriptor->offset + descriptor->range <= buffer->size, ids_.in_buffer, Object(handle), where, [&] {
          return absl::StrCat("(", offset, "), with offset ", descriptor->offset, " and range ", descriptor->range,
                              " of ", target(), ", leads beyond the buffer's ", buffer->size, " bytes.");
        });
  }

  const VkPhysicalDeviceLimits& limits_;
  const BoundSets& bound_;
  const SetIds& ids_;
  const BindCheck& check_;
  const Location& where_;
};

BoundSets Normalise(const vk::CmdBindDescriptorSets& call) {
  return {call.layout, call.firstSet, state::Items(call.pDescriptorSets, call.descriptorSetCount),
          state::Items(call.pDynamicOffsets, call.dynamicOffsetCount)};
}
BoundSets Normalise(const VkBindDescriptorSetsInfo& info) {
  return {info.layout, info.firstSet, state::Items(info.pDescriptorSets, info.descriptorSetCount),
          state::Items(info.pDynamicOffsets, info.dynamicOffsetCount)};
}

}  // namespace

void BindingRules::PreCallValidate(const vk::CmdBindDescriptorSets& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  check.RequirePoint(call.pipelineBindPoint, FamilyVuid<vk::CmdBindDescriptorSets>("pipelineBindPoint-00361"),
                     command.Dot("pipelineBindPoint"));
  const auto* const layout = DeviceState::Get<state::PipelineLayout>(call.layout);
  if (layout == nullptr) return;
  const BoundSets bound = Normalise(call);
  SetCheck(device_, bound, kIds<vk::CmdBindDescriptorSets>, check, command).Check(*layout, may_be_null_);
}

void BindingRules::PreCallValidate(const vk::CmdBindDescriptorSets2& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pBindDescriptorSetsInfo == nullptr) return;
  const VkBindDescriptorSetsInfo& info = *call.pBindDescriptorSetsInfo;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  const Location where = command.Dot("pBindDescriptorSetsInfo");
  check.RequireStages(info.stageFlags, FamilyVuid<vk::CmdBindDescriptorSets2>("pBindDescriptorSetsInfo-09467"),
                      where.Dot("stageFlags"));
  const auto* const layout = DeviceState::Get<state::PipelineLayout>(info.layout);
  if (layout == nullptr) return;
  const BoundSets bound = Normalise(info);
  SetCheck(device_, bound, kIds<vk::CmdBindDescriptorSets2>, check, where).Check(*layout, may_be_null_);
}

}  // namespace assay::core
