// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies between descriptor sets.

#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptor_updates/update_check.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using state::DescriptorSetLayout;
using state::DeviceState;
using vk::Vuid;
using Binding = DescriptorSetLayout::Binding;

std::string_view TypeName(VkDescriptorType type) { return vk::EnumName(vk::EnumId::kDescriptorType, type); }

bool IsBytes(const Binding& binding) { return binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK; }

// One end of a copy, and its rules.
struct End {
  std::string_view set_name;
  std::string_view binding_name;
  std::string_view element_name;
  const state::DescriptorSet& set;
  uint32_t binding;
  uint32_t element;
  vk::VuidIndex has_binding;
  vk::VuidIndex has_elements;
  vk::VuidIndex is_aligned;
};

// Returns the binding; null if the copy does not fit.
const Binding* CheckEnd(const End& end, uint32_t count, const UpdateCheck& check) {
  const DescriptorSetLayout& layout = end.set.contents.layout();
  const Binding* const binding = layout.Find(end.binding);
  if (!check.Require(binding != nullptr, end.has_binding, end.binding_name,
                     [&] { return absl::StrCat("(", end.binding, ") is not a binding of ", end.set_name, "."); })) {
    return nullptr;
  }
  const uint64_t available = CountFrom(layout, end.binding, end.element);
  const bool fits = check.Require(count <= available, end.has_elements, end.element_name, [&] {
    return absl::StrCat("(", end.element, ") leaves ", available, " descriptors in ", end.binding_name, " (",
                        end.binding, ") and the bindings after it, but descriptorCount is ", count, ".");
  });
  check.Require(!IsBytes(*binding) || end.element % 4 == 0, end.is_aligned, end.element_name, [&] {
    return absl::StrCat("(", end.element, ") is not a multiple of 4, but counts bytes of an inline uniform block.");
  });
  return fits ? binding : nullptr;
}

// Whether descriptors of the sets may be updated after they are bound: both, or none.
void CheckPools(const state::DescriptorSet& source, const state::DescriptorSet& target, const UpdateCheck& check) {
  constexpr auto kLayoutAfterBind = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
  constexpr auto kPoolAfterBind = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
  const VkDescriptorSetLayoutCreateFlags from = source.contents.layout().create_flags();
  const VkDescriptorSetLayoutCreateFlags to = target.contents.layout().create_flags();
  const bool fits =
      check.Require(
          (from & kLayoutAfterBind) == 0 || (to & kLayoutAfterBind) != 0, Vuid("VUID-VkCopyDescriptorSet-srcSet-01918"),
          "srcSet",
          [] {
            return "has a layout with VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, but that of "
                   "dstSet does not have it.";
          }) &&
      check.Require(
          (from & (kLayoutAfterBind | VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT)) != 0 ||
              (to & kLayoutAfterBind) == 0,
          Vuid("VUID-VkCopyDescriptorSet-srcSet-04885"), "srcSet", [] {
            return "has a layout without VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, but that "
                   "of dstSet has it.";
          });
  // The flags of the pools follow those of the layouts.
  if (!fits) return;
  check.Require((source.pool_flags & kPoolAfterBind) == 0 || (target.pool_flags & kPoolAfterBind) != 0,
                Vuid("VUID-VkCopyDescriptorSet-srcSet-01920"), "srcSet", [] {
                  return "is from a pool with VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT, but dstSet is not.";
                });
  check.Require(
      (source.pool_flags & (kPoolAfterBind | VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT)) != 0 ||
          (target.pool_flags & kPoolAfterBind) == 0,
      Vuid("VUID-VkCopyDescriptorSet-srcSet-04887"), "srcSet", [] {
        return "is from a pool without VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT, but dstSet is from one "
               "with it.";
      });
}

// What is copied becomes the type of a mutable descriptor.
void CheckMutable(const VkCopyDescriptorSet& copy, const state::DescriptorSet& source,
                  const state::DescriptorSet& target, const Binding& from, const Binding& to, const MutableTypes& types,
                  const UpdateCheck& check) {
  // Most are of one type.
  VkDescriptorType last = VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
  const auto is_inside = [&](uint32_t i) {
    return copy.srcArrayElement + i < from.count && copy.dstArrayElement + i < to.count;
  };
  for (uint32_t i = 0; i < copy.descriptorCount && is_inside(i); ++i) {
    const state::Descriptor active = source.contents.Read(from, copy.srcArrayElement + i);
    const bool is_mutable = from.type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
    if (is_mutable && active.kind == state::Descriptor::Kind::kUnwritten) continue;
    const VkDescriptorType type = is_mutable ? active.type : from.type;
    if (type == last) continue;
    last = type;
    if (!check.Require(types.MayHave(target.contents.layout(), copy.dstBinding, type),
                       Vuid("VUID-VkCopyDescriptorSet-dstSet-04612"), "dstBinding", [&] {
                         return absl::StrCat("(", copy.dstBinding, ") may not be of type ", TypeName(type),
                                             ", which the source is of.");
                       })) {
      return;
    }
  }
}

