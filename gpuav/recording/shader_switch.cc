// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/shader_switch.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "dispatch/dispatch.h"
#include "gpuav/pipelines/shader_objects.h"
#include "gpuav/recording/actions.h"
#include "messages/messages.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

}  // namespace

void ShaderSwitch::Begin() {
  points_ = {};
  label_path_ = 0;
  is_label_path_chosen_ = false;
  is_frame_chosen_ = choice_.ChoosesFrame();
  is_queue_chosen_ = choice_.chooses_all_labels() || choice_.ChoosesQueueRegions();
}

void ShaderSwitch::OnBindShaders(VkPipelineBindPoint bind_point) {
  Point& point = PointOf(bind_point);
  point = {.bound = point.bound == Bound::kAsApplication ? Bound::kAsApplication : Bound::kMixed};
}

bool ShaderSwitch::ChoosesPlace() {
  if (!is_frame_chosen_ || is_queue_chosen_) return is_frame_chosen_;
  if (label_path_ != buffer_.label_path()) {
    label_path_ = buffer_.label_path();
    is_label_path_chosen_ = label_path_ != 0 && choice_.ChoosesRegions(buffer_.LabelsOf(label_path_));
  }
  return is_label_path_chosen_;
}

bool ShaderSwitch::ChoosesName(VkPipelineBindPoint point) const {
  const auto chooses = [this](auto handle) {
    return handle != VK_NULL_HANDLE && choice_.ChoosesName(context_.reporter().Name(messages::Object(handle)));
  };
  const VkPipeline pipeline = buffer_.At(point).pipeline;
  if (pipeline != VK_NULL_HANDLE) return chooses(pipeline);
  return std::ranges::any_of(StagesOf(point),
                             [&](VkShaderStageFlagBits stage) { return chooses(buffer_.draw.shader(stage)); });
}

bool ShaderSwitch::Chooses(VkPipelineBindPoint bind_point) {
  if (!ChoosesPlace()) return false;
  if (choice_.chooses_all_names()) return true;
  Point& point = PointOf(bind_point);
  if (!point.knows_name) {
    point.knows_name = true;
    point.is_name_chosen = ChoosesName(bind_point);
  }
  return point.is_name_chosen;
}

void ShaderSwitch::Bind(VkPipelineBindPoint point, VkPipeline pipeline) const {
  CallNext(context_.device(),
           vk::CmdBindPipeline{reinterpret_cast<VkCommandBuffer>(buffer_.handle()), point, pipeline});
}

bool ShaderSwitch::BindShaders(VkPipelineBindPoint point, bool wants_instrumented) const {
  absl::InlinedVector<VkShaderStageFlagBits, 8> stages;
  absl::InlinedVector<VkShaderEXT, 8> shaders;
  bool has_instrumented = wants_instrumented;
  for (const VkShaderStageFlagBits stage : StagesOf(point)) {
    const VkShaderEXT handle = buffer_.draw.shader(stage);
    if (handle == VK_NULL_HANDLE) continue;
    const auto* shader = state::DeviceState::Get<state::Shader>(handle);
    const auto* data = shader != nullptr ? shader->Sub<ShaderObjectData>() : nullptr;
    VkShaderEXT down = VK_NULL_HANDLE;
    // Those of binaries are as they are.
    if (!wants_instrumented && data != nullptr) {
      down = data->GetOriginal();
      has_instrumented |= down == VK_NULL_HANDLE && data->layout() != VK_NULL_HANDLE;
    }
    stages.push_back(stage);
    shaders.push_back(down != VK_NULL_HANDLE ? down : dispatch::DriverHandle(handle));
  }
  CallNext(context_.device(),
           vk::CmdBindShadersEXT{reinterpret_cast<VkCommandBuffer>(buffer_.handle()),
                                 static_cast<uint32_t>(stages.size()), stages.data(), shaders.data()});
  return has_instrumented;
}

bool ShaderSwitch::Prepare(vk::CommandId command, VkPipelineBindPoint bind_point, const BoundShaders& shaders) {
  if (shaders.pipeline != VK_NULL_HANDLE && !shaders.two) return true;
  Point& point = PointOf(bind_point);
  const bool is_pipeline = shaders.pipeline != VK_NULL_HANDLE;
  // The application's pipelines are the original ones, and its shader objects those that are instrumented.
  const auto is_instrumented = [&] { return is_pipeline == (point.bound == Bound::kOther); };
  // Such a command may name the pipeline that is bound, and its memory is for that one.
  const bool wants = (!is_pipeline || !IsGenerating(command)) && Chooses(bind_point);
  if (point.bound != Bound::kMixed && wants == is_instrumented()) return wants;
  if (bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS && buffer_.draw.transform_feedback_is_active()) {
    return is_instrumented();
  }
  point.bound = wants == is_pipeline ? Bound::kOther : Bound::kAsApplication;
  if (!is_pipeline) {
    if (BindShaders(bind_point, wants) == wants) return wants;
    point.bound = Bound::kMixed;
    return true;
  }
  Bind(bind_point, wants ? shaders.two.instrumented : shaders.two.original);
  return wants;
}

void ShaderSwitch::BeforeTransformFeedback() {
  const BoundShaders shaders = FindBoundShaders(context_, buffer_, VK_PIPELINE_BIND_POINT_GRAPHICS);
  if (shaders.layout == VK_NULL_HANDLE) return;
  Prepare(vk::CommandId::kCmdBeginTransformFeedbackEXT, VK_PIPELINE_BIND_POINT_GRAPHICS, shaders);
}

void ShaderSwitch::BindOriginalPipelines() {
  for (const VkPipelineBindPoint bind_point : {VK_PIPELINE_BIND_POINT_GRAPHICS, VK_PIPELINE_BIND_POINT_COMPUTE}) {
    const BoundShaders shaders = FindBoundShaders(context_, buffer_, bind_point);
    Point& point = PointOf(bind_point);
    if (point.bound == Bound::kAsApplication || !shaders.two) continue;
    Bind(bind_point, shaders.two.original);
    point.bound = Bound::kAsApplication;
  }
}

}  // namespace assay::gpuav
