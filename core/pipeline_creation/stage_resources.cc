// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// How many resources of a pipeline layout a stage has, and layouts of libraries.

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "core/pipeline_creation/creation_view.h"
#include "state/state.h"
#include "vk/enum_to_string.h"

namespace assay::core {
namespace {

using vk::FeatureId;
using vk::Vuid;
using Binding = state::DescriptorSetLayout::Binding;

constexpr KindIds kResources = {Vuid("VUID-VkComputePipelineCreateInfo-layout-01687"),
                                Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-layout-03428"),
                                Vuid("VUID-VkRayTracingPipelineCreateInfoNV-layout-03428"),
                                Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-layout-09132")};

// Whether sets may be for updates after they are bound, which the limit leaves out.
bool MayUpdateAfterBind(const dispatch::Device& device) {
  using enum FeatureId;
  for (FeatureId feature :
       {kDescriptorBindingAccelerationStructureUpdateAfterBind, kDescriptorBindingInlineUniformBlockUpdateAfterBind,
        kDescriptorBindingSampledImageUpdateAfterBind, kDescriptorBindingStorageBufferUpdateAfterBind,
        kDescriptorBindingStorageImageUpdateAfterBind, kDescriptorBindingStorageTexelBufferUpdateAfterBind,
        kDescriptorBindingUniformBufferUpdateAfterBind, kDescriptorBindingUniformTexelBufferUpdateAfterBind}) {
    if (device.HasFeature(feature)) return true;
  }
  return false;
}

// Whether VkPhysicalDeviceLimits::maxPerStageResources counts descriptors of the type.
bool IsCounted(VkDescriptorType type) {
  return type > VK_DESCRIPTOR_TYPE_SAMPLER && type <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
}

bool IsSame(const Binding& one, const Binding& other) {
  return one.binding == other.binding && one.type == other.type && one.count == other.count &&
         one.stages == other.stages;
}

}  // namespace

void CheckStageResources(const CreationView& view, VkPipelineLayout handle, VkShaderStageFlags stages,
                         CreationReport& report) {
  const auto* layout = state::DeviceState::Get<state::PipelineLayout>(handle);
  const uint32_t most = view.device.physical_device->limits.maxPerStageResources;
  if (layout == nullptr || most == 0 || MayUpdateAfterBind(view.device)) return;
  for (VkShaderStageFlags rest = stages; rest != 0; rest &= rest - 1) {
    const VkShaderStageFlags stage = rest & ~(rest - 1);
    uint64_t count = 0;
    for (const auto& set : layout->set_layouts) {
      if (!set) continue;
      for (const Binding& binding : set->bindings()) {
        if ((binding.stages & stage) != 0 && IsCounted(binding.type)) count += binding.count;
      }
    }
    if (count <= most) continue;
    report.Error(
        view.Id(kResources), "layout",
        absl::StrCat("has more resources (", count, ") for ", vk::ToString(static_cast<VkShaderStageFlagBits>(stage)),
                     " than maxPerStageResources (", most, ")."));
    return;
  }
}

bool HaveSameSets(const state::PipelineLayout& one, const state::PipelineLayout& other) {
  const size_t count = std::min(one.set_layouts.size(), other.set_layouts.size());
  for (size_t i = 0; i < count; ++i) {
    const auto& first = one.set_layouts[i];
    const auto& second = other.set_layouts[i];
    if (!first || !second) continue;
    if (!std::ranges::equal(first->bindings(), second->bindings(), IsSame)) return false;
  }
  return true;
}

}  // namespace assay::core
