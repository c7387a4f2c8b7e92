// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_COMPLETION_LOST_H_
#define ASSAY_GPUAV_COMPLETION_LOST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dispatch/dispatch.h"
#include "gpuav/markers/markers.h"
#include "gpuav/markers/progress.h"
#include "gpuav/recording/actions.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// What was pending when the device was lost.
namespace assay::gpuav {

// Besides those that say what is complete, commands that may say that the device is lost.
using LossCommands = Commands<vk::AcquireNextImageKHR, vk::AcquireNextImage2KHR, vk::GetEventStatus,
                              vk::GetQueryPoolResults, vk::QueueBindSparse, vk::WaitForPresentKHR>;
template <class C>
concept MayFindLoss = LossCommands::kHas<C>;

struct LostExecution {
  VkCommandBuffer command_buffer = VK_NULL_HANDLE;
  // Null if it is not marked.
  std::shared_ptr<const MarkerLog> markers;
  Progress progress;
  // Whether its shaders have reported something.
  bool has_records = false;
  // How many executions of its recording were pending: they share the markers.
  uint32_t executions = 1;
  // So many of the next ones are secondary command buffers that it executes.
  size_t secondaries = 0;
};

struct LostSubmission {
  VkQueue queue = VK_NULL_HANDLE;
  std::vector<LostExecution> executions;
};

// Gives the executions that have checkpoints their progress.
void ReadCheckpoints(const dispatch::Device& device, std::vector<LostSubmission>& submissions);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_COMPLETION_LOST_H_
