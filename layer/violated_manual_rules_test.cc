// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The test cases of manual rules (stateless/manual) through the whole layer. They run here once more, and each changed
// structure is part of a call on a device without the feature or extension that allows it. The call is reported under
// the rule's id and does not reach the driver.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "layer/minimal_calls_fixture.h"
#include "stateless/manual/manual_rules_test.h"
#include "stateless/test_cases/route.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"
#include "vk/walk/load_store.h"

namespace assay::layer {
namespace {

// The shortest route to a structure or command.
stateless::Route RouteTo(std::string_view owner) {
  static const stateless::Routes* const routes = new stateless::Routes(stateless::Programs::All());
  if (const auto command = vk::FindCommand(owner)) return {&vk::GetCommandInfo(*command), {}};
  for (const vk::StructInfo& info : vk::Structs()) {
    if (info.name != owner) continue;
    for (const bool chained : {false, true}) {
      if (const stateless::Route* route = routes->To(info, chained, false)) return *route;
    }
  }
  return {};
}

// One call on a device of its own.
class ManualCase : public MinimalCallsFixture {
 public:
  explicit ManualCase(Lacking lacking) : MinimalCallsFixture(true, std::move(lacking)) {}

  void Run(std::string_view owner, const void* changed, std::string_view id) {
    SetUp();
    const stateless::Route route = RouteTo(owner);
    if (route.command == nullptr) {
      ADD_FAILURE() << owner;
    } else {
      ExpectReport(*Prepare(route, changed), id);
    }
    TearDown();
  }

 private:
  void TestBody() override {}

  // The limits that the test cases assume.
  void SetUp() override {
    stateless::TestContext::SetLimits(driver().config().limits);
    MinimalCallsFixture::SetUp();
  }

  // A call with the structure. Handles that it leaves out are those of live objects.
  std::unique_ptr<stateless::MinimalCall> Prepare(const stateless::Route& route, const void* changed) {
    auto call = PrepareAnywhere(route);
    const vk::StructInfo& info = call->target_info();
    char* const target = static_cast<char*>(call->target());
    const std::vector<char> live(target, target + info.size);
    std::memcpy(target, changed, info.size);
    if (info.structure_type != VK_STRUCTURE_TYPE_MAX_ENUM) vk::Store(target, info.structure_type);
    for (const vk::MemberInfo& member : info.members) {
      const bool is_handle = member.kind == vk::MemberKind::kHandle && member.indirection == vk::Indirection::kInline;
      if (is_handle && vk::Load<uint64_t>(target, member.offset) == 0)
        vk::Store(target, member.offset, vk::Load<uint64_t>(live.data(), member.offset));
    }
    return call;
  }
};

class ManualCases : public testing::Environment {
 public:
  void SetUp() override {
    stateless::GetOnCase() = [](std::string_view owner, const void* changed, const std::string& id,
                                const stateless::Allowance& allowed_by) {
      Lacking lacking;
      if (allowed_by.feature.has_value()) lacking.features = {*allowed_by.feature};
      if (allowed_by.extension.has_value()) lacking.extensions = {*allowed_by.extension};
      ManualCase(std::move(lacking)).Run(owner, changed, id);
    };
  }
};
[[maybe_unused]] const testing::Environment* const kManualCases = testing::AddGlobalTestEnvironment(new ManualCases);

}  // namespace
}  // namespace assay::layer
