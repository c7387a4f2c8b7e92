// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/devices/device_ids.h"
#include "core/devices/extension_needs.h"
#include "core/devices/feature_pairs.h"
#include "core/devices/instance_rules.h"
#include "core/resources/creation_check.h"
#include "vk/chain.h"
#include "vk/feature_info.h"
#include "vk/struct_info.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::ExtensionId;
using vk::FeatureId;

template <class T>
std::span<const T> Elements(const T* first, uint32_t count) {
  return vk::IsAddress(first) ? std::span<const T>(first, count) : std::span<const T>();
}

struct DeviceFacts {
  static constexpr std::string_view kOwner = "VkDeviceCreateInfo";

  // As if it were created.
  const dispatch::Device& device;
  const VkDeviceCreateInfo& info;
  VkPhysicalDevice physical_device;
  // Of several physical devices, that of vkEnumeratePhysicalDeviceGroups. Empty if it is not known.
  std::span<const VkPhysicalDevice> group;

  template <class T>
  const T* Find() const {
    return vk::FindInChain<T>(info.pNext);
  }
  template <class T>
  const T* Property() const {
    return device.physical_device->Find<T>();
  }
  bool Has(ExtensionId extension) const { return device.IsEnabled(extension); }
  bool Has(FeatureId feature) const { return device.HasFeature(feature); }

  std::span<const VkPhysicalDevice> Asked() const {
    const auto* const asked = Find<VkDeviceGroupDeviceCreateInfo>();
    return asked == nullptr ? std::span<const VkPhysicalDevice>()
                            : Elements(asked->pPhysicalDevices, asked->physicalDeviceCount);
  }
  // "robustBufferAccessUpdateAfterBind", which two structures have.
  bool LacksUpdateAfterBind() const {
    const auto lacks = [](const auto* p) { return p != nullptr && p->robustBufferAccessUpdateAfterBind == VK_FALSE; };
    return lacks(Property<VkPhysicalDeviceDescriptorIndexingProperties>()) ||
           lacks(Property<VkPhysicalDeviceVulkan12Properties>());
  }
};
using T = const DeviceFacts&;

// The scheduling controls that the physical device lacks.
bool LacksCoreControl(T t, const void* chain) {
  const auto* const has = t.Property<VkPhysicalDeviceSchedulingControlsPropertiesARM>();
  return vk::FindInChain<VkDeviceQueueShaderCoreControlCreateInfoARM>(chain) != nullptr && has != nullptr &&
         (has->schedulingControlsFlags & VK_PHYSICAL_DEVICE_SCHEDULING_CONTROLS_SHADER_CORE_COUNT_ARM) == 0;
}
bool HasWrongCoreCount(T t, const void* chain) {
  const auto* const asked = vk::FindInChain<VkDeviceQueueShaderCoreControlCreateInfoARM>(chain);
  const auto* const has = t.Property<VkPhysicalDeviceShaderCoreBuiltinsPropertiesARM>();
  return asked != nullptr && (asked->shaderCoreCount == 0 || (has != nullptr && has->shaderCoreCount != 0 &&
                                                              asked->shaderCoreCount > has->shaderCoreCount));
}
// An extension without its feature, in the structure that has the features of a version.
template <class S, ExtensionId extension, auto... features>
bool LacksFeature(T t) {
  const S* const structure = t.Find<S>();
  return structure != nullptr && t.Has(extension) && ((structure->*features == VK_FALSE) || ...);
}

