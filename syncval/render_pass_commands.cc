// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Render pass objects. Their subpasses, dependencies and attachments are not modelled: whatever moves from one subpass
// to another is taken to order everything.

#include "syncval/check.h"
#include "syncval/sync_validator.h"

namespace assay::syncval {
namespace {

template <class C>
void ChangeSubpass(const C& call) {
  SyncRecording* const recording = RecordingOf(call.commandBuffer);
  if (recording == nullptr) return;
  recording->OrderEverything();
  recording->BeginInstance(recording->NextTag(), false);
}

}  // namespace

void SyncValidator::PreCallRecord(const vk::CmdBeginRenderPass& call) { ChangeSubpass(call); }
void SyncValidator::PreCallRecord(const vk::CmdBeginRenderPass2& call) { ChangeSubpass(call); }
void SyncValidator::PreCallRecord(const vk::CmdNextSubpass& call) { ChangeSubpass(call); }
void SyncValidator::PreCallRecord(const vk::CmdNextSubpass2& call) { ChangeSubpass(call); }
void SyncValidator::PreCallRecord(const vk::CmdEndRenderPass& call) { ChangeSubpass(call); }
void SyncValidator::PreCallRecord(const vk::CmdEndRenderPass2& call) { ChangeSubpass(call); }

}  // namespace assay::syncval
