// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Every command, chained structure, enumerant and flag bit of the registry, with and without the version or extension
// that provides it.

#include "stateless/implicit/enabled_api.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dispatch/dispatch.h"
#include "gtest/gtest.h"
#include "stateless/check/validator.h"
#include "stateless/test_cases/implicit_rule_test_cases.h"
#include "testing/messages/collected_messages.h"
#include "vk/command_enums.h"
#include "vk/command_info.h"
#include "vk/extension_info.h"

namespace assay::stateless {
namespace {

constexpr char kNotEnabled[] = "UNASSIGNED-GeneralParameterError-ExtensionNotEnabled";

bool IsOfDevice(const vk::CommandInfo& command) { return vk::IsDeviceLevel(command.dispatch); }

bool HasDeviceExtension(std::span<const uint16_t> extensions) {
  return std::ranges::any_of(
      extensions, [](uint16_t e) { return !vk::GetExtensionInfo(static_cast<vk::ExtensionId>(e)).instance; });
}

// The version and extensions of an instance or a device.
struct ApiConfiguration {
  uint32_t api_version = VK_API_VERSION_1_0;
  dispatch::ExtensionSet extensions;
};

std::string Describe(const ApiConfiguration& configuration) {
  return "1." + std::to_string(VK_API_VERSION_MINOR(configuration.api_version)) + " with " +
         std::to_string(configuration.extensions.count()) + " extensions";
}

// Each configuration that provides an item, alone; and one with everything that does not provide it.
struct Providers {
  std::vector<ApiConfiguration> with;
  ApiConfiguration without;
};

Providers ProvidersOf(uint32_t core_version, std::span<const uint16_t> extensions) {
  Providers providers;
  if (core_version != 0) providers.with.push_back({core_version, {}});
  providers.without.extensions.set();
  for (uint16_t extension : extensions) {
    providers.with.push_back({});
    providers.with.back().extensions.set(extension);
    providers.without.extensions.reset(extension);
  }
  const uint32_t minor = core_version == 0 ? 4 : VK_API_VERSION_MINOR(core_version) - 1;
  providers.without.api_version = VK_MAKE_API_VERSION(0, 1, minor, 0);
  return providers;
}

// Adds the requirements of the chained structures before the last step's.
void MakeReachable(const Route& route, ApiConfiguration& configuration) {
  for (size_t i = 0; i + 1 < route.steps.size(); ++i) {
    const vk::StructInfo* chained = route.steps[i].chained;
    if (chained == nullptr) continue;
    configuration.api_version = std::max(configuration.api_version, chained->core_version);
    for (uint16_t extension : chained->extensions) configuration.extensions.set(extension);
  }
}

bool IsReachable(const Route& route, const EnabledApi& enabled, size_t steps) {
  return std::ranges::all_of(std::span(route.steps).first(steps), [&](const RouteStep& step) {
    return step.chained == nullptr || enabled.Has(*step.chained);
  });
}

// The validator of an instance or a device with this configuration, attached to a table.
class AttachedValidator {
 public:
  AttachedValidator(const ApiConfiguration& configuration, bool of_device) : device_(instance_) {
    instance_.api_version = device_.api_version = configuration.api_version;
    device_.physical_device = &physical_device_;
    (of_device ? device_.enabled_extensions : instance_.enabled_extensions) = configuration.extensions;
    validator_ = of_device ? std::make_unique<Validator>(device_) : std::make_unique<Validator>(instance_);
    dispatch::HookBuilder builder;
    validator_->Attach(builder);
    builder.Build(hooks_);
  }

  // The ids that are reported for a call.
  std::vector<std::string> Check(const MinimalCall& call) const {
    test::CollectedReport collected(call.command().id);
    for (const dispatch::Hook& hook : hooks_[call.command().id].validate()) {
      hook.validate(hook.validator, call.parameters(), nullptr, collected.report);
    }
    return collected.received.Ids();
  }