constexpr char kExtensions[] = "ppEnabledExtensionNames";
constexpr char kCoreCount[] = "VkPhysicalDeviceShaderCoreBuiltinsPropertiesARM.shaderCoreCount";
constexpr char kControls[] = "VkPhysicalDeviceSchedulingControlsPropertiesARM.schedulingControlsFlags";
constexpr CreationRule<DeviceFacts> kRules[] = {
    {"pNext-00373", "pEnabledFeatures", "VkPhysicalDeviceFeatures2",
     [](T t) { return t.info.pEnabledFeatures != nullptr && t.Find<VkPhysicalDeviceFeatures2>() != nullptr; }},
    {"ppEnabledExtensionNames-01840", kExtensions, "VK_AMD_negative_viewport_height in Vulkan 1.1",
     [](T t) {
       return t.Has(ExtensionId::kAmdNegativeViewportHeight) &&
              t.device.physical_device->properties.apiVersion >= VK_API_VERSION_1_1;
     }},
    {"ppEnabledExtensionNames-00374", kExtensions, "VK_AMD_negative_viewport_height beside VK_KHR_maintenance1",
     [](T t) { return t.Has(ExtensionId::kAmdNegativeViewportHeight) && t.Has(ExtensionId::kKhrMaintenance1); }},
    {"ppEnabledExtensionNames-03328", kExtensions, "VK_KHR_buffer_device_address beside VK_EXT_buffer_device_address",
     [](T t) { return t.Has(ExtensionId::kKhrBufferDeviceAddress) && t.Has(ExtensionId::kExtBufferDeviceAddress); }},
    {"pNext-04748", "VkPhysicalDeviceVulkan12Features.bufferDeviceAddress", "VK_EXT_buffer_device_address",
     [](T t) {
       const auto* const features = t.Find<VkPhysicalDeviceVulkan12Features>();
       return features != nullptr && features->bufferDeviceAddress == VK_TRUE &&
              t.Has(ExtensionId::kExtBufferDeviceAddress) && !t.Has(ExtensionId::kKhrBufferDeviceAddress);
     }},
    {"ppEnabledExtensionNames-04476", "VkPhysicalDeviceVulkan11Features.shaderDrawParameters",
     "VK_KHR_shader_draw_parameters",
     LacksFeature<VkPhysicalDeviceVulkan11Features, ExtensionId::kKhrShaderDrawParameters,
                  &VkPhysicalDeviceVulkan11Features::shaderDrawParameters>},
    {"ppEnabledExtensionNames-02831", "VkPhysicalDeviceVulkan12Features.drawIndirectCount",
     "VK_KHR_draw_indirect_count",
     LacksFeature<VkPhysicalDeviceVulkan12Features, ExtensionId::kKhrDrawIndirectCount,
                  &VkPhysicalDeviceVulkan12Features::drawIndirectCount>},
    {"ppEnabledExtensionNames-02832", "VkPhysicalDeviceVulkan12Features.samplerMirrorClampToEdge",
     "VK_KHR_sampler_mirror_clamp_to_edge",
     LacksFeature<VkPhysicalDeviceVulkan12Features, ExtensionId::kKhrSamplerMirrorClampToEdge,
                  &VkPhysicalDeviceVulkan12Features::samplerMirrorClampToEdge>},
    {"ppEnabledExtensionNames-02833", "VkPhysicalDeviceVulkan12Features.descriptorIndexing",
     "VK_EXT_descriptor_indexing",
     LacksFeature<VkPhysicalDeviceVulkan12Features, ExtensionId::kExtDescriptorIndexing,
                  &VkPhysicalDeviceVulkan12Features::descriptorIndexing>},
    {"ppEnabledExtensionNames-02834", "VkPhysicalDeviceVulkan12Features.samplerFilterMinmax",
     "VK_EXT_sampler_filter_minmax",
     LacksFeature<VkPhysicalDeviceVulkan12Features, ExtensionId::kExtSamplerFilterMinmax,
                  &VkPhysicalDeviceVulkan12Features::samplerFilterMinmax>},
    {"ppEnabledExtensionNames-02835", "VkPhysicalDeviceVulkan12Features.shaderOutputLayer",
     "VK_EXT_shader_viewport_index_layer",
     LacksFeature<VkPhysicalDeviceVulkan12Features, ExtensionId::kExtShaderViewportIndexLayer,
                  &VkPhysicalDeviceVulkan12Features::shaderOutputViewportIndex,
                  &VkPhysicalDeviceVulkan12Features::shaderOutputLayer>},
    {"pProperties-04451", kExtensions, "a physical device with VK_KHR_portability_subset, which it must have",
     [](T t) {
       constexpr auto kSubset = ExtensionId::kKhrPortabilitySubset;
       return t.device.physical_device->supported_extensions[static_cast<size_t>(kSubset)] && !t.Has(kSubset);
     }},
    {"robustBufferAccess-10247", "robustBufferAccess", "buffers in descriptors that are updated after they are bound",
     [](T t) {
       return t.Has(FeatureId::kRobustBufferAccess) && t.LacksUpdateAfterBind() &&
              (t.Has(FeatureId::kDescriptorBindingUniformBufferUpdateAfterBind) ||
               t.Has(FeatureId::kDescriptorBindingStorageBufferUpdateAfterBind) ||
               t.Has(FeatureId::kDescriptorBindingUniformTexelBufferUpdateAfterBind) ||
               t.Has(FeatureId::kDescriptorBindingStorageTexelBufferUpdateAfterBind));
     }},
    {"None-08095", "descriptorBuffer", "VK_AMD_shader_fragment_mask",
     [](T t) { return t.Has(FeatureId::kDescriptorBuffer) && t.Has(ExtensionId::kAmdShaderFragmentMask); }},
    {"pNext-09396", "VkDeviceQueueShaderCoreControlCreateInfoARM", "another one in pQueueCreateInfos",
     [](T t) {
       const auto has = [](const auto& info) {
         return vk::FindInChain<VkDeviceQueueShaderCoreControlCreateInfoARM>(info.pNext) != nullptr;
       };
       return has(t.info) && std::ranges::any_of(Elements(t.info.pQueueCreateInfos, t.info.queueCreateInfoCount), has);
     }},
    {"pNext-09397", "VkDeviceQueueShaderCoreControlCreateInfoARM", kControls,
     [](T t) { return LacksCoreControl(t, t.info.pNext); }},
    {"VkDeviceQueueShaderCoreControlCreateInfoARM-shaderCoreCount-09399",
     "VkDeviceQueueShaderCoreControlCreateInfoARM.shaderCoreCount", kCoreCount,
     [](T t) { return HasWrongCoreCount(t, t.info.pNext); }},
    {"VkDevicePipelineBinaryInternalCacheControlKHR-disableInternalCache-09602",
     "VkDevicePipelineBinaryInternalCacheControlKHR.disableInternalCache",
     "VkPhysicalDevicePipelineBinaryPropertiesKHR.pipelineBinaryInternalCacheControl",
     [](T t) {
       const auto* const asked = t.Find<VkDevicePipelineBinaryInternalCacheControlKHR>();
       const auto* const has = t.Property<VkPhysicalDevicePipelineBinaryPropertiesKHR>();
       return asked != nullptr && asked->disableInternalCache == VK_TRUE && has != nullptr &&
              has->pipelineBinaryInternalCacheControl == VK_FALSE;
     }},
    {"VkDeviceGroupDeviceCreateInfo-pPhysicalDevices-00375", "VkDeviceGroupDeviceCreateInfo.physicalDeviceCount",
     "one physical device twice",
     [](T t) {
       return std::ranges::any_of(t.Asked(), [&](auto device) { return std::ranges::count(t.Asked(), device) > 1; });
     }},
    {"VkDeviceGroupDeviceCreateInfo-physicalDeviceCount-00377", "VkDeviceGroupDeviceCreateInfo.physicalDeviceCount",
     "another physicalDevice",
     [](T t) { return !t.Asked().empty() && std::ranges::count(t.Asked(), t.physical_device) == 0; }},
    {"VkDeviceGroupDeviceCreateInfo-pPhysicalDevices-00376", "VkDeviceGroupDeviceCreateInfo.physicalDeviceCount",
     "physical devices of different groups",
     [](T t) {
       return !t.group.empty() && std::ranges::any_of(t.Asked(), [&](VkPhysicalDevice device) {
         return std::ranges::count(t.group, device) == 0;
       });
     }},
};

