// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/completion/completion.h"

#include <algorithm>

#include "gpuav/markers/progress.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

// What this thread is submitting, from Begin to AfterSubmit: the number, 0 for none, and the executions.
thread_local uint64_t submitting_number = 0;
thread_local std::vector<Execution> submitting;

// The fence is signaled at once; the limit is for drivers that lose it.
constexpr uint64_t kNanoseconds = 2'000'000'000;

std::vector<uint32_t> ToVector(absl::Span<const uint32_t> words) { return {words.begin(), words.end()}; }

// The execution is pending no more.
void Release(const Execution& execution) {
  if (execution.memory != nullptr) --execution.memory->pending;
  if (execution.markers != nullptr) --execution.markers->pending;
}

}  // namespace

uint64_t Completion::read_submissions() const {
  absl::MutexLock lock(&mutex_);
  return pending_.empty() ? submissions_.load(std::memory_order_relaxed) : pending_.front().number - 1;
}

void Completion::Begin() {
  absl::MutexLock lock(&mutex_);
  submitting_number = submissions_.fetch_add(1, std::memory_order_acq_rel) + 1;
  pending_.push_back({.number = submitting_number});
}

void Completion::BeforeSubmit(std::vector<Execution> executions, absl::FunctionRef<void(const Execution&)> prepare) {
  if (!executions.empty()) {
    absl::MutexLock lock(&mutex_);
    for (const Execution& execution : executions) {
      if (execution.markers != nullptr && execution.markers->pending++ == 0) execution.markers->Clear();
      if (execution.memory == nullptr) continue;
      ExecutionMemory& memory = *execution.memory;
      if (memory.pending++ == 0) {
        memory.executions = 0;
        memory.EmptyImageNotes();
        if (memory.has_records()) {
          memory.Empty();
          memory.read_errors = memory.read_prints = 0;
          memory.read_notes.clear();
          memory.read_lost_notes = 0;
        }
      }
      ++memory.executions;
      prepare(execution);
    }
  }
  submitting = std::move(executions);
}

std::shared_ptr<const state::ExecutionLayouts> Completion::SetLayouts(
    ExecutionMemory& memory, std::shared_ptr<const state::ExecutionLayouts> layouts) {
  absl::MutexLock lock(&mutex_);
  ++memory.layouts_set;
  return std::exchange(memory.layouts, std::move(layouts));
}

void Completion::UndoLayouts(ExecutionMemory& memory, std::shared_ptr<const state::ExecutionLayouts> before) {
  absl::MutexLock lock(&mutex_);
  // Otherwise the execution before was read meanwhile.
  if (memory.layouts_set == 0) return;
  --memory.layouts_set;
  memory.layouts = std::move(before);
}

// Executions that overlap share the notes, and each may have found other layouts.
std::vector<LayoutFault> Completion::LayoutFaultsIn(const ActionLog& log, ExecutionMemory& memory) const {
  if (memory.pending != 0) return {};
  const std::shared_ptr<const state::ExecutionLayouts> layouts = std::move(memory.layouts);
  if (std::exchange(memory.layouts_set, 0) != 1 || memory.executions != 1 || layouts == nullptr) return {};
  return layout_faults_of_(log, memory.all_causes(), *layouts);
}

void Completion::AfterSubmit(VkQueue queue, VkResult result, VkFence fence, Signals signals) {
  std::vector<Execution> executions = std::exchange(submitting, {});
  const uint64_t number = std::exchange(submitting_number, 0);
  if (number == 0) return;
  const state::Queue* state = state::DeviceState::Get(queue);
  const dispatch::Device& device = context_.device();
  absl::MutexLock lock(&mutex_);
  const auto begun = std::ranges::find(pending_, number, &Submission::number);
  const auto forget = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    for (const Execution& execution : executions) Release(execution);
    if (begun != pending_.end()) pending_.erase(begun);
  };
  if (begun == pending_.end()) return;
  if (result != VK_SUCCESS || state == nullptr) {
    for (const Execution& execution : executions) {
      if (execution.memory != nullptr) --execution.memory->executions;
    }
    return forget();
  }
  const VkFence own_fence = TakeFence();
  const VkCommandBuffer barrier = BarrierOf(state->family);
  if (own_fence == VK_NULL_HANDLE || barrier == VK_NULL_HANDLE) return forget();
  const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &barrier};
  const VkResult submitted = CallNext(device, vk::QueueSubmit{queue, 1, &info, own_fence});
  if (submitted == VK_ERROR_DEVICE_LOST) is_device_lost_ = true;
  if (submitted != VK_SUCCESS && !is_device_lost_) {
    free_fences_.push_back(own_fence);
    context_.Fail(vk::CommandId::kQueueSubmit, "a submission", submitted);
    return forget();
  }
  *begun = {.number = number,
            .queue = queue,
            .own_fence = submitted == VK_SUCCESS ? own_fence : VK_NULL_HANDLE,
            .fence = fence,
            .signals = std::move(signals),
            .executions = std::move(executions)};
}

