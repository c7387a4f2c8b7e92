// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of dynamic rendering that reads its attachments: which locations color attachments have, and which input
// attachments read them. Pipelines and commands say that with the same structures.

#include <cstdint>

#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using Locations = VkRenderingAttachmentLocationInfo;
using Indices = VkRenderingInputAttachmentIndexInfo;
using messages::Location;
using messages::Report;
using vk::Vuid;

bool IsUsed(uint32_t value) { return value != VK_ATTACHMENT_UNUSED; }

// Reports elements that have a value of their own more than once.
void CheckUnique(absl::Span<const uint32_t> values, vk::VuidIndex id, const dispatch::Device& device,
                 const Location& where, std::string_view member, Report& report) {
  for (uint32_t i = 0; i < values.size(); ++i) {
    for (uint32_t k = 0; k < i; ++k) {
      if (values[k] != values[i] || !IsUsed(values[i])) continue;
      report.Error(id, {messages::Object(device.handle)}, where.Dot(member, i),
                   absl::StrCat("(", values[i], ") is that of element ", k, ", too."));
      return;
    }
  }
}

constexpr char kNeedsFeature[] = "but the feature dynamicRenderingLocalRead is not enabled.";

}  // namespace

void CheckLocations(const Locations& info, const dispatch::Device& device, const Location& where, Report& report) {
  const auto values = state::Items(info.pColorAttachmentLocations, info.colorAttachmentCount);
  const uint32_t most = device.physical_device->limits.maxColorAttachments;
  for (uint32_t i = 0; i < values.size(); ++i) {
    if (IsUsed(values[i]) && values[i] >= most) {
      report.Error(Vuid("VUID-VkRenderingAttachmentLocationInfo-pColorAttachmentLocations-09515"),
                   {messages::Object(device.handle)}, where.Dot("pColorAttachmentLocations", i),
                   absl::StrCat("(", values[i], ") is not less than maxColorAttachments (", most, ")."));
    }
  }
  CheckUnique(values, Vuid("VUID-VkRenderingAttachmentLocationInfo-pColorAttachmentLocations-09513"), device, where,
              "pColorAttachmentLocations", report);
}

void CheckInputIndices(const Indices& info, const dispatch::Device& device, const Location& where, Report& report) {
  const auto values = state::Items(info.pColorAttachmentInputIndices, info.colorAttachmentCount);
  CheckUnique(values, Vuid("VUID-VkRenderingInputAttachmentIndexInfo-pColorAttachmentInputIndices-09522"), device,
              where, "pColorAttachmentInputIndices", report);
  struct Other {
    vk::VuidIndex id;
    std::string_view name;
    const uint32_t* value;
  };
  const Other others[] = {
      {Vuid("VUID-VkRenderingInputAttachmentIndexInfo-pColorAttachmentInputIndices-09523"),
       "pDepthInputAttachmentIndex", info.pDepthInputAttachmentIndex},
      {Vuid("VUID-VkRenderingInputAttachmentIndexInfo-pColorAttachmentInputIndices-09524"),
       "pStencilInputAttachmentIndex", info.pStencilInputAttachmentIndex},
  };
  for (const Other& other : others) {
    for (uint32_t i = 0; i < values.size(); ++i) {
      if (other.value == nullptr || !IsUsed(values[i]) || values[i] != *other.value) continue;
      report.Error(other.id, {messages::Object(device.handle)}, where.Dot("pColorAttachmentInputIndices", i),
                   absl::StrCat("(", values[i], ") is what ", other.name, " points to, too."));
    }
  }
}

namespace {

// Of pipelines alone: for the commands the feature has a rule of its own.
Result CheckLocationFeature(const GraphicsView& view) {
  const auto* info = view.Chained<Locations>();
  if (info == nullptr || view.Has(vk::FeatureId::kDynamicRenderingLocalRead)) return kFine;
  const auto values = state::Items(info->pColorAttachmentLocations, info->colorAttachmentCount);
  for (uint32_t i = 0; i < values.size(); ++i) {
    if (values[i] != i) return Wrong(Value(values[i], absl::StrCat("is not ", i, ", ", kNeedsFeature)), "", i);
  }
  return kFine;
}
Result CheckIndexFeature(const GraphicsView& view) {
  const auto* info = view.Chained<Indices>();
  if (info == nullptr || view.Has(vk::FeatureId::kDynamicRenderingLocalRead)) return kFine;
  const auto values = state::Items(info->pColorAttachmentInputIndices, info->colorAttachmentCount);
  for (uint32_t i = 0; i < values.size(); ++i) {
    if (IsUsed(values[i])) return Wrong(Value(values[i], absl::StrCat("is used, ", kNeedsFeature)), "", i);
  }
  return kFine;
}
template <const uint32_t* Indices::* kIndex>
Result CheckOtherFeature(const GraphicsView& view) {
  const auto* info = view.Chained<Indices>();
  const bool is_wrong = info != nullptr && !view.Has(vk::FeatureId::kDynamicRenderingLocalRead) &&
                        info->*kIndex != nullptr && IsUsed(*(info->*kIndex));
  return is_wrong ? Wrong(Value(*(info->*kIndex), absl::StrCat("is used, ", kNeedsFeature))) : kFine;
}

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkRenderingAttachmentLocationInfo-dynamicRenderingLocalRead-09512"),
     "pNext<VkRenderingAttachmentLocationInfo>.pColorAttachmentLocations[]", CheckLocationFeature},
    {Vuid("VUID-VkRenderingInputAttachmentIndexInfo-dynamicRenderingLocalRead-09519"),
     "pNext<VkRenderingInputAttachmentIndexInfo>.pColorAttachmentInputIndices[]", CheckIndexFeature},
    {Vuid("VUID-VkRenderingInputAttachmentIndexInfo-dynamicRenderingLocalRead-09520"),
     "pNext<VkRenderingInputAttachmentIndexInfo>.pDepthInputAttachmentIndex",
     CheckOtherFeature<&Indices::pDepthInputAttachmentIndex>},
    {Vuid("VUID-VkRenderingInputAttachmentIndexInfo-dynamicRenderingLocalRead-09521"),
     "pNext<VkRenderingInputAttachmentIndexInfo>.pStencilInputAttachmentIndex",
     CheckOtherFeature<&Indices::pStencilInputAttachmentIndex>},
};

}  // namespace

absl::Span<const PipelineRule> LocalReadRules() { return kRules; }

}  // namespace assay::core