// One element of pQueueCreateInfos.
struct QueueFacts {
  static constexpr std::string_view kOwner = "VkDeviceQueueCreateInfo";

  T device;
  const VkDeviceQueueCreateInfo& info;
  std::span<const VkQueueFamilyProperties> families;

  const VkQueueFamilyProperties* family() const {
    return info.queueFamilyIndex < families.size() ? &families[info.queueFamilyIndex] : nullptr;
  }
  bool IsProtected() const { return (info.flags & VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT) != 0; }
};
using Q = const QueueFacts&;
constexpr CreationRule<QueueFacts> kQueueRules[] = {
    {"queueFamilyIndex-00381", "queueFamilyIndex", "the queue families of the physical device",
     [](Q q) { return !q.families.empty() && q.family() == nullptr; }},
    {"queueCount-00382", "queueCount", "the queues of the family",
     [](Q q) { return q.family() != nullptr && q.info.queueCount > q.family()->queueCount; }},
    {"pQueuePriorities-00383", "pQueuePriorities", "the range 0 to 1",
     [](Q q) {
       return std::ranges::any_of(Elements(q.info.pQueuePriorities, q.info.queueCount),
                                  [](float priority) { return !(priority >= 0 && priority <= 1); });
     }},
    {"flags-02861", "flags", "a device without the feature protectedMemory",
     [](Q q) { return q.IsProtected() && !q.device.Has(FeatureId::kProtectedMemory); }},
    {"flags-06449", "flags", "a queue family without VK_QUEUE_PROTECTED_BIT",
     [](Q q) {
       return q.IsProtected() && q.family() != nullptr && (q.family()->queueFlags & VK_QUEUE_PROTECTED_BIT) == 0;
     }},
    {"pNext-09398", "VkDeviceQueueShaderCoreControlCreateInfoARM", kControls,
     [](Q q) { return LacksCoreControl(q.device, q.info.pNext); }},
    {"VkDeviceQueueShaderCoreControlCreateInfoARM-shaderCoreCount-09399",
     "VkDeviceQueueShaderCoreControlCreateInfoARM.shaderCoreCount", kCoreCount,
     [](Q q) { return HasWrongCoreCount(q.device, q.info.pNext); }},
};

