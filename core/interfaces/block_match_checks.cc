// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Immutable samplers of instructions of VK_QCOM_image_processing, and of its successor.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/interfaces/pipeline_stages.h"

namespace assay::core {
namespace {

using state::Sampler;

bool AreIdentical(const Sampler& a, const Sampler& b) {
  const VkSamplerCreateInfo& x = a.create_info;
  const VkSamplerCreateInfo& y = b.create_info;
  const auto& one = a.block_match_window;
  const auto& other = b.block_match_window;
  const bool same_window =
      one.has_value() == other.has_value() && (!one || (one->windowExtent.width == other->windowExtent.width &&
                                                        one->windowExtent.height == other->windowExtent.height &&
                                                        one->windowCompareMode == other->windowCompareMode));
  return same_window && x.flags == y.flags && x.magFilter == y.magFilter && x.minFilter == y.minFilter &&
         x.mipmapMode == y.mipmapMode && x.addressModeU == y.addressModeU && x.addressModeV == y.addressModeV &&
         x.addressModeW == y.addressModeW && x.borderColor == y.borderColor &&
         x.unnormalizedCoordinates == y.unnormalizedCoordinates;
}

// The rules of the instructions of one extension.
struct MatchIds {
  vk::VuidIndex identical;
  vk::VuidIndex unnormalized;
};
constexpr MatchIds kFirst = {vk::Vuid("VUID-RuntimeSpirv-OpImageBlockMatchSSDQCOM-06985"),
                             vk::Vuid("VUID-RuntimeSpirv-OpImageBlockMatchSSDQCOM-06986")};
constexpr MatchIds kSecond = {vk::Vuid("VUID-RuntimeSpirv-OpImageBlockMatchWindow-09222"),
                              vk::Vuid("VUID-RuntimeSpirv-OpImageBlockMatchWindow-09223")};

class BlockMatchCheck {
 public:
  BlockMatchCheck(const CheckedStage& stage, const StageLayout& layout, messages::Report& report)
      : stage_(stage), layout_(layout), report_(report) {}

  void Check(const BlockMatch& match) {
    const Sampler* const target = Find(match.target_sampler);
    const Sampler* const reference = Find(match.reference_sampler);
    const MatchIds& ids = match.is_first ? kFirst : kSecond;
    if (target != nullptr && reference != nullptr && !AreIdentical(*target, *reference)) {
      Add(ids.identical, match, "whose immutable samplers of target and reference are not identical");
    }
    const auto is_normalized = [](const Sampler* sampler) {
      return sampler != nullptr && sampler->create_info.unnormalizedCoordinates == VK_FALSE;
    };
    if (is_normalized(target) || is_normalized(reference)) {
      Add(ids.unnormalized, match, "with an immutable sampler whose unnormalizedCoordinates are VK_FALSE");
    }
    if (match.is_window && target != nullptr && !target->block_match_window) {
      Add(vk::Vuid("VUID-RuntimeSpirv-pNext-09226"), match,
          "whose target has an immutable sampler that was created without VkSamplerBlockMatchWindowCreateInfoQCOM");
    }
  }

 private:
  // Of a variable that is no array; null if its sampler is not known.
  const Sampler* Find(spirv_instrument::Id variable) const {
    const auto& resources = stage_.interface->resources;
    const auto resource = std::ranges::find(resources, variable, &ResourceVariable::variable);
    if (resource == resources.end() || resource->array_length) return nullptr;
    if (resource->set >= layout_.sets.size() || layout_.sets[resource->set] == nullptr) return nullptr;
    const auto* const binding = layout_.sets[resource->set]->Find(resource->binding);
    const bool has_samplers = binding != nullptr && !binding->immutable_samplers.empty();
    return has_samplers ? binding->immutable_samplers[0].get() : nullptr;
  }
  void Add(vk::VuidIndex vuid, const BlockMatch& match, std::string_view what) {
    report_.Error(vuid, {messages::Object(stage_.module), messages::Object(layout_.handle)}, stage_.where,
                  absl::StrCat("has an instruction, %", ToNumber(match.result), ", ", what, "."));
  }

  const CheckedStage& stage_;
  const StageLayout& layout_;
  messages::Report& report_;
};

}  // namespace

void CheckBlockMatches(const CheckedStage& stage, const StageLayout& layout, messages::Report& report) {
  BlockMatchCheck check(stage, layout, report);
  for (const BlockMatch& match : stage.interface->block_matches) check.Check(match);
}

}  // namespace assay::core
