// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/test_cases/handle_rule_test_cases.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "object_lifetimes/handles/origins.h"
#include "object_lifetimes/test_cases/test_call.h"

namespace assay::object_lifetimes {
namespace {

using vk::MemberInfo;

constexpr uint64_t kGarbage = 0xdeadbeef00;

bool IsHandle(const MemberInfo& member) {
  return member.kind == vk::MemberKind::kHandle || member.kind == vk::MemberKind::kTypedHandle;
}

VkObjectType TypeOf(const MemberInfo& member) {
  return member.kind == vk::MemberKind::kHandle ? vk::Handles()[member.type].object_type : VK_OBJECT_TYPE_EVENT;
}

// Whether the member may be an array of two.
bool IsArray(const MemberInfo& member) {
  return member.indirection == vk::Indirection::kPointer && member.length_member >= 0;
}

// One of the two handles of an update template's create info is ignored, so the two cannot differ.
bool CanDiffer(const StructRules& rules) {
  return rules.info->structure_type != VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
}

void AddRules(const StructRules& rules, const StructRoute& route, std::vector<HandleRule>* all) {
  for (const Step& step : rules.steps) {
    if (!IsHandle(*step.member)) continue;
    const vk::VuidIndex valid = HandleRules::All().ValidRule(step, route.command->id);
    if (valid != vk::kNoVuid) all->push_back({valid, HandleRuleKind::kValid, route, &rules, &step});
    if (step.parent == vk::kNoVuid) continue;
    const bool by_device = step.parent_kind <= Ancestor::kDevice;
    all->push_back({step.parent, by_device ? HandleRuleKind::kParent : HandleRuleKind::kOwner, route, &rules, &step});
  }
  if (rules.common_parent != vk::kNoVuid && CanDiffer(rules))
    all->push_back({rules.common_parent, HandleRuleKind::kCommonParent, route, &rules, nullptr});
}

// The test of one rule.
class HandleRuleTestCase {
 public:
  HandleRuleTestCase(TestObjects& objects, const HandleRule& rule) : objects_(objects), rule_(rule) {}

  std::string Run() {
    switch (rule_.kind) {
      case HandleRuleKind::kValid:
        TestValid();
        break;
      case HandleRuleKind::kParent:
        TestHandles({Good()}, false);
        TestHandles({objects_.Handle(Type(), true)}, true);
        break;
      case HandleRuleKind::kOwner:
        TestOwner();
        break;
      case HandleRuleKind::kCommonParent:
        TestCommonParent();
        break;
    }
    return wrong_;
  }

 private:
  VkObjectType Type() const { return TypeOf(*rule_.step->member); }
  uint64_t Good() const { return objects_.Handle(Type(), false); }

  void Expect(const TestCall& call, bool broken) {
    const std::vector<std::string> ids = objects_.Check(call.command(), call.parameters());
    const std::vector<std::string> own = {std::string(vk::GetVuid(rule_.vuid).id)};
    if (!wrong_.empty() || ids == (broken ? own : std::vector<std::string>{})) return;
    wrong_ = absl::StrCat(rule_.route.command->name, broken ? " broken gives " : " right gives ",
                          ids.empty() ? "nothing" : absl::StrJoin(ids, ", "));
  }

  void TestHandles(const std::vector<uint64_t>& handles, bool broken) {
    TestCall call(rule_.route, objects_);
    const MemberInfo& member = *rule_.step->member;
    if (member.kind == vk::MemberKind::kTypedHandle) call.SetSelector(member, VK_OBJECT_TYPE_EVENT);
    call.SetHandles(member, handles);
    Expect(call, broken);
  }

  void TestValid() {
    const VkObjectType other_type = Type() == VK_OBJECT_TYPE_BUFFER ? VK_OBJECT_TYPE_IMAGE : VK_OBJECT_TYPE_BUFFER;
    TestHandles({Good()}, false);
    const ExplicitHandleRule* explicit_rule = rule_.step->explicit_rule;
    TestHandles({0}, explicit_rule != nullptr && explicit_rule->forbids_null);
    for (uint64_t wrong : {kGarbage, objects_.Destroyed(Type()), objects_.Handle(other_type, false)}) {
      TestHandles({wrong}, true);
      if (IsArray(*rule_.step->member)) TestHandles({Good(), wrong}, true);
    }
  }

  void TestOwner() {
    const std::string_view name = rule_.step->parent_kind == Ancestor::kCommandPool      ? "commandPool"
                                  : rule_.step->parent_kind == Ancestor::kDescriptorPool ? "descriptorPool"
                                                                                         : "videoSession";
    const auto& members = rule_.owner->info->members;
    const auto owner = std::ranges::find(members, name, &MemberInfo::name);
    if (owner == members.end()) {
      wrong_ = absl::StrCat("has no ", name);
      return;
    }
    for (bool other : {false, true}) {
      const uint64_t handle = objects_.Handle(Type(), other);
      Origins::OfVideoSessionParameters().Add(handle, objects_.Handle(VK_OBJECT_TYPE_VIDEO_SESSION_KHR, other));
      TestCall call(rule_.route, objects_);
      call.SetHandle(*owner, objects_.Handle(TypeOf(*owner), false));
      call.SetHandle(*rule_.step->member, handle);
      Expect(call, other);
      Origins::OfVideoSessionParameters().Remove(handle);
    }
  }

  void TestCommonParent() {
    std::vector<const MemberInfo*> members;
    for (const Step& step : rule_.owner->steps) {
      if (step.in_common && IsHandle(*step.member)) members.push_back(step.member);
    }
    const bool of_instance = rule_.owner->common_kind == Ancestor::kInstance;
    TestMembers(members, nullptr);
    bool any = false;
    for (const MemberInfo* foreign : members) {
      // All devices of the test objects are from one instance.
      if (of_instance && !IsOfInstance(TypeOf(*foreign))) continue;
      TestMembers(members, foreign);
      any = true;
    }
    if (!any) wrong_ = "names no member that could be of another parent";
  }

  void TestMembers(const std::vector<const MemberInfo*>& members, const MemberInfo* foreign) {
    TestCall call(rule_.route, objects_);
    for (const MemberInfo* member : members)
      call.SetHandle(*member, objects_.Handle(TypeOf(*member), member == foreign));
    Expect(call, foreign != nullptr);
  }

  TestObjects& objects_;
  const HandleRule& rule_;
  std::string wrong_;
};

}  // namespace

std::vector<HandleRule> HandleRulesOfRegistry() {
  std::vector<HandleRule> rules;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (command.dispatch != vk::DispatchLevel::kGlobal)
      AddRules(HandleRules::All().Of(command.id).parameters, {&command, {}}, &rules);
  }
  for (const auto& [info, route] : FindRoutes()) AddRules(HandleRules::All().Of(*info), route, &rules);
  return rules;
}

std::string TestHandleRule(TestObjects& objects, const HandleRule& rule) {
  return HandleRuleTestCase(objects, rule).Run();
}

}  // namespace assay::object_lifetimes
