// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptor buffers that are bound, sets that are placed in them, and sets of embedded samplers.

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/binding/bind_check.h"
#include "core/binding/binding_rules.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using state::Items;
using vk::FamilyVuid;
using vk::Vuid;

using Limits = VkPhysicalDeviceDescriptorBufferPropertiesEXT;

// What the forms of vkCmdSetDescriptorBufferOffsetsEXT have in common.
struct Offsets {
  VkPipelineLayout layout;
  uint32_t first;
  absl::Span<const uint32_t> indices;
  absl::Span<const VkDeviceSize> offsets;
};

template <class C>
void CheckOffsets(const Limits* limits, const Offsets& set, const BindCheck& check, const Location& where) {
  const VkDeviceSize alignment = limits != nullptr ? limits->descriptorBufferOffsetAlignment : 0;
  for (uint32_t i = 0; i < set.offsets.size(); ++i) {
    check.Require(alignment == 0 || set.offsets[i] % alignment == 0, FamilyVuid<C>("pOffsets-08061"),
                  where.Dot("pOffsets", i), [&] {
                    return absl::StrCat("(", set.offsets[i], ") is not a multiple of descriptorBufferOffsetAlignment (",
                                        alignment, ").");
                  });
  }
  const size_t bound = check.buffer().descriptor_buffers().size();
  for (uint32_t i = 0; i < set.indices.size(); ++i) {
    // Larger ones are reported as such.
    if (limits == nullptr || set.indices[i] >= limits->maxDescriptorBufferBindings) continue;
    check.Require(set.indices[i] < bound, FamilyVuid<C>("pBufferIndices-08065"), where.Dot("pBufferIndices", i), [&] {
      return absl::StrCat("(", set.indices[i], ") is not a descriptor buffer that is bound: there are ", bound, ".");
    });
  }
  const auto* const layout = DeviceState::Get<state::PipelineLayout>(set.layout);
  if (layout == nullptr) return;
  const auto& layouts = layout->set_layouts;
  if (!check.Require(uint64_t{set.first} + set.indices.size() <= layouts.size(), FamilyVuid<C>("firstSet-08066"),
                     Object(set.layout), where.Dot("firstSet"), [&] {
                       return absl::StrCat("(", set.first, ") and setCount (", set.indices.size(),
                                           ") lead beyond the layout, which has ", layouts.size(), " sets.");
                     })) {
    return;
  }
  for (size_t i = set.first; i < set.first + set.indices.size(); ++i) {
    constexpr auto kForBuffers = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    check.Require(!layouts[i] || (layouts[i]->create_flags() & kForBuffers) != 0, FamilyVuid<C>("firstSet-09006"),
                  Object(set.layout), where.Dot("layout"), [&] {
                    return absl::StrCat("has set ", i,
                                        " without VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT.");
                  });
  }
}

template <class C>
void CheckEmbedded(VkPipelineLayout handle, uint32_t set, const BindCheck& check, const Location& where) {
  const auto* const layout = DeviceState::Get<state::PipelineLayout>(handle);
  if (layout == nullptr) return;
  const size_t count = layout->set_layouts.size();
  check.Require(set <= count, FamilyVuid<C>("set-08071"), Object(handle), where.Dot("set"),
                [&] { return absl::StrCat("(", set, ") is beyond the layout, which has ", count, " sets."); });
  if (set >= count || !layout->set_layouts[set]) return;
  constexpr auto kEmbedded = VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT;
  check.Require((layout->set_layouts[set]->create_flags() & kEmbedded) != 0, FamilyVuid<C>("set-08070"), Object(handle),
                where.Dot("set"), [&] {
                  return absl::StrCat("(", set,
                                      ") has a layout without "
                                      "VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT.");
                });
}

VkBufferUsageFlags2 UsageOf(const VkDescriptorBufferBindingInfoEXT& info) {
  const auto* const flags = vk::FindInChain<VkBufferUsageFlags2CreateInfo>(info.pNext);
  return flags != nullptr ? flags->usage : info.usage;
}

}  // namespace

