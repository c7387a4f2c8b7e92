// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/set_layouts/set_layout_check.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using messages::Location;
using state::Items;
using vk::FeatureId;
using vk::Vuid;

constexpr VkDescriptorBindingFlags kLater = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
constexpr VkDescriptorBindingFlags kWhilePending = VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
constexpr VkDescriptorBindingFlags kVariable = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;

bool IsDynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

std::string TypeName(VkDescriptorType type) { return std::string(vk::ToString(type)); }
std::string StageNames(VkShaderStageFlags stages) {
  return vk::FlagsToString(vk::EnumId::kShaderStageFlagBits, stages);
}
std::string BindingFlagNames(VkDescriptorBindingFlags flags) {
  return vk::FlagsToString(vk::EnumId::kDescriptorBindingFlagBits, flags);
}

VkShaderStageFlags KnownStages() {
  VkShaderStageFlags stages = 0;
  for (const vk::EnumValue& value : vk::GetEnumInfo(vk::EnumId::kShaderStageFlagBits).values) {
    const auto bits = static_cast<VkShaderStageFlags>(value.value);
    if (bits != VK_SHADER_STAGE_ALL) stages |= bits;
  }
  return stages;
}

// A flag of bindings that needs a feature, for some types of descriptors or, without any, for all.
struct FlagFeature {
  VkDescriptorBindingFlags flag;
  FeatureId feature;
  vk::VuidIndex vuid;
  std::initializer_list<VkDescriptorType> types;
};
// Too long for a line of the table.
constexpr vk::VuidIndex kAccelerationStructureUpdate = Vuid(
    "VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingAccelerationStructureUpdateAfterBind-03570");
constexpr FlagFeature kFlagFeatures[] = {
    {kLater,
     FeatureId::kDescriptorBindingUniformBufferUpdateAfterBind,
     Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingUniformBufferUpdateAfterBind-03005"),
     {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}},
    {kLater,
     FeatureId::kDescriptorBindingSampledImageUpdateAfterBind,
     Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingSampledImageUpdateAfterBind-03006"),
     {VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE}},
    {kLater,
     FeatureId::kDescriptorBindingStorageImageUpdateAfterBind,
     Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingStorageImageUpdateAfterBind-03007"),
     {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}},
    {kLater,
     FeatureId::kDescriptorBindingStorageBufferUpdateAfterBind,
     Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingStorageBufferUpdateAfterBind-03008"),
     {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}},
    {kLater,
     FeatureId::kDescriptorBindingUniformTexelBufferUpdateAfterBind,
     Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingUniformTexelBufferUpdateAfterBind-03009"),
     {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER}},
    {kLater,
     FeatureId::kDescriptorBindingStorageTexelBufferUpdateAfterBind,
     Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingStorageTexelBufferUpdateAfterBind-03010"),
     {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER}},
    {kLater,
     FeatureId::kDescriptorBindingInlineUniformBlockUpdateAfterBind,
     Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingInlineUniformBlockUpdateAfterBind-02211"),
     {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK}},
    {kLater,
     FeatureId::kDescriptorBindingAccelerationStructureUpdateAfterBind,
     kAccelerationStructureUpdate,
     {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV}},
    {kWhilePending,
     FeatureId::kDescriptorBindingUpdateUnusedWhilePending,
     Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingUpdateUnusedWhilePending-03012"),
     {}},
    {VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT,
     FeatureId::kDescriptorBindingPartiallyBound,
     Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingPartiallyBound-03013"),
     {}},
    {kVariable,
     FeatureId::kDescriptorBindingVariableDescriptorCount,
     Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-descriptorBindingVariableDescriptorCount-03014"),
     {}},
};

