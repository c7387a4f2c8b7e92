// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/copy_rules.h"

namespace assay::core {

CopyRules::CopyRules(const dispatch::Device& device) {
  const auto* const memory = device.physical_device->Find<VkPhysicalDeviceProtectedMemoryProperties>();
  protected_no_fault_ = memory != nullptr && memory->protectedNoFault == VK_TRUE;
}

}  // namespace assay::core
