// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/recording/command_buffer.h"

#include <algorithm>

namespace assay::state {

std::vector<std::string> CommandBuffer::LabelsOf(uint32_t path) const {
  std::vector<std::string> labels;
  for (uint32_t node = path; node != 0; node = label_nodes_[node - 1].parent)
    labels.push_back(label_nodes_[node - 1].name);
  std::reverse(labels.begin(), labels.end());
  return labels;
}

void CommandBuffer::PushLabel(std::string name) {
  label_nodes_.push_back({std::move(name), label_path_});
  label_path_ = static_cast<uint32_t>(label_nodes_.size());
}

void CommandBuffer::PopLabel() {
  // The label may have been opened in another command buffer. Then there is no label to close here.
  if (label_path_ != 0) label_path_ = label_nodes_[label_path_ - 1].parent;
}

void CommandBuffer::Reset() {
  const bool is_empty = command_count == 0;
  // It is reset already.
  if (is_empty && recording_state == RecordingState::kInitial) return;
  recording_state = RecordingState::kInitial;
  command_count = 0;
  usage = 0;
  wants_layouts = false;
  executed.clear();
  if (handles != nullptr) handles->Reset();
  label_nodes_.clear();
  label_path_ = 0;
  rendering.Reset();
  // Without commands there are no bindings.
  if (!is_empty) ResetBindings();
  ForEachSub([](CommandBufferSubState& sub) { sub.OnReset(); });
}

std::vector<DescriptorBufferBinding>& CommandBuffer::ReplaceDescriptorBuffers() {
  descriptor_buffers_.clear();
  for (BindPointState& point : bind_points_) point.descriptor_buffer_offsets.clear();
  return descriptor_buffers_;
}

void CommandBuffer::ResetBindings() {
  draw.Reset();
  ReplaceDescriptorBuffers();
  for (BindPointState& point : bind_points_) {
    point.pipeline = VK_NULL_HANDLE;
    point.sets_key = 0;
    point.layouts_key = 0;
    for (BoundSet& set : point.sets) {
      set.set = VK_NULL_HANDLE;
      set.layout = VK_NULL_HANDLE;
      set.key = 0;
      set.pushed.reset();
    }
  }
}

}  // namespace assay::state