// A flag of layouts that excludes a type of descriptors.
struct ExcludedType {
  VkDescriptorSetLayoutCreateFlags flag;
  VkDescriptorType type;
  vk::VuidIndex vuid;
};
constexpr ExcludedType kExcludedTypes[] = {
    {VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
     Vuid("VUID-VkDescriptorSetLayoutCreateInfo-flags-00280")},
    {VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
     Vuid("VUID-VkDescriptorSetLayoutCreateInfo-flags-00280")},
    {VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
     Vuid("VUID-VkDescriptorSetLayoutCreateInfo-flags-02208")},
    {VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT, VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
     Vuid("VUID-VkDescriptorSetLayoutCreateInfo-flags-04591")},
    {VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
     Vuid("VUID-VkDescriptorSetLayoutCreateInfo-flags-08000")},
    {VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
     Vuid("VUID-VkDescriptorSetLayoutCreateInfo-flags-08000")},
};

struct ForbiddenMutableType {
  VkDescriptorType type;
  vk::VuidIndex vuid;
};
constexpr ForbiddenMutableType kForbiddenMutableTypes[] = {
    {VK_DESCRIPTOR_TYPE_MUTABLE_EXT, Vuid("VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04600")},
    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, Vuid("VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04601")},
    {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, Vuid("VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04602")},
    {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, Vuid("VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04603")},
};

}  // namespace

SetLayoutCheck::SetLayoutCheck(const dispatch::Device& device, const VkDescriptorSetLayoutCreateInfo& info,
                               messages::Report& report)
    : device_(device), info_(info), bindings_(Items(info.pBindings, info.bindingCount)), report_(report) {
  if (const auto* chained = vk::FindInChain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(info.pNext)) {
    flags_ = Items(chained->pBindingFlags, chained->bindingCount);
  }
}

void SetLayoutCheck::Run(const Location& where) const {
  CheckFlags(where);
  CheckNumbers(where);
  for (uint32_t i = 0; i < bindings_.size(); ++i) {
    CheckBinding(i, where.Dot("pBindings", i));
    CheckBindingFlags(i, where);
  }
  CheckMutableTypes(where);
}

void SetLayoutCheck::CheckFlags(const Location& where) const {
  bool has_later = false;
  uint64_t count = 0;
  for (size_t i = 0; i < bindings_.size(); ++i) {
    has_later |= IsUpdatedLater(i);
    count += bindings_[i].descriptorCount;
  }
  const Location flags = where.Dot("flags");
  if (has_later && !Has(VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT)) {
    Error(Vuid("VUID-VkDescriptorSetLayoutCreateInfo-flags-03000"), flags,
          "does not include VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, but a binding has "
          "VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT.",
          "Add VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT to flags.");
  }
  if (!flags_.empty() && flags_.size() != info_.bindingCount) {
    Error(Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-bindingCount-03002"),
          where.Next("VkDescriptorSetLayoutBindingFlagsCreateInfo", "bindingCount"),
          absl::StrCat("(", flags_.size(), ") is neither 0 nor the layout's bindingCount (", info_.bindingCount, ")."));
  }
  if (!Has(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT)) return;
  if (Lacks(FeatureId::kPushDescriptor) && !device_.IsEnabled(vk::ExtensionId::kKhrPushDescriptor)) {
    Error(Vuid("VUID-VkDescriptorSetLayoutCreateInfo-flags-10354"), flags,
          "includes VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT, but neither the pushDescriptor feature nor "
          "VK_KHR_push_descriptor is enabled.");
  }
  const auto* const limits = device_.physical_device->Find<VkPhysicalDevicePushDescriptorProperties>();
  if (limits != nullptr && limits->maxPushDescriptors != 0 && count > limits->maxPushDescriptors) {
    Error(
        Vuid("VUID-VkDescriptorSetLayoutCreateInfo-flags-00281"), where.Dot("pBindings"),
        absl::StrCat("has ", count, " descriptors, more than maxPushDescriptors (", limits->maxPushDescriptors, ")."));
  }
}

