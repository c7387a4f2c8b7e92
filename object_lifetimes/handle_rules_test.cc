// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of every -parameter, -parent and -commonparent id of a handle in the registry, and its positive
// twin.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "object_lifetimes/handle_trial.h"
#include "object_lifetimes/origins.h"

namespace assay::object_lifetimes {
namespace {

using vk::MemberInfo;

// How many ids the registry has that can be broken; the objects that commands are dispatched on are in
// dispatched_test.cc.
constexpr size_t kValidIds = 480;
constexpr size_t kParentIds = 156;
constexpr size_t kCommonParentIds = 127;

using Ids = std::vector<std::string>;

std::string Id(vk::VuidIndex rule) { return std::string(vk::GetVuid(rule).id); }

class HandleRulesTest : public ::testing::Test {
 protected:
  // Calls use for every structure and command that the check gets to.
  void ForEachRoute(const std::function<void(const StructRules& rules, const TrialRoute& route)>& use) {
    for (size_t i = 0; i < vk::kCommandCount; ++i) {
      const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
      if (command.dispatch != vk::DispatchLevel::kGlobal) use(HandleRulesOf(command.id).parameters, {&command, {}});
    }
    for (const auto& [info, route] : FindRoutes()) use(HandleRulesOf(*info), route);
  }

  static bool IsHandle(const MemberInfo& member) {
    return member.kind == vk::MemberKind::kHandle || member.kind == vk::MemberKind::kTypedHandle;
  }

  static VkObjectType TypeOf(const MemberInfo& member) {
    return member.kind == vk::MemberKind::kHandle ? vk::Handles()[member.type].object_type : VK_OBJECT_TYPE_EVENT;
  }

  // The ids that are reported when the member has that value.
  Ids Try(const TrialRoute& route, const MemberInfo& member, uint64_t handle) {
    TrialCall call(route, world_);
    if (member.kind == vk::MemberKind::kTypedHandle) call.SetSelector(member, VK_OBJECT_TYPE_EVENT);
    call.SetHandle(member, handle);
    return world_.Check(call.command(), call.parameters());
  }

