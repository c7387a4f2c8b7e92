// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/pipeline_layouts.h"

#include <algorithm>
#include <memory>

namespace assay::gpuav {
namespace {

bool IsForDescriptorBuffers(const state::DescriptorSetLayout& layout) {
  return std::ranges::any_of(layout.bindings(), [](const auto& binding) { return binding.buffer_offset.has_value(); });
}

}  // namespace

LayoutData::~LayoutData() {
  if (!context_.has_device()) return;
  const dispatch::Device& device = context_.device();
  dispatch::CallNext(device, vk::DestroyPipelineLayout{device.handle, layout_, nullptr});
}

bool PipelineLayouts::HasRoom(const VkPipelineLayoutCreateInfo& info) const {
  if (reserved_.layout() == VK_NULL_HANDLE || info.setLayoutCount > context_.reserved_set()) return false;
  for (uint32_t i = 0; i < info.setLayoutCount; ++i) {
    const auto* layout = state::DeviceState::Get<state::DescriptorSetLayout>(info.pSetLayouts[i]);
    if (layout != nullptr && IsForDescriptorBuffers(*layout)) return false;
  }
  return true;
}

void PipelineLayouts::Rewrite(const vk::CreatePipelineLayout& call, vk::CreatePipelineLayout& down,
                              dispatch::Rewriter& rewriter) {
  // We destroy the layout, maybe after the application's callbacks are gone.
  down.pAllocator = nullptr;
  if (!HasRoom(*call.pCreateInfo)) return;
  VkPipelineLayoutCreateInfo& info = *rewriter.Copy(down.pCreateInfo);
  const uint32_t reserved = context_.reserved_set();
  VkDescriptorSetLayout* const sets = rewriter.Extend(info.pSetLayouts, info.setLayoutCount, reserved + 1);
  std::fill(sets + info.setLayoutCount, sets + reserved, reserved_.empty_layout());
  sets[reserved] = reserved_.layout();
  info.setLayoutCount = reserved + 1;
}

void PipelineLayouts::PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  auto* layout = state::DeviceState::Get<state::PipelineLayout>(*call.pPipelineLayout);
  if (layout == nullptr) return;
  layout->Attach(std::make_unique<LayoutData>(context_, dispatch::DriverHandle(*call.pPipelineLayout),
                                              HasRoom(*call.pCreateInfo)));
}

void PipelineLayouts::Rewrite(const vk::DestroyPipelineLayout&, vk::DestroyPipelineLayout& down, dispatch::Rewriter&) {
  // LayoutData destroys it, when no pipeline has it any more.
  down.pipelineLayout = VK_NULL_HANDLE;
  down.pAllocator = nullptr;
}

}  // namespace assay::gpuav
