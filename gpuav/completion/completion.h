// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_COMPLETION_COMPLETION_H_
#define ASSAY_GPUAV_COMPLETION_COMPLETION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "gpuav/completion/image_layouts.h"
#include "gpuav/completion/lost.h"
#include "gpuav/device/context.h"
#include "gpuav/markers/markers.h"
#include "gpuav/parameters/parameter_faults.h"
#include "gpuav/recording/execution_memory.h"
#include "gpuav/recording/recording.h"
#include "spirv_instrument/runtime/host_limit.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// One execution of a recording.
struct Execution {
  // Both are null if nothing in it is instrumented.
  std::shared_ptr<const ActionLog> log;
  std::shared_ptr<ExecutionMemory> memory;
  // Null if it is not marked.
  std::shared_ptr<MarkerLog> markers;
  // So many of the next ones are secondary command buffers that it executes.
  size_t secondaries = 0;
};

// What the shaders of an execution wrote that was not read before.
struct Written {
  std::shared_ptr<const ActionLog> log;
  VkQueue queue = VK_NULL_HANDLE;
  // Copies of the words, of which so many records were read before.
  std::vector<uint32_t> errors;
  std::vector<uint32_t> causes;
  std::vector<uint32_t> output;
  size_t read_errors = 0;
  size_t read_prints = 0;
  // Indices in ActionLog::limited, with notes that were not read before; faults for whose notes there was no room.
  std::vector<std::pair<size_t, spirv_instrument::Note>> notes;
  uint32_t lost_notes = 0;
  bool is_device_lost = false;
  // By index in ActionLog::parameters.
  std::vector<std::pair<size_t, ParameterFault>> parameter_faults;
  std::vector<LayoutFault> layout_faults;
};

// What a look for completion finds.
struct Collected {
  std::vector<Written> written;
  // What was pending, the first time that the device is found to be lost.
  std::optional<std::vector<LostSubmission>> lost;
};

// Knows when executions are complete. Behind each call that submits instrumented shaders, it submits to the same queue
// a barrier that makes what they wrote visible to the host, with a fence of its own. Whenever the application submits,
// waits or asks, it looks which of these are signaled. No queue waits for anything, and the host only where it just
// waited for the same work itself.
//
// A submission counts from before the call until its records are read. Thread-safe.
class Completion {
 public:
  // Semaphores that a call signals, with their values.
  using Signals = std::vector<std::pair<VkSemaphore, uint64_t>>;

  // Whether an acceleration structure had this address when the submission with this number began.
  using HadStructure = std::function<bool(VkDeviceAddress, uint64_t)>;

  // What the notes of images in the causes say that is wrong (FindLayoutFaults).
  using LayoutFaultsOf = std::function<std::vector<LayoutFault>(const ActionLog&, absl::Span<const uint32_t>,
                                                                const state::ExecutionLayouts&)>;

  Completion(Context& context, HadStructure had_structure, LayoutFaultsOf layout_faults_of)
      : context_(context), had_structure_(std::move(had_structure)), layout_faults_of_(std::move(layout_faults_of)) {}
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  // The number of the last submission with instrumented shaders that was begun.
  const std::atomic<uint64_t>& submissions() const { return submissions_; }
  // All submissions up to this number were read.
  uint64_t read_submissions() const;

  // First of all, before anything is looked up for a submission: it counts as not read from here on. AfterSubmit ends
  // it, on the same thread.
  void Begin();
  // Before the call: the memory of the executions is made empty, if nothing uses it. `prepare` is called for each,
  // under the lock of what is pending.
  void BeforeSubmit(std::vector<Execution> executions, absl::FunctionRef<void(const Execution&)> prepare);
  // The layouts of images in an execution with this memory that is submitted, or will be with the call that does so.
  // Returns those of the execution before, which the other function sets again if the call has no effect.
  std::shared_ptr<const state::ExecutionLayouts> SetLayouts(ExecutionMemory& memory,
                                                            std::shared_ptr<const state::ExecutionLayouts> layouts);
  void UndoLayouts(ExecutionMemory& memory, std::shared_ptr<const state::ExecutionLayouts> before);
  // After the call. The queue is still the caller's alone.
  void AfterSubmit(VkQueue queue, VkResult result, VkFence fence, Signals signals);

  // What was written by executions that are complete, or, if the device turns out to be lost, by all.
  Collected Collect();
  // The same after the host waited for these fences, for these semaphores or for everything.
  Collected CollectAfterFences(absl::Span<const VkFence> fences);
  Collected CollectAfterSemaphores(absl::Span<const VkSemaphore> semaphores, absl::Span<const uint64_t> values);
  Collected CollectAll();
  // The same after a command said that the device is lost.
  Collected CollectLost();

  // Destroys everything, before the device goes.
  void Clear();

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  struct Submission {
    uint64_t number = 0;
    VkQueue queue = VK_NULL_HANDLE;
    // Null until AfterSubmit, and if the device was lost there.
    VkFence own_fence = VK_NULL_HANDLE;
    VkFence fence = VK_NULL_HANDLE;
    Signals signals;
    std::vector<Execution> executions;
  };

  // Waits for the submissions that `is_waited_for` holds of, and collects what is complete.
  Collected CollectAfter(absl::FunctionRef<bool(const Submission&)> is_waited_for);
  // Reads a submission that is complete, or lost.
  void Read(Submission& submission, bool is_lost, std::vector<Written>& written) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Reads all submissions of the lost device.
  void ReadLost(Collected& collected) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Adds the notes in the memory that were not read before.
  static void ReadNotes(const ActionLog& log, ExecutionMemory& memory, Written& written);
  static LostSubmission Describe(const Submission& submission);
  VkFence TakeFence() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A command buffer with the barrier; null if there is none to be had.
  VkCommandBuffer BarrierOf(uint32_t queue_family) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  std::vector<LayoutFault> LayoutFaultsIn(const ActionLog& log, ExecutionMemory& memory) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<std::pair<size_t, ParameterFault>> ParameterFaultsOf(const ActionLog& log, uint64_t submission) const;

  Context& context_;
  const HadStructure had_structure_;
  const LayoutFaultsOf layout_faults_of_;
  std::atomic<uint64_t> submissions_{0};
  mutable absl::Mutex mutex_;
  // In the order of their numbers.
  std::vector<Submission> pending_ ABSL_GUARDED_BY(mutex_);
  bool is_device_lost_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_loss_told_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<VkFence> fences_ ABSL_GUARDED_BY(mutex_);
  std::vector<VkFence> free_fences_ ABSL_GUARDED_BY(mutex_);
  struct Barrier {
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
  };
  absl::flat_hash_map<uint32_t, Barrier> barriers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_COMPLETION_COMPLETION_H_