 private:
  dispatch::PhysicalDevice physical_device_;
  dispatch::Instance instance_;
  dispatch::Device device_;
  std::unique_ptr<Validator> validator_;
  dispatch::HookTable hooks_;
};

int64_t Count(const std::vector<std::string>& ids, std::string_view id) { return std::ranges::count(ids, id); }

// What is made of configurations, once for equal ones.
using Key = std::pair<uint32_t, std::string>;
Key KeyOf(const ApiConfiguration& configuration) {
  return {configuration.api_version, configuration.extensions.to_string()};
}

const EnabledApi& EnabledIn(const ApiConfiguration& configuration) {
  static auto& all = *new std::map<Key, EnabledApi>;
  return all.try_emplace(KeyOf(configuration), configuration.api_version, configuration.extensions).first->second;
}

TEST(NotEnabled, Commands) {
  std::map<Key, AttachedValidator> of_device, of_instance;
  int tried = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (command.dispatch == vk::DispatchLevel::kGlobal || command.core_version == VK_API_VERSION_1_0) continue;
    Providers providers = ProvidersOf(command.core_version, command.extensions);
    bool has_device_extension = HasDeviceExtension(command.extensions);
    for (const vk::CommandAlias& alias : vk::CommandAliases()) {
      if (alias.id != command.id) continue;
      has_device_extension |= HasDeviceExtension(alias.extensions);
      const Providers also = ProvidersOf(0, alias.extensions);
      providers.with.insert(providers.with.end(), also.with.begin(), also.with.end());
      providers.without.extensions &= also.without.extensions;
    }
    const MinimalCall call({&command, {}});
    const auto check = [&](const ApiConfiguration& configuration) {
      const bool is_of_device = IsOfDevice(command);
      std::map<Key, AttachedValidator>& validators = is_of_device ? of_device : of_instance;
      return validators.try_emplace(KeyOf(configuration), configuration, is_of_device).first->second.Check(call);
    };
    // A query of a physical device may use a device extension that is not enabled.
    const bool of_physical_device = !IsOfDevice(command) && has_device_extension;
    EXPECT_EQ(Count(check(providers.without), kNotEnabled), of_physical_device ? 0 : 1)
        << command.name << " in " << Describe(providers.without);
    for (const ApiConfiguration& configuration : providers.with) {
      EXPECT_EQ(Count(check(configuration), kNotEnabled), 0) << command.name << " in " << Describe(configuration);
    }
    ++tried;
  }
  EXPECT_GE(tried, 485);
}

// Expects a report of the id without what provides the item, and none with it. False if the call does not lead to the
// item without that: `steps` is how much of the route must be there.
bool ExpectReports(const MinimalCall& call, const Route& route, size_t steps, Providers providers, std::string_view id,
                   std::string_view item) {
  const auto count_reports = [&](const ApiConfiguration& configuration) {
    return Count(ImplicitRuleTestCases(Programs::All(), EnabledIn(configuration)).Check(call), id);
  };
  const bool is_reachable = IsReachable(route, EnabledIn(providers.without), steps);
  if (is_reachable) {
    EXPECT_EQ(count_reports(providers.without), 1) << id << ": " << item << " in " << Describe(providers.without);
  }
  for (ApiConfiguration& configuration : providers.with) {
    MakeReachable(route, configuration);
    EXPECT_EQ(count_reports(configuration), 0) << id << ": " << item << " in " << Describe(configuration);
  }
  return is_reachable;
}

// Structures in the chains of parameters of device commands.
TEST(NotEnabled, ChainedStructures) {
  int tried = 0;
  for (const vk::StructInfo& structure : vk::Structs()) {
    const Route* route = AllRoutes().To(structure, true, false);
    if (route == nullptr || !IsOfDevice(*route->command) || structure.core_version == VK_API_VERSION_1_0) continue;
    const std::string id = "VUID-" + std::string(route->Head().name) + "-pNext-pNext";
    tried += ExpectReports(MinimalCall(*route), *route, route->steps.size() - 1,
                           ProvidersOf(structure.core_version, structure.extensions), id, structure.name);
  }
  EXPECT_GE(tried, 250);
}

// A query of a physical device or an instance may be about any extension that may be supported.
TEST(NotEnabled, QueriesOfPhysicalDevicesMayBeAboutAnything) {
  const AttachedValidator validator({VK_API_VERSION_1_1, {}}, false);
  int tried = 0;
  for (const vk::StructInfo& structure : vk::Structs()) {
    for (bool output : {false, true}) {
      const Route* route = AllRoutes().To(structure, true, output);
      if (route == nullptr || route->command->dispatch != vk::DispatchLevel::kPhysicalDevice) continue;
      const std::string id = "VUID-" + std::string(route->Head().name) + "-pNext-pNext";
      EXPECT_EQ(Count(validator.Check(MinimalCall(*route)), id), 0) << structure.name;
      ++tried;
    }
  }
  EXPECT_GE(tried, 250);
}

// Every value that a version or extension provides, with and without that: of each enumeration or bitmask by value in
// the parameters of a device command.
int TryValues(vk::MemberKind kind) {
  int tried = 0;
  ImplicitRuleTestCases::ForEachRule([&](const auto& owner, const auto* command, const auto& rule) {
    const vk::MemberInfo& member = owner.members[rule.member];
    if (rule.kind != vk::ImplicitRuleKind::kParameter || rule.alternative != vk::ImplicitRuleInfo::kNoAlternative ||
        member.kind != kind || member.indirection != vk::Indirection::kInline || member.type == vk::kNoType) {
      return;
    }
    const Route of_command{command, {}};
    const Route* const route = command != nullptr ? &of_command : AllRoutes().To(owner, false, false);
    if (route == nullptr || !IsOfDevice(*route->command)) return;
    const MinimalCall call(*route);
    char* const at = static_cast<char*>(call.target()) + member.offset;
    for (const vk::EnumValue& value : vk::GetEnumInfo(static_cast<vk::EnumId>(member.type)).values) {
      const bool of_vulkan_1_0 = value.core_version == VK_API_VERSION_1_0;
      if (value.value == 0 || of_vulkan_1_0 || (value.core_version == 0 && value.extensions.empty())) continue;
      std::memcpy(at, &value.value, member.element_size);
      tried += ExpectReports(call, *route, route->steps.size(), ProvidersOf(value.core_version, value.extensions),
                             vk::GetVuid(rule.vuid).id, value.name);
    }
  });
  return tried;
}

TEST(NotEnabled, Enumerants) { EXPECT_GE(TryValues(vk::MemberKind::kEnum), 500); }
TEST(NotEnabled, FlagBits) { EXPECT_GE(TryValues(vk::MemberKind::kFlags), 500); }

}  // namespace
}  // namespace assay::stateless
