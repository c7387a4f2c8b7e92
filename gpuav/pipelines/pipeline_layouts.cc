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

absl::Span<const VkDescriptorSetLayout> SetsOf(const VkPipelineLayoutCreateInfo& info) {
  return absl::MakeSpan(info.pSetLayouts, info.setLayoutCount);
}

}  // namespace

LayoutData::~LayoutData() {
  if (!context_.has_device()) return;
  const dispatch::Device& device = context_.device();
  dispatch::CallNext(device, vk::DestroyPipelineLayout{device.handle, layout_, nullptr});
}

bool PipelineLayouts::HasRoom(absl::Span<const VkDescriptorSetLayout> sets) const {
  if (reserved_.layout() == VK_NULL_HANDLE || sets.size() > context_.reserved_set()) return false;
  return std::ranges::none_of(sets, [](VkDescriptorSetLayout set) {
    const auto* layout = state::DeviceState::Get<state::DescriptorSetLayout>(set);
    return layout != nullptr && IsForDescriptorBuffers(*layout);
  });
}

void PipelineLayouts::AddReservedSet(const VkDescriptorSetLayout*& sets, uint32_t& count,
                                     dispatch::Rewriter& rewriter) const {
  const uint32_t reserved = context_.reserved_set();
  VkDescriptorSetLayout* const all = rewriter.Extend(sets, count, reserved + 1);
  std::fill(all + count, all + reserved, reserved_.empty_layout());
  all[reserved] = reserved_.layout();
  count = reserved + 1;
}

void PipelineLayouts::Rewrite(const vk::CreatePipelineLayout& call, vk::CreatePipelineLayout& down,
                              dispatch::Rewriter& rewriter) {
  // We destroy the layout, maybe after the application's callbacks are gone.
  down.pAllocator = nullptr;
  if (!HasRoom(SetsOf(*call.pCreateInfo))) return;
  VkPipelineLayoutCreateInfo& info = *rewriter.Copy(down.pCreateInfo);
  AddReservedSet(info.pSetLayouts, info.setLayoutCount, rewriter);
}

void PipelineLayouts::PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  auto* layout = state::DeviceState::Get<state::PipelineLayout>(*call.pPipelineLayout);
  if (layout == nullptr) return;
  layout->Attach(std::make_unique<LayoutData>(context_, dispatch::DriverHandle(*call.pPipelineLayout),
                                              HasRoom(SetsOf(*call.pCreateInfo))));
}

void PipelineLayouts::Rewrite(const vk::DestroyPipelineLayout&, vk::DestroyPipelineLayout& down, dispatch::Rewriter&) {
  // LayoutData destroys it, when no pipeline has it any more.
  down.pipelineLayout = VK_NULL_HANDLE;
  down.pAllocator = nullptr;
}

}  // namespace assay::gpuav
