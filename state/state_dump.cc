// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/state_dump.h"

#include <memory>

#include "dispatch/dispatch.h"

namespace assay::state {

using test::Dump;

// Found by their argument.
void AppendTo(Dump& dump, const QueuePoint& point) { dump.Values(point.queue, point.serial); }
static void AppendTo(Dump& dump, const SignalPoint& signal) {
  dump.Values(signal.point, signal.stages, signal.index, signal.batch.get());
}
static void AppendTo(Dump& dump, const SemaphoreProgress::Signal& signal) { dump.Values(signal.value, signal.signal); }
static void AppendTo(Dump& dump, const QueueProgress::Dependent& dependent) {
  dump.Values(dependent.serial, dependent.after, dependent.first);
}
static void AppendTo(Dump& dump, const std::shared_ptr<SubmittedBatch>& batch) { dump.Values(batch.get()); }
static void AppendTo(Dump& dump, const SwapchainProgress::Image& image) {
  dump.Values(image.image, image.presented, image.after, image.is_acquired);
}
static void AppendTo(Dump& dump, const SwapchainProgress::Present& present) {
  dump.Values(present.id, present.after, present.first_id);
}
static void AppendTo(Dump& dump, const ByteRange& range) { dump.Values(range.begin, range.end); }
static void AppendTo(Dump& dump, const Descriptor& descriptor) {
  dump.Values(descriptor.kind, descriptor.type, descriptor.layout, descriptor.resource, descriptor.offset,
              descriptor.range);
}
static void AppendTo(Dump& dump, const ExecutedSecondary& secondary) {
  dump.Values(secondary.handle, secondary.position, secondary.recording);
}
static void AppendTo(Dump& dump, const BoundSet& set) {
  dump.Values(set.set, set.layout, set.dynamic_offsets, set.pushed.get(), set.key);
}
static void AppendTo(Dump& dump, const DescriptorBufferOffset& offset) {
  dump.Values(offset.layout, offset.buffer, offset.offset, offset.key);
}
static void AppendTo(Dump& dump, const DescriptorBufferBinding& binding) {
  dump.Values(binding.address, binding.buffer, binding.offset);
}

namespace {

void DumpObject(const DeviceMemory& memory, Dump& dump) {
  dump.Values(memory.mapped);
  for (const BoundResource& bound : memory.FindBound({memory.address, memory.address + memory.size}))
    dump.Line("bound", &memory, bound.type, bound.handle, bound.bytes);
}

void DumpObject(const Buffer& buffer, Dump& dump) {
  dump.Values(buffer.address, buffer.memory.get(), buffer.sharing(), buffer.device_address,
              buffer.sparse != nullptr ? buffer.sparse->last_change() : 0);
}

void DumpObject(const Image& image, Dump& dump) {
  dump.Values(image.address, image.memory.get(), image.is_presentable, image.aliases.load(), image.SharedBytes(),
              image.sparse != nullptr ? image.sparse->last_change() : 0);
}

void DumpConstruction(const Construction& construction, Dump& dump) {
  dump.Values(construction.any(), construction.may_be_compactable());
}
void DumpObject(const AccelerationStructure& structure, Dump& dump) {
  dump.Values(structure.device_address);
  DumpConstruction(structure.construction, dump);
}
void DumpObject(const AccelerationStructureNV& structure, Dump& dump) {
  dump.Values(structure.memory.get(), structure.address);
  DumpConstruction(structure.construction, dump);
}
void DumpObject(const Micromap& micromap, Dump& dump) { DumpConstruction(micromap.construction, dump); }

void DumpObject(const QueryPool& pool, Dump& dump) {
  dump.Values(pool.reset.FirstMissing(0, pool.query_count), pool.written.FirstMissing(0, pool.query_count));
}

void DumpObject(const Swapchain& swapchain, Dump& dump) {
  const SwapchainProgress& progress = swapchain.progress;
  dump.Values(swapchain.is_retired, progress.images, progress.is_complete, progress.presents);
}

void DumpObject(const Fence& fence, Dump& dump) {
  const FenceProgress& progress = fence.progress;
  dump.Values(progress.status, progress.points, progress.signaled_by, progress.is_unknown, progress.is_external);
}

void DumpObject(const Semaphore& semaphore, Dump& dump) {
  const SemaphoreProgress& progress = semaphore.progress;
  dump.Values(progress.pending.kind, progress.pending.signals, progress.pending.image.image, progress.pending.waited,
              progress.known_value, progress.value_before_host_signal, progress.signals, progress.merged_points,
              progress.is_external, progress.was_replaced);
}

void DumpObject(const Queue& queue, Dump& dump) {
  const QueueProgress& progress = queue.progress;
  dump.Values(queue.submit_count, progress.submitted, progress.ready, progress.completed, progress.maybe_completed,
              progress.submissions, progress.held, progress.dependents);
}

void DumpObject(const DescriptorSet& set, Dump& dump) { dump.Values(set.contents.descriptors()); }

void DumpObject(const CommandPool& pool, Dump& dump) { dump.Values(pool.command_buffers); }

void DumpObject(const CommandBuffer& buffer, Dump& dump) {
  dump.Values(buffer.recording_state, buffer.command_count, buffer.usage, buffer.wants_layouts, buffer.recording,
              buffer.label_path(), buffer.executed, buffer.descriptor_buffers());
  // Versions and keys change with what they stand for.
  const RenderPassInstance& rendering = buffer.rendering;
  dump.Values(rendering.kind(), rendering.version(), rendering.contents(), rendering.subpass_index(),
              rendering.render_pass(), rendering.framebuffer());
  const DrawState& draw = buffer.draw;
  dump.Values(draw.key(), draw.key_without_input(), draw.vertex_bindings(), draw.index_type(), draw.set_functions(),
              draw.transform_feedback_is_active(), draw.has_graphics_shaders());
  for (VkPipelineBindPoint point : {VK_PIPELINE_BIND_POINT_GRAPHICS, VK_PIPELINE_BIND_POINT_COMPUTE,
                                    VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, VK_PIPELINE_BIND_POINT_MAX_ENUM}) {
    const BindPointState& bound = buffer.At(point);
    dump.Line("bind point", &buffer, point, bound.sets_key, bound.layouts_key, bound.pipeline, bound.sets,
              bound.descriptor_buffer_offsets);
    for (const BoundSet& set : bound.sets) {
      if (set.pushed != nullptr) dump.Line("pushed", set.pushed.get(), set.pushed->descriptors());
    }
  }
}

template <class... T>
void DumpAsOneOf(const Object& object, Dump& dump) {
  const auto dump_as = [&]<class Type>(const Type*) {
    if (object.type() == Type::kType) DumpObject(static_cast<const Type&>(object), dump);
  };
  (dump_as(static_cast<const T*>(nullptr)), ...);
}

}  // namespace

template <class Dump>
void HostVisibleState::DumpTo(Dump& dump) const {
  for (VkEvent event : set_events_) dump.Line("set event", event);
  for (const auto& [handle, pool] : pools_) {
    dump.Line("query pool", handle, pool.size, pool.values, pool.available, pool.verified);
  }
}

void DumpState(const DeviceState& state, Dump& dump) {
  state.InspectPendingBatches([&](const PendingBatches& pending, const HostVisibleState& visible) {
    visible.DumpTo(dump);
    dump.Line("batches", pending.order());
    pending.ForEach([&](const Queue& queue, const PendingBatch& batch) {
      dump.Line("pending batch", &queue, batch.serial, batch.order, batch.command, batch.submission, batch.index,
                batch.fence, batch.timeline, batch.value);
      for (const PendingBatch::Executed& executed : batch.executed) {
        dump.Values(executed.command_buffer, &*executed.recording);
      }
      return true;
    });
  });
  const dispatch::Device& device = state.device();
  for (const dispatch::Slot* slot : dispatch::HandleTable::Get().SlotsOf(&device.instance, &device)) {
    if (slot->state == nullptr) continue;
    const Object& object = *static_cast<const Object*>(slot->state);
    dump.Line("state", object.type(), object.handle(), &object);
    DumpAsOneOf<DeviceMemory, Buffer, Image, AccelerationStructure, AccelerationStructureNV, Micromap, QueryPool,
                Swapchain, Fence, Semaphore, Queue, DescriptorSet, CommandPool, CommandBuffer>(object, dump);
  }
}

}  // namespace assay::state