VkQueueGlobalPriority PriorityOf(const VkDeviceQueueCreateInfo& info) {
  const auto* const asked = vk::FindInChain<VkDeviceQueueGlobalPriorityCreateInfo>(info.pNext);
  return asked != nullptr ? asked->globalPriority : VK_QUEUE_GLOBAL_PRIORITY_MEDIUM;
}

// The first element before `later` that has its family, and what both must be to one another.
void CheckSharedFamily(T t, std::span<const VkDeviceQueueCreateInfo> queues, uint32_t later, const Location& where,
                       Report& report) {
  const VkDeviceQueueCreateInfo& own = queues[later];
  const auto same = [&](const auto& queue) { return queue.queueFamilyIndex == own.queueFamilyIndex; };
  const auto before = queues.first(later);
  const auto earlier = std::ranges::find_if(before, same);
  if (earlier == before.end()) return;
  const auto error = [&](vk::VuidIndex id, std::string_view member, std::string_view text) {
    report.Error(id, {messages::Object(t.physical_device)}, where.Dot("pQueueCreateInfos", later).Dot(member),
                 absl::StrCat(text, " that of pQueueCreateInfos[", earlier - before.begin(), "]."));
  };
  const auto is_as_protected = [&](const auto& queue) {
    return same(queue) && ((queue.flags ^ own.flags) & VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT) == 0;
  };
  if (std::ranges::any_of(before, is_as_protected)) {
    error(vk::Vuid("VUID-VkDeviceCreateInfo-queueFamilyIndex-02802"), "queueFamilyIndex", "is");
    return;
  }
  if (PriorityOf(*earlier) != PriorityOf(own))
    error(vk::Vuid("VUID-VkDeviceCreateInfo-pQueueCreateInfos-06654"), "pNext", "has another global priority than");
  const auto& families = t.device.physical_device->queue_families;
  if (own.queueFamilyIndex >= families.size()) return;
  const uint32_t most = families[own.queueFamilyIndex].queueCount;
  if (own.queueCount <= most && earlier->queueCount <= most && own.queueCount > most - earlier->queueCount) {
    error(vk::Vuid("VUID-VkDeviceCreateInfo-pQueueCreateInfos-06755"), "queueCount",
          absl::StrCat("is more than what is left of the family's queues (", most, ") beside"));
  }
}

// The structures of a version, and the rule that they must not stand beside those that they include.
struct VersionFeatures {
  VkStructureType type;
  vk::VuidIndex id;
};
constexpr VersionFeatures kVersions[] = {
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, vk::Vuid("VUID-VkDeviceCreateInfo-pNext-02829")},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, vk::Vuid("VUID-VkDeviceCreateInfo-pNext-02830")},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, vk::Vuid("VUID-VkDeviceCreateInfo-pNext-06532")},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES, vk::Vuid("VUID-VkDeviceCreateInfo-pNext-10360")},
};
bool HaveOneFeature(VkStructureType version, VkStructureType type) {
  const auto is_in_both = [&](const vk::FeatureInfo& feature) {
    return feature.structure_type == type && std::ranges::any_of(vk::Features(), [&](const vk::FeatureInfo& other) {
             return other.structure_type == version && other.id == feature.id;
           });
  };
  return type != version && std::ranges::any_of(vk::Features(), is_in_both);
}
void CheckVersions(T t, const Location& where, Report& report) {
  std::vector<const VkBaseInStructure*> links;
  for (auto* link = static_cast<const VkBaseInStructure*>(t.info.pNext); link != nullptr; link = link->pNext)
    links.push_back(link);
  for (const VersionFeatures& version : kVersions) {
    if (std::ranges::count(links, version.type, &VkBaseInStructure::sType) == 0) continue;
    for (const VkBaseInStructure* link : links) {
      if (!HaveOneFeature(version.type, link->sType)) continue;
      report.Error(version.id, {messages::Object(t.physical_device)}, where.Next(*vk::FindStruct(link->sType)),
                   absl::StrCat("is beside ", vk::FindStruct(version.type)->name, ", which has its features."),
                   "Enable the features there.");
    }
  }
}

