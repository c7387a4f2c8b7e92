// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of commands that name the layouts of their images, and of secondary command buffers.

#include <cstdint>

#include "core/layouts/image_commands.h"
#include "core/layouts/layout_recorder.h"
#include "core/layouts/layout_rules.h"
#include "core/layouts/tracked_images.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::Items;

template <class C>
void RecordOperands(const C& call, const dispatch::Slot& slot, Report& report) {
  LayoutRecorder recorder(slot, report);
  if (!recorder.is_recording()) return;
  const Location command = report.location();
  for (const ImageOperand& operand : OperandsOf(call)) {
    const state::Image* image = TrackedImage(operand.image);
    if (image == nullptr) continue;
    const Location parameter = operand.parameter.empty() ? command : command.Dot(operand.parameter);
    for (uint32_t i = 0; i < operand.count; ++i) {
      recorder.Access(*image, operand.RangeAt(i), operand.layout, operand.layout, operand.rule,
                      parameter.Dot(operand.member));
    }
  }
}

}  // namespace

void LayoutRules::PreCallValidate(const vk::CmdCopyImage& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyImage2& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdBlitImage& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdBlitImage2& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdResolveImage& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdResolveImage2& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyBufferToImage& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyBufferToImage2& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyImageToBuffer& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyImageToBuffer2& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdClearColorImage& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}
void LayoutRules::PreCallValidate(const vk::CmdClearDepthStencilImage& call, dispatch::Slot& slot, Report& report) {
  RecordOperands(call, slot, report);
}

void LayoutRules::PreCallValidate(const vk::CmdCopyMemoryToImageIndirectNV& call, dispatch::Slot& slot,
                                  Report& report) {
  RecordOperands(call, slot, report);
}

void LayoutRules::PreCallValidate(const vk::CmdExecuteCommands& call, dispatch::Slot& slot, Report& report) {
  LayoutRecorder recorder(slot, report);
  if (!recorder.is_recording()) return;
  const Location command = report.location();
  for (uint32_t i = 0; i < call.commandBufferCount; ++i) {
    const VkCommandBuffer handle = call.pCommandBuffers[i];
    const Location where = command.Dot("pCommandBuffers", i);
    const state::CommandBuffer* secondary = DeviceState::Get(handle);
    const auto* scope = secondary != nullptr ? secondary->Sub<RecordingScope>() : nullptr;
    if (scope == nullptr) continue;
    for (const LayoutRecording::ImageEntries& entries : scope->layouts.images()) recorder.Access(entries, i, where);
  }
}

}  // namespace assay::core
