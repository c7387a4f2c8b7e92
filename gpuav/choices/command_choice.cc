// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/choices/command_choice.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "messages/messages.h"
#include "vk/feature_info.h"

namespace assay::gpuav {

CommandChoice::CommandChoice(const Context& context)
    : context_(context),
      names_(context.settings().gpuav_only_pipelines),
      labels_(context.settings().gpuav_only_labels) {
  const std::string& text = context.settings().gpuav_only_frames;
  if (std::optional<FrameRanges> frames = FrameRanges::Parse(text)) {
    frames_ = std::move(*frames);
    return;
  }
  messages::Report report(context.reporter(), vk::CommandId::kCreateDevice);
  report.Deliver({.severity = messages::Severity::kWarning,
                  .id = "ASSAY-malformed-setting",
                  .text = absl::StrCat("The setting gpuav_only_frames has the value \"", messages::EscapeName(text),
                                       "\", which is ignored. Expected are numbers and ranges of frames, such as "
                                       "100-110,200.")});
}

bool CommandChoice::ChoosesRegions(const std::vector<std::string>& labels) const {
  std::string path;
  for (const std::string& label : labels) {
    if (!path.empty()) absl::StrAppend(&path, "::");
    absl::StrAppend(&path, label);
    if (labels_.Match(path)) return true;
  }
  return false;
}

bool CommandChoice::ChoosesQueueRegions() const {
  std::vector<VkQueue> queues;
  {
    absl::MutexLock lock(&mutex_);
    queues = queues_;
  }
  return std::ranges::any_of(queues, [this](VkQueue queue) {
    std::vector<std::string> names;
    for (messages::Label& label : context_.reporter().labels().Get(messages::Object(queue))) {
      names.push_back(std::move(label.name));
    }
    return ChoosesRegions(names);
  });
}

void CommandChoice::OnQueueLabel(VkQueue queue) {
  if (chooses_all_labels()) return;
  absl::MutexLock lock(&mutex_);
  if (std::ranges::find(queues_, queue) == queues_.end()) queues_.push_back(queue);
}

void CommandChoice::OnPresent(const VkFrameBoundaryEXT* boundary) {
  // Without a boundary, to present is to end the frame.
  if (boundary == nullptr || (boundary->flags & VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT) != 0) EndFrame(boundary);
}

void CommandChoice::OnSubmit(const VkFrameBoundaryEXT* boundary) {
  if (boundary != nullptr && (boundary->flags & VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT) != 0) EndFrame(boundary);
}

void CommandChoice::EndFrame(const VkFrameBoundaryEXT* boundary) {
  absl::MutexLock lock(&mutex_);
  if (boundary != nullptr) {
    if (last_frame_id_ == boundary->frameID) return;
    last_frame_id_ = boundary->frameID;
  }
  ended_frames_.fetch_add(1, std::memory_order_relaxed);
}

bool HasBinaries(const Context& context) { return context.device().HasFeature(vk::FeatureId::kPipelineBinaries); }

bool KeepsOriginals(const Context& context, const CommandChoice& choice) {
  return !choice.chooses_all() || HasBinaries(context);
}

}  // namespace assay::gpuav
