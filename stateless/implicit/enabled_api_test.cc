// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What versions and extensions bring, used without and with them: every command, chained structure, enumerant and flag
// bit of the registry.

#include "stateless/implicit/enabled_api.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dispatch/dispatch.h"
#include "gtest/gtest.h"
#include "stateless/test_cases/implicit_rule_test_cases.h"
#include "stateless/check/validator.h"
#include "vk/command_info.h"
#include "vk/extension_info.h"

namespace assay::stateless {
namespace {

constexpr char kNotEnabled[] = "ASSAY-extension-not-enabled";

bool IsOfDevice(const vk::CommandInfo& command) {
  return command.dispatch == vk::DispatchLevel::kDevice || command.dispatch == vk::DispatchLevel::kQueue ||
         command.dispatch == vk::DispatchLevel::kCommandBuffer;
}

// What an instance or a device was made with.
struct Surroundings {
  uint32_t api_version = VK_API_VERSION_1_0;
  dispatch::ExtensionSet extensions;
};

std::string Describe(const Surroundings& surroundings) {
  return "1." + std::to_string(VK_API_VERSION_MINOR(surroundings.api_version)) + " with " +
         std::to_string(surroundings.extensions.count()) + " extensions";
}

// With what something is there, each alone; and all that does not bring it.
struct Brought {
  std::vector<Surroundings> with;
  Surroundings without;
};

Brought ByWhat(uint32_t core_version, std::span<const uint16_t> extensions) {
  Brought brought;
  if (core_version != 0) brought.with.push_back({core_version, {}});
  brought.without.extensions.set();
  for (uint16_t extension : extensions) {
    brought.with.push_back({});
    brought.with.back().extensions.set(extension);
    brought.without.extensions.reset(extension);
  }
  const uint32_t minor = core_version == 0 ? 4 : VK_API_VERSION_MINOR(core_version) - 1;
  brought.without.api_version = VK_MAKE_API_VERSION(0, 1, minor, 0);
  return brought;
}

// Adds what the chained structures on the way to the last step's need.
void MakeReachable(const Route& route, Surroundings& surroundings) {
  for (size_t i = 0; i + 1 < route.steps.size(); ++i) {
    const vk::StructInfo* chained = route.steps[i].chained;
    if (chained == nullptr) continue;
    surroundings.api_version = std::max(surroundings.api_version, chained->core_version);
    for (uint16_t extension : chained->extensions) surroundings.extensions.set(extension);
  }
}

bool IsReachable(const Route& route, const Enabled& enabled, size_t steps) {
  return std::ranges::all_of(std::span(route.steps).first(steps), [&](const RouteStep& step) {
    return step.chained == nullptr || enabled.Has(*step.chained);
  });
}

// The validators of an instance or a device that was made so, attached to a table.
class World {
 public:
  World(const Surroundings& surroundings, bool of_device) : device_(instance_) {
    instance_.api_version = device_.api_version = surroundings.api_version;
    device_.physical_device = &physical_device_;
    device_.enabled_features.resize(vk::Features().size());
    (of_device ? device_.enabled_extensions : instance_.enabled_extensions) = surroundings.extensions;
    validator_ = of_device ? std::make_unique<Validator>(device_) : std::make_unique<Validator>(instance_);
    dispatch::HookBuilder builder;
    validator_->Attach(builder);
    builder.Build(hooks_);
  }

  // The ids that a call is told of.
  std::vector<std::string> Check(const FabricatedCall& call) const {
    std::vector<std::string> ids;
    messages::Reporter reporter;
    reporter.AddMessenger(VkDebugUtilsMessengerEXT(1),
                          {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                           .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                           .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                           .pfnUserCallback = &Collect,
                           .pUserData = &ids});
    messages::Report report(reporter, call.command().id);
    const dispatch::CommandHooks& hooks = hooks_[call.command().id];
    for (const dispatch::Hook& hook : std::span(hooks.validate(), hooks.validate_count)) {
      hook.validate(hook.validator, call.parameters(), report);
    }
    return ids;
  }

