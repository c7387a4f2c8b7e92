// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/trace_text.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "vk/command_info.h"
#include "vk/enum_info.h"

namespace assay::syncval::trace {

std::string NameOf(vk::CommandId id) { return std::string(vk::GetCommandInfo(id).name); }

std::string StagesText(VkPipelineStageFlags2 stages) {
  return vk::FlagsToString(vk::EnumId::kPipelineStageFlagBits2, stages);
}

std::string AccessText(const RecordedTrace& trace, const TracedAccess& access) {
  const vk::SyncStageAccessInfo& info = vk::SyncStageAccesses()[access.access];
  const bool is_transition = access.access == vk::kSyncImageLayoutTransition;
  const std::string& where = trace.texts[access.where];
  return absl::StrCat(is_transition   ? "changes the layout of "
                      : info.is_write ? "writes "
                                      : "reads ",
                      access.is_possible_read ? "part of " : "", where, where.empty() ? "" : " of ",
                      trace.resources[access.resource].name,
                      is_transition ? std::string() : absl::StrCat(" (", info.name, ")"));
}

std::string QueueText(const TracedQueue& queue) {
  std::vector<const char*> can;
  if ((queue.flags & VK_QUEUE_GRAPHICS_BIT) != 0) can.push_back("graphics");
  if ((queue.flags & VK_QUEUE_COMPUTE_BIT) != 0) can.push_back("compute");
  if ((queue.flags & VK_QUEUE_TRANSFER_BIT) != 0) can.push_back("transfer");
  return absl::StrCat(queue.name, ", family ", queue.family, " (", absl::StrJoin(can, ", "), ")");
}

std::string BatchText(const TracedBatch& batch) {
  return absl::StrCat(NameOf(batch.command), "() ", batch.point.serial);
}

std::string DroppedText(const Timeline& timeline) {
  if (timeline.dropped_batches() == 0) return "";
  return absl::StrCat("The first ", timeline.dropped_batches(), " submissions with ", timeline.dropped_commands(),
                      " commands are not kept: syncval_trace_limit is ", timeline.limit(), ".");
}

}  // namespace assay::syncval::trace
