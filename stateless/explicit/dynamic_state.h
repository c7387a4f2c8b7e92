// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_DYNAMIC_STATE_H_
#define ASSAY_STATELESS_EXPLICIT_DYNAMIC_STATE_H_

#include "stateless/implicit/path.h"
#include "stateless/implicit/reports.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/struct_info.h"

// Values of graphics pipelines that dynamic state replaces ("Dynamic State", VkDynamicState). The implementation
// ignores them, so no rule is about them.
namespace assay::stateless {

// Whether the pipeline that where leads through has dynamic state that replaces a member which the rule is about. The
// rule is one of info, the structure at where. False for commands that do not create graphics pipelines. Searches
// lists; to be called only for what would be reported.
bool IsReplacedByDynamicState(const vk::ExplicitRuleInfo& rule, const vk::StructInfo& info, const Step* where,
                              const CheckedCall& call);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_DYNAMIC_STATE_H_
