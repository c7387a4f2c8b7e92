// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/hooks/instance.h"

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "vk/chain.h"
#include "vk/struct_info.h"

namespace assay::dispatch {
namespace {

ValidatorFactory g_validator_factory;

void ReportLimits(const PhysicalDevice& device, messages::Reporter& reporter) {
  std::vector<std::string> wrong;
  for (const vk::LimitInfo& limit : vk::Limits()) {
    const std::optional<uint64_t> reported = device.ReportedLimit(limit);
    if (limit.required == 0 || !reported.has_value() || device.Limit(limit).has_value()) continue;
    const std::string element = limit.is_array ? absl::StrCat("[", int{limit.index}, "]") : "";
    wrong.push_back(absl::StrCat(limit.name, element, " (", *reported, ", at ",
                                 limit.kind == vk::LimitKind::kMost ? "least " : "most ", limit.required, ")"));
  }
  if (wrong.empty()) return;
  messages::Message message;
  message.severity = messages::Severity::kInformation;
  message.id = "ASSAY-limit-not-allowed";
  message.location = "vkCreateDevice()";
  message.text = absl::StrCat("The driver reports limits that the specification does not allow. They are not applied: ",
                              absl::StrJoin(wrong, ", "), ".");
  reporter.Deliver(message);
}

ExtensionSet ExtensionsOf(const VkDeviceCreateInfo& create_info) {
  ExtensionSet extensions;
  for (uint32_t i = 0; i < create_info.enabledExtensionCount; ++i) {
    if (const auto id = vk::FindExtension(create_info.ppEnabledExtensionNames[i])) {
      extensions.set(static_cast<size_t>(*id));
    }
  }
  return extensions;
}

bool HasUnknownExtensions(const VkDeviceCreateInfo& create_info) {
  for (uint32_t i = 0; i < create_info.enabledExtensionCount; ++i) {
    if (!vk::FindExtension(create_info.ppEnabledExtensionNames[i])) return true;
  }
  return false;
}

// By name for VkPhysicalDeviceFeatures, which has no structure type.
void ReadFeatures(std::string_view struct_name, VkStructureType type, const void* structure, FeatureSet& enabled) {
  for (const vk::FeatureInfo& feature : vk::Features()) {
    const bool same =
        type == VK_STRUCTURE_TYPE_MAX_ENUM ? feature.struct_name == struct_name : feature.structure_type == type;
    if (!same) continue;
    VkBool32 value;
    std::memcpy(&value, static_cast<const char*>(structure) + feature.offset, sizeof(value));
    if (value != VK_FALSE) enabled.set(static_cast<size_t>(feature.id));
  }
}

FeatureSet FeaturesOf(const VkDeviceCreateInfo& create_info, uint32_t api_version, const ExtensionSet& extensions) {
  FeatureSet enabled;
  constexpr std::string_view kCoreFeatures = "VkPhysicalDeviceFeatures";
  if (create_info.pEnabledFeatures != nullptr)
    ReadFeatures(kCoreFeatures, VK_STRUCTURE_TYPE_MAX_ENUM, create_info.pEnabledFeatures, enabled);
  for (auto* link = static_cast<const VkBaseInStructure*>(create_info.pNext); link != nullptr; link = link->pNext) {
    if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
      ReadFeatures(kCoreFeatures, VK_STRUCTURE_TYPE_MAX_ENUM,
                   &reinterpret_cast<const VkPhysicalDeviceFeatures2*>(link)->features, enabled);
    } else if (vk::FindStruct(link->sType) != nullptr) {
      ReadFeatures({}, link->sType, link, enabled);
    }
  }
  for (const vk::ImplicitFeature& implicit : vk::ImplicitFeatures()) {
    if ((implicit.version != 0 && api_version >= implicit.version) ||
        (implicit.extension.has_value() && extensions[static_cast<size_t>(*implicit.extension)])) {
      enabled.set(static_cast<size_t>(implicit.feature));
    }
  }
  return enabled;
}

}  // namespace

void SetValidatorFactory(const ValidatorFactory& factory) { g_validator_factory = factory; }
const ValidatorFactory& GetValidatorFactory() { return g_validator_factory; }

const PhysicalDevice& Instance::GetPhysicalDevice(VkPhysicalDevice physical_device) {
  const PhysicalDevice* made = nullptr;
  {
    absl::MutexLock lock(&mutex_);
    std::unique_ptr<PhysicalDevice>& record = physical_devices_[physical_device];
    if (record != nullptr) return *record;
    record =
        std::make_unique<PhysicalDevice>(QueryPhysicalDevice(next, physical_device, api_version, enabled_extensions));
    made = record.get();
  }
  ReportLimits(*made, reporter);
  return *made;
}

Slot* Instance::Intern(VkObjectType type, uint64_t driver_handle, Slot* physical_device) {
  absl::MutexLock lock(&mutex_);
  Slot*& slot = interned_[{type, driver_handle}];
  if (slot == nullptr) {
    slot = HandleTable::Get().Add(type, driver_handle, this, nullptr,
                                  wraps_handles() ? HandleKind::kWrapped : HandleKind::kUnwrapped, physical_device);
  } else if (physical_device != nullptr && slot->parent != physical_device->index) {
    slot->has_several_physical_devices = true;
  }
  return slot;
}

bool Device::HasFeatureOrExtension(std::string_view name) const {
  if (const auto extension = vk::FindExtension(name)) return IsEnabled(*extension);
  const auto feature = vk::FindFeature(name);
  return feature.has_value() && HasFeature(*feature);
}

std::optional<uint64_t> Device::Limit(const vk::LimitInfo& limit) const {
  const vk::StructInfo* const info = vk::FindStruct(limit.structure_type);
  if (info != nullptr && !IsProvided(info->core_version, info->extensions, api_version, enabled_extensions))
    return std::nullopt;
  return physical_device->Limit(limit);
}

void Device::ReadCreateInfo(const VkDeviceCreateInfo& create_info, const VkDeviceCreateInfo& below) {
  enabled_extensions = ExtensionsOf(create_info);
  has_unknown_extensions = HasUnknownExtensions(create_info);
  enabled_features = FeaturesOf(create_info, api_version, enabled_extensions);
  extensions_below = ExtensionsOf(below);
  features_below = FeaturesOf(below, api_version, extensions_below);
}

}  // namespace assay::dispatch
