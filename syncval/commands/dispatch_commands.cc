// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of the commands that run compute shaders.

#include <algorithm>

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

// Whether the program, and all that it accessed before, is alive. What is not, a valid command buffer does not use;
// other validators say so.
bool AreAlive(const state::CommandBuffer& buffer, absl::Span<const RecordedAccess> accesses) {
  const dispatch::HandleTable& handles = dispatch::HandleTable::Get();
  const VkPipeline pipeline = buffer.At(VK_PIPELINE_BIND_POINT_COMPUTE).pipeline;
  if (pipeline != VK_NULL_HANDLE
          ? DeviceState::Get<state::Pipeline>(pipeline) == nullptr
          : DeviceState::Get<state::Shader>(buffer.draw.shader(VK_SHADER_STAGE_COMPUTE_BIT)) == nullptr) {
    return false;
  }
  return std::ranges::all_of(accesses, [&](const RecordedAccess& access) {
    return handles.Find(access.resource_type, access.resource) != nullptr;
  });
}

template <class C>
void CheckDispatch(const C& call, const dispatch::Slot& slot, messages::Report& report) {
  if (call.groupCountX == 0 || call.groupCountY == 0 || call.groupCountZ == 0) return;
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr) return;
  const state::BindPointState& bindings = recording->buffer().At(VK_PIPELINE_BIND_POINT_COMPUTE);
  const ReadOnlyAccessKey key = recording->ReadOnlyKeyOf(bindings);
  if (recording->HasRecordedReads(key)) return;
  const Tag tag = recording->Begin(C::kId);
  AccessCollector collector(*recording);
  const LoggedAccesses* const logged = recording->FindLogged(key);
  if (logged != nullptr && AreAlive(recording->buffer(), recording->AccessesOf(*logged))) {
    recording->AddAgain(*logged);
  } else {
    CollectShader(collector, recording->buffer());
    if (!collector.has_unknown() && !collector.has_shared()) recording->NoteLogged(key, tag);
  }
  const CheckResult result = CheckLast(*recording, tag, report);
  if (result == CheckResult::kSkipped) return;
  // While only reads are recorded, the unknown accesses of the same dispatch again change nothing: no write comes
  // between that they might order.
  if (collector.has_unknown()) recording->NoteUnknownAccess(tag);
  if (result == CheckResult::kInOrder && OnlyReads(recording->AccessesOf(tag)) && !collector.has_late_write())
    recording->NoteRecordedReads(recording->ReadOnlyKeyOf(bindings));
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdDispatch& call, dispatch::Slot& slot, messages::Report& report) {
  CheckDispatch(call, slot, report);
}
void SyncValidator::PreCallValidate(const vk::CmdDispatchBase& call, dispatch::Slot& slot, messages::Report& report) {
  CheckDispatch(call, slot, report);
}
void SyncValidator::PreCallValidate(const vk::CmdDispatchIndirect& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    CollectShader(c, *DeviceState::CommandBufferIn(slot));
    c.AddBuffer(DeviceState::Get<state::Buffer>(call.buffer), call.offset, sizeof(VkDispatchIndirectCommand),
                vk::kSyncDrawIndirectIndirectCommandRead, {"buffer", kNoIndex});
  });
}

}  // namespace assay::syncval
