// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "layer/validators/validators.h"

#include <memory>

#include "dispatch/dispatch.h"
#include "layer/validators/validator_sets.h"
#include "vk/vulkan.h"

namespace assay::layer {

void InstallValidatorFactory() {
  dispatch::SetValidatorFactory({
      .make_instance_validators = [](dispatch::Instance& instance, const VkInstanceCreateInfo&)
          -> std::unique_ptr<dispatch::ValidatorSet> { return MakeInstanceValidators(instance); },
      .make_device_validators = [](dispatch::Device& device, const VkDeviceCreateInfo& info)
          -> std::unique_ptr<dispatch::ValidatorSet> { return MakeDeviceValidators(device, info); },
  });
}

}  // namespace assay::layer
