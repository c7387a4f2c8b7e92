// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_BOUND_SHADERS_H_
#define ASSAY_GPUAV_RECORDING_BOUND_SHADERS_H_

#include "absl/types/span.h"
#include "gpuav/device/context.h"
#include "gpuav/pipelines/host_decided.h"
#include "gpuav/pipelines/pipeline_layouts.h"
#include "gpuav/pipelines/pipelines.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// What is bound to a bind point, if anything is checked of it.
struct BoundShaders {
  // The driver's, to bind our set with, or to push an address; null if nothing is checked.
  VkPipelineLayout layout = VK_NULL_HANDLE;
  // Without stages if our set is to be bound.
  PushedAddress address;
  // Whether its descriptors are in descriptor buffers.
  bool has_descriptor_buffers = false;
  // Whether our set is the one without a dynamic offset (LayoutData::fixed).
  bool has_fixed_set = false;
  // Whether generated commands may run other pipelines, which are instrumented.
  bool may_be_in_sets = false;
  // Whether a shader is instrumented.
  bool is_instrumented = true;
  // The checks that a pipeline leaves to the host; null if there are none.
  HostDecided* host = nullptr;
  // Null with shader objects, and for other bind points.
  const state::GraphicsState* graphics = nullptr;
  // Whether vertex attributes may be fetched from outside of their buffer.
  bool has_robust_vertex_inputs = false;
  // The application's; null with shader objects.
  VkPipeline pipeline = VK_NULL_HANDLE;
  // The driver's two, if there are two.
  PipelineData::Two two;
};

// The stages whose shader objects are bound to a bind point.
absl::Span<const VkShaderStageFlagBits> StagesOf(VkPipelineBindPoint point);

// A pipeline, or shader objects.
BoundShaders FindBoundShaders(const Context& context, const state::CommandBuffer& buffer, VkPipelineBindPoint point);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_BOUND_SHADERS_H_
