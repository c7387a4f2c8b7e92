// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_RESOURCE_ACCESSES_H_
#define ASSAY_CORE_INTERFACES_RESOURCE_ACCESSES_H_

#include <memory>

#include "absl/container/inlined_vector.h"
#include "core/interfaces/shader_interface.h"
#include "core/pipelines/shaders/shader_facts.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::core {

// The interfaces of the shaders of a pipeline, or of a shader object: core_resources of these. They say what commands
// need of descriptors and push constants, and what draws make.
struct ResourceAccesses : state::ObjectSubState {
  struct Stage {
    std::shared_ptr<const ShaderInterface> shader;
    // Whether commands that use the pipeline certainly run it. Of ray tracing pipelines only the ray generation shader
    // does, if there is but one: which of the others run is decided by shader binding tables.
    bool runs;
    // Whether it then certainly accesses an image, a texel buffer or an element of an array.
    bool accesses_images;
  };
  absl::InlinedVector<Stage, 2> stages;
  // Whether one that runs certainly traverses an acceleration structure.
  bool has_traversals = false;
  // Whether a module declares RayQueryKHR.
  bool has_ray_queries = false;
  // Max without a mesh shader, or if it is not known.
  spv::ExecutionModel mesh_model = spv::ExecutionModel::Max;
  // The vertex shader, if it has inputs.
  std::shared_ptr<const ShaderInterface> vertex;
  // Of the fragment shader, whether or not it uses resources; null where there is none, or it is not known.
  std::shared_ptr<const ShaderInterface> fragment;
  // The same, on devices with features whose draws have rules of its code.
  std::shared_ptr<const ShaderFacts> fragment_facts;

  // Shaders without resources and without outputs that draws have rules of are left out.
  void Add(std::shared_ptr<const ShaderInterface> shader, bool runs);
  // Adds those of another, which may be null.
  void Add(const state::ObjectSubState* other);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_RESOURCE_ACCESSES_H_
