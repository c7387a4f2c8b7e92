// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/tracer.h"

#include <cerrno>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "syncval/trace/traced_barriers.h"

namespace assay::syncval::trace {

using Region = TracedRegion::Kind;

Tracer::Tracer(state::DeviceState& state, SyncValidator& validator, const std::string& path, uint32_t limit)
    : reporter_(state.device().reporter()),
      file_(TraceFile::Of(path)),
      device_(file_.Begin(Describe(VK_OBJECT_TYPE_DEVICE, reinterpret_cast<uint64_t>(state.device().handle)), limit)) {
  state.AttachToCommandBuffers(CommandTrace::kSlot, [this](state::CommandBuffer& buffer) {
    auto trace = std::make_unique<CommandTrace>(buffer, reporter_);
    if (auto* recording = buffer.Sub<SyncRecording>()) recording->SetTrace(*trace);
    return trace;
  });
  state.AttachToQueues(*this);
  validator.SetSubmissionHazardListener(
      [this](const SubmissionHazard& hazard, const messages::Message& message) { AddHazard(hazard, message); });
  const std::string unwritable = file_.FirstUnwritable();
  if (unwritable.empty()) return;
  const std::string reason = std::strerror(errno);
  messages::Report report(reporter_, vk::CommandId::kCreateDevice);
  messages::Message message;
  message.severity = messages::Severity::kWarning;
  message.type = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  message.id = "ASSAY-syncval-trace-file";
  message.text = absl::StrCat("finds that ", unwritable, ", a file of the trace, cannot be written (", reason, ").");
  report.Deliver(std::move(message));
}

Tracer::~Tracer() { file_.End(device_); }

std::string Tracer::Describe(VkObjectType type, uint64_t handle) const { return reporter_.Describe({type, handle}); }

void Tracer::AddLoggedAccesses(CommandTrace& trace, VkCommandBuffer buffer) {
  const auto* const recording = state::DeviceState::Get(buffer)->Sub<SyncRecording>();
  if (recording == nullptr) return;
  for (uint32_t tag = trace.next_tag(); tag < recording->NextTag().value; ++tag) {
    // The hazards of secondaries are shown in their own recordings.
    const bool is_own = recording->FindExecuted(Tag{tag}) == nullptr;
    trace.AddAccesses(is_own ? recording->AccessesOf(Tag{tag}) : absl::Span<const RecordedAccess>());
  }
}

void Tracer::Skip(CommandTrace& trace, VkCommandBuffer buffer) {
  trace.DropPending();
  const auto* const recording = state::DeviceState::Get(buffer)->Sub<SyncRecording>();
  while (recording != nullptr && trace.next_tag() < recording->NextTag().value) trace.SkipTag();
}

template <class C>
void Tracer::BeginLabel(const C& call, const char* name) {
  if (CommandTrace* trace = TraceOf(call.commandBuffer))
    trace->BeginRegion(Region::kLabel, name != nullptr ? name : "");
}
void Tracer::PreCallRecord(const vk::CmdBeginDebugUtilsLabelEXT& call) {
  BeginLabel(call, call.pLabelInfo != nullptr ? call.pLabelInfo->pLabelName : nullptr);
}
void Tracer::PreCallRecord(const vk::CmdDebugMarkerBeginEXT& call) {
  BeginLabel(call, call.pMarkerInfo != nullptr ? call.pMarkerInfo->pMarkerName : nullptr);
}
void Tracer::PreCallRecord(const vk::CmdEndDebugUtilsLabelEXT& call) {
  if (CommandTrace* trace = TraceOf(call.commandBuffer)) trace->EndRegion(Region::kLabel);
}
void Tracer::PreCallRecord(const vk::CmdDebugMarkerEndEXT& call) {
  if (CommandTrace* trace = TraceOf(call.commandBuffer)) trace->EndRegion(Region::kLabel);
}

void Tracer::PreCallRecord(const vk::CmdBeginRendering& call) {
  if (CommandTrace* trace = TraceOf(call.commandBuffer)) trace->BeginRegion(Region::kRendering, "rendering");
  AddCommand<vk::CmdBeginRendering>(call.commandBuffer);
}
void Tracer::PreCallRecord(const vk::CmdEndRendering& call) {
  if (CommandTrace* trace = AddCommand<vk::CmdEndRendering>(call.commandBuffer)) trace->EndRegion(Region::kRendering);
}

template <class C>
void Tracer::BeginRenderPass(const C& call) {
  CommandTrace* const trace = TraceOf(call.commandBuffer);
  if (trace == nullptr) return;
  const auto handle = call.pRenderPassBegin != nullptr ? call.pRenderPassBegin->renderPass : VkRenderPass{};
  trace->BeginRegion(Region::kRendering, Describe(VK_OBJECT_TYPE_RENDER_PASS, reinterpret_cast<uint64_t>(handle)));
  trace->BeginRegion(Region::kSubpass, "subpass");
  AddCommand<C>(call.commandBuffer);
  if (!trace->BeginRenderPass(state::Ref(state::DeviceState::Get<state::RenderPass>(handle)))) trace->MarkUnknown();
}
template <class C>
void Tracer::NextSubpass(const C& call) {
  CommandTrace* const trace = TraceOf(call.commandBuffer);
  if (trace == nullptr) return;
  trace->EndRegion(Region::kSubpass);
  trace->BeginRegion(Region::kSubpass, "subpass");
  AddCommand<C>(call.commandBuffer);
  if (!trace->NextSubpass()) trace->MarkUnknown();
}
template <class C>
void Tracer::EndRenderPass(const C& call) {
  CommandTrace* const trace = AddCommand<C>(call.commandBuffer);
  if (trace == nullptr) return;
  if (!trace->EndRenderPass()) trace->MarkUnknown();
  trace->EndRegion(Region::kSubpass);
  trace->EndRegion(Region::kRendering);
}
void Tracer::PreCallRecord(const vk::CmdBeginRenderPass& call) { BeginRenderPass(call); }
void Tracer::PreCallRecord(const vk::CmdBeginRenderPass2& call) { BeginRenderPass(call); }
void Tracer::PreCallRecord(const vk::CmdNextSubpass& call) { NextSubpass(call); }
void Tracer::PreCallRecord(const vk::CmdNextSubpass2& call) { NextSubpass(call); }
void Tracer::PreCallRecord(const vk::CmdEndRenderPass& call) { EndRenderPass(call); }
void Tracer::PreCallRecord(const vk::CmdEndRenderPass2& call) { EndRenderPass(call); }

template <class C>
void Tracer::AddBarriers(const C& call, bool is_event) {
  if (CommandTrace* trace = AddCommand<C>(call.commandBuffer)) TraceBarriers(call, is_event, *trace);
}
void Tracer::PreCallRecord(const vk::CmdPipelineBarrier& call) { AddBarriers(call, false); }
void Tracer::PreCallRecord(const vk::CmdPipelineBarrier2& call) { AddBarriers(call, false); }
void Tracer::PreCallRecord(const vk::CmdWaitEvents& call) { AddBarriers(call, true); }
void Tracer::PreCallRecord(const vk::CmdWaitEvents2& call) { AddBarriers(call, true); }

void Tracer::OnBatch(state::SubmittedBatch& batch, uint64_t) {
  absl::MutexLock lock(&mutex_);
  const uint32_t queue = QueueOf(*batch.queue);
  if (traced_.size() <= queue) traced_.resize(queue + 1);
  // It is held again, and becomes ready once more, if the call that had released it was skipped.
  if (batch.serial <= traced_[queue]) return;
  traced_[queue] = batch.serial;
  file_.Add(device_, TraceBatch(batch));
}

uint32_t Tracer::QueueOf(const state::Queue& queue) {
  if (known_queues_.size() <= queue.index) known_queues_.resize(queue.index + 1);
  if (!known_queues_[queue.index]) {
    file_.SetQueue(device_, queue.index, {Describe(state::Queue::kType, queue.handle()), queue.family, queue.flags});
    known_queues_[queue.index] = true;
  }
  return queue.index;
}

namespace {

// The place of a batch, or of a command of it.
CommandPoint PointOf(const UsageSource& source, Tag tag) {
  if (source.queue == nullptr) return {};
  CommandPoint point{.batch = {source.queue->index, source.serial}, .command_buffer = kNone};
  const CommandTrace* const trace = source.Recording() != nullptr ? source.buffer->Sub<CommandTrace>() : nullptr;
  if (trace == nullptr || trace->finished() == nullptr) return point;
  const std::vector<uint32_t>& command_of_tag = trace->finished()->command_of_tag;
  if (tag.value >= command_of_tag.size() || command_of_tag[tag.value] == kNone) return point;
  point.command_buffer = source.index;
  point.command = command_of_tag[tag.value];
  return point;
}

}  // namespace

void Tracer::AddHazard(const SubmissionHazard& hazard, const messages::Message& message) {
  TimelineHazard traced{.id = message.id,
                        .text = message.text,
                        .fix = message.fix,
                        .at = PointOf(hazard.source, hazard.tag),
                        .resource = Describe(hazard.access.resource_type, hazard.access.resource)};
  if (hazard.prior.has_value()) traced.prior = PointOf(*hazard.prior, hazard.prior_tag);
  file_.Add(device_, std::move(traced));
}

TracedBatch Tracer::TraceBatch(const state::SubmittedBatch& batch) {
  TracedBatch traced{.point = {QueueOf(*batch.queue), batch.serial}, .command = batch.command};
  traced.host_time =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin_).count();
  const auto image = [&](VkSwapchainKHR swapchain, uint32_t index) {
    return absl::StrCat("image ", index, " of ",
                        Describe(state::Swapchain::kType, reinterpret_cast<uint64_t>(swapchain)));
  };
  const auto semaphore = [&](VkSemaphore handle) {
    return Describe(state::Semaphore::kType, reinterpret_cast<uint64_t>(handle));
  };
  for (const state::BatchWait& wait : batch.waits) {
    TracedWait& added = traced.waits.emplace_back();
    added = {.semaphore = semaphore(wait.handle), .value = wait.value, .stages = wait.stages};
    for (const state::SignalPoint& signal : wait.source.signals)
      added.sources.push_back({QueueOf(*signal.point.queue), signal.point.serial});
    if (wait.source.kind == state::SignalSource::Kind::kAcquire)
      added.acquired = image(wait.source.image.swapchain, wait.source.image.index);
  }
  for (const state::SubmittedCommandBuffer& buffer : batch.command_buffers) {
    const CommandTrace* const trace = buffer.state ? buffer.state->Sub<CommandTrace>() : nullptr;
    traced.command_buffers.push_back(trace != nullptr ? trace->finished() : nullptr);
  }
  for (const state::BatchSignal& signal : batch.signals)
    traced.signals.push_back({semaphore(signal.handle), signal.value, signal.stages});
  for (const state::PresentedImage& present : batch.presents)
    traced.presents.push_back(image(present.handle, present.index));
  return traced;
}

}  // namespace assay::syncval::trace