void CheckFeatures(T t, const Location& where, Report& report) {
  for (const FeaturePair& pair : FeaturePairs()) {
    if (!t.Has(pair.feature) || t.Has(pair.other) == pair.needs) continue;
    report.Error(pair.id, {messages::Object(t.physical_device)}, where.Dot("pNext"),
                 absl::StrCat("enables ", vk::FeatureName(pair.feature), pair.needs ? " without " : " together with ",
                              vk::FeatureName(pair.other), "."));
  }
}

// Whether the arrays and the chain can be read. What cannot is an error of its own.
bool IsReadable(const VkDeviceCreateInfo& info) {
  for (auto* link = static_cast<const VkBaseInStructure*>(info.pNext); link != nullptr; link = link->pNext) {
    if (!vk::IsAddress(link)) return false;
  }
  const auto names = Elements(info.ppEnabledExtensionNames, info.enabledExtensionCount);
  return names.size() == info.enabledExtensionCount && std::ranges::all_of(names, vk::IsAddress) &&
         (info.pEnabledFeatures == nullptr || vk::IsAddress(info.pEnabledFeatures));
}

// The group of a physical device. Empty without such groups.
std::vector<VkPhysicalDevice> GroupOf(const dispatch::Instance& instance, VkPhysicalDevice device) {
  const auto enumerate = dispatch::Next<vk::EnumeratePhysicalDeviceGroups>(instance.next);
  const bool has_groups = instance.api_version >= VK_API_VERSION_1_1 ||
                          instance.enabled_extensions[static_cast<size_t>(ExtensionId::kKhrDeviceGroupCreation)];
  uint32_t count = 0;
  if (!has_groups || enumerate == nullptr || enumerate(instance.handle, &count, nullptr) != VK_SUCCESS) return {};
  std::vector<VkPhysicalDeviceGroupProperties> groups(count,
                                                      {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES});
  if (enumerate(instance.handle, &count, groups.data()) != VK_SUCCESS) return {};
  for (const VkPhysicalDeviceGroupProperties& group : groups) {
    const std::span members(group.physicalDevices, group.physicalDeviceCount);
    if (std::ranges::count(members, device) != 0) return {members.begin(), members.end()};
  }
  return {};
}

}  // namespace

void AddDeviceCreationIds(std::vector<vk::VuidIndex>& ids) {
  AddIds(kRules, ids);
  AddIds(kQueueRules, ids);
}

void InstanceRules::PreCallValidate(const vk::CreateDevice& call, Report& report) const {
  const VkDeviceCreateInfo& info = *call.pCreateInfo;
  if (!IsReadable(info)) return;
  // On the heap: it has the lists of all hooks.
  const auto device = std::make_unique<dispatch::Device>(instance_);
  device->physical_device = &instance_.GetPhysicalDevice(call.physicalDevice);
  device->api_version = std::min(instance_.api_version, device->physical_device->properties.apiVersion);
  device->ReadCreateInfo(info, info);
  std::vector<VkPhysicalDevice> group;
  if (vk::FindInChain<VkDeviceGroupDeviceCreateInfo>(info.pNext) != nullptr)
    group = GroupOf(instance_, call.physicalDevice);
  const DeviceFacts facts = {*device, info, call.physicalDevice, group};
  const messages::ObjectRef object = messages::Object(call.physicalDevice);
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  CreationCheck(*device, object, "VkDeviceCreateInfo", &info, where, report).Run(kRules, facts);
  CheckExtensionNeeds({info.ppEnabledExtensionNames, info.enabledExtensionCount}, device->enabled_extensions,
                      device->api_version, vk::Vuid("VUID-vkCreateDevice-ppEnabledExtensionNames-01387"), object, where,
                      report);
  CheckVersions(facts, where, report);
  CheckFeatures(facts, where, report);
  const auto queues = Elements(info.pQueueCreateInfos, info.queueCreateInfoCount);
  for (uint32_t i = 0; i < queues.size(); ++i) {
    const Location queue = where.Dot("pQueueCreateInfos", i);
    CreationCheck(*device, object, "VkDeviceQueueCreateInfo", &queues[i], queue, report)
        .Run(kQueueRules, {facts, queues[i], device->physical_device->queue_families});
    CheckSharedFamily(facts, queues, i, where, report);
  }
}

}  // namespace assay::core
