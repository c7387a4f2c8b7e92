// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors and push constants of a stage against the pipeline layout, or against those of a shader object.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/interfaces/pipeline_stages.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using messages::Object;
using messages::Report;
using Binding = state::DescriptorSetLayout::Binding;
using Kind = ResourceVariable::Kind;

// "Shader Resource and Descriptor Type Correspondence". Empty for what is not checked.
absl::Span<const VkDescriptorType> TypesOf(Kind kind) {
  static constexpr VkDescriptorType kUniformBuffer[] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                                        VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                                                        VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK};
  static constexpr VkDescriptorType kStorageBuffer[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                        VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC};
  static constexpr VkDescriptorType kSampler[] = {VK_DESCRIPTOR_TYPE_SAMPLER,
                                                  VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
  static constexpr VkDescriptorType kSampledImage[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                                       VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
  static constexpr VkDescriptorType kCombined[] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
  static constexpr VkDescriptorType kStorageImage[] = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
  static constexpr VkDescriptorType kUniformTexel[] = {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};
  static constexpr VkDescriptorType kStorageTexel[] = {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER};
  static constexpr VkDescriptorType kInput[] = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT};
  static constexpr VkDescriptorType kStructure[] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
                                                    VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV};
  switch (kind) {
    case Kind::kUniformBuffer:
      return kUniformBuffer;
    case Kind::kStorageBuffer:
      return kStorageBuffer;
    case Kind::kSampler:
      return kSampler;
    case Kind::kSampledImage:
      return kSampledImage;
    case Kind::kCombinedImageSampler:
      return kCombined;
    case Kind::kStorageImage:
      return kStorageImage;
    case Kind::kUniformTexelBuffer:
      return kUniformTexel;
    case Kind::kStorageTexelBuffer:
      return kStorageTexel;
    case Kind::kInputAttachment:
      return kInput;
    case Kind::kAccelerationStructure:
      return kStructure;
    default:
      return {};
  }
}

// Whether the descriptor type is one of those above; others belong to extensions that are not known here.
bool IsKnownType(VkDescriptorType type) {
  for (int kind = 0; kind < static_cast<int>(Kind::kOther); ++kind) {
    for (VkDescriptorType known : TypesOf(static_cast<Kind>(kind))) {
      if (known == type) return true;
    }
  }
  return false;
}

std::string_view TypeName(VkDescriptorType type) { return vk::EnumName(vk::EnumId::kDescriptorType, type); }

class LayoutCheck {
 public:
  LayoutCheck(const CheckedStage& stage, const StageLayout& layout, const LayoutIds& ids, Report& report)
      : stage_(stage), layout_(layout), ids_(ids), report_(report) {}

  void CheckPushConstants() {
    const ShaderInterface& interface = *stage_.interface;
    if (interface.push_constants == spirv_instrument::kNoId) return;
    const VkPushConstantRange* range = nullptr;
    for (const VkPushConstantRange& candidate : layout_.ranges) {
      if ((candidate.stageFlags & stage_.stage) != 0) range = &candidate;
    }
    if (range == nullptr) {
      return Say(ids_.range, [&](const VariableTexts& texts) {
        return std::pair(absl::StrCat("declares and uses the push constants ", texts.Of(interface.push_constants),
                                      ", but ", Ranges(), " has no push constant range for this stage."),
                         absl::StrCat("Add a push constant range with the ", StageText(stage_.stage), " stage."));
      });
    }
    const uint64_t end = uint64_t{range->offset} + range->size;
    for (const PushConstantMember& member : interface.push_constant_members) {
      if (member.begin >= range->offset && member.end <= end) continue;
      return Say(ids_.range_size, [&](const VariableTexts& texts) {
        return std::pair(absl::StrCat("uses bytes ", member.begin, " to ", member.end - 1, " of push constants, ",
                                      texts.Of(interface.push_constants, absl::MakeConstSpan(&member.member, 1)),
                                      ", but the range of the stage in ", Ranges(), " has bytes ", range->offset,
                                      " to ", end - 1, "."),
                         absl::StrCat("Let the range contain bytes ", member.begin, " to ", member.end - 1, "."));
      });
    }
  }