// Each number once or, per stage, once for each stage.
void SetLayoutCheck::CheckNumbers(const Location& where) const {
  const bool is_per_stage = Has(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV);
  std::map<uint32_t, VkShaderStageFlags> seen;
  for (uint32_t i = 0; i < bindings_.size(); ++i) {
    const VkDescriptorSetLayoutBinding& binding = bindings_[i];
    const auto [found, is_new] = seen.try_emplace(binding.binding, binding.stageFlags);
    if (is_new) continue;
    const VkShaderStageFlags shared = found->second & binding.stageFlags;
    found->second |= binding.stageFlags;
    if (is_per_stage && shared == 0) continue;
    const Location bindings = where.Dot("pBindings", i);
    if (is_per_stage) {
      Error(Vuid("VUID-VkDescriptorSetLayoutCreateInfo-flags-09464"), bindings.Dot("binding"),
            absl::StrCat("(", binding.binding, ") is also that of an earlier element, which has ", StageNames(shared),
                         ", too."));
    } else {
      Error(Vuid("VUID-VkDescriptorSetLayoutCreateInfo-binding-00279"), bindings.Dot("binding"),
            absl::StrCat("(", binding.binding, ") is also that of an earlier element."),
            "Give each element another binding.");
    }
  }
}

void SetLayoutCheck::CheckBinding(uint32_t i, const Location& where) const {
  const VkDescriptorSetLayoutBinding& binding = bindings_[i];
  for (const ExcludedType& excluded : kExcludedTypes) {
    if (!Has(excluded.flag) || binding.descriptorType != excluded.type) continue;
    Error(excluded.vuid, where.Dot("descriptorType"),
          absl::StrCat("is ", TypeName(binding.descriptorType), ", but the layout has ",
                       vk::FlagsToString(vk::EnumId::kDescriptorSetLayoutCreateFlagBits, excluded.flag), "."));
  }
  const bool has_later = std::ranges::any_of(flags_, [](VkDescriptorBindingFlags f) { return (f & kLater) != 0; });
  if (IsDynamic(binding.descriptorType) && has_later && !IsUpdatedLater(i)) {
    Error(Vuid("VUID-VkDescriptorSetLayoutCreateInfo-descriptorType-03001"), where.Dot("descriptorType"),
          absl::StrCat("is ", TypeName(binding.descriptorType),
                       ", but another binding has VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT."),
          "Put dynamic buffers into a set of their own.");
  }
  if (binding.descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_EXT && Lacks(FeatureId::kMutableDescriptorType)) {
    Error(Vuid("VUID-VkDescriptorSetLayoutCreateInfo-mutableDescriptorType-04595"), where.Dot("descriptorType"),
          "is VK_DESCRIPTOR_TYPE_MUTABLE_EXT, but the mutableDescriptorType feature is not enabled.");
  }
  const auto* const blocks = device_.physical_device->Find<VkPhysicalDeviceInlineUniformBlockProperties>();
  const uint32_t most = blocks != nullptr ? blocks->maxInlineUniformBlockSize : 0;
  if (binding.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK && most != 0 &&
      binding.descriptorCount > most && !Has(VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT)) {
    Error(Vuid("VUID-VkDescriptorSetLayoutBinding-descriptorType-08004"), where.Dot("descriptorCount"),
          absl::StrCat("(", binding.descriptorCount, ") is larger than maxInlineUniformBlockSize (", most, ")."));
  }
  if (Has(VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT)) CheckEmbeddedSampler(binding, where);
  CheckImmutableSamplers(binding, where);
  if (binding.descriptorCount == 0) return;
  static const VkShaderStageFlags known = KnownStages();
  constexpr VkShaderStageFlags kPerStageOnes = VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT;
  const VkShaderStageFlags unknown = binding.stageFlags & ~known;
  if (unknown != 0 && binding.stageFlags != VK_SHADER_STAGE_ALL) {
    Error(Vuid("VUID-VkDescriptorSetLayoutBinding-descriptorCount-09465"), where.Dot("stageFlags"),
          absl::StrCat("has bits that no shader stage has: ", StageNames(unknown), "."));
  } else if (Has(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV) && (binding.stageFlags & ~kPerStageOnes) != 0) {
    Error(Vuid("VUID-VkDescriptorSetLayoutBinding-flags-09466"), where.Dot("stageFlags"),
          absl::StrCat("includes ", StageNames(binding.stageFlags & ~kPerStageOnes),
                       ", which a layout with VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV must not have."));
  }
}

