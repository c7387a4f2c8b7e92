// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BINDING_BINDING_IDS_H_
#define ASSAY_CORE_BINDING_BINDING_IDS_H_

#include <vector>

#include "vk/vuid.h"

// Test-only: the ids of rules that several commands that bind or push share.
namespace assay::core {

std::vector<vk::VuidIndex> BindingIds();

}  // namespace assay::core

#endif  // ASSAY_CORE_BINDING_BINDING_IDS_H_