Collected Completion::Collect() {
  return CollectAfter([](const Submission&) { return false; });
}

Collected Completion::CollectAfterFences(absl::Span<const VkFence> fences) {
  return CollectAfter([&](const Submission& submission) {
    return submission.fence != VK_NULL_HANDLE && std::ranges::find(fences, submission.fence) != fences.end();
  });
}

Collected Completion::CollectAfterSemaphores(absl::Span<const VkSemaphore> semaphores,
                                             absl::Span<const uint64_t> values) {
  return CollectAfter([&](const Submission& submission) {
    return std::ranges::any_of(submission.signals, [&](const auto& signal) {
      for (size_t i = 0; i < semaphores.size(); ++i) {
        if (semaphores[i] == signal.first && values[i] >= signal.second) return true;
      }
      return false;
    });
  });
}

Collected Completion::CollectAll() {
  return CollectAfter([](const Submission&) { return true; });
}

Collected Completion::CollectLost() {
  {
    absl::MutexLock lock(&mutex_);
    is_device_lost_ = true;
  }
  return Collect();
}

Collected Completion::CollectAfter(absl::FunctionRef<bool(const Submission&)> is_waited_for) {
  Collected collected;
  const dispatch::Device& device = context_.device();
  absl::MutexLock lock(&mutex_);
  std::erase_if(pending_, [&](Submission& submission) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (submission.own_fence == VK_NULL_HANDLE) return false;
    const VkResult result =
        is_waited_for(submission) && !is_device_lost_
            ? CallNext(device, vk::WaitForFences{device.handle, 1, &submission.own_fence, VK_TRUE, kNanoseconds})
            : CallNext(device, vk::GetFenceStatus{device.handle, submission.own_fence});
    if (result == VK_ERROR_DEVICE_LOST) is_device_lost_ = true;
    if (result != VK_SUCCESS) return false;
    Read(submission, false, collected.written);
    return true;
  });
  if (is_device_lost_) ReadLost(collected);
  return collected;
}

std::vector<std::pair<size_t, ParameterFault>> Completion::ParameterFaultsOf(const ActionLog& log,
                                                                             uint64_t submission) const {
  std::vector<std::pair<size_t, ParameterFault>> faults;
  const auto has_structure = [this, submission](uint64_t address) { return had_structure_(address, submission); };
  for (size_t i = 0; i < log.parameters.size(); ++i) {
    for (ParameterFault& fault : log.parameters[i].Find(has_structure)) faults.emplace_back(i, std::move(fault));
  }
  return faults;
}

void Completion::ReadLost(Collected& collected) {
  // Another thread is about to submit what has no queue yet.
  if (!std::exchange(is_loss_told_, true)) {
    std::vector<LostSubmission>& lost = collected.lost.emplace();
    for (const Submission& submission : pending_) {
      if (submission.queue != VK_NULL_HANDLE) lost.push_back(Describe(submission));
    }
    ReadCheckpoints(context_.device(), lost);
  }
  std::erase_if(pending_, [&](Submission& submission) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (submission.queue == VK_NULL_HANDLE) return false;
    Read(submission, true, collected.written);
    return true;
  });
}

LostSubmission Completion::Describe(const Submission& submission) {
  LostSubmission lost = {.queue = submission.queue, .executions = {}};
  for (const Execution& execution : submission.executions) {
    const MarkerLog* const markers = execution.markers.get();
    const ExecutionMemory* const memory = execution.memory.get();
    lost.executions.push_back({
        .command_buffer = markers != nullptr ? markers->command_buffer : execution.log->command_buffer,
        .markers = execution.markers,
        .progress = markers != nullptr ? ProgressOf(*markers) : Progress(),
        .has_records = memory != nullptr && memory->has_records(),
        .executions = markers != nullptr ? markers->pending : memory->pending,
        .secondaries = execution.secondaries,
    });
  }
  return lost;
}

