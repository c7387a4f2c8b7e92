// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/set_layouts/set_layout_rules.h"

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/set_layouts/descriptor_limits.h"
#include "core/set_layouts/set_layout_check.h"
#include "dispatch/rewriting/internal_calls.h"
#include "state/state.h"

namespace assay::core {
namespace {

using messages::Object;
using messages::Report;
using state::DeviceState;
using state::Items;
using vk::Vuid;

// The first limit that one layout exceeds by itself.
std::optional<ExceededLimit> FirstExceeded(const dispatch::Device& device,
                                           const VkDescriptorSetLayoutCreateInfo& info) {
  const bool is_later = (info.flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT) != 0;
  DescriptorCounts counts;
  if (is_later) counts.NoteLaterUpdates();
  for (const VkDescriptorSetLayoutBinding& binding : Items(info.pBindings, info.bindingCount)) {
    counts.Add(binding.descriptorType, binding.descriptorCount, binding.stageFlags, is_later);
  }
  for (const DescriptorLimit& rule : DescriptorLimits()) {
    if (const auto exceeded = Exceeds(counts, rule, device)) return exceeded;
  }
  return std::nullopt;
}

// Whether the driver says that it does not support the layout. It is asked, since nobody knows what it answered before.
bool IsUnsupported(const dispatch::Device& device, VkDescriptorSetLayoutCreateInfo info) {
  if (!dispatch::HasNext<vk::GetDescriptorSetLayoutSupport>(device)) return false;
  const auto bindings = Items(info.pBindings, info.bindingCount);
  std::vector<VkDescriptorSetLayoutBinding> translated(bindings.begin(), bindings.end());
  std::vector<std::vector<VkSampler>> samplers(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    const VkDescriptorType type = bindings[i].descriptorType;
    const bool has_samplers = type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    if (!has_samplers || bindings[i].pImmutableSamplers == nullptr) continue;
    samplers[i].reserve(bindings[i].descriptorCount);
    for (const VkSampler sampler : Items(bindings[i].pImmutableSamplers, bindings[i].descriptorCount)) {
      samplers[i].push_back(dispatch::DriverHandle(sampler));
    }
    translated[i].pImmutableSamplers = samplers[i].data();
  }
  info.pBindings = translated.data();
  VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
  dispatch::CallNext(device, vk::GetDescriptorSetLayoutSupport{device.handle, &info, &support});
  return support.supported == VK_FALSE;
}

}  // namespace

void SetLayoutRules::PreCallValidate(const vk::CreateDescriptorSetLayout& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const messages::Location command = report.location();
  SetLayoutCheck(device_, *call.pCreateInfo, report).Run(command.Dot("pCreateInfo"));
  const std::optional<ExceededLimit> exceeded = FirstExceeded(device_, *call.pCreateInfo);
  if (!exceeded.has_value() || !IsUnsupported(device_, *call.pCreateInfo)) return;
  report.Error(Vuid("VUID-vkCreateDescriptorSetLayout-support-09582"), {Object(device_.handle)},
               command.Dot("pCreateInfo"),
               absl::StrCat("has ", exceeded->total.count, " descriptors, more than ", exceeded->rule.limit.name, " (",
                            exceeded->most, "), and the device does not support the layout."),
               "Ask vkGetDescriptorSetLayoutSupport about a layout this large.");
}
void SetLayoutRules::PreCallValidate(const vk::GetDescriptorSetLayoutSupport& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const messages::Location command = report.location();
  SetLayoutCheck(device_, *call.pCreateInfo, report).Run(command.Dot("pCreateInfo"));
}

void SetLayoutRules::PreCallValidate(const vk::GetDescriptorSetLayoutSizeEXT& call, Report& report) const {
  const auto* const layout = DeviceState::Get<state::DescriptorSetLayout>(call.layout);
  constexpr auto kForBuffers = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
  if (layout == nullptr || (layout->create_flags() & kForBuffers) != 0) return;
  report.Error(Vuid("VUID-vkGetDescriptorSetLayoutSizeEXT-layout-08012"), {Object(call.layout)},
               report.location().Dot("layout"),
               "was created without VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT.");
}
void SetLayoutRules::PreCallValidate(const vk::GetDescriptorSetLayoutBindingOffsetEXT& call, Report& report) const {
  const auto* const layout = DeviceState::Get<state::DescriptorSetLayout>(call.layout);
  constexpr auto kForBuffers = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
  if (layout == nullptr || (layout->create_flags() & kForBuffers) != 0) return;
  report.Error(Vuid("VUID-vkGetDescriptorSetLayoutBindingOffsetEXT-layout-08014"), {Object(call.layout)},
               report.location().Dot("layout"),
               "was created without VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT.");
}

}  // namespace assay::core