void CheckTypes(const VkCopyDescriptorSet& copy, const state::DescriptorSet& source, const state::DescriptorSet& target,
                const Binding& from, const Binding& to, const MutableTypes& types, const UpdateCheck& check) {
  check.Require(to.type != VK_DESCRIPTOR_TYPE_SAMPLER || !to.has_immutable_samplers,
                Vuid("VUID-VkCopyDescriptorSet-dstBinding-02753"), "dstBinding",
                [&] { return absl::StrCat("(", copy.dstBinding, ") has immutable samplers."); });
  if (to.type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT) return CheckMutable(copy, source, target, from, to, types, check);
  if (from.type != VK_DESCRIPTOR_TYPE_MUTABLE_EXT) {
    check.Require(from.type == to.type, Vuid("VUID-VkCopyDescriptorSet-dstBinding-02632"), "dstBinding", [&] {
      return absl::StrCat("(", copy.dstBinding, ") is of type ", TypeName(to.type), ", but srcBinding (",
                          copy.srcBinding, ") is of type ", TypeName(from.type), ".");
    });
    return;
  }
  for (uint32_t i = 0; i < copy.descriptorCount && copy.srcArrayElement + i < from.count; ++i) {
    const state::Descriptor active = source.contents.Read(from, copy.srcArrayElement + i);
    if (active.kind == state::Descriptor::Kind::kUnwritten) continue;
    if (!check.Require(active.type == to.type, Vuid("VUID-VkCopyDescriptorSet-srcSet-04613"), "srcBinding", [&] {
          return absl::StrCat("(", copy.srcBinding, ") has a mutable descriptor, element ", copy.srcArrayElement + i,
                              ", which is of type ", TypeName(active.type), ", but dstBinding (", copy.dstBinding,
                              ") is of type ", TypeName(to.type), ".");
        })) {
      return;
    }
  }
}

}  // namespace

uint64_t CountFrom(const DescriptorSetLayout& layout, uint32_t binding, uint32_t element) {
  uint64_t count = 0;
  for (const Binding& candidate : layout.bindings()) {
    if (candidate.binding >= binding) count += candidate.count;
  }
  return count > element ? count - element : 0;
}

void CheckCopy(const VkCopyDescriptorSet& copy, const MutableTypes& types, const Location& where,
               messages::Report& report) {
  const auto* const source = DeviceState::Get<state::DescriptorSet>(copy.srcSet);
  const auto* const target = DeviceState::Get<state::DescriptorSet>(copy.dstSet);
  if (source == nullptr || target == nullptr) return;
  const UpdateCheck from_check(Object(copy.srcSet), where, report), check(Object(copy.dstSet), where, report);
  const Binding* const from = CheckEnd({.set_name = "srcSet",
                                        .binding_name = "srcBinding",
                                        .element_name = "srcArrayElement",
                                        .set = *source,
                                        .binding = copy.srcBinding,
                                        .element = copy.srcArrayElement,
                                        .has_binding = Vuid("VUID-VkCopyDescriptorSet-srcBinding-00345"),
                                        .has_elements = Vuid("VUID-VkCopyDescriptorSet-srcArrayElement-00346"),
                                        .is_aligned = Vuid("VUID-VkCopyDescriptorSet-srcBinding-02223")},
                                       copy.descriptorCount, from_check);
  const Binding* const to = CheckEnd({.set_name = "dstSet",
                                      .binding_name = "dstBinding",
                                      .element_name = "dstArrayElement",
                                      .set = *target,
                                      .binding = copy.dstBinding,
                                      .element = copy.dstArrayElement,
                                      .has_binding = Vuid("VUID-VkCopyDescriptorSet-dstBinding-00347"),
                                      .has_elements = Vuid("VUID-VkCopyDescriptorSet-dstArrayElement-00348"),
                                      .is_aligned = Vuid("VUID-VkCopyDescriptorSet-dstBinding-02224")},
                                     copy.descriptorCount, check);
  CheckPools(*source, *target, check);
  if (from == nullptr || to == nullptr) return;
  CheckTypes(copy, *source, *target, *from, *to, types, check);
  check.Require((!IsBytes(*from) && !IsBytes(*to)) || copy.descriptorCount % 4 == 0,
                Vuid("VUID-VkCopyDescriptorSet-srcBinding-02225"), "descriptorCount", [&] {
                  return absl::StrCat("(", copy.descriptorCount,
                                      ") is not a multiple of 4, but counts bytes of an inline uniform block.");
                });
  if (source != target) return;
  // The bytes of an inline uniform block count as one descriptor of the set, so that only those of one binding compare.
  if ((IsBytes(*from) || IsBytes(*to)) && from != to) return;
  const uint64_t first = IsBytes(*from) ? 0 : from->first, other = IsBytes(*to) ? 0 : to->first;
  const uint64_t from_begin = first + copy.srcArrayElement, to_begin = other + copy.dstArrayElement;
  check.Require(from_begin + copy.descriptorCount <= to_begin || to_begin + copy.descriptorCount <= from_begin,
                Vuid("VUID-VkCopyDescriptorSet-srcSet-00349"), "srcSet",
                [] { return "is also dstSet, and the descriptors of the source are also some of the destination."; });
}

}  // namespace assay::core
