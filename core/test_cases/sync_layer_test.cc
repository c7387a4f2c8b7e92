// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The test cases of synchronization rules through the whole layer. The wrong call is reported under the rule's id, and
// the right one is not. Their objects may be wild, since sync_rules_test checks these rules alone. So there may be
// messages under other ids.
//
// There is one device, and one test, for each set of options.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/test_cases/layer_sync_device.h"
#include "core/test_cases/sync_test_cases.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

// Calls on devices with the same options.
struct SyncTestGroup {
  std::string name;
  SyncTestOptions options;
  std::vector<const SyncTestCase*> wrong;
  std::vector<const SyncTestCase*> right;
};
void PrintTo(const SyncTestGroup& group, std::ostream* out) { *out << group.name; }

std::vector<SyncTestGroup> Groups() {
  std::map<std::tuple<std::set<std::string, std::less<>>, uint32_t, VkQueueFlags>, SyncTestGroup> groups;
  const auto group_of = [&](const SyncTestOptions& options) -> SyncTestGroup& {
    SyncTestGroup& group = groups[{options.disabled, options.instance_version, options.unsupported}];
    group.options = options;
    return group;
  };
  for (const SyncTestCase& test_case : SyncTestCases()) {
    group_of(test_case.options).wrong.push_back(&test_case);
    group_of(test_case.right_options).right.push_back(&test_case);
  }
  std::vector<SyncTestGroup> result;
  for (auto& [key, group] : groups) {
    const std::string names = absl::StrJoin(group.options.disabled, "_");
    group.name = absl::StrCat(result.size(), "_without_", names.empty() ? "nothing" : names);
    result.push_back(std::move(group));
  }
  return result;
}

class SyncLayer : public test::ValidationTest, public testing::WithParamInterface<SyncTestGroup> {
 protected:
  test::DeviceOptions Options() override {
    return {.api_version = GetParam().options.instance_version,
            .device_extensions = SyncExtensions(GetParam().options),
            .core_features = false,
            .features = features_.chain(),
            .queue_counts = {2, 2, 2, 2}};
  }
  void SetUp() override {
    driver().config().queue_families = SyncDevice::QueueFamilies(GetParam().options);
    ValidationTest::SetUp();
  }
  // What the calls left behind may be wrong as well.
  void TearDown() override {
    Destroy();
    messages.Take();
    ValidationTest::TearDown();
  }

 private:
  SyncFeatures features_{GetParam().options};
};

TEST_P(SyncLayer, ReportsWrongCalls) {
  LayerSyncDevice calls(*this, messages);
  for (const SyncTestCase* test_case : GetParam().wrong) {
    test_case->wrong(calls);
    messages.ExpectAmong(test_case->id);
  }
}

TEST_P(SyncLayer, IsSilentAboutRightCalls) {
  LayerSyncDevice calls(*this, messages);
  for (const SyncTestCase* test_case : GetParam().right) {
    test_case->right(calls);
    const std::vector<test::Message> received = messages.Take();
    const auto found = std::ranges::find(received, test_case->id, &test::Message::id);
    if (found != received.end()) ADD_FAILURE() << found->text;
  }
}

INSTANTIATE_TEST_SUITE_P(Options, SyncLayer, testing::ValuesIn(Groups()),
                         [](const auto& info) { return info.param.name; });

// The number changes with the registry.
TEST(SyncLayerGroups, HaveTheTestCases) {
  size_t count = 0;
  for (const SyncTestGroup& group : Groups()) count += group.wrong.size();
  EXPECT_GE(count, 740u);
}

}  // namespace
}  // namespace assay::core
