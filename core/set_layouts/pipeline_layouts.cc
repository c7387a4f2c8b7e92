// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipeline layouts: their set layouts together.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/set_layouts/descriptor_limits.h"
#include "core/set_layouts/set_layout_rules.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using state::Items;
using vk::Vuid;

constexpr uint32_t kNone = ~uint32_t{0};

bool IsSubsampled(const state::Ref<state::Sampler>& sampler) {
  constexpr VkSamplerCreateFlags kSubsampled =
      VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT | VK_SAMPLER_CREATE_SUBSAMPLED_COARSE_RECONSTRUCTION_BIT_EXT;
  return sampler && (sampler->create_info.flags & kSubsampled) != 0;
}

void ReportExceeded(const ExceededLimit& exceeded, const dispatch::Device& device, const Location& where,
                    Report& report) {
  constexpr uint32_t kBytes = BitOf(DescriptorKind::kInlineUniformByte);
  const std::string_view unit = exceeded.rule.kinds == kBytes                    ? "bytes"
                                : (exceeded.rule.kinds & kCountedByBinding) != 0 ? "bindings"
                                                                                 : "descriptors";
  const std::string stage =
      exceeded.total.stage == 0
          ? std::string(" for all stages together")
          : absl::StrCat(" for ", vk::FlagsToString(vk::EnumId::kShaderStageFlagBits, exceeded.total.stage));
  report.Error(exceeded.rule.vuid, {Object(device.handle)}, where,
               absl::StrCat("have ", exceeded.total.count, " ", unit, stage, " that count for ",
                            exceeded.rule.limit.name, ", which is ", exceeded.most, "."),
               exceeded.total.stage == 0 ? "Use fewer descriptors."
                                         : "Use fewer descriptors, or leave the stage out of stageFlags.");
}

}  // namespace

void SetLayoutRules::PreCallValidate(const vk::CreatePipelineLayout& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const Location command = report.location();
  const Location info = command.Dot("pCreateInfo");
  const auto sets = Items(call.pCreateInfo->pSetLayouts, call.pCreateInfo->setLayoutCount);
  const auto error = [&](vk::VuidIndex rule, uint32_t i, std::string text, std::string fix = {}) {
    report.Error(rule, {Object(sets[i])}, info.Dot("pSetLayouts", i), std::move(text), std::move(fix));
  };
  constexpr auto kForBuffers = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
  DescriptorCounts counts;
  uint32_t pushed = kNone;
  uint32_t for_buffers = kNone;
  uint32_t for_sets = kNone;
  for (uint32_t i = 0; i < sets.size(); ++i) {
    if (sets[i] == VK_NULL_HANDLE && !device_.HasFeature(vk::FeatureId::kGraphicsPipelineLibrary)) {
      error(Vuid("VUID-VkPipelineLayoutCreateInfo-graphicsPipelineLibrary-06753"), i,
            "is VK_NULL_HANDLE, but the graphicsPipelineLibrary feature is not enabled.");
    }
    const auto* const layout = DeviceState::Get<state::DescriptorSetLayout>(sets[i]);
    if (layout == nullptr) continue;
    const VkDescriptorSetLayoutCreateFlags flags = layout->create_flags();
    if ((flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT) != 0) {
      if (pushed != kNone) {
        error(Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-00293"), i,
              absl::StrCat("is a layout of push descriptors, and so is pSetLayouts[", pushed, "]."));
      }
      pushed = i;
    }
    if ((flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT) != 0) {
      error(Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-04606"), i,
            "was created with VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT.");
    }
    ((flags & kForBuffers) != 0 ? for_buffers : for_sets) = i;
    const bool is_later = (flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT) != 0;
    if (is_later) counts.NoteLaterUpdates();
    for (const state::DescriptorSetLayout::Binding& binding : layout->bindings()) {
      counts.Add(binding.type, binding.count, binding.stages, is_later);
      const auto subsampled = std::ranges::count_if(binding.immutable_samplers, IsSubsampled);
      counts.Add(DescriptorKind::kSubsampledSampler, static_cast<uint32_t>(subsampled), VK_SHADER_STAGE_ALL, is_later);
    }
  }
  if (for_buffers != kNone && for_sets != kNone) {
    error(Vuid("VUID-VkPipelineLayoutCreateInfo-pSetLayouts-08008"), for_sets,
          absl::StrCat("was created without VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT, but "
                       "pSetLayouts[",
                       for_buffers, "] with it."),
          "Create all of them for descriptor buffers, or none.");
  }
  for (const DescriptorLimit& rule : DescriptorLimits()) {
    if (const auto exceeded = Exceeds(counts, rule, device_)) {
      ReportExceeded(*exceeded, device_, info.Dot("pSetLayouts"), report);
    }
  }
}

}  // namespace assay::core
