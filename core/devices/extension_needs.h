// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEVICES_EXTENSION_NEEDS_H_
#define ASSAY_CORE_DEVICES_EXTENSION_NEEDS_H_

#include <cstdint>
#include <span>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/vuid.h"

// Private to the package.
namespace assay::core {

// Reports each extension of the list without extensions that it needs. Only those of the same kind, instance or device,
// must be in the list. What the version includes is as good, and what it lacks is no matter of the list.
void CheckExtensionNeeds(std::span<const char* const> names, const dispatch::ExtensionSet& enabled,
                         uint32_t api_version, vk::VuidIndex id, messages::ObjectRef object,
                         const messages::Location& where, messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_DEVICES_EXTENSION_NEEDS_H_
