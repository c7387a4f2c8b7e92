// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Minimal calls about surfaces with one mistake: rules that commands and structures share (core/swapchains).

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "gtest/gtest.h"
#include "layer/minimal_calls_fixture.h"
#include "vk/vuid.h"
#include "vk/walk/load_store.h"

namespace assay::layer {
namespace {

class ViolatedSurfaceRules : public MinimalCallsFixture {
 protected:
  ViolatedSurfaceRules() : MinimalCallsFixture(true, {.extensions = {vk::ExtensionId::kGoogleSurfacelessQuery}}) {}

  // Sets a parameter of the call, or a member of a structure that one of them points to.
  static void Set(const stateless::MinimalCall& call, std::string_view name, uint64_t value) {
    const auto set = [&](const vk::MemberInfo& member, char* base) {
      const bool is_inline = member.indirection == vk::Indirection::kInline;
      if (member.name == name)
        std::memcpy(base + member.offset, &value, is_inline ? member.element_size : sizeof(value));
    };
    char* const parameters = static_cast<char*>(call.parameters());
    for (const vk::MemberInfo& each : call.command().parameters->members) {
      set(each, parameters);
      if (each.name != "pCreateInfo" && each.name != "pSurfaceInfo") continue;
      for (const auto& member : vk::Structs()[each.type].members)
        set(member, vk::Load<char*>(parameters + each.offset));
    }
  }
  // Calls each command that has one of the rules, or whose create info has it, with a value of the member that is wrong
  // and with one that is right. The member is that of the rule's name if `name` is empty.
  void Expect(std::initializer_list<std::string_view> rules, std::string_view name, uint64_t wrong, uint64_t right,
              size_t count) {
    for (size_t i = 0; i < vk::kCommandCount; ++i) {
      const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
      for (const std::string_view rule : rules) {
        const auto info = std::ranges::find(command.parameters->members, "pCreateInfo", &vk::MemberInfo::name);
        const bool has_info = info != command.parameters->members.end();
        const vk::VuidIndex id = vk::FindVuidOf(has_info ? info->type_name : command.name, rule);
        if (id == vk::kNoVuid) continue;
        SCOPED_TRACE(vk::GetVuid(id).id);
        const std::string_view member = name.empty() ? rule.substr(0, rule.find('-')) : name;
        const auto call = PrepareAnywhere({&command, {}});
        Set(*call, member, wrong);
        ExpectReport(*call, vk::GetVuid(id).id);
        Set(*call, member, right);
        caller_.Run(*call);
        for (const test::Message& message : messages.Take()) EXPECT_NE(message.id, vk::GetVuid(id).id) << message.text;
        --count;
      }
    }
    EXPECT_EQ(count, 0u);
  }
};

TEST_F(ViolatedSurfaceRules, AreReported) {
  Expect({"queueFamilyIndex-01269", "queueFamilyIndex-01306", "queueFamilyIndex-01309", "queueFamilyIndex-01312",
          "queueFamilyIndex-01315", "queueFamilyIndex-04119", "queueFamilyIndex-04743"},
         "", 3, 2, 7);
  Expect({"window-01248", "dfb-04117", "surface-04118", "imagePipeHandle-04863", "context-04741", "window-04742",
          "window-01318", "display-01304", "surface-01305", "hinstance-01307", "hwnd-01308", "connection-01310",
          "window-01311", "dpy-01313", "window-01314"},
         "", 0, 1, 15);
  const VkSurfaceKHR supported = MakeSurface(), other = MakeSurface();
  VkSurfaceCapabilitiesKHR capabilities = {};
  vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(physical_device, supported, &capabilities);
  driver().config().presenting_families = 0;
  const auto right = reinterpret_cast<uint64_t>(supported), unsupported = reinterpret_cast<uint64_t>(other);
  Expect({"surface-06524", "pSurfaceInfo-06521"}, "surface", 0, right, 5);
  Expect({"surface-06211", "surface-06525", "pSurfaceInfo-06522", "surface-06212", "pSurfaceInfo-06213"}, "surface",
         unsupported, right, 10);
}

}  // namespace
}  // namespace assay::layer