  void CheckResources() {
    for (const ResourceVariable& resource : stage_.interface->resources) {
      if (resource.set < layout_.sets.size()) {
        const auto* set = layout_.sets[resource.set];
        if (set != nullptr) CheckBinding(resource, set->Find(resource.binding));
      } else {
        ReportResource(ids_.binding, resource,
                       absl::StrCat("has only ", layout_.sets.size(), " descriptor set layouts."));
      }
    }
  }

 private:
  template <class Text>
  void Say(vk::VuidIndex id, Text&& text) {
    auto [words, fix] = text(stage_.Texts());
    report_.Error(id, {Object(stage_.module), Object(layout_.handle)}, stage_.where,
                  absl::StrCat("is a ", StageText(stage_.stage), " shader that ", words), fix);
  }
  void ReportResource(vk::VuidIndex id, const ResourceVariable& resource, const std::string& wrong,
                      std::string fix = {}) {
    Say(id, [&](const VariableTexts& texts) {
      return std::pair(absl::StrCat("uses ", texts.Of(resource.variable), " of set ", resource.set, ", binding ",
                                    resource.binding, ", but ", Sets(), " ", wrong),
                       std::move(fix));
    });
  }
  std::string Sets() { return layout_.handle != VK_NULL_HANDLE ? Layout() : "pSetLayouts"; }
  std::string Ranges() { return layout_.handle != VK_NULL_HANDLE ? Layout() : "pPushConstantRanges"; }
  std::string Layout() { return absl::StrCat("the layout ", report_.reporter().Describe(Object(layout_.handle))); }

  void CheckBinding(const ResourceVariable& resource, const Binding* binding) {
    if (binding == nullptr) {
      return ReportResource(ids_.binding, resource, "has no such binding.");
    }
    if ((binding->stages & stage_.stage) == 0) {
      return ReportResource(ids_.binding, resource, "does not have the stage in that binding's stageFlags.",
                            absl::StrCat("Add the ", StageText(stage_.stage), " stage to stageFlags."));
    }
    if (binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT || !IsKnownType(binding->type)) return;
    const absl::Span<const VkDescriptorType> types = TypesOf(resource.kind);
    if (types.empty()) return;
    if (std::find(types.begin(), types.end(), binding->type) == types.end()) {
      const std::string names =
          absl::StrJoin(types, " or ", [](std::string* out, VkDescriptorType type) { out->append(TypeName(type)); });
      return ReportResource(
          ids_.type, resource,
          absl::StrCat("has ", TypeName(binding->type), " there, and the variable needs ", names, "."),
          absl::StrCat("Let the binding be ", names, "."));
    }
    if (!resource.array_length) return;
    if (binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      if (ids_.block_array == vk::kNoVuid) return;
      return ReportResource(ids_.block_array, resource,
                            "has an inline uniform block there, and the variable is an array of blocks.",
                            "Let the variable be one block, or the binding have VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER.");
    }
    if (*resource.array_length <= binding->count) return;
    ReportResource(ids_.count, resource,
                   absl::StrCat("has a descriptorCount (", binding->count,
                                ") there that is less than the length of the array (", *resource.array_length, ")."),
                   absl::StrCat("Let descriptorCount be ", *resource.array_length, " or more."));
  }

  const CheckedStage& stage_;
  const StageLayout& layout_;
  const LayoutIds& ids_;
  messages::Report& report_;
};

}  // namespace

void CheckLayout(const CheckedStage& stage, const StageLayout& layout, const LayoutIds& ids, messages::Report& report) {
  if (!stage.interface->is_known) return;
  LayoutCheck check(stage, layout, ids, report);
  check.CheckPushConstants();
  check.CheckResources();
}

}  // namespace assay::core
