// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_DESCRIPTOR_WRITES_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_DESCRIPTOR_WRITES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/runner/resources.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {

// Writes one descriptor, as `element` says: index `array_element` of the binding. Makes the view that it needs.
absl::Status WriteDescriptor(Objects& objects, const Resources& resources, VkDescriptorSet set, uint32_t binding,
                             uint32_t array_element, const Element& element);

// Writes the bytes of an inline uniform block.
absl::Status WriteInlineBlock(Objects& objects, const Resources& resources, VkDescriptorSet set,
                              const BindingDescription& binding);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_DESCRIPTOR_WRITES_H_