void SetLayoutCheck::CheckEmbeddedSampler(const VkDescriptorSetLayoutBinding& binding, const Location& where) const {
  if (binding.descriptorType != VK_DESCRIPTOR_TYPE_SAMPLER) {
    return Error(Vuid("VUID-VkDescriptorSetLayoutBinding-flags-08005"), where.Dot("descriptorType"),
                 absl::StrCat("is ", TypeName(binding.descriptorType),
                              ", but the layout has embedded immutable samplers, and nothing else."));
  }
  if (binding.descriptorCount > 1) {
    Error(
        Vuid("VUID-VkDescriptorSetLayoutBinding-flags-08006"), where.Dot("descriptorCount"),
        absl::StrCat("(", binding.descriptorCount, ") is larger than 1, in a layout of embedded immutable samplers."));
  }
  if (binding.descriptorCount == 1 && binding.pImmutableSamplers == nullptr) {
    Error(Vuid("VUID-VkDescriptorSetLayoutBinding-flags-08007"), where.Dot("pImmutableSamplers"),
          "is NULL, in a layout of embedded immutable samplers.");
  }
}

void SetLayoutCheck::CheckImmutableSamplers(const VkDescriptorSetLayoutBinding& binding, const Location& where) const {
  if (binding.descriptorType != VK_DESCRIPTOR_TYPE_SAMPLER &&
      binding.descriptorType != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
    return;
  }
  const auto samplers = Items(binding.pImmutableSamplers, binding.descriptorCount);
  for (uint32_t i = 0; i < samplers.size(); ++i) {
    const auto* const sampler = state::DeviceState::Get<state::Sampler>(samplers[i]);
    if (sampler == nullptr) continue;
    const VkBorderColor border = sampler->create_info.borderColor;
    if (border != VK_BORDER_COLOR_FLOAT_CUSTOM_EXT && border != VK_BORDER_COLOR_INT_CUSTOM_EXT) continue;
    report_.Error(Vuid("VUID-VkDescriptorSetLayoutBinding-pImmutableSamplers-04009"), {messages::Object(samplers[i])},
                  where.Dot("pImmutableSamplers", i), absl::StrCat("was created with ", vk::ToString(border), "."),
                  "Write the sampler to the sets, or give it another border color.");
  }
}

void SetLayoutCheck::CheckBindingFlags(uint32_t i, const Location& where) const {
  const VkDescriptorBindingFlags flags = FlagsOf(i);
  if (flags == 0) return;
  const VkDescriptorSetLayoutBinding& binding = bindings_[i];
  const Location chained = where.Next("VkDescriptorSetLayoutBindingFlagsCreateInfo");
  const Location element = chained.Dot("pBindingFlags", i);
  for (const FlagFeature& row : kFlagFeatures) {
    if ((flags & row.flag) == 0 || !Lacks(row.feature)) continue;
    if (row.types.size() != 0 && std::ranges::find(row.types, binding.descriptorType) == row.types.end()) continue;
    Error(row.vuid, element,
          absl::StrCat("includes ", BindingFlagNames(row.flag),
                       row.types.size() != 0 ? absl::StrCat(" for ", TypeName(binding.descriptorType)) : "",
                       ", but the ", vk::FeatureName(row.feature), " feature is not enabled."));
  }
  if (IsUpdatedLater(i) &&
      (IsDynamic(binding.descriptorType) || binding.descriptorType == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)) {
    Error(Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-None-03011"), element,
          absl::StrCat("includes VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT for ", TypeName(binding.descriptorType),
                       "."));
  }
  const VkDescriptorBindingFlags unpushed = flags & (kLater | kWhilePending | kVariable);
  if (unpushed != 0 && Has(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT)) {
    Error(Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-flags-03003"), element,
          absl::StrCat("includes ", BindingFlagNames(unpushed), " in a layout of push descriptors."));
  }
  if ((flags & kVariable) == 0) return;
  const auto highest = std::ranges::max_element(bindings_, {}, &VkDescriptorSetLayoutBinding::binding);
  if (highest->binding != binding.binding) {
    Error(Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-03004"), element,
          absl::StrCat("includes VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT, but binding ", binding.binding,
                       " is not the last: there is binding ", highest->binding, "."));
  }
  if (IsDynamic(binding.descriptorType)) {
    Error(Vuid("VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-03015"), element,
          absl::StrCat("includes VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT for ",
                       TypeName(binding.descriptorType), "."));
  }
}

