// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_SUBMISSION_TEXT_H_
#define ASSAY_SYNCVAL_REPORTS_SUBMISSION_TEXT_H_

#include <string>
#include <string_view>

#include "messages/messages.h"
#include "syncval/queues/submission_hazard.h"
#include "syncval/queues/usage_source.h"
#include "syncval/recording/recording.h"

// Parts of sentences about hazards between submissions, and about the usage sources of their two accesses. Private to
// the package.
namespace assay::syncval {

// Whether nothing orders the two accesses.
bool IsRace(HazardKind kind);

// Whether the access is no command's, so that no pipeline stage does it.
bool IsOutsideCommandBuffers(const UsageSource& source);

// Whether Recording() still has the command with this tag.
bool HasCommand(const UsageSource& source, Tag tag);

// The message's id.
std::string IdOf(const SubmissionHazard& hazard);

// "batch 2 of VkQueue 0x…, vkQueueSubmit2()".
std::string BatchText(const UsageSource& source, const messages::Reporter& reporter);
// "VkCommandBuffer 0x…[upload] (batch 2 of VkQueue 0x…, vkQueueSubmit2())".
std::string SourceText(const UsageSource& source, const messages::Reporter& reporter);
// "command 3, vkCmdPipelineBarrier2(), of VkCommandBuffer 0x…". Requires HasCommand.
std::string CommandText(const UsageSource& source, Tag tag, const messages::Reporter& reporter);
// " in command 3, vkCmdCopyBuffer() in "frame", by pRegions[0] (…)"; empty outside of command buffers. logged may be
// null. `as` goes before the role.
std::string CommandAndAccessText(const UsageSource& source, Tag tag, vk::SyncAccessIndex access,
                                 const RecordedAccess* logged, const messages::Reporter& reporter,
                                 std::string_view as = "");
// "reads"; what the source does to the resource by this access.
std::string_view VerbOfSource(const UsageSource& source, vk::SyncAccessIndex access);

// The member of the submitting call that names the source, if report is of that call; else the report's location.
std::string LocationOf(const UsageSource& source, const messages::Report& report);

// The earlier access as its recording logged it; null where that is unknown.
const RecordedAccess* PriorAccess(const SubmissionHazard& hazard);
// The clause about the earlier access: "which VkCommandBuffer 0x… (batch 1 of …) writes in command 3, …".
std::string PriorText(const SubmissionHazard& hazard, const messages::Reporter& reporter);

// A sentence about what lies between accesses of two queues, or of a queue and the presentation engine.
std::string MissingSemaphoreText(const SubmissionHazard& hazard);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_SUBMISSION_TEXT_H_
