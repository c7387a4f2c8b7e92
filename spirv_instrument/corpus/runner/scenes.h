// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_SCENES_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_SCENES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/runner/objects.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {

// Builds the acceleration structures of a scene, and returns the top-level one. `bytes` are its contents. The device
// must have VK_KHR_acceleration_structure.
absl::StatusOr<VkAccelerationStructureKHR> MakeScene(Objects& objects, const SceneDescription& description,
                                                     absl::Span<const uint8_t> bytes);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_RUNNER_SCENES_H_
