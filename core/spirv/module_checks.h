// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_MODULE_CHECKS_H_
#define ASSAY_CORE_SPIRV_MODULE_CHECKS_H_

#include <string>

#include "core/spirv/module_finding.h"
#include "dispatch/dispatch.h"

namespace assay::core {

// The rules of standalone SPIR-V that SPIRV-Tools' validator does not know, as far as the module alone decides them,
// the device's features and the setting strict. A module that the validator did not find valid may get wrong findings.
// Linear in the size of the module.
void CheckModule(const dispatch::Device& device, ModuleFindings& findings);

// The decorations of textures that instructions of SPV_QCOM_image_processing read. SPIRV-Tools refuses modules without
// them, and names no id; this has it.
void CheckProcessedTextures(ModuleFindings& findings);

// What a module for another API (SpirvRulesOf::kOtherApi) has besides capabilities that Vulkan does not have:
// addressing models, dimensions of images, built-ins. The module may be any that Module::Read accepts.
void CheckForeignModule(ModuleFindings& findings);

// Equal for devices on which a module gets the same findings.
std::string ModuleCheckFeatures(const dispatch::Device& device);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_MODULE_CHECKS_H_