void Completion::Read(Submission& submission, bool is_lost, std::vector<Written>& written) {
  for (const Execution& execution : submission.executions) {
    Release(execution);
    if (execution.memory == nullptr) continue;
    ExecutionMemory& memory = *execution.memory;
    // Another execution may be copying parameters to the same words. When the device is lost, they may be those of an
    // earlier one.
    std::vector<std::pair<size_t, ParameterFault>> parameter_faults;
    if (memory.pending == 0 && !(is_lost && memory.was_executed)) {
      parameter_faults = ParameterFaultsOf(*execution.log, submission.number);
    }
    memory.was_executed = true;
    std::vector<LayoutFault> layout_faults =
        is_lost ? std::vector<LayoutFault>() : LayoutFaultsIn(*execution.log, memory);
    const bool has_records = memory.has_records();
    if (!has_records && parameter_faults.empty() && layout_faults.empty()) continue;
    written.push_back({.log = execution.log,
                       .queue = submission.queue,
                       .is_device_lost = is_lost,
                       .parameter_faults = std::move(parameter_faults),
                       .layout_faults = std::move(layout_faults)});
    if (!has_records) continue;
    const ExecutionMemory::Records records = memory.CountRecords();
    Written& one = written.back();
    if (records.has_notes) ReadNotes(*execution.log, memory, one);
    if (records.errors == memory.read_errors && records.prints == memory.read_prints && !records.has_lost) continue;
    one.errors = ToVector(memory.errors());
    one.causes = ToVector(memory.causes());
    one.output = ToVector(memory.output());
    one.read_errors = memory.read_errors;
    one.read_prints = memory.read_prints;
    memory.read_errors = records.errors;
    memory.read_prints = records.prints;
  }
  if (submission.own_fence != VK_NULL_HANDLE) free_fences_.push_back(submission.own_fence);
}

void Completion::ReadNotes(const ActionLog& log, ExecutionMemory& memory, Written& written) {
  using spirv_instrument::kNoteWords;
  using spirv_instrument::Note;
  const absl::Span<const uint32_t> causes = memory.causes();
  for (size_t i = 0; i < log.limited.size(); ++i) {
    const LimitedAction& action = log.limited[i];
    for (const Note& note : spirv_instrument::ReadNotes(causes, action.first_note, action.note_count)) {
      const uint32_t word = action.first_note + static_cast<uint32_t>(note.check) * kNoteWords;
      if (memory.read_notes.insert(word).second) written.notes.emplace_back(i, note);
    }
  }
  uint32_t lost = 0;
  for (const Note& note :
       spirv_instrument::ReadNotes(causes, ExecutionMemory::lost_notes(), spirv_instrument::kMaxNotes, true)) {
    lost += note.count;
  }
  written.lost_notes = lost - std::exchange(memory.read_lost_notes, lost);
}

VkFence Completion::TakeFence() {
  const dispatch::Device& device = context_.device();
  VkFence fence = VK_NULL_HANDLE;
  if (!free_fences_.empty()) {
    fence = free_fences_.back();
    free_fences_.pop_back();
    CallNext(device, vk::ResetFences{device.handle, 1, &fence});
    return fence;
  }
  const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  const VkResult result = CallNext(device, vk::CreateFence{device.handle, &info, nullptr, &fence});
  if (result != VK_SUCCESS) {
    context_.Fail(vk::CommandId::kCreateFence, "a fence", result);
    return VK_NULL_HANDLE;
  }
  fences_.push_back(fence);
  return fence;
}

VkCommandBuffer Completion::BarrierOf(uint32_t queue_family) {
  Barrier& barrier = barriers_[queue_family];
  if (barrier.command_buffer != VK_NULL_HANDLE) return barrier.command_buffer;
  const dispatch::Device& device = context_.device();
  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                             .queueFamilyIndex = queue_family};
  VkResult result = CallNext(device, vk::CreateCommandPool{device.handle, &pool_info, nullptr, &barrier.pool});
  VkCommandBuffer command_buffer = VK_NULL_HANDLE;
  if (result == VK_SUCCESS) {
    const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = barrier.pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    result = dispatch::AllocateInternalCommandBuffers(device, info, &command_buffer);
  }
  if (result == VK_SUCCESS) {
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
    result = CallNext(device, vk::BeginCommandBuffer{command_buffer, &info});
    const VkMemoryBarrier memory_barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                            .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                            .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    CallNext(device, vk::CmdPipelineBarrier{command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                            VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory_barrier, 0, nullptr, 0, nullptr});
    if (result == VK_SUCCESS) result = CallNext(device, vk::EndCommandBuffer{command_buffer});
  }
  if (result != VK_SUCCESS) {
    context_.Fail(vk::CommandId::kCreateCommandPool, "a command buffer", result);
    return VK_NULL_HANDLE;
  }
  barrier.command_buffer = command_buffer;
  return command_buffer;
}

void Completion::Clear() {
  const dispatch::Device& device = context_.device();
  absl::MutexLock lock(&mutex_);
  pending_.clear();
  for (VkFence fence : fences_) CallNext(device, vk::DestroyFence{device.handle, fence, nullptr});
  fences_.clear();
  free_fences_.clear();
  for (const auto& [family, barrier] : barriers_) {
    CallNext(device, vk::DestroyCommandPool{device.handle, barrier.pool, nullptr});
  }
  barriers_.clear();
}

}  // namespace assay::gpuav