 private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL Collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data, void* ids) {
    static_cast<std::vector<std::string>*>(ids)->push_back(data->pMessageIdName);
    return VK_FALSE;
  }

  dispatch::PhysicalDevice physical_device_;
  dispatch::Instance instance_;
  dispatch::Device device_;
  std::unique_ptr<Validator> validator_;
  dispatch::HookTable hooks_;
};

int64_t Count(const std::vector<std::string>& ids, std::string_view id) { return std::ranges::count(ids, id); }

const Routes& AllRoutes() {
  static const Routes* const routes = new Routes(Programs::All());
  return *routes;
}

// What is made once for all equal surroundings.
template <class T>
class OncePerSurroundings {
 public:
  template <class F>
  const T& For(const Surroundings& surroundings, F&& make) {
    std::unique_ptr<T>& made = made_[{surroundings.api_version, surroundings.extensions.to_string()}];
    if (made == nullptr) made = make();
    return *made;
  }

 private:
  std::map<std::pair<uint32_t, std::string>, std::unique_ptr<T>> made_;
};

class EnabledPerSurroundings : public OncePerSurroundings<Enabled> {
 public:
  const Enabled& Of(const Surroundings& surroundings) {
    return For(surroundings,
               [&] { return std::make_unique<Enabled>(surroundings.api_version, surroundings.extensions); });
  }
};

TEST(NotEnabled, Commands) {
  OncePerSurroundings<World> of_device, of_instance;
  int tried = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (command.dispatch == vk::DispatchLevel::kGlobal || command.core_version == VK_API_VERSION_1_0) continue;
    Brought brought = ByWhat(command.core_version, command.extensions);
    for (const vk::CommandAlias& alias : vk::CommandAliases()) {
      if (alias.id != command.id) continue;
      const Brought also = ByWhat(0, alias.extensions);
      brought.with.insert(brought.with.end(), also.with.begin(), also.with.end());
      brought.without.extensions &= also.without.extensions;
    }
    const FabricatedCall call({&command, {}});
    const auto check = [&](const Surroundings& surroundings) {
      const bool device = IsOfDevice(command);
      return (device ? of_device : of_instance)
          .For(surroundings, [&] { return std::make_unique<World>(surroundings, device); })
          .Check(call);
    };
    // A physical device may be asked about what a device extension brings before that is enabled.
    const bool of_physical_device = !IsOfDevice(command) && std::ranges::any_of(command.extensions, [](uint16_t e) {
      return !vk::GetExtensionInfo(static_cast<vk::ExtensionId>(e)).instance;
    });
    EXPECT_EQ(Count(check(brought.without), kNotEnabled), of_physical_device ? 0 : 1)
        << command.name << " in " << Describe(brought.without);
    for (const Surroundings& surroundings : brought.with) {
      EXPECT_EQ(Count(check(surroundings), kNotEnabled), 0) << command.name << " in " << Describe(surroundings);
    }
    ++tried;
  }
  EXPECT_GE(tried, 485);
}

// Structures in the chains of what commands of a device are given.
TEST(NotEnabled, ChainedStructures) {
  EnabledPerSurroundings enabled;
  int tried = 0;
  for (const vk::StructInfo& structure : vk::Structs()) {
    const Route* route = AllRoutes().To(structure, true, false);
    if (route == nullptr || !IsOfDevice(*route->command) || structure.core_version == VK_API_VERSION_1_0) continue;
    const std::string id = "VUID-" + std::string(route->Head().name) + "-pNext-pNext";
    const FabricatedCall call(*route);
    const auto told = [&](const Surroundings& surroundings) {
      return Count(RuleTrial(Programs::All(), enabled.Of(surroundings)).Check(call), id);
    };
    Brought brought = ByWhat(structure.core_version, structure.extensions);
    if (IsReachable(*route, enabled.Of(brought.without), route->steps.size() - 1)) {
      EXPECT_EQ(told(brought.without), 1) << structure.name << " in " << Describe(brought.without);
      ++tried;
    }
    for (Surroundings& surroundings : brought.with) {
      MakeReachable(*route, surroundings);
      EXPECT_EQ(told(surroundings), 0) << structure.name << " in " << Describe(surroundings);
    }
  }
  EXPECT_GE(tried, 250);
}

