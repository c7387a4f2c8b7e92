// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BINDING_LAYOUT_DIFFERENCE_H_
#define ASSAY_CORE_BINDING_LAYOUT_DIFFERENCE_H_

#include <string>

#include "state/state.h"

namespace assay::core {

// What makes a set layout another than the expected one: "binding 1 has another descriptorType". For layouts that are
// not defined identically.
std::string DifferenceOf(const state::DescriptorSetLayout& set, const state::DescriptorSetLayout& expected);

}  // namespace assay::core

#endif  // ASSAY_CORE_BINDING_LAYOUT_DIFFERENCE_H_