void BindingRules::PreCallValidate(const vk::CmdBindDescriptorBuffersEXT& call, dispatch::Slot& slot,
                                   Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  const Limits* const limits = buffer_limits_;
  if (buffer == nullptr || limits == nullptr) return;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  const auto infos = Items(call.pBindingInfos, call.bufferCount);
  const struct {
    VkBufferUsageFlags2 usage;
    uint32_t most;
    vk::VuidIndex rule;
  } rules[] = {{VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT, limits->maxSamplerDescriptorBufferBindings,
                Vuid("VUID-vkCmdBindDescriptorBuffersEXT-maxSamplerDescriptorBufferBindings-08048")},
               {VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT, limits->maxResourceDescriptorBufferBindings,
                Vuid("VUID-vkCmdBindDescriptorBuffersEXT-maxResourceDescriptorBufferBindings-08049")},
               {VK_BUFFER_USAGE_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT, 1,
                Vuid("VUID-vkCmdBindDescriptorBuffersEXT-None-08050")}};
  for (const auto& rule : rules) {
    const auto count =
        std::ranges::count_if(infos, [&](const auto& info) { return (UsageOf(info) & rule.usage) != 0; });
    check.Require(rule.most == 0 || count <= rule.most, rule.rule, command.Dot("pBindingInfos"), [&] {
      return absl::StrCat("has ", count, " elements with ",
                          vk::FlagsToString(vk::EnumId::kBufferUsageFlagBits2, rule.usage), ", more than ", rule.most,
                          ".");
    });
  }
  for (uint32_t i = 0; i < infos.size(); ++i) {
    using Handle = VkDescriptorBufferBindingPushDescriptorBufferHandleEXT;
    const Location where = command.Dot("pBindingInfos", i);
    check.Require(limits->bufferlessPushDescriptors == VK_FALSE || vk::FindInChain<Handle>(infos[i].pNext) == nullptr,
                  Vuid("VUID-VkDescriptorBufferBindingPushDescriptorBufferHandleEXT-bufferlessPushDescriptors-08059"),
                  where.Next("VkDescriptorBufferBindingPushDescriptorBufferHandleEXT"),
                  [] { return "is there, but bufferlessPushDescriptors is VK_TRUE."; });
  }
}

void BindingRules::PreCallValidate(const vk::CmdSetDescriptorBufferOffsetsEXT& call, dispatch::Slot& slot,
                                   Report& report) const {
  using C = vk::CmdSetDescriptorBufferOffsetsEXT;
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  check.RequirePoint(call.pipelineBindPoint, FamilyVuid<C>("pipelineBindPoint-08067"),
                     command.Dot("pipelineBindPoint"));
  CheckOffsets<C>(
      buffer_limits_,
      {call.layout, call.firstSet, Items(call.pBufferIndices, call.setCount), Items(call.pOffsets, call.setCount)},
      check, command);
}
void BindingRules::PreCallValidate(const vk::CmdSetDescriptorBufferOffsets2EXT& call, dispatch::Slot& slot,
                                   Report& report) const {
  using C = vk::CmdSetDescriptorBufferOffsets2EXT;
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pSetDescriptorBufferOffsetsInfo == nullptr) return;
  const VkSetDescriptorBufferOffsetsInfoEXT& info = *call.pSetDescriptorBufferOffsetsInfo;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  const Location where = command.Dot("pSetDescriptorBufferOffsetsInfo");
  check.RequireStages(info.stageFlags, FamilyVuid<C>("pSetDescriptorBufferOffsetsInfo-09471"), where.Dot("stageFlags"));
  CheckOffsets<C>(
      buffer_limits_,
      {info.layout, info.firstSet, Items(info.pBufferIndices, info.setCount), Items(info.pOffsets, info.setCount)},
      check, where);
}

void BindingRules::PreCallValidate(const vk::CmdBindDescriptorBufferEmbeddedSamplersEXT& call, dispatch::Slot& slot,
                                   Report& report) const {
  using C = vk::CmdBindDescriptorBufferEmbeddedSamplersEXT;
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  check.RequirePoint(call.pipelineBindPoint, FamilyVuid<C>("pipelineBindPoint-08069"),
                     command.Dot("pipelineBindPoint"));
  CheckEmbedded<C>(call.layout, call.set, check, command);
}
void BindingRules::PreCallValidate(const vk::CmdBindDescriptorBufferEmbeddedSamplers2EXT& call, dispatch::Slot& slot,
                                   Report& report) const {
  using C = vk::CmdBindDescriptorBufferEmbeddedSamplers2EXT;
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pBindDescriptorBufferEmbeddedSamplersInfo == nullptr) return;
  const VkBindDescriptorBufferEmbeddedSamplersInfoEXT& info = *call.pBindDescriptorBufferEmbeddedSamplersInfo;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  const Location where = command.Dot("pBindDescriptorBufferEmbeddedSamplersInfo");
  check.RequireStages(info.stageFlags, FamilyVuid<C>("pBindDescriptorBufferEmbeddedSamplersInfo-09473"),
                      where.Dot("stageFlags"));
  CheckEmbedded<C>(info.layout, info.set, check, where);
}

}  // namespace assay::core
