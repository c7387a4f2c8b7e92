// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_SHADER_STAGE_ACCESSES_H_
#define ASSAY_SYNCVAL_ACCESSES_SHADER_STAGE_ACCESSES_H_

#include "state/state.h"
#include "vk/sync/sync_info.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// The accesses of a shader through a descriptor. kSyncNone where a descriptor type has no such access, or none to
// tracked memory.
struct ShaderAccesses {
  vk::SyncAccessIndex read = vk::kSyncNone;
  vk::SyncAccessIndex write = vk::kSyncNone;
};

// The accesses of a shader of the stage through a descriptor of the kind.
ShaderAccesses AccessesOfShader(VkShaderStageFlagBits stage, state::ReflectedDescriptor::Kind kind);

// The read of a descriptor in a buffer.
vk::SyncAccessIndex DescriptorBufferReadOf(VkShaderStageFlagBits stage);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_SHADER_STAGE_ACCESSES_H_
