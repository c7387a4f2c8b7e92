// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEFERRED_OPERATIONS_DEFERRED_OPERATION_RULES_H_
#define ASSAY_CORE_DEFERRED_OPERATIONS_DEFERRED_OPERATION_RULES_H_

// Whether a deferred operation is complete: before another command is deferred with it, and before it is destroyed.
//
// An application may know of the completion in several ways, and the layer does not see all of them. So the driver is
// asked (vkGetDeferredOperationResultKHR) when such a call comes. Only an operation that a command was deferred with is
// asked for; the dispatch keeps data of it (dispatch/chain/deferred_operations.cc).
//
// The rule of use is one for all commands that may be deferred: VUID-*-deferredOperation-03678.

#include <string_view>
#include <vector>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"
#include "vk/families/vuid_families.h"
#include "vk/vuid.h"

namespace assay::core {

// The ids of the rule that commands share: for the counts of //tools/coverage.
std::vector<vk::VuidIndex> DeferredOperationIds();

// The validator.
class DeferredOperationRules {
 public:
  // `device` must outlive it.
  explicit DeferredOperationRules(const dispatch::Device& device) : device_(device) {}

  template <class C>
    requires requires(const C& call) { call.deferredOperation; }
  void PreCallValidate(const C& call, messages::Report& report) const {
    CheckComplete(call.deferredOperation, vk::FamilyVuid<C>("deferredOperation-03678"), "deferredOperation", report);
  }
  void PreCallValidate(const vk::DestroyDeferredOperationKHR& call, messages::Report& report) const;

 private:
  void CheckComplete(VkDeferredOperationKHR operation, vk::VuidIndex id, std::string_view parameter,
                     messages::Report& report) const;

  const dispatch::Device& device_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DEFERRED_OPERATIONS_DEFERRED_OPERATION_RULES_H_