  TrialWorld world_;
};

TEST_F(HandleRulesTest, InvalidHandlesAreToldByTheirOwnId) {
  std::set<std::string> tried;
  ForEachRoute([&](const StructRules& rules, const TrialRoute& route) {
    for (const Step& step : rules.steps) {
      if (!IsHandle(*step.member)) continue;
      const vk::VuidIndex rule =
          step.explicit_rule != nullptr ? FindExplicitRule(*step.explicit_rule, route.command->id) : step.valid;
      if (rule == kNoRule) continue;
      const VkObjectType type = TypeOf(*step.member);
      const VkObjectType other_type = type == VK_OBJECT_TYPE_BUFFER ? VK_OBJECT_TYPE_IMAGE : VK_OBJECT_TYPE_BUFFER;
      SCOPED_TRACE(Id(rule) + " by " + std::string(route.command->name));
      EXPECT_EQ(Try(route, *step.member, world_.Handle(type, false)), Ids{});
      EXPECT_EQ(Try(route, *step.member, uint64_t{0xdeadbeef00}), Ids{Id(rule)});
      EXPECT_EQ(Try(route, *step.member, world_.Destroyed(type)), Ids{Id(rule)});
      EXPECT_EQ(Try(route, *step.member, world_.Handle(other_type, false)), Ids{Id(rule)});
      tried.insert(Id(rule));
    }
  });
  EXPECT_EQ(tried.size(), kValidIds);
}

TEST_F(HandleRulesTest, ForeignHandlesAreToldByTheirOwnId) {
  std::set<std::string> tried;
  ForEachRoute([&](const StructRules& rules, const TrialRoute& route) {
    for (const Step& step : rules.steps) {
      if (!IsHandle(*step.member) || step.parent == kNoRule || step.parent_kind > Ancestor::kDevice) continue;
      SCOPED_TRACE(Id(step.parent));
      EXPECT_EQ(Try(route, *step.member, world_.Handle(TypeOf(*step.member), false)), Ids{});
      EXPECT_EQ(Try(route, *step.member, world_.Handle(TypeOf(*step.member), true)), Ids{Id(step.parent)});
      tried.insert(Id(step.parent));
    }
  });
  EXPECT_EQ(tried.size(), kParentIds);
}

TEST_F(HandleRulesTest, HandlesOfDifferentParentsAreToldByTheirOwnId) {
  std::set<std::string> tried;
  ForEachRoute([&](const StructRules& rules, const TrialRoute& route) {
    // Of the two handles of an update template's create info one is ignored, so there is nothing that could differ.
    if (rules.common_parent == kNoRule ||
        rules.info->structure_type == VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO) {
      return;
    }
    std::vector<const MemberInfo*> members;
    for (const Step& step : rules.steps) {
      if (step.in_common && IsHandle(*step.member)) members.push_back(step.member);
    }
    SCOPED_TRACE(Id(rules.common_parent));
    ASSERT_FALSE(members.empty());
    const MemberInfo* foreign = members.back();
    for (const MemberInfo* member : members) {
      if (rules.common_kind == Ancestor::kInstance && IsOfInstance(TypeOf(*member))) foreign = member;
    }
    const auto set_all = [&](bool one_foreign) {
      TrialCall call(route, world_);
      for (const MemberInfo* member : members) {
        call.SetHandle(*member, world_.Handle(TypeOf(*member), one_foreign && member == foreign));
      }
      return world_.Check(call.command(), call.parameters());
    };
    EXPECT_EQ(set_all(false), Ids{});
    EXPECT_EQ(set_all(true), Ids{Id(rules.common_parent)});
    tried.insert(Id(rules.common_parent));
  });
  EXPECT_EQ(tried.size(), kCommonParentIds);
}

// The ids of objects that are from a pool or a video session, of which each is broken by hand.
TEST_F(HandleRulesTest, ObjectsOfOthersPoolsAreToldByTheirOwnId) {
  ForEachRoute([&](const StructRules& rules, const TrialRoute& route) {
    for (const Step& step : rules.steps) {
      if (!IsHandle(*step.member) || step.parent == kNoRule || step.parent_kind <= Ancestor::kDevice) continue;
      SCOPED_TRACE(Id(step.parent));
      const VkObjectType type = TypeOf(*step.member);
      const std::string_view owner_name = step.parent_kind == Ancestor::kCommandPool      ? "commandPool"
                                          : step.parent_kind == Ancestor::kDescriptorPool ? "descriptorPool"
                                                                                          : "videoSession";
      for (const MemberInfo& owner : rules.info->members) {
        if (owner.name != owner_name) continue;
        for (bool other : {false, true}) {
          Origins::OfVideoSessionParameters().Add(world_.Handle(type, other),
                                                  world_.Handle(VK_OBJECT_TYPE_VIDEO_SESSION_KHR, other));
          TrialCall call(route, world_);
          call.SetHandle(owner, world_.Handle(TypeOf(owner), false));
          call.SetHandle(*step.member, world_.Handle(type, other));
          const Ids ids = world_.Check(call.command(), call.parameters());
          EXPECT_EQ(ids, other ? Ids{Id(step.parent)} : Ids{});
        }
      }
    }
  });
}

// Every id that the registry has for a handle is looked at.
TEST_F(HandleRulesTest, NoRuleIsForgotten) {
  std::set<std::string> known;
  ForEachRoute([&](const StructRules& rules, const TrialRoute&) {
    if (rules.common_parent != kNoRule) known.insert(Id(rules.common_parent));
    for (const Step& step : rules.steps) {
      if (step.parent != kNoRule) known.insert(Id(step.parent));
    }
  });
  int missing = 0;
  for (size_t i = 0; i < vk::kVuidCount; ++i) {
    const vk::VuidInfo rule = vk::GetVuid(vk::VuidIndex{static_cast<uint32_t>(i)});
    if (!rule.id.ends_with("-parent") && !rule.id.ends_with("-commonparent")) continue;
    if (known.contains(std::string(rule.id))) continue;
    ++missing;
  }
  // Two are of structures in the chain of vkExportMetalObjectsEXT, which the driver fills in.
  EXPECT_EQ(missing, 2);
}

}  // namespace
}  // namespace assay::object_lifetimes
