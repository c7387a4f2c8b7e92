// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_TEST_CASES_STRUCT_ROUTES_H_
#define ASSAY_OBJECT_LIFETIMES_TEST_CASES_STRUCT_ROUTES_H_

#include <map>
#include <vector>

#include "vk/command_info.h"
#include "vk/struct_info.h"

// Test-only: how a call leads to each structure that the handle check visits.
namespace assay::object_lifetimes {

// From a structure, or a command's parameters, to a structure in it.
struct RouteStep {
  const vk::StructInfo* owner;
  const vk::MemberInfo* member;
  // When the member is pNext.
  const vk::StructInfo* chained = nullptr;
};

struct StructRoute {
  const vk::CommandInfo* command = nullptr;
  std::vector<RouteStep> steps;
};

// The shortest route from some command to every structure that the handle check gets to.
std::map<const vk::StructInfo*, StructRoute> FindRoutes();

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_TEST_CASES_STRUCT_ROUTES_H_
