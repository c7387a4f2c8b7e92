// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What image views must be.

#include <string>

#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_accesses.h"
#include "core/descriptors/bound_descriptor_rules.h"
#include "core/interfaces/variable_text.h"
#include "vk/dynamic_state_rules.h"
#include "vk/enum_info.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

using NumericKind = InterfaceType::Kind;

// The only type of views that fits ("Compatibility Between SPIR-V Image Dimensions and Vulkan ImageView Types");
// nullopt where there are several.
std::optional<VkImageViewType> ViewTypeOf(spv::Dim dim, bool is_arrayed) {
  switch (dim) {
    case spv::Dim::Dim1D:
      return is_arrayed ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
    case spv::Dim::Dim2D:
      return is_arrayed ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    case spv::Dim::Dim3D:
      return VK_IMAGE_VIEW_TYPE_3D;
    case spv::Dim::Cube:
      return is_arrayed ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
    default:
      return std::nullopt;
  }
}

// "2D array image".
std::string DimensionText(spv::Dim dim, bool is_arrayed) {
  constexpr const char* kNames[] = {"1D", "2D", "3D", "cube"};
  return absl::StrCat(kNames[static_cast<uint32_t>(dim)], is_arrayed ? " array image" : " image");
}

// The numbers that the view has; nullptr where they are not known.
const vk::FormatComponent* NumbersOf(const state::ImageView& view) {
  const vk::FormatInfo* const format = vk::GetFormatInfo(view.format);
  if (format == nullptr || format->components.empty()) return nullptr;
  const VkImageAspectFlags aspects = view.subresource_range.aspectMask;
  const bool has_depth = (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0;
  const bool has_stencil = (aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0;
  if (has_depth && has_stencil) return nullptr;
  for (const vk::FormatComponent& component : format->components) {
    if (has_depth ? component.name == 'D' : has_stencil ? component.name == 'S' : true) return &component;
  }
  return nullptr;
}

NumericKind KindOf(const vk::FormatComponent& component) {
  if (component.numeric_format == "SINT") return NumericKind::kSignedInt;
  return component.numeric_format == "UINT" ? NumericKind::kUnsignedInt : NumericKind::kFloat;
}

std::string_view NameOf(NumericKind kind) {
  switch (kind) {
    case NumericKind::kSignedInt:
      return "signed integers";
    case NumericKind::kUnsignedInt:
      return "unsigned integers";
    default:
      return "floating-point numbers";
  }
}

// An access to an image through a bound descriptor.
class ImageCheck {
 public:
  ImageCheck(const DescriptorFacts& facts, const DescriptorAccess& access, const state::ImageView& view)
      : facts_(facts),
        access_(access),
        shader_(access.resource),
        view_(view),
        format_(vk::GetFormatInfo(view.format)),
        object_{VK_OBJECT_TYPE_IMAGE_VIEW, view.handle()} {}

  bool Run() {
    if (Does(kAccessesImage)) {
      CheckView();
      // A subpass of several samples may have attachments of one.
      const bool is_attachment = shader_.kind == ResourceVariable::Kind::kInputAttachment;
      if (!is_attachment || !facts_.renders_to_single_sampled) CheckSamples();
    }
    if (!facts_.protected_no_fault) {
      const bool is_protected = (view_.image->create_info.flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0;
      is_wrong_ |=
          !CheckProtection(access_, object_, "an image", is_protected, Does(kWritesTexels | kAccessesAtomically));
    }
    if (Does(kAccessesAtomically) && view_.image->is_partially_resident()) CheckSparse();
    CheckFeatures();
    if (Does(kWritesTexels)) CheckTexel();
    if (view_.is_converting) CheckConversion();
    return !is_wrong_;
  }

 private:
  bool Does(uint32_t accesses) const { return (shader_.accesses & accesses) != 0; }
  template <class Rule>
  void Report(Rule rule, std::string_view as, std::string_view is, std::string fix = {}) {
    is_wrong_ |= access_.Report(rule, object_, as, is, std::move(fix));
  }
  std::string FormatText() const {
    return absl::StrCat("whose format is ", vk::EnumName(vk::EnumId::kFormat, view_.format));
  }

  void CheckView();
  void ReportType(VkImageViewType fitting);
  void CheckSamples();
  void CheckSparse();
  void CheckFeatures();
  void CheckTexel();
  void CheckConversion();

  const DescriptorFacts& facts_;
  const DescriptorAccess& access_;
  const ResourceVariable& shader_;
  const state::ImageView& view_;
  // Null where it is not known.
  const vk::FormatInfo* const format_;
  const messages::ObjectRef object_;
  bool is_wrong_ = false;
};

void ImageCheck::CheckView() {
  const std::optional<VkImageViewType> type = ViewTypeOf(shader_.dim, shader_.is_arrayed);
  if (type && *type != view_.view_type) return ReportType(*type);
  const vk::FormatComponent* const numbers = NumbersOf(view_);
  if (numbers == nullptr || shader_.sampled_kind == NumericKind::kOther) return;
  const NumericKind kind = KindOf(*numbers);
  const bool is_integer = kind != NumericKind::kFloat && shader_.sampled_kind != NumericKind::kFloat;
  const auto report = [&](DescriptorRule rule, std::string_view read) {
    Report(rule, absl::StrCat("an image of ", read), FormatText());
  };
  if (kind != shader_.sampled_kind && !(is_integer && shader_.is_extended))
    return report(DescriptorRule("format-07753"), NameOf(shader_.sampled_kind));
  // Sampled Types of 16 bits are of extensions, which do not change the rules.
  const bool has_64_bits = numbers->bits == 64;
  if (has_64_bits && shader_.sampled_width == 32) report(DescriptorRule("SampledType-04470"), "32-bit numbers");
  if (!has_64_bits && shader_.sampled_width == 64) report(DescriptorRule("SampledType-04471"), "64-bit numbers");
}

void ImageCheck::ReportType(VkImageViewType fitting) {
  const auto name = [](VkImageViewType type) { return vk::EnumName(vk::EnumId::kImageViewType, type); };
  Report(DescriptorRule("viewType-07752"), absl::StrCat("a ", DimensionText(shader_.dim, shader_.is_arrayed)),
         absl::StrCat("whose viewType is ", name(view_.view_type)),
         absl::StrCat("Bind a view with viewType ", name(fitting), "."));
}

void ImageCheck::CheckSamples() {
  const state::Image& image = *view_.image;
  const bool is_multisampled = image.create_info.samples != VK_SAMPLE_COUNT_1_BIT;
  if (is_multisampled == shader_.is_multisampled) return;
  const vk::VuidIndex rule =
      is_multisampled ? vk::Vuid("VUID-RuntimeSpirv-samples-08725") : vk::Vuid("VUID-RuntimeSpirv-samples-08726");
  Report(rule, is_multisampled ? "an image with one sample" : "a multisampled image",
         absl::StrCat("whose image has ", vk::EnumName(vk::EnumId::kSampleCountFlagBits, image.create_info.samples)));
}

void ImageCheck::CheckSparse() {
  constexpr const char* kText = "whose image has VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT";
  if (shader_.sampled_width == 64 && !facts_.has_sparse_int64_atomics) {
    Report(DescriptorRule("sparseImageInt64Atomics-04474"), "an image, with atomic operations on 64 bits", kText);
  } else if (shader_.sampled_kind == NumericKind::kFloat && !facts_.has_sparse_float_atomics) {
    Report(vk::Vuid("VUID-RuntimeSpirv-None-06287"), "an image, with atomic operations on floating-point numbers",
           kText);
  }
}

// What accesses need of the formats of images.
constexpr FeatureRule kFeatureRules[] = {
    {kAccessesAtomically, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT, DescriptorRule("None-02691"),
     "an image, with atomic operations"},
    {kReadsTexels, VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT, DescriptorRule("OpTypeImage-07028"),
     "a storage image without format that it reads", true},
    {kWritesTexels, VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT, DescriptorRule("OpTypeImage-07027"),
     "a storage image without format that it writes", true},
    {kComparesDepth, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT, DescriptorRule("None-06479"),
     "an image, with depth comparison"},
    {kIsWeighted, VK_FORMAT_FEATURE_2_WEIGHT_SAMPLED_IMAGE_BIT_QCOM, DescriptorRule("OpImageWeightedSampleQCOM-06971"),
     "an image, with weights"},
    {kHasWeights, VK_FORMAT_FEATURE_2_WEIGHT_IMAGE_BIT_QCOM, DescriptorRule("OpImageWeightedSampleQCOM-06972"),
     "an image of weights"},
    {kIsBoxFiltered, VK_FORMAT_FEATURE_2_BOX_FILTER_SAMPLED_BIT_QCOM, DescriptorRule("OpImageBoxFilterQCOM-06973"),
     "an image, with a box filter"},
    {kMatchesSquares, VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM, DescriptorRule("OpImageBlockMatchSSDQCOM-06974"),
     "an image of which it compares blocks by squares"},
    {kMatchesDifferences, VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM, DescriptorRule("OpImageBlockMatchSADQCOM-06975"),
     "an image of which it compares blocks by differences"},
    {kMatchesWindows, VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM, DescriptorRule("OpImageBlockMatchWindow-09215"),
     "an image of which it compares windows"},
};

void ImageCheck::CheckFeatures() {
  for (const FeatureRule& rule : kFeatureRules) {
    if (!Does(rule.access) || format_ == nullptr || !facts_.features.Know(rule.feature)) continue;
    const bool is_storage = shader_.kind == ResourceVariable::Kind::kStorageImage;
    if (rule.is_without_format && !(is_storage && shader_.has_unknown_format)) continue;
    const auto features = facts_.features.Of(*format_, view_.image->create_info.tiling);
    if (!features || (*features & rule.feature) != 0) continue;
    Report(rule.rule, rule.as, MissingFeatureText(view_.format, rule.feature));
  }
  if (Does(kMatchesWindows) && format_ != nullptr && format_->components.size() > 1)
    Report(DescriptorRule("OpImageBlockMatchWindow-09216"), "an image of which it compares windows", FormatText());
}

void ImageCheck::CheckTexel() {
  if (format_ == nullptr) return;
  const bool is_a8 = view_.format == VK_FORMAT_A8_UNORM;
  const size_t needed = is_a8 ? 4 : format_->components.size();
  if (shader_.texel_components >= needed) return;
  Report(is_a8 ? DescriptorRule("OpImageWrite-08796") : DescriptorRule("OpImageWrite-08795"),
         absl::StrCat("an image to which it writes texels of ", shader_.texel_components, " components"), FormatText(),
         absl::StrCat("Write texels of ", needed, " components."));
}

void ImageCheck::CheckConversion() {
  constexpr const char* kText = "which has a sampler Y\u2032CBCR conversion";
  if (Does(kIsNotSampled))
    Report(DescriptorRule("None-06550"), "an image, with another instruction than OpImageSample*", kText);
  if (Does(kHasOffset)) Report(DescriptorRule("ConstOffset-06551"), "an image, with ConstOffset or Offset", kText);
}

}  // namespace

bool CheckImage(const DescriptorFacts& facts, const DescriptorAccess& access, const state::ImageView& view) {
  return ImageCheck(facts, access, view).Run();
}

}  // namespace assay::core
