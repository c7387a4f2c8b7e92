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
struct ImageAccess {
  const DescriptorRuleIds& ids;
  const state::CommandBuffer& buffer;
  const state::BindPointState& bound;
  const state::Pipeline* pipeline;
  const ResourceAccesses::Access& access;
  const state::ImageView& view;
  messages::Report& report;
  bool is_wrong = false;

  void Report(vk::VuidIndex rule, std::string_view as, std::string_view is, std::string fix = {}) {
    if (rule == vk::kNoVuid) return;
    is_wrong = true;
    const messages::Reporter& reporter = report.reporter();
    const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE_VIEW, view.handle()};
    std::string text = absl::StrCat("The ", StageText(access.stage), " shader");
    if (pipeline != nullptr) absl::StrAppend(&text, " of ", reporter.Describe(messages::Object(bound.pipeline)));
    absl::StrAppend(&text, " accesses binding ", access.of.binding, " of set ", access.of.set, " as ", as,
                    ", but the descriptor in ", SetText(reporter), " is ", reporter.Describe(object), ", ", is, ".");
    report.Error(rule, {{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer.handle()}, object}, report.location(), std::move(text),
                 std::move(fix));
  }
  void Report(DescriptorRule rule, std::string_view as, std::string_view is, std::string fix = {}) {
    Report(ids[static_cast<size_t>(rule)], as, is, std::move(fix));
  }
  std::string SetText(const messages::Reporter& reporter) const {
    const state::BoundSet& set = bound.sets[access.of.set];
    return set.pushed != nullptr ? "the pushed set" : reporter.Describe(messages::Object(set.set));
  }

  void CheckView();
  void ReportType(VkImageViewType fitting);
  void ReportFormat(DescriptorRule rule, std::string_view numbers);
  void CheckSamples();
  // That atomic operations can access the format.
  void CheckAtomics(const FormatFeatures& all);
  void CheckProtection();
};

void ImageAccess::CheckView() {
  const ResourceVariable& shader = access.of;
  const std::optional<VkImageViewType> type = ViewTypeOf(shader.dim, shader.is_arrayed);
  if (type && *type != view.view_type) return ReportType(*type);
  const vk::FormatComponent* const numbers = NumbersOf(view);
  if (numbers == nullptr || shader.sampled_kind == NumericKind::kOther) return;
  const NumericKind kind = KindOf(*numbers);
  const bool is_integer = kind != NumericKind::kFloat && shader.sampled_kind != NumericKind::kFloat;
  if (kind != shader.sampled_kind && !(is_integer && shader.is_extended)) {
    return ReportFormat(DescriptorRule::kNumericType, NameOf(shader.sampled_kind));
  }
  // Sampled Types of 16 bits are of extensions, which do not change the rules.
  const bool has_64_bits = numbers->bits == 64;
  if (has_64_bits && shader.sampled_width == 32) ReportFormat(DescriptorRule::kHas64Bits, "32-bit numbers");
  if (!has_64_bits && shader.sampled_width == 64) ReportFormat(DescriptorRule::kHas32Bits, "64-bit numbers");
}

void ImageAccess::ReportType(VkImageViewType fitting) {
  const auto name = [](VkImageViewType type) { return vk::EnumName(vk::EnumId::kImageViewType, type); };
  Report(DescriptorRule::kViewType, absl::StrCat("a ", DimensionText(access.of.dim, access.of.is_arrayed)),
         absl::StrCat("whose viewType is ", name(view.view_type)),
         absl::StrCat("Bind a view with viewType ", name(fitting), "."));
}

void ImageAccess::ReportFormat(DescriptorRule rule, std::string_view numbers) {
  Report(rule, absl::StrCat("an image of ", numbers),
         absl::StrCat("whose format is ", vk::EnumName(vk::EnumId::kFormat, view.format)));
}

