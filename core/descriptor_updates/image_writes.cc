// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Image views and samplers that are written to descriptors.

#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptor_updates/update_check.h"
#include "core/render_passes/attachment_views.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using state::DeviceState;
using vk::Vuid;
using Binding = state::DescriptorSetLayout::Binding;

// Types of descriptors, as bits.
constexpr uint32_t kCombined = 1, kSampled = 2, kStorage = 4, kAttachment = 8, kWeights = 16, kBlocks = 32;
uint32_t BitOf(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      return kCombined;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      return kSampled;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return kStorage;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return kAttachment;
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
      return kWeights;
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
      return kBlocks;
    default:
      return 0;
  }
}

// A view that is written; all that rows ask about.
struct ImageFacts {
  const state::ImageView& view;
  VkImageLayout layout;
  const WriteFacts& facts;
  // Null if there is none, or it is not known.
  const state::Sampler* immutable_sampler;
  // Whether samplers that are written are ignored.
  bool has_immutable_samplers;

  bool Has(VkImageUsageFlags usage) const { return (view.usage & usage) != 0; }
  bool ImageHas(VkImageUsageFlags usage) const { return (view.image->usage & usage) != 0; }
  bool HasAspect(VkImageAspectFlags aspects) const { return (view.subresource_range.aspectMask & aspects) != 0; }
  bool IsSlice(VkImageViewType type) const {
    return view.view_type == type && view.image->create_info.imageType == VK_IMAGE_TYPE_3D;
  }
  bool Is2DOf3D() const { return IsSlice(VK_IMAGE_VIEW_TYPE_2D); }
  // Of a layout for attachments of depth or stencil, or to read them.
  bool HasLayoutOfDepthOrStencil() const {
    if (layout == VK_IMAGE_LAYOUT_GENERAL || layout == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL) return false;
    const std::string_view name = vk::EnumName(vk::EnumId::kImageLayout, layout);
    return name.starts_with("VK_IMAGE_LAYOUT_DEPTH_") || name.starts_with("VK_IMAGE_LAYOUT_STENCIL_");
  }
  bool IsReadOnlyLayout() const {
    switch (layout) {
      case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL:
      case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
      case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
      case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
      case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
      case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
      case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
      case VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT:
        return true;
      default:
        return false;
    }
  }
  // Among those in which no shader accesses an image. Layouts that the registry does not have may be any.
  bool IsForOtherThan(bool reads) const {
    switch (layout) {
      case VK_IMAGE_LAYOUT_GENERAL:
      case VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR:
      case VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ:
        return false;
      default:
        return !(reads && IsReadOnlyLayout()) && !vk::EnumName(vk::EnumId::kImageLayout, layout).empty();
    }
  }
};
using I = const ImageFacts&;

struct ImageRule {
  uint32_t types;
  vk::VuidIndex id;
  // What is wrong with the view, or with its layout.
  std::string_view text;
  bool (*is_broken)(I);
  bool is_of_layout = false;
};
constexpr uint32_t kSampling = kCombined | kSampled, kAll = kSampling | kStorage | kAttachment;

