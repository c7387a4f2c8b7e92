// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RESOURCES_IMAGE_SUPPORT_H_
#define ASSAY_CORE_RESOURCES_IMAGE_SUPPORT_H_

#include "core/resources/creation_check.h"
#include "dispatch/dispatch.h"
#include "vk/vulkan.h"

// Private to the package.
namespace assay::core {

// Asks the driver whether it has such images, and compares their limits ("Image Creation Limits"). Asks once, or for
// each DRM format modifier and each type of external memory. The format is not an external one.
void CheckImageSupport(const dispatch::Device& device, const VkImageCreateInfo& info, CreationCheck check);

}  // namespace assay::core

#endif  // ASSAY_CORE_RESOURCES_IMAGE_SUPPORT_H_
