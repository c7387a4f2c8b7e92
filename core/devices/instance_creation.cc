// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <span>

#include "core/devices/device_ids.h"
#include "core/devices/extension_needs.h"
#include "core/devices/instance_rules.h"
#include "core/resources/creation_check.h"
#include "core/resources/resource_facts.h"
#include "vk/chain.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

struct InstanceFacts {
  static constexpr std::string_view kOwner = "VkInstanceCreateInfo";

  const dispatch::Instance& instance;
  const VkInstanceCreateInfo& info;

  template <class T>
  const T* Find() const {
    return vk::FindInChain<T>(info.pNext);
  }
  bool Has(vk::ExtensionId extension) const { return instance.enabled_extensions[static_cast<size_t>(extension)]; }
  bool Enables(VkValidationFeatureEnableEXT feature) const {
    const auto* const asked = Find<VkValidationFeaturesEXT>();
    return asked != nullptr && vk::IsAddress(asked->pEnabledValidationFeatures) &&
           std::ranges::count(std::span(asked->pEnabledValidationFeatures, asked->enabledValidationFeatureCount),
                              feature) != 0;
  }
};
using T = const InstanceFacts&;

// The chain has a structure of an extension that is not enabled.
template <class S, vk::ExtensionId extension>
bool Lacks(T t) {
  return t.Find<S>() != nullptr && !t.Has(extension);
}
// There is none yet.
const messages::ObjectRef kInstance = messages::Object(VkInstance{});
constexpr char kNames[] = "ppEnabledExtensionNames without the extension of the structure";
constexpr VkFlags kMetal =
    VK_EXPORT_METAL_OBJECT_TYPE_METAL_DEVICE_BIT_EXT | VK_EXPORT_METAL_OBJECT_TYPE_METAL_COMMAND_QUEUE_BIT_EXT;
constexpr CreationRule<InstanceFacts> kRules[] = {
    {"pNext-04925", "VkDebugReportCallbackCreateInfoEXT", kNames,
     Lacks<VkDebugReportCallbackCreateInfoEXT, vk::ExtensionId::kExtDebugReport>},
    {"pNext-04926", "VkDebugUtilsMessengerCreateInfoEXT", kNames,
     Lacks<VkDebugUtilsMessengerCreateInfoEXT, vk::ExtensionId::kExtDebugUtils>},
    {"pNext-09400", "VkDirectDriverLoadingListLUNARG", kNames,
     Lacks<VkDirectDriverLoadingListLUNARG, vk::ExtensionId::kLunargDirectDriverLoading>},
    {"flags-06559", "flags", "ppEnabledExtensionNames without VK_KHR_portability_enumeration",
     [](T t) {
       return (t.info.flags & VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR) != 0 &&
              !t.Has(vk::ExtensionId::kKhrPortabilityEnumeration);
     }},
    {"pNext-06779", "VkExportMetalObjectCreateInfoEXT.exportObjectType", "an instance",
     [](T t) { return ExportsOther(t.info.pNext, kMetal); }},
    {"VkValidationFeaturesEXT-pEnabledValidationFeatures-02967", "VkValidationFeaturesEXT.pEnabledValidationFeatures",
     "a reserved binding slot alone",
     [](T t) {
       return t.Enables(VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT) &&
              !t.Enables(VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT) &&
              !t.Enables(VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT);
     }},
    {"VkApplicationInfo-apiVersion-04010", "pApplicationInfo->apiVersion", "a version before VK_API_VERSION_1_0",
     [](T t) {
       const VkApplicationInfo* const application = t.info.pApplicationInfo;
       return vk::IsAddress(application) && application->apiVersion != 0 &&
              application->apiVersion < VK_API_VERSION_1_0;
     }},
};

void CheckLayerSettings(const VkLayerSettingsCreateInfoEXT& info, const messages::Location& where,
                        messages::Report& report) {
  for (uint32_t i = 0; vk::IsAddress(info.pSettings) && i < info.settingCount; ++i) {
    if (info.pSettings[i].valueCount == 0 || vk::IsAddress(info.pSettings[i].pValues)) continue;
    report.Error(vk::Vuid("VUID-VkLayerSettingEXT-valueCount-10070"), {kInstance},
                 where.Next("VkLayerSettingsCreateInfoEXT").Dot("pSettings", i).Dot("pValues"),
                 "is no valid pointer, but valueCount is not 0.");
  }
}

}  // namespace

void AddInstanceCreationIds(std::vector<vk::VuidIndex>& ids) { AddIds(kRules, ids); }

void InstanceRules::PreCallValidate(const vk::CreateInstance& call, messages::Report& report) const {
  const VkInstanceCreateInfo& info = *call.pCreateInfo;
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pCreateInfo");
  CreationCheck(nullptr, kInstance, "VkInstanceCreateInfo", &info, where, report).Run(kRules, {instance_, info});
  if (const auto* const settings = vk::FindInChain<VkLayerSettingsCreateInfoEXT>(info.pNext))
    CheckLayerSettings(*settings, where, report);
  const std::span names(info.ppEnabledExtensionNames, info.enabledExtensionCount);
  if ((!names.empty() && names.data() == nullptr) || std::ranges::count(names, nullptr) != 0) return;
  CheckExtensionNeeds(names, instance_.enabled_extensions, instance_.api_version,
                      vk::Vuid("VUID-vkCreateInstance-ppEnabledExtensionNames-01388"), kInstance, where, report);
}

}  // namespace assay::core
