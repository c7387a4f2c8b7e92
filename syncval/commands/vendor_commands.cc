// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of commands of a single vendor's extensions that copy, decompress and mark memory, and subpass shading.
//
// The specification does not say at which stages VK_NV_copy_memory_indirect reads its parameters, nor at which
// VK_NV_memory_decompression accesses memory. See AccessCollector::AddAtUnknownStage. The addresses and sizes of
// indirect copies are in memory: what they read and write through them is unknown.

#include "syncval/commands/check.h"
#include "syncval/commands/device_address_range.h"
#include "syncval/commands/shader_accesses.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using state::DeviceState;

// The structures with the parameters, of `size` bytes each. The bytes between them may not be read.
template <class C>
void AddParameters(AccessCollector& collector, const DeviceState& state, const C& call, VkDeviceSize size) {
  if (call.copyCount == 0) return;
  DeviceAddressRange(state, call.copyBufferAddress)
      .AddAtUnknownStage(collector, (VkDeviceSize{call.copyCount} - 1) * call.stride + size, vk::kSyncCopyTransferRead,
                         {"copyBufferAddress", kNoIndex});
}

// "The access scope for buffer marker writes falls under the VK_ACCESS_TRANSFER_WRITE_BIT, and the pipeline stages for
// identifying the synchronization scope must include both pipelineStage and VK_PIPELINE_STAGE_TRANSFER_BIT." Markers
// overwrite each other on purpose, and so they count as atomic.
template <class C>
void CheckMarker(const C& call, const dispatch::Slot& slot, messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddBuffer(DeviceState::Get<state::Buffer>(call.dstBuffer), call.dstOffset, sizeof(uint32_t),
                vk::kSyncCopyTransferWrite, {"dstBuffer", kNoIndex, Role::kParameter, OrderingRule::kAtomic});
  });
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdCopyMemoryIndirectNV& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddUnknown();
    AddParameters(c, state_, call, sizeof(VkCopyMemoryIndirectCommandNV));
  });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyMemoryToImageIndirectNV& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddUnknown();
    AddParameters(c, state_, call, sizeof(VkCopyMemoryToImageIndirectCommandNV));
    const auto* image = DeviceState::Get<state::Image>(call.dstImage);
    if (image == nullptr) return;
    const auto subresources = state::Items(call.pImageSubresources, call.copyCount);
    for (uint32_t i = 0; i < subresources.size(); ++i) {
      const VkImageSubresourceLayers& layers = subresources[i];
      state::ByteRanges ranges;
      image->encoder.AppendRanges({layers.aspectMask, layers.mipLevel, 1, layers.baseArrayLayer, layers.layerCount},
                                  ranges);
      c.AddPossibleWrite(*image, ranges, vk::kSyncCopyTransferWrite, {"pImageSubresources", i});
    }
  });
}

void SyncValidator::PreCallValidate(const vk::CmdDecompressMemoryNV& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    const auto regions = state::Items(call.pDecompressMemoryRegions, call.decompressRegionCount);
    for (uint32_t i = 0; i < regions.size(); ++i) {
      const Origin origin{"pDecompressMemoryRegions", i};
      DeviceAddressRange(state_, regions[i].srcAddress)
          .AddAtUnknownStage(c, regions[i].compressedSize, vk::kSyncCopyTransferRead, origin);
      DeviceAddressRange(state_, regions[i].dstAddress)
          .AddAtUnknownStage(c, regions[i].decompressedSize, vk::kSyncCopyTransferWrite, origin);
    }
  });
}
void SyncValidator::PreCallValidate(const vk::CmdDecompressMemoryIndirectCountNV& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddUnknown();
    DeviceAddressRange(state_, call.indirectCommandsCountAddress)
        .AddAtUnknownStage(c, sizeof(uint32_t), vk::kSyncCopyTransferRead, {"indirectCommandsCountAddress", kNoIndex});
  });
}

void SyncValidator::PreCallValidate(const vk::CmdWriteBufferMarkerAMD& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckMarker(call, slot, report);
}
void SyncValidator::PreCallValidate(const vk::CmdWriteBufferMarker2AMD& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckMarker(call, slot, report);
}

void SyncValidator::PreCallValidate(const vk::CmdSubpassShadingHUAWEI& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    const SyncRecording& recording = *RecordingOf(slot);
    const state::CommandBuffer& buffer = recording.buffer();
    const state::BindPointState& bindings = buffer.At(VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI);
    const auto* pipeline = DeviceState::Get<state::Pipeline>(bindings.pipeline);
    if (pipeline == nullptr) return c.AddUnknown();
    const InputAttachments inputs{buffer.rendering, recording.attachments, /*are_in_rasterization_order=*/false,
                                  /*covers_render_area=*/true, recording.context.version()};
    for (const state::PipelineStage& stage : pipeline->stages) CollectStage(c, bindings, stage, &inputs);
  });
}

}  // namespace assay::syncval
