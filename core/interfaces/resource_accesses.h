// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_RESOURCE_ACCESSES_H_
#define ASSAY_CORE_INTERFACES_RESOURCE_ACCESSES_H_

#include <memory>
#include <vector>

#include "core/interfaces/shader_interface.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::core {

// What the shaders of a pipeline, or a shader object, certainly do with their descriptors: core_resources of these.
// Of ray tracing pipelines there is only the ray generation shader, if there is but one: which of the others run is
// decided by shader binding tables.
struct ResourceAccesses : state::ObjectSubState {
  struct Access {
    VkShaderStageFlagBits stage;
    ResourceVariable of;
  };
  std::vector<Access> accesses;
  // Whether one of them is a traversal of an acceleration structure.
  bool has_traversals = false;

  // Adds those of an entry point.
  void Add(const ShaderInterface& interface);
  // Adds those of another, which may be null.
  void Add(const state::ObjectSubState* other);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_RESOURCE_ACCESSES_H_
