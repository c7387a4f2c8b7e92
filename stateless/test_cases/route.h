// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_ROUTE_H_
#define ASSAY_STATELESS_TEST_CASES_ROUTE_H_

#include <map>
#include <tuple>
#include <vector>

#include "stateless/implicit/program.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"

// Test-only: the routes by which the interpreter gets from commands to structures.
namespace assay::stateless {

// From a structure, or a command's parameters, to a structure in it.
struct RouteStep {
  const vk::StructInfo* owner;
  const vk::MemberInfo* member;
  // When the member is a union.
  const vk::MemberInfo* alternative = nullptr;
  // When the member is pNext.
  const vk::StructInfo* chained = nullptr;
};

// The structure that the step leads to.
const vk::StructInfo& StructOf(const RouteStep& step);

struct Route {
  const vk::CommandInfo* command = nullptr;
  std::vector<RouteStep> steps;

  // The head of the chain that has the last step's structure, which must be chained.
  const vk::StructInfo& Head() const;
};

// The shortest route to every structure, for each combination that changes the checks.
class Routes {
 public:
  explicit Routes(const Programs& programs);

  // Null if the interpreter never reaches the structure that way.
  const Route* To(const vk::StructInfo& structure, bool chained, bool output) const;

 private:
  using Key = std::tuple<const vk::StructInfo*, bool, bool>;
  std::map<Key, Route> routes_;
};

// Routes over all rules, so that a rule that is left out still has its test.
const Routes& AllRoutes();

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_ROUTE_H_
