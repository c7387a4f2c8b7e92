// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_ROUTE_H_
#define ASSAY_STATELESS_TEST_CASES_ROUTE_H_

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "stateless/implicit/program.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"

// Test-only: how the interpreter gets from some command to each structure.
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

// What the step leads to.
const vk::StructInfo& StructOf(const RouteStep& step);

struct Route {
  const vk::CommandInfo* command = nullptr;
  std::vector<RouteStep> steps;

  // The structure in whose chain the last step's structure is; that must be chained.
  const vk::StructInfo& Head() const;
};

// The shortest route to every structure, in each of the ways that make a difference to what is checked.
class Routes {
 public:
  explicit Routes(const Programs& programs);

  // Null when the interpreter never gets there so.
  const Route* To(const vk::StructInfo& structure, bool chained, bool output) const;

 private:
  using Key = std::tuple<const vk::StructInfo*, bool, bool>;
  std::map<Key, Route> routes_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_ROUTE_H_
