// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_LAYER_MINIMAL_CHOICES_H_
#define ASSAY_LAYER_MINIMAL_CHOICES_H_

#include <string_view>

#include "vk/struct_info.h"

// Values that a minimal call needs besides those of the implicit rules, where zero would be incorrect.
namespace assay::layer {

// Sets a member that is a number or an image layout, when zero would be incorrect. base is the structure. Other members
// stay as they are.
void ChooseNumber(const vk::MemberInfo& member, void* base);

// Sets the members of a structure, or a command's parameters, whose values must fit each other. name is the structure's
// or the command's.
void ChooseMembers(std::string_view name, void* base);

}  // namespace assay::layer

#endif  // ASSAY_LAYER_MINIMAL_CHOICES_H_