// The first that is broken is reported.
constexpr ImageRule kRules[] = {
    {kSampling, Vuid("VUID-VkWriteDescriptorSet-descriptorType-00337"),
     "was created without VK_IMAGE_USAGE_SAMPLED_BIT.", [](I i) { return !i.Has(VK_IMAGE_USAGE_SAMPLED_BIT); }},
    {kStorage, Vuid("VUID-VkWriteDescriptorSet-descriptorType-00339"),
     "was created without VK_IMAGE_USAGE_STORAGE_BIT.", [](I i) { return !i.Has(VK_IMAGE_USAGE_STORAGE_BIT); }},
    {kAttachment, Vuid("VUID-VkWriteDescriptorSet-descriptorType-00338"),
     "was created without VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT.",
     [](I i) { return !i.Has(VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT); }},
    {kWeights, Vuid("VUID-VkWriteDescriptorSet-descriptorType-06942"),
     "is of an image without VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM.",
     [](I i) { return !i.ImageHas(VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM); }},
    {kBlocks, Vuid("VUID-VkWriteDescriptorSet-descriptorType-06943"),
     "is of an image without VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM.",
     [](I i) { return !i.ImageHas(VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM); }},
    {kSampled, Vuid("VUID-VkWriteDescriptorSet-descriptorType-01946"), "has a sampler Y'CBCR conversion.",
     [](I i) { return i.view.is_converting; }},
    {kCombined, Vuid("VUID-VkWriteDescriptorSet-descriptorType-02738"),
     "has a sampler Y'CBCR conversion, but the binding has no immutable sampler with one.",
     [](I i) {
       return i.view.is_converting &&
              (!i.has_immutable_samplers || (i.immutable_sampler != nullptr && !i.immutable_sampler->is_converting));
     }},
    {kCombined, Vuid("VUID-VkWriteDescriptorSet-descriptorType-01948"),
     "has no sampler Y'CBCR conversion, but the immutable sampler has one.",
     [](I i) { return !i.view.is_converting && i.immutable_sampler != nullptr && i.immutable_sampler->is_converting; }},
    {kStorage | kAttachment, Vuid("VUID-VkWriteDescriptorSet-descriptorType-00336"),
     "has components that are not themselves.", [](I i) { return !IsIdentity(i.view.components); }},
    {kAll, Vuid("VUID-VkDescriptorImageInfo-imageView-06712"), "is a 2D array view of a 3D image.",
     [](I i) { return i.IsSlice(VK_IMAGE_VIEW_TYPE_2D_ARRAY); }},
    {kAttachment, Vuid("VUID-VkDescriptorImageInfo-imageView-07795"), "is a 2D view of a 3D image.",
     [](I i) { return i.Is2DOf3D(); }},
    {kAll, Vuid("VUID-VkDescriptorImageInfo-imageView-07796"),
     "is a 2D view of a 3D image without VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT.",
     [](I i) {
       return i.Is2DOf3D() && (i.view.image->create_info.flags & VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT) == 0;
     }},
    {kStorage, Vuid("VUID-VkDescriptorImageInfo-descriptorType-06713"),
     "is a 2D view of a 3D image, but the feature image2DViewOf3D is not enabled.",
     [](I i) { return i.Is2DOf3D() && !i.facts.features.may_store_slices; }},
    {kSampling, Vuid("VUID-VkDescriptorImageInfo-descriptorType-06714"),
     "is a 2D view of a 3D image, but the feature sampler2DViewOf3D is not enabled.",
     [](I i) { return i.Is2DOf3D() && !i.facts.features.may_sample_slices; }},
    {kAll, Vuid("VUID-VkDescriptorImageInfo-imageView-01976"), "has both depth and stencil.",
     [](I i) { return i.HasAspect(VK_IMAGE_ASPECT_DEPTH_BIT) && i.HasAspect(VK_IMAGE_ASPECT_STENCIL_BIT); }},
    {kAll, Vuid("VUID-VkDescriptorImageInfo-imageLayout-09425"), "is not for a view of depth or stencil.",
     [](I i) {
       return i.layout == VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL &&
              i.HasAspect(VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
     },
     true},
    {kAll, Vuid("VUID-VkDescriptorImageInfo-imageLayout-09426"), "is not for a view of colors.",
     [](I i) { return i.HasAspect(VK_IMAGE_ASPECT_COLOR_BIT) && i.HasLayoutOfDepthOrStencil(); }, true},
    {kSampled, Vuid("VUID-VkWriteDescriptorSet-descriptorType-04149"), "is not one of those for sampled images.",
     [](I i) { return i.IsForOtherThan(true); }, true},
    {kCombined, Vuid("VUID-VkWriteDescriptorSet-descriptorType-04150"),
     "is not one of those for combined image samplers.", [](I i) { return i.IsForOtherThan(true); }, true},
    {kAttachment, Vuid("VUID-VkWriteDescriptorSet-descriptorType-04151"), "is not one of those for input attachments.",
     [](I i) { return i.IsForOtherThan(true); }, true},
    {kStorage, Vuid("VUID-VkWriteDescriptorSet-descriptorType-04152"), "is not one of those for storage images.",
     [](I i) { return i.IsForOtherThan(false); }, true},
};

// An element of pImageInfo, and the binding that it is written to.
class ImageWrite {
 public:
  ImageWrite(const VkWriteDescriptorSet& write, uint32_t i, const Binding* binding, const WriteFacts& facts,
             const UpdateCheck& check)
      : info_(write.pImageInfo[i]), type_(BitOf(write.descriptorType)), facts_(facts), check_(check) {
    const size_t element = size_t{write.dstArrayElement} + i;
    has_immutable_ = binding != nullptr && binding->has_immutable_samplers;
    if (has_immutable_ && element < binding->immutable_samplers.size())
      immutable_ = binding->immutable_samplers[element].get();
  }

  void CheckView(const Location& where) const {
    if (info_.imageView == VK_NULL_HANDLE) return CheckNull(where);
    const auto* const view = DeviceState::Get<state::ImageView>(info_.imageView);
    if (view == nullptr) return;
    const ImageFacts facts = {*view, info_.imageLayout, facts_, immutable_, has_immutable_};
    for (const ImageRule& rule : kRules) {
      if ((rule.types & type_) == 0 || !rule.is_broken(facts)) continue;
      check_.Require(false, rule.id, where.Dot(rule.is_of_layout ? "imageLayout" : "imageView"), [&] {
        const std::string value = rule.is_of_layout
                                      ? std::string(vk::EnumName(vk::EnumId::kImageLayout, info_.imageLayout))
                                      : check_.reporter().Describe(Object(info_.imageView));
        return absl::StrCat("(", value, ") ", rule.text);
      });
      return;
    }
  }

  void CheckSampler(const Location& where) const {
    if (has_immutable_) return;
    const auto* const sampler = DeviceState::Get<state::Sampler>(info_.sampler);
    if (!check_.Require(sampler != nullptr, Vuid("VUID-VkWriteDescriptorSet-descriptorType-00325"),
                        where.Dot("sampler"), [] { return "is not a valid VkSampler."; })) {
      return;
    }
    check_.Require(facts_.features.may_compare || sampler->create_info.compareEnable == VK_FALSE,
                   Vuid("VUID-VkDescriptorImageInfo-mutableComparisonSamplers-04450"), where.Dot("sampler"), [] {
                     return "was created with compareEnable, but the feature mutableComparisonSamplers is not enabled.";
                   });
  }

 private:
  void CheckNull(const Location& where) const {
    const bool is_attachment = type_ == kAttachment, converts = immutable_ != nullptr && immutable_->is_converting;
    const vk::VuidIndex rule = is_attachment                  ? Vuid("VUID-VkWriteDescriptorSet-descriptorType-07683")
                               : !facts_.features.may_be_null ? Vuid("VUID-VkWriteDescriptorSet-descriptorType-02997")
                                                              : Vuid("VUID-VkWriteDescriptorSet-descriptorType-09506");
    const bool may_be = (type_ & (kWeights | kBlocks)) != 0 || (facts_.features.may_be_null && !converts);
    check_.Require(may_be && !is_attachment, rule, where.Dot("imageView"), [&] {
      return absl::StrCat("is VK_NULL_HANDLE, but ",
                          is_attachment                  ? "descriptorType is VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT."
                          : !facts_.features.may_be_null ? "the feature nullDescriptor is not enabled."
                                                         : "the immutable sampler has a sampler Y'CBCR conversion.");
    });
  }

  const VkDescriptorImageInfo& info_;
  const uint32_t type_;
  const WriteFacts& facts_;
  const UpdateCheck& check_;
  bool has_immutable_;
  const state::Sampler* immutable_ = nullptr;
};

}  // namespace

void CheckImages(const VkWriteDescriptorSet& write, const Binding* binding, const WriteFacts& facts,
                 const UpdateCheck& check) {
  const bool is_processed = BitOf(write.descriptorType) >= kWeights;
  const vk::VuidIndex rule = facts.is_pushed ? vk::kNoVuid
                             : is_processed  ? Vuid("VUID-vkUpdateDescriptorSets-pDescriptorWrites-06941")
                                             : Vuid("VUID-vkUpdateDescriptorSets-pDescriptorWrites-06493");
  if (write.pImageInfo == nullptr && write.descriptorCount != 0 && rule != vk::kNoVuid)
    check.Require(false, rule, "pImageInfo", [] { return "is NULL, but the type of descriptors needs it."; });
  for (uint32_t i = 0; i < state::Items(write.pImageInfo, write.descriptorCount).size(); ++i) {
    const Location where = check.where().Dot("pImageInfo", i);
    const ImageWrite image(write, i, binding, facts, check);
    const bool is_sampler = write.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER;
    if (!is_sampler) image.CheckView(where);
    if (is_sampler || write.descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) image.CheckSampler(where);
  }
}

}  // namespace assay::core
