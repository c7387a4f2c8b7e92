// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_GPUAV_DUMP_H_
#define ASSAY_GPUAV_GPUAV_DUMP_H_

#include "absl/synchronization/mutex.h"
#include "dispatch/dispatch.h"
#include "gpuav/choices/command_choice.h"
#include "gpuav/completion/completion.h"
#include "gpuav/descriptors/address_tables.h"
#include "gpuav/descriptors/image_numbers.h"
#include "gpuav/descriptors/known_descriptors.h"
#include "gpuav/descriptors/set_tables.h"
#include "gpuav/markers/markers.h"
#include "gpuav/parameters/parameter_buffers.h"
#include "gpuav/parameters/structure_addresses.h"
#include "gpuav/pipelines/original_shaders.h"
#include "gpuav/pipelines/pipeline_layouts.h"
#include "gpuav/pipelines/pipelines.h"
#include "gpuav/pipelines/second_pipelines.h"
#include "gpuav/pipelines/shader_objects.h"
#include "gpuav/recording/execution_memory.h"
#include "gpuav/recording/parameter_copies.h"
#include "gpuav/recording/recording.h"
#include "gpuav/recording/reference_replacements.h"
#include "gpuav/recording/shader_switch.h"
#include "gpuav/shaders/shader_registry.h"
#include "gpuav/validator.h"
#include "state/state.h"
#include "testing/dump/dump.h"
#include "vk/vulkan.h"

