// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_SHADERS_SHADER_WAY_H_
#define ASSAY_GPUAV_SHADERS_SHADER_WAY_H_

#include <cstddef>
#include <cstdint>

namespace assay::gpuav {

// How an instrumented shader reaches our memory, and what it may check there.
enum class ShaderWay : uint8_t {
  // By the reserved descriptor set.
  kReservedSet,
  // By the address of the action block, which is in push constants.
  kPushedAddress,
  // The same; its descriptors are in descriptor buffers, and are looked up by their bytes.
  kDescriptorBuffers,
};
inline constexpr size_t kShaderWays = 3;

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_SHADERS_SHADER_WAY_H_
