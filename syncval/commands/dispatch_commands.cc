// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of the commands that run compute shaders.

#include "syncval/commands/check.h"
#include "syncval/commands/shader_accesses.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using state::DeviceState;

// The accesses of the bound compute pipeline or shader object.
void CollectShader(AccessCollector& collector, const state::CommandBuffer& buffer) {
  const state::BindPointState& bindings = buffer.At(VK_PIPELINE_BIND_POINT_COMPUTE);
  if (const auto* pipeline = DeviceState::Get<state::Pipeline>(bindings.pipeline)) {
    for (const state::PipelineStage& stage : pipeline->stages) CollectStage(collector, bindings, stage);
  } else if (const auto* shader = DeviceState::Get<state::Shader>(buffer.draw.shader(VK_SHADER_STAGE_COMPUTE_BIT))) {
    CollectStage(collector, bindings, shader->stage);
  } else {
    collector.AddUnknown();
  }
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
  CollectShader(collector, recording->buffer());
  const CheckResult result = CheckLast(*recording, tag, report);
  if (result == CheckResult::kSkipped) return;
  // While only reads are recorded, the unknown accesses of the same dispatch again change nothing: no write comes
  // between that they might order.
  if (collector.has_unknown()) recording->NoteUnknownAccess(tag);
  if (result == CheckResult::kInOrder && OnlyReads(recording->AccessesOf(tag)))
    recording->NoteRecordedReads(recording->ReadOnlyKeyOf(bindings));
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
    CollectShader(c, *DeviceState::Get(call.commandBuffer));
    c.AddBuffer(DeviceState::Get<state::Buffer>(call.buffer), call.offset, sizeof(VkDispatchIndirectCommand),
                vk::kSyncDrawIndirectIndirectCommandRead, {"buffer", kNoIndex});
  });
}

}  // namespace assay::syncval
