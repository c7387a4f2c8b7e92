// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_TEST_CASES_TEST_CASE_LIST_H_
#define ASSAY_CORE_TEST_CASES_TEST_CASE_LIST_H_

#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/test_cases/sync_device.h"
#include "core/test_cases/sync_test_cases.h"
#include "core/test_cases/test_calls.h"
#include "vk/vulkan.h"

// Test-only: a list of test cases, and the functions that add to it, each in a file of its subject.
namespace assay::core {

inline constexpr VkPipelineStageFlags2 kHost = VK_PIPELINE_STAGE_2_HOST_BIT;
inline constexpr VkPipelineStageFlags2 kVertex = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
inline constexpr VkPipelineStageFlags2 kFragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;

// Another scope on one side of the dependency.
inline CallMembers WithScope(bool is_src, const SyncScope& scope, int kinds = CallMembers::kImage) {
  CallMembers members = {.kinds = kinds};
  (is_src ? members.src : members.dst) = scope;
  return members;
}

// Collects test cases.
class TestCaseList {
 public:
  std::vector<SyncTestCase> all;

  // id is without "VUID-". The call, which TestCalls makes for its owner, is wrong with these members, and valid with
  // the default ones.
  void Add(std::string_view id, const CallMembers& wrong, const SyncTestOptions& options = {}) {
    AddPair(id, wrong, {}, options);
  }
  void AddAll(std::initializer_list<std::string_view> ids, const CallMembers& wrong) {
    for (const std::string_view id : ids) Add(id, wrong);
  }
  // The call is wrong with the one, and valid with the other.
  void AddPair(std::string_view id, const CallMembers& wrong, const CallMembers& right,
               const SyncTestOptions& options = {}) {
    all.push_back({absl::StrCat("VUID-", id), options, Make(id, wrong), Make(id, right), options});
  }
  // The call is valid with all features, and wrong without the disabled ones.
  void AddDisabled(std::string_view id, const CallMembers& members, std::set<std::string, std::less<>> disabled,
                   SyncTestOptions right = {}) {
    SyncTestOptions options = right;
    options.disabled.merge(disabled);
    all.push_back({absl::StrCat("VUID-", id), options, Make(id, members), Make(id, members), right});
  }

 private:
  static std::function<void(SyncDevice&)> Make(std::string_view id, const CallMembers& members) {
    return [owner = std::string(id.substr(0, id.find('-'))), members](SyncDevice& device) {
      TestCalls(device, members).Run(owner);
    };
  }
};

// One for each rule of the registry's tables (vk/sync/sync_rule_info.h).
void AddStageFeatures(TestCaseList& cases);
void AddAccessStages(TestCaseList& cases);
void AddLayouts(TestCaseList& cases);
// Buffer and image memory barriers.
void AddBarriers(TestCaseList& cases);
// Commands with memory barriers.
void AddDependencyCommands(TestCaseList& cases);
// Commands with a stage mask and no barriers.
void AddStageCommands(TestCaseList& cases);
void AddSubmissions(TestCaseList& cases);
// Events and semaphores at the host.
void AddHostCommands(TestCaseList& cases);
// Subpass dependencies.
void AddSubpasses(TestCaseList& cases);

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_TEST_CASE_LIST_H_
