// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/test_cases/sync_test_cases.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/test_cases/sync_test_device.h"
#include "core/test_cases/test_case_list.h"

namespace assay::core {
namespace {

std::string Ids(const SyncTestOptions& options, const std::function<void(SyncDevice&)>& run) {
  SyncTestDevice device(options);
  run(device);
  return absl::StrJoin(device.ids(), ", ");
}

}  // namespace

const std::vector<SyncTestCase>& SyncTestCases() {
  static const std::vector<SyncTestCase>* const all = [] {
    TestCaseList cases;
    AddStageFeatures(cases);
    AddAccessStages(cases);
    AddLayouts(cases);
    AddBarriers(cases);
    AddDependencyCommands(cases);
    AddStageCommands(cases);
    AddSubmissions(cases);
    AddHostCommands(cases);
    AddSubpasses(cases);
    return new std::vector<SyncTestCase>(std::move(cases.all));
  }();
  return *all;
}

std::string RunTestCase(const SyncTestCase& test_case, const std::function<bool(vk::VuidIndex)>& leave_out) {
  SyncTestOptions right = test_case.right_options, wrong = test_case.options;
  wrong.leave_out = leave_out;
  if (const std::string ids = Ids(right, test_case.right); !ids.empty()) return absl::StrCat("right, but gives ", ids);
  const std::string ids = Ids(wrong, test_case.wrong);
  return ids == test_case.id ? std::string() : absl::StrCat("wrong, but gives ", ids);
}

}  // namespace assay::core
