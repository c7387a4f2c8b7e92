// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/pipeline_creation/creation_view.h"
#include "vk/enum_to_string.h"
#include "vk/extension_info.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::Vuid;
using Buffers = VkPipelineRobustnessBufferBehavior;

constexpr Buffers kBuffers2 = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2;
constexpr VkPipelineRobustnessImageBehavior kImages = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS;
constexpr VkPipelineRobustnessImageBehavior kImages2 = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2;

struct BufferRule {
  std::string_view member;
  Buffers VkPipelineRobustnessCreateInfo::* value;
  vk::VuidIndex feature;
  vk::VuidIndex support;
};
constexpr BufferRule kBufferRules[] = {
    {"storageBuffers", &VkPipelineRobustnessCreateInfo::storageBuffers,
     Vuid("VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06926"),
     Vuid("VUID-VkPipelineRobustnessCreateInfo-robustBufferAccess2-06931")},
    {"uniformBuffers", &VkPipelineRobustnessCreateInfo::uniformBuffers,
     Vuid("VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06927"),
     Vuid("VUID-VkPipelineRobustnessCreateInfo-robustBufferAccess2-06932")},
    {"vertexInputs", &VkPipelineRobustnessCreateInfo::vertexInputs,
     Vuid("VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06928"),
     Vuid("VUID-VkPipelineRobustnessCreateInfo-robustBufferAccess2-06933")},
};

// The driver's features, in a chain.
struct Supported {
  explicit Supported(const dispatch::Device& device) {
    const auto& extensions = device.physical_device->supported_extensions;
    const auto has = [&](vk::ExtensionId id) { return extensions[static_cast<size_t>(id)]; };
    if (has(vk::ExtensionId::kExtRobustness2)) Add(&robustness2);
    if (has(vk::ExtensionId::kExtImageRobustness) ||
        device.physical_device->properties.apiVersion >= VK_API_VERSION_1_3)
      Add(&image_robustness);
    if (all.pNext == nullptr) {
      is_known = true;
    } else if (const auto get = dispatch::Next<vk::GetPhysicalDeviceFeatures2>(device.instance.next)) {
      get(device.physical_device->handle, &all);
      is_known = true;
    }
  }
  template <class T>
  void Add(T* more) {
    more->pNext = all.pNext;
    all.pNext = more;
  }

  VkPhysicalDeviceRobustness2FeaturesEXT robustness2 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
  VkPhysicalDeviceImageRobustnessFeatures image_robustness = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES};
  VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  bool is_known = false;
};

bool NeedsSupport(const VkPipelineRobustnessCreateInfo& info) {
  return info.storageBuffers == kBuffers2 || info.uniformBuffers == kBuffers2 || info.vertexInputs == kBuffers2 ||
         info.images == kImages || info.images == kImages2;
}

}  // namespace

void CheckRobustness(const dispatch::Device& device, const void* chain, const Location& where,
                     messages::Report& report) {
  const auto* info = vk::FindInChain<VkPipelineRobustnessCreateInfo>(chain);
  if (info == nullptr) return;
  const auto error = [&](vk::VuidIndex id, std::string_view member, std::string_view value, std::string_view missing) {
    report.Error(id, {messages::Object(device.handle)}, where.Next("VkPipelineRobustnessCreateInfo", member),
                 absl::StrCat("(", value, ") needs the feature ", missing, "."));
  };
  if (!device.HasFeature(vk::FeatureId::kPipelineRobustness)) {
    for (const BufferRule& rule : kBufferRules) {
      const Buffers value = info->*rule.value;
      if (value != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT)
        error(rule.feature, rule.member, vk::ToString(value), "pipelineRobustness, which is not enabled");
    }
    if (info->images != VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT) {
      error(Vuid("VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06929"), "images", vk::ToString(info->images),
            "pipelineRobustness, which is not enabled");
    }
    return;
  }
  if (!NeedsSupport(*info)) return;
  const Supported supported(device);
  if (!supported.is_known) return;
  for (const BufferRule& rule : kBufferRules) {
    if (info->*rule.value == kBuffers2 && supported.robustness2.robustBufferAccess2 == VK_FALSE)
      error(rule.support, rule.member, vk::ToString(kBuffers2), "robustBufferAccess2, which is not supported");
  }
  if (info->images == kImages && supported.image_robustness.robustImageAccess == VK_FALSE) {
    error(Vuid("VUID-VkPipelineRobustnessCreateInfo-robustImageAccess-06930"), "images", vk::ToString(kImages),
          "robustImageAccess, which is not supported");
  }
  if (info->images == kImages2 && supported.robustness2.robustImageAccess2 == VK_FALSE) {
    error(Vuid("VUID-VkPipelineRobustnessCreateInfo-robustImageAccess2-06934"), "images", vk::ToString(kImages2),
          "robustImageAccess2, which is not supported");
  }
}

}  // namespace assay::core
