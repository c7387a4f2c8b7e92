// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_SHADER_SWITCH_H_
#define ASSAY_GPUAV_RECORDING_SHADER_SWITCH_H_

#include <array>
#include <cstdint>

#include "gpuav/choices/command_choice.h"
#include "gpuav/device/context.h"
#include "gpuav/recording/bound_shaders.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// Of what is bound in a command buffer, the driver has two: with instrumented shaders, and as the application made it
// (KeepsOriginals). The application's own command binds the original pipeline, or shader objects that are instrumented;
// before an action for which it should be the other, that is bound in its place. The two have the same state, so that
// nothing else changes.
class ShaderSwitch {
 public:
  ShaderSwitch(const Context& context, const CommandChoice& choice, state::CommandBuffer& buffer)
      : context_(context), choice_(choice), buffer_(buffer) {}

  // A recording begins.
  void Begin();
  // The application's command has bound a pipeline, or some of its shader objects.
  void OnBindPipeline(VkPipelineBindPoint point) { PointOf(point) = {}; }
  void OnBindShaders(VkPipelineBindPoint point);
  // What the application's command had bound is bound again.
  void OnBindAgain(VkPipelineBindPoint point) { PointOf(point).bound = Bound::kAsApplication; }

  // Whether the settings choose what is recorded now, by frame and regions; or the next action at the bind point.
  bool ChoosesPlace();
  bool Chooses(VkPipelineBindPoint point);
  // Before an action: binds one or the other, and returns whether it is instrumented. `shaders` are those that the
  // application has bound; one of them is instrumented, or the pipeline has a second one.
  bool Prepare(vk::CommandId command, VkPipelineBindPoint point, const BoundShaders& shaders);
  // Nothing may be bound while transform feedback is active, so that it is done before.
  void BeforeTransformFeedback();
  // The state of the command buffer is about to be read: binds the application's pipelines.
  void BindOriginalPipelines();

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  // What the driver has bound.
  enum class Bound : uint8_t { kAsApplication, kOther, kMixed };
  struct Point {
    Bound bound = Bound::kAsApplication;
    bool knows_name = false;
    bool is_name_chosen = false;
  };

  Point& PointOf(VkPipelineBindPoint point) {
    return points_[point == VK_PIPELINE_BIND_POINT_GRAPHICS ? 0 : point == VK_PIPELINE_BIND_POINT_COMPUTE ? 1 : 2];
  }
  bool ChoosesName(VkPipelineBindPoint point) const;
  void Bind(VkPipelineBindPoint point, VkPipeline pipeline) const;
  // Returns whether any of them is instrumented then: an original that cannot be made is.
  bool BindShaders(VkPipelineBindPoint point, bool wants_instrumented) const;

  const Context& context_;
  const CommandChoice& choice_;
  state::CommandBuffer& buffer_;
  bool is_frame_chosen_ = true;
  // Whether the regions of a queue are chosen, in which the recording began.
  bool is_queue_chosen_ = false;
  // The regions that were looked at last.
  uint32_t label_path_ = 0;
  bool is_label_path_chosen_ = false;
  // Graphics, compute, ray tracing.
  std::array<Point, 3> points_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_SHADER_SWITCH_H_