// What a physical device or an instance is asked about may be of any extension that it might support.
TEST(NotEnabled, PhysicalDevicesAreAskedAboutAnything) {
  const World world({VK_API_VERSION_1_1, {}}, false);
  int tried = 0;
  for (const vk::StructInfo& structure : vk::Structs()) {
    for (bool output : {false, true}) {
      const Route* route = AllRoutes().To(structure, true, output);
      if (route == nullptr || route->command->dispatch != vk::DispatchLevel::kPhysicalDevice) continue;
      const std::string id = "VUID-" + std::string(route->Head().name) + "-pNext-pNext";
      EXPECT_EQ(Count(world.Check(FabricatedCall(*route)), id), 0) << structure.name;
      ++tried;
    }
  }
  EXPECT_GE(tried, 250);
}

// Calls use(call, route, member, id) for each enumeration or bitmask by value that a command of a device is given.
void ForEachValue(
    vk::MemberKind kind,
    const std::function<void(FabricatedCall&, const Route&, const vk::MemberInfo&, std::string_view id)>& use) {
  RuleTrial::ForEachRule([&](const vk::StructInfo& owner, const vk::CommandInfo* command, const vk::RuleInfo& rule) {
    const vk::MemberInfo& member = owner.members[rule.member];
    if (rule.kind != vk::RuleKind::kParameter || rule.alternative != vk::RuleInfo::kNoAlternative ||
        member.kind != kind || member.indirection != vk::Indirection::kInline || member.type == vk::kNoType) {
      return;
    }
    const Route of_command{command, {}};
    const Route* const route = command != nullptr ? &of_command : AllRoutes().To(owner, false, false);
    if (route == nullptr || !IsOfDevice(*route->command)) return;
    FabricatedCall call(*route);
    use(call, *route, member, vk::GetVuid(rule.vuid).id);
  });
}

// Every value that something brings, without and with that.
int TryValues(vk::MemberKind kind) {
  EnabledPerSurroundings enabled;
  int tried = 0;
  ForEachValue(kind, [&](FabricatedCall& call, const Route& route, const vk::MemberInfo& member, std::string_view id) {
    char* const at = static_cast<char*>(call.target()) + member.offset;
    const auto told = [&](const Surroundings& surroundings) {
      return Count(RuleTrial(Programs::All(), enabled.Of(surroundings)).Check(call), id);
    };
    for (const vk::EnumValue& value : vk::GetEnumInfo(static_cast<vk::EnumId>(member.type)).values) {
      const bool of_vulkan_1_0 = value.core_version == VK_API_VERSION_1_0;
      if (value.value == 0 || of_vulkan_1_0 || (value.core_version == 0 && value.extensions.empty())) continue;
      std::memcpy(at, &value.value, member.element_size);
      Brought brought = ByWhat(value.core_version, value.extensions);
      if (IsReachable(route, enabled.Of(brought.without), route.steps.size())) {
        EXPECT_EQ(told(brought.without), 1) << id << ": " << value.name << " in " << Describe(brought.without);
        ++tried;
      }
      for (Surroundings& surroundings : brought.with) {
        MakeReachable(route, surroundings);
        EXPECT_EQ(told(surroundings), 0) << id << ": " << value.name << " in " << Describe(surroundings);
      }
    }
  });
  return tried;
}

TEST(NotEnabled, Enumerants) { EXPECT_GE(TryValues(vk::MemberKind::kEnum), 500); }
TEST(NotEnabled, FlagBits) { EXPECT_GE(TryValues(vk::MemberKind::kFlags), 500); }

}  // namespace
}  // namespace assay::stateless
