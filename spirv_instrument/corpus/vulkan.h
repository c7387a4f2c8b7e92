// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_VULKAN_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_VULKAN_H_

// Vulkan's types, with the same macros as testing/ has. This package knows no Vulkan, and so does not use vk/; only
// what runs shaders does.

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#ifndef VK_ENABLE_BETA_EXTENSIONS
#define VK_ENABLE_BETA_EXTENSIONS
#endif

#include <vulkan/vulkan_core.h>

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_VULKAN_H_