void ImageAccess::CheckSamples() {
  const state::Image& image = *view.image;
  const bool is_multisampled = image.create_info.samples != VK_SAMPLE_COUNT_1_BIT;
  if (is_multisampled == access.of.is_multisampled) return;
  const vk::VuidIndex rule =
      is_multisampled ? vk::Vuid("VUID-RuntimeSpirv-samples-08725") : vk::Vuid("VUID-RuntimeSpirv-samples-08726");
  Report(rule, is_multisampled ? "an image with one sample" : "a multisampled image",
         absl::StrCat("whose image has ", vk::EnumName(vk::EnumId::kSampleCountFlagBits, image.create_info.samples)));
}

void ImageAccess::CheckAtomics(const FormatFeatures& all) {
  const vk::FormatInfo* const format = vk::GetFormatInfo(view.format);
  const auto features = format != nullptr ? all.Of(*format, view.image->create_info.tiling) : std::nullopt;
  if (!features || (*features & VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT) != 0) return;
  Report(DescriptorRule::kAtomicFormat, "an image, with atomic operations",
         absl::StrCat("whose format ", vk::EnumName(vk::EnumId::kFormat, view.format),
                      " does not have VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT"));
}

void ImageAccess::CheckProtection() {
  const bool is_protected = (view.image->create_info.flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0;
  if (!is_protected || (buffer.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0) return;
  Report(DescriptorRule::kUnprotected, "an image, in an unprotected command buffer", "whose image is protected");
}

// Whether rasterization is discarded, or may be, so that no fragment shader runs.
bool MayDiscard(const DrawRecording& draw) {
  return draw.ValueOf(IndexOf(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE)) != VK_FALSE;
}

}  // namespace

void BoundDescriptorRules::CheckImages(const DescriptorRuleIds& ids, DrawRecording::BindPoint point,
                                       const state::CommandBuffer& buffer, RecordingScope& scope,
                                       const UsedDescriptors& used, messages::Report& report) const {
  const state::BindPointState& bound = buffer.At(PointOf(point));
  bool is_checked = true;
  ForEachBound(point, bound, buffer, scope.draw, [&](const ResourceAccesses& shaders, const state::Pipeline* pipeline) {
    for (const ResourceAccesses::Access& access : shaders.accesses) {
      if (access.of.dim == spv::Dim::Max) continue;
      if (access.stage == VK_SHADER_STAGE_FRAGMENT_BIT && MayDiscard(scope.draw)) {
        is_checked = false;
        continue;
      }
      const state::Descriptor* const descriptor = FixedDescriptor(bound, access.of);
      if (descriptor == nullptr || descriptor->kind != state::Descriptor::Kind::kImage) continue;
      const auto* const view = state::DeviceState::Get<state::ImageView>(descriptor->resource);
      if (view == nullptr || !view->image) continue;
      ImageAccess check{ids, buffer, bound, pipeline, access, *view, report};
      check.CheckView();
      // A subpass of several samples may have attachments of one.
      const bool is_attachment = access.of.kind == ResourceVariable::Kind::kInputAttachment;
      if (!is_attachment || !renders_to_single_sampled_) check.CheckSamples();
      if (!protected_no_fault_) check.CheckProtection();
      const bool is_atomic = (access.of.accesses & kAccessesAtomically) != 0;
      if (is_atomic) check.CheckAtomics(features_);
      if (is_atomic && view->image->is_partially_resident()) {
        const char* const text = "whose image has VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT";
        if (access.of.sampled_width == 64 && !has_sparse_int64_atomics_) {
          check.Report(DescriptorRule::kSparseAtomics, "an image, with atomic operations on 64 bits", text);
        } else if (access.of.sampled_kind == NumericKind::kFloat && !has_sparse_float_atomics_) {
          check.Report(vk::Vuid("VUID-RuntimeSpirv-None-06287"),
                       "an image, with atomic operations on floating-point numbers", text);
        }
      }
      is_checked &= !check.is_wrong;
    }
  });
  if (is_checked) scope.checked_descriptors[point] = used;
}

}  // namespace assay::core