// For tests: what GPU-assisted validation knows, as text. DumpObject() is for what it knows of one object, by its slot;
// Validator::DumpTo() for the rest.
namespace assay::gpuav {

template <class Dump>
void ShaderRegistry::DumpTo(Dump& dump) const {
  absl::MutexLock lock(&mutex_);
  dump.Line("last shader", last_id_);
  for (const auto& [id, entry] : shaders_) dump.Line("shader", id, entry.shader.module, entry.shader.object);
  for (const Removed& removed : removed_) dump.Line("removed shader", removed.id, removed.submission);
}

template <class Dump>
void Completion::DumpTo(Dump& dump) const {
  absl::MutexLock lock(&mutex_);
  // A number that was given is not given again.
  dump.Line("submissions", is_device_lost_, fences_);
  for (const Submission& submission : pending_) {
    dump.Line("submission", submission.number, submission.queue, submission.own_fence, submission.fence,
              submission.signals.size(), submission.executions.size());
  }
}

template <class Dump>
void StructureAddresses::DumpTo(Dump& dump) const {
  absl::MutexLock lock(&mutex_);
  dump.Line("structures", had_unknown_, table_.is_made());
  for (const auto& [structure, address] : live_) dump.Line("structure", structure, address);
  for (const Destroyed& destroyed : destroyed_)
    dump.Line("destroyed structure", destroyed.address, destroyed.submission);
  for (VkAccelerationStructureKHR structure : unknown_) dump.Line("structure without address", structure);
}

template <class Dump>
void ParameterBuffers::DumpTo(Dump& dump) const {
  absl::MutexLock lock(&mutex_);
  for (VkBuffer buffer : untouched_) dump.Line("untouched buffer", buffer);
}

template <class Dump>
void AddressTables::DumpTo(Dump& dump) {
  absl::MutexLock lock(&mutex_);
  dump.Line("addresses", is_behind_, place_.offset, place_.quads);
  for (const auto& [buffer, range] : ranges_) dump.Line("address", buffer, range.begin, range.size);
  for (const Old& old : old_) dump.Line("old addresses", old.place.offset, old.place.quads, old.submission);
}

template <class Dump>
void ImageNumbers::DumpTo(Dump& dump) const {
  absl::MutexLock lock(&mutex_);
  dump.Line("image numbers", images_.size(), free_.size());
  for (const auto& [view, numbers] : of_view_) dump.Line("numbered view", view, numbers.size());
  for (const Destroyed& destroyed : destroyed_) {
    dump.Line("numbers of a destroyed view", destroyed.numbers.size(), destroyed.submission);
  }
}

template <class Dump>
void KnownDescriptors::DumpTo(Dump& dump) {
  absl::MutexLock lock(&mutex_);
  dump.Line("known descriptors", entries_.size(), accepts_unknown_, old_.size(), views_.size(), images_.size(),
            buffers_.size());
  for (const auto& [key, entry] : entries_) {
    dump.Line("descriptor", key, entry.slot, entry.state.size, entry.state.is_destroyed, entry.views.size(),
              entry.address, entry.is_permanent, entry.is_unchecked);
  }
}

template <class Dump>
void SetData::DumpTo(Dump& dump) {
  absl::MutexLock lock(&mutex_);
  dump.Line("set", offset(), is_behind_.load(), is_all_behind_, destroyed_.load());
  for (const Update& update : updates_) dump.Values(update.binding, update.first, update.count);
}

template <class Dump>
void SecondPipelines::DumpTo(Dump& dump) {
  absl::MutexLock lock(&mutex_);
  for (VkPipeline pipeline : pipelines_) dump.Line("second pipeline", pipeline);
}

template <class Dump>
void Pipelines::DumpTo(Dump& dump) {
  seconds_.DumpTo(dump);
  absl::MutexLock lock(&mutex_);
  for (VkShaderModule module : chosen_) dump.Line("chosen module", module);
}

template <class Dump>
void DriverSetLayouts::DumpTo(Dump& dump) const {
  absl::MutexLock lock(&mutex_);
  for (const auto& [layout, driver] : layouts_) dump.Line("set layout", layout, driver->layout());
}

template <class Dump>
void CommandChoice::DumpTo(Dump& dump) const {
  absl::MutexLock lock(&mutex_);
  dump.Line("choice", ended_frames_.load(), last_frame_id_.value_or(0), queues_);
}

template <class Dump>
void ParameterCopies::DumpTo(Dump& dump) const {
  dump.Line("copies", waiting_.size(), is_conditional_, bytes_, used_);
}

template <class Dump>
void ReferenceReplacements::DumpTo(Dump& dump) const {
  dump.Line("replacements", is_left_alone_, queries_, planned_.size(), bytes_);
}

template <class Dump>
void ShaderSwitch::DumpTo(Dump& dump) const {
  dump.Line("switch", is_frame_chosen_, is_queue_chosen_, label_path_, is_label_path_chosen_);
  for (const Point& point : points_) dump.Values(point.bound, point.knows_name, point.is_name_chosen);
}

template <class Dump>
void RecordingMarkers::DumpTo(Dump& dump) const {
  dump.Line("markers", log_.get(), has_begun_, is_suspended_);
  if (log_ != nullptr) dump.Values(log_->actions.size(), log_->pending);
}

template <class Dump>
void Recording::DumpTo(Dump& dump) const {
  dump.Line("recording", memory_.get(), log_.get(), suspends_, is_suspended_);
  if (log_ != nullptr) {
    dump.Values(log_->actions.size(), log_->sets.size(), log_->parameters.size(), log_->image_notes.size());
  }
  if (memory_ != nullptr)
    dump.Values(memory_->pending, memory_->executions, memory_->was_executed, memory_->layouts.get(),
                memory_->layouts_set);
  for (const Point& point : points_)
    dump.Values(point.sets_key, point.is_known, point.lacks_table, point.first_set, point.set_count);
  copies_.DumpTo(dump);
  replacements_.DumpTo(dump);
  if (switch_) switch_->DumpTo(dump);
  markers_.DumpTo(dump);
}

template <class Dump>
void Validator::DumpTo(Dump& dump) {
  dump.Line("GPU-assisted validation", context_.is_enabled(), sets_.destroyed());
  if (image_numbers_ != nullptr) image_numbers_->DumpTo(dump);
  shaders_.DumpTo(dump);
  completion_.DumpTo(dump);
  structures_.DumpTo(dump);
  addresses_.DumpTo(dump);
  known_.DumpTo(dump);
  buffers_.DumpTo(dump);
  pipelines_.DumpTo(dump);
  shader_objects_.set_layouts().DumpTo(dump);
  commands_.DumpTo(dump);
}

inline void DumpObject(const dispatch::Slot& slot, test::Dump& dump) {
  const uint64_t handle = slot.application_handle;
  switch (slot.type) {
    case VK_OBJECT_TYPE_COMMAND_BUFFER: {
      const auto* buffer = state::DeviceState::Get(reinterpret_cast<VkCommandBuffer>(handle));
      const auto* recording = buffer != nullptr ? buffer->Sub<Recording>() : nullptr;
      if (recording != nullptr) recording->DumpTo(dump);
      break;
    }
    case VK_OBJECT_TYPE_DESCRIPTOR_SET: {
      const auto* set = state::DeviceState::Get<state::DescriptorSet>(reinterpret_cast<VkDescriptorSet>(handle));
      auto* data = set != nullptr ? set->Sub<SetData>() : nullptr;
      if (data != nullptr) data->DumpTo(dump);
      break;
    }
    case VK_OBJECT_TYPE_PIPELINE: {
      const auto* pipeline = state::DeviceState::Get<state::Pipeline>(reinterpret_cast<VkPipeline>(handle));
      const auto* data = pipeline != nullptr ? pipeline->Sub<PipelineData>() : nullptr;
      if (data != nullptr) dump.Line("pipeline", handle, data->shaders().size(), data->two().instrumented);
      break;
    }
    case VK_OBJECT_TYPE_PIPELINE_LAYOUT: {
      const auto* layout = state::DeviceState::Get<state::PipelineLayout>(reinterpret_cast<VkPipelineLayout>(handle));
      const auto* data = layout != nullptr ? layout->Sub<LayoutData>() : nullptr;
      if (data == nullptr) break;
      dump.Line("layout", handle, data->layout(), data->original(), data->fixed(), data->has_reserved_set());
      break;
    }
    case VK_OBJECT_TYPE_SHADER_EXT: {
      const auto* shader = state::DeviceState::Get<state::Shader>(reinterpret_cast<VkShaderEXT>(handle));
      const auto* data = shader != nullptr ? shader->Sub<ShaderObjectData>() : nullptr;
      if (data != nullptr) dump.Line("shader object", handle, data->layout());
      break;
    }
    default:
      break;
  }
}

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_GPUAV_DUMP_H_
