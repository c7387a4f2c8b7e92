// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_CHOICES_COMMAND_CHOICE_H_
#define ASSAY_GPUAV_CHOICES_COMMAND_CHOICE_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "gpuav/choices/frame_ranges.h"
#include "gpuav/choices/patterns.h"
#include "gpuav/device/context.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// Which commands run instrumented shaders, by the settings gpuav_only_pipelines, gpuav_only_labels and
// gpuav_only_frames: those that all of these choose. Thread-safe.
class CommandChoice {
 public:
  explicit CommandChoice(const Context& context);
  CommandChoice(const CommandChoice&) = delete;
  CommandChoice& operator=(const CommandChoice&) = delete;

  // None of the settings is set.
  bool chooses_all() const { return chooses_all_names() && chooses_all_labels() && frames_.empty(); }
  bool chooses_all_names() const { return names_.empty(); }
  bool chooses_all_labels() const { return labels_.empty(); }

  // Of a pipeline or shader object; "" if it has none.
  bool ChoosesName(const std::string& name) const { return chooses_all_names() || names_.Match(name); }
  // The regions that are open, the outermost first: a pattern matches their path, or that of some outer ones.
  bool ChoosesRegions(const std::vector<std::string>& labels) const;
  // Whether it does so for the regions of a queue that are open now.
  bool ChoosesQueueRegions() const;
  // The frame that is now.
  bool ChoosesFrame() const { return frames_.empty() || frames_.Has(ended_frames_.load(std::memory_order_relaxed)); }

  // A call that may open regions of the queue is about to be recorded.
  void OnQueueLabel(VkQueue queue);
  // vkQueuePresentKHR, or a submission, has VkFrameBoundaryEXT or null.
  void OnPresent(const VkFrameBoundaryEXT* boundary);
  void OnSubmit(const VkFrameBoundaryEXT* boundary);

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  void EndFrame(const VkFrameBoundaryEXT* boundary);

  const Context& context_;
  const Patterns names_;
  const Patterns labels_;
  FrameRanges frames_;
  std::atomic<uint64_t> ended_frames_{0};
  mutable absl::Mutex mutex_;
  // Queues that have had labels.
  std::vector<VkQueue> queues_ ABSL_GUARDED_BY(mutex_);
  // Several calls may end one frame.
  std::optional<uint64_t> last_frame_id_ ABSL_GUARDED_BY(mutex_);
};

// Whether each graphics and compute pipeline is there twice, instrumented and as the application made it: where some
// commands run one of them and some the other, and where what the driver made of the pipeline may be saved in binaries.
bool KeepsOriginals(const Context& context, const CommandChoice& choice);
// Whether the latter is so.
bool HasBinaries(const Context& context);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_CHOICES_COMMAND_CHOICE_H_
