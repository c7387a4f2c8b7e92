// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/builds/build_check.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "vk/commands.h"
#include "vk/enum_info.h"

namespace assay::core {

using messages::Location;

namespace {

// Ids whose rule is checked for other commands alone: instances and counts in device memory, and scratch memory of the
// host in mapped memory, are not known.
constexpr vk::VuidIndex kNotChecked[] = {
    vk::Vuid("VUID-vkCmdBuildAccelerationStructuresKHR-None-03407"),
    vk::Vuid("VUID-vkCmdBuildAccelerationStructuresKHR-dstAccelerationStructure-03706"),
    vk::Vuid("VUID-vkCmdBuildAccelerationStructuresIndirectKHR-None-03407"),
    vk::Vuid("VUID-vkCmdBuildAccelerationStructuresIndirectKHR-dstAccelerationStructure-03706"),
    vk::Vuid("VUID-vkCmdBuildAccelerationStructuresIndirectKHR-primitiveCount-03769"),
    vk::Vuid("VUID-vkBuildAccelerationStructuresKHR-dstAccelerationStructure-03703"),
    vk::Vuid("VUID-vkBuildAccelerationStructuresKHR-scratchData-03705"),
    vk::Vuid("VUID-vkBuildMicromapsEXT-dstMicromap-07466")};

}  // namespace

std::vector<vk::VuidIndex> BuildIds() {
  std::vector<vk::VuidIndex> found;
  for (const std::string_view command :
       {vk::CmdBuildAccelerationStructuresKHR::kName, vk::CmdBuildAccelerationStructuresIndirectKHR::kName,
        vk::BuildAccelerationStructuresKHR::kName, vk::GetAccelerationStructureBuildSizesKHR::kName,
        vk::CmdBuildMicromapsEXT::kName, vk::BuildMicromapsEXT::kName}) {
    std::ranges::copy_if(BuildRuleIds(command), std::back_inserter(found), [](vk::VuidIndex id) {
      return id != vk::kNoVuid && std::ranges::find(kNotChecked, id) == std::end(kNotChecked);
    });
  }
  return found;
}

BuildFacts::BuildFacts(const state::DeviceState& of)
    : state(of),
      features(of.device()),
      limits(of.device().physical_device->Find<VkPhysicalDeviceAccelerationStructurePropertiesKHR>()),
      opacity_limits(of.device().physical_device->Find<VkPhysicalDeviceOpacityMicromapPropertiesEXT>()),
      displacement_limits(of.device().physical_device->Find<VkPhysicalDeviceDisplacementMicromapPropertiesNV>()) {}

vk::VuidIndex BuildCheck::Of(std::initializer_list<BuildRule> rules) const {
  for (const BuildRule rule : rules) {
    if (ids_->Of(rule) != vk::kNoVuid) return ids_->Of(rule);
  }
  return vk::kNoVuid;
}

void BuildCheck::Say(vk::VuidIndex rule, const messages::ObjectRef& object, const Location& where,
                     std::string text) const {
  if (rule == vk::kNoVuid) return;
  if (on_host) return report_.Error(rule, {object}, where, std::move(text));
  report_.Error(rule, {commands_, object}, where, std::move(text));
}

void BuildCheck::CheckAddress(VkDeviceAddress address, const AddressRules& rules, const Location& where) const {
  const auto say = [&](vk::VuidIndex rule, const messages::ObjectRef& object, const std::string& text) {
    Say(rule, object, where, absl::StrCat("(0x", absl::Hex(address), ") ", text, "."));
  };
  if (address % rules.alignment != 0)
    say(rules.aligned, commands_, absl::StrCat("is not a multiple of ", rules.alignment));
  const auto buffers = facts.state.buffer_addresses().Find(address);
  if (buffers.empty()) {
    if (facts.state.buffer_addresses().KnowsAll() && facts.state.structure_addresses().Find(address).empty())
      say(rules.valid, commands_, "is in none of the buffers that have an address");
    return;
  }
  const messages::ObjectRef first = {VK_OBJECT_TYPE_BUFFER, buffers.front()->handle()};
  // Buffers in the same memory share addresses: of those, one that keeps the rule will do.
  const auto none = [&](auto&& keeps) { return std::ranges::none_of(buffers, keeps); };
  if (none([](const auto& buffer) { return buffer->memory || buffer->is_sparse(); }))
    return say(rules.bound, first, absl::StrCat("is in ", Describe(first), ", which is not bound to memory"));
  if (rules.needed_usage != 0 && none([&](const auto& buffer) { return (buffer->usage & rules.needed_usage) != 0; })) {
    return say(rules.usage, first,
               absl::StrCat("is in ", Describe(first), ", which does not have ",
                            vk::FlagsToString(vk::EnumId::kBufferUsageFlagBits, rules.needed_usage)));
  }
  VkDeviceSize left = 0;
  for (const auto& buffer : buffers) left = std::max(left, buffer->device_address + buffer->size - address);
  if (left >= rules.bytes) return;
  say(rules.range, first,
      absl::StrCat("has ", left, " bytes to the end of ", Describe(first), ", fewer than the ", rules.bytes,
                   " bytes that are needed"));
}

}  // namespace assay::core