void SetLayoutCheck::CheckMutableTypes(const Location& where) const {
  const auto* const chained = vk::FindInChain<VkMutableDescriptorTypeCreateInfoEXT>(info_.pNext);
  const auto lists = chained != nullptr
                         ? Items(chained->pMutableDescriptorTypeLists, chained->mutableDescriptorTypeListCount)
                         : absl::Span<const VkMutableDescriptorTypeListEXT>();
  const Location structure = where.Next("VkMutableDescriptorTypeCreateInfoEXT");
  for (uint32_t i = 0; i < bindings_.size(); ++i) {
    const bool is_mutable = bindings_[i].descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
    if (i < lists.size()) {
      CheckTypeList(lists[i], is_mutable, structure.Dot("pMutableDescriptorTypeLists", i));
    } else if (is_mutable) {
      const Location bindings = where.Dot("pBindings", i);
      Error(Vuid("VUID-VkDescriptorSetLayoutCreateInfo-pBindings-07303"), bindings.Dot("descriptorType"),
            absl::StrCat("is VK_DESCRIPTOR_TYPE_MUTABLE_EXT, but ",
                         chained == nullptr ? "pNext has no VkMutableDescriptorTypeCreateInfoEXT."
                                            : absl::StrCat("there are only ", lists.size(), " lists of types.")),
            "Say in VkMutableDescriptorTypeCreateInfoEXT which types the descriptors may have.");
    }
  }
}

void SetLayoutCheck::CheckTypeList(const VkMutableDescriptorTypeListEXT& list, bool is_mutable,
                                   const Location& where) const {
  if (!is_mutable) {
    if (list.descriptorTypeCount == 0) return;
    return Error(Vuid("VUID-VkMutableDescriptorTypeListEXT-descriptorTypeCount-04599"),
                 where.Dot("descriptorTypeCount"),
                 absl::StrCat("is ", list.descriptorTypeCount, ", but the binding is not mutable."));
  }
  if (list.descriptorTypeCount == 0) {
    return Error(Vuid("VUID-VkMutableDescriptorTypeListEXT-descriptorTypeCount-04597"),
                 where.Dot("descriptorTypeCount"), "is 0, but the binding is mutable.");
  }
  constexpr vk::VuidIndex kValid = Vuid("VUID-VkMutableDescriptorTypeListEXT-pDescriptorTypes-04598");
  if (list.pDescriptorTypes == nullptr) return Error(kValid, where.Dot("pDescriptorTypes"), "is NULL.");
  std::set<VkDescriptorType> seen;
  for (uint32_t i = 0; i < list.descriptorTypeCount; ++i) {
    const VkDescriptorType type = list.pDescriptorTypes[i];
    const Location element = where.Dot("pDescriptorTypes", i);
    if (vk::EnumName(vk::EnumId::kDescriptorType, type).empty()) {
      Error(kValid, element, absl::StrCat("(", static_cast<int32_t>(type), ") is not a VkDescriptorType."));
    } else if (!seen.insert(type).second) {
      Error(kValid, element, absl::StrCat("(", TypeName(type), ") is also an earlier element."));
    }
    for (const ForbiddenMutableType& row : kForbiddenMutableTypes) {
      if (row.type == type) Error(row.vuid, element, absl::StrCat("is ", TypeName(type), "."));
    }
  }
}

}  // namespace assay::core
