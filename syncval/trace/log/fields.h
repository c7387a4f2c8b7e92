// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_LOG_FIELDS_H_
#define ASSAY_SYNCVAL_TRACE_LOG_FIELDS_H_

#include "syncval/trace/log/archive.h"
#include "syncval/trace/recorded/recorded_trace.h"
#include "syncval/trace/timeline/timeline.h"

// The fields of what a log holds, for both archives. RecordedTrace::command_of_tag is left out: it is for validation,
// and no output has it. A change here is a change of kLogVersion.
namespace assay::syncval::trace {

template <class Archive, class T>
using FieldsOf = typename Archive::template Ref<T>;

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, Range> range) {
  archive.Number(range.begin);
  archive.Number(range.end);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, BarrierFlags> flags) {
  archive.Number(flags.src_stages);
  archive.Number(flags.src_access);
  archive.Number(flags.dst_stages);
  archive.Number(flags.dst_access);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, TracedResource> resource) {
  archive.Number(resource.type);
  archive.Number(resource.handle);
  archive.Text(resource.name);
  archive.Text(resource.description);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, TracedAccess> access) {
  Fields(archive, access.range);
  archive.Number(access.resource);
  archive.Number(access.where);
  archive.Number(access.access);
  archive.Number(access.ordering);
  archive.Number(access.is_possible_read);
  archive.Index(access.transition);
  archive.Index(access.subpass);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, TracedBarrier> barrier) {
  archive.Number(barrier.kind);
  archive.Number(barrier.is_event);
  archive.Number(barrier.is_queue_family_ownership_transfer);
  Fields(archive, barrier.flags);
  archive.Index(barrier.resource);
  archive.Number(barrier.index);
  archive.Index(barrier.src_subpass);
  archive.Index(barrier.dst_subpass);
  archive.Number(barrier.is_implicit);
  archive.Number(barrier.old_layout);
  archive.Number(barrier.new_layout);
  archive.Number(barrier.first_range);
  archive.Number(barrier.range_count);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, TracedRegion> region) {
  archive.Number(region.kind);
  archive.Number(region.name);
  archive.Number(region.first_command);
  archive.Number(region.end_command);
  archive.Number(region.depth);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, TracedHazard> hazard) {
  archive.Number(hazard.id);
  archive.Number(hazard.text);
  archive.Number(hazard.fix);
  archive.Number(hazard.command);
  archive.Index(hazard.prior_command);
  archive.Index(hazard.resource);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, RecordedTrace::Executed> executed) {
  archive.Number(executed.command);
  archive.Recording(executed.trace);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, RecordedTrace> trace) {
  const auto number = [&](auto& value) { archive.Number(value); };
  const auto fields = [&](auto& value) { Fields(archive, value); };
  archive.Text(trace.name);
  archive.Number(trace.queue_flags);
  archive.Array(trace.ids, number);
  archive.Array(trace.positions, number);
  archive.Array(trace.first_access, number);
  archive.Array(trace.first_barrier, number);
  archive.Array(trace.unknown, number);
  archive.Array(trace.accesses, fields);
  archive.Array(trace.barriers, fields);
  archive.Array(trace.barrier_ranges, fields);
  archive.Array(trace.regions, fields);
  archive.Array(trace.hazards, fields);
  archive.Array(trace.resources, fields);
  archive.Array(trace.texts, [&](auto& text) { archive.Text(text); });
  archive.Array(trace.executed, fields);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, TracedQueue> queue) {
  archive.Text(queue.name);
  archive.Number(queue.family);
  archive.Number(queue.flags);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, BatchPoint> point) {
  archive.Number(point.queue);
  archive.Number(point.serial);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, TracedWait> wait) {
  archive.Text(wait.semaphore);
  archive.Number(wait.value);
  archive.Number(wait.stages);
  archive.Array(wait.sources, [&](auto& source) { Fields(archive, source); });
  archive.Text(wait.acquired);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, TracedSignal> signal) {
  archive.Text(signal.semaphore);
  archive.Number(signal.value);
  archive.Number(signal.stages);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, CommandPoint> point) {
  Fields(archive, point.batch);
  archive.Index(point.command_buffer);
  archive.Number(point.command);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, TimelineHazard> hazard) {
  archive.Text(hazard.id);
  archive.Text(hazard.text);
  archive.Text(hazard.fix);
  Fields(archive, hazard.at);
  Fields(archive, hazard.prior);
  archive.Text(hazard.resource);
}

template <class Archive>
void Fields(Archive& archive, FieldsOf<Archive, TracedBatch> batch) {
  const auto fields = [&](auto& value) { Fields(archive, value); };
  Fields(archive, batch.point);
  archive.Number(batch.command);
  archive.Number(batch.host_time);
  archive.Array(batch.waits, fields);
  archive.Array(batch.command_buffers, [&](auto& trace) { archive.Recording(trace); });
  archive.Array(batch.signals, fields);
  archive.Array(batch.presents, [&](auto& image) { archive.Text(image); });
}

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_LOG_FIELDS_H_
