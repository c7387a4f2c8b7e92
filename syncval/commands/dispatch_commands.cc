// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of the commands that run compute shaders.

#include "syncval/commands/check.h"
#include "syncval/commands/shader_accesses.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using state::DeviceState;

void CollectShader(AccessCollector& collector, const state::BindPointState& bindings) {
  const auto* pipeline = DeviceState::Get<state::Pipeline>(bindings.pipeline);
  // A shader object is bound, or nothing.
  if (pipeline == nullptr) return collector.AddUnknown();
  for (const state::PipelineStage& stage : pipeline->stages) CollectStage(collector, bindings, stage);
}

bool OnlyReads(absl::Span<const RecordedAccess> accesses) {
  for (const RecordedAccess& access : accesses) {
    if (vk::SyncStageAccesses()[access.access].is_write) return false;
  }
  return true;
}

template <class C>
void CheckDispatch(const C& call, messages::Report& report) {
  if (call.groupCountX == 0 || call.groupCountY == 0 || call.groupCountZ == 0) return;
  SyncRecording* const recording = RecordingOf(call.commandBuffer);
  if (recording == nullptr) return;
  const state::BindPointState& bindings = recording->buffer().At(VK_PIPELINE_BIND_POINT_COMPUTE);
  if (recording->HasRecordedReads(recording->ReadOnlyKeyOf(bindings))) return;
  const Tag tag = recording->Begin(C::kId);
  AccessCollector collector(*recording);
  CollectShader(collector, bindings);
  const CheckResult result = CheckLast(*recording, tag, report);
  if (result == CheckResult::kSkipped) return;
  if (collector.has_unknown()) {
    recording->NoteUnknownAccess(tag);
  } else if (result == CheckResult::kInOrder && OnlyReads(recording->AccessesOf(tag))) {
    recording->NoteRecordedReads(recording->ReadOnlyKeyOf(bindings));
  }
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdDispatch& call, messages::Report& report) {
  CheckDispatch(call, report);
}
void SyncValidator::PreCallValidate(const vk::CmdDispatchBase& call, messages::Report& report) {
  CheckDispatch(call, report);
}
void SyncValidator::PreCallValidate(const vk::CmdDispatchIndirect& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) {
    CollectShader(c, DeviceState::Get(call.commandBuffer)->At(VK_PIPELINE_BIND_POINT_COMPUTE));
    c.AddBuffer(DeviceState::Get<state::Buffer>(call.buffer), call.offset, sizeof(VkDispatchIndirectCommand),
                vk::kSyncDrawIndirectIndirectCommandRead, {"buffer", kNoIndex});
  });
}

}  // namespace assay::syncval
