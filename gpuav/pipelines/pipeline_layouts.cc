// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/pipeline_layouts.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "gpuav/choices/command_choice.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

bool IsForDescriptorBuffers(const state::DescriptorSetLayout& layout) {
  return std::ranges::any_of(layout.bindings(), [](const auto& binding) { return binding.buffer_offset.has_value(); });
}

absl::Span<const VkDescriptorSetLayout> SetsOf(const VkPipelineLayoutCreateInfo& info) {
  return absl::MakeSpan(info.pSetLayouts, info.setLayoutCount);
}

absl::Span<const VkPushConstantRange> RangesOf(const VkPipelineLayoutCreateInfo& info) {
  return absl::MakeSpan(info.pPushConstantRanges, info.pushConstantRangeCount);
}

}  // namespace

LayoutData::~LayoutData() {
  if (!context_.has_device()) return;
  const dispatch::Device& device = context_.device();
  CallNext(device, vk::DestroyPipelineLayout{device.handle, layout_, nullptr});
  if (facts_.original != VK_NULL_HANDLE)
    CallNext(device, vk::DestroyPipelineLayout{device.handle, facts_.original, nullptr});
}

VkPipelineLayout OriginalLayout(VkPipelineLayout layout) {
  const auto* state = state::DeviceState::Get<state::PipelineLayout>(layout);
  const LayoutData* data = state != nullptr ? state->Sub<LayoutData>() : nullptr;
  return data != nullptr ? data->original() : VK_NULL_HANDLE;
}

bool PipelineLayouts::HasRoom(absl::Span<const VkDescriptorSetLayout> sets) const {
  return is_active() && WayOf(sets) == ShaderWay::kReservedSet;
}

ShaderWay PipelineLayouts::WayOf(absl::Span<const VkDescriptorSetLayout> sets) const {
  const bool has_descriptor_buffers = std::ranges::any_of(sets, [](VkDescriptorSetLayout set) {
    const auto* layout = state::DeviceState::Get<state::DescriptorSetLayout>(set);
    return layout != nullptr && IsForDescriptorBuffers(*layout);
  });
  if (has_descriptor_buffers) return ShaderWay::kPushedAddressOnly;
  return sets.size() > context_.reserved_set() ? ShaderWay::kPushedAddress : ShaderWay::kReservedSet;
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
  const bool has_room = HasRoom(SetsOf(*call.pCreateInfo));
  if (!is_active() || (!has_room && !context_.pushes_addresses())) return;
  VkPipelineLayoutCreateInfo& info = *rewriter.Copy(down.pCreateInfo);
  if (has_room) AddReservedSet(info.pSetLayouts, info.setLayoutCount, rewriter);
  addresses_.AddTo(info.pPushConstantRanges, info.pushConstantRangeCount, rewriter);
}

void PipelineLayouts::PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  auto* layout = state::DeviceState::Get<state::PipelineLayout>(*call.pPipelineLayout);
  if (layout == nullptr) return;
  const VkPipelineLayoutCreateInfo& info = *call.pCreateInfo;
  const auto ranges = RangesOf(info);
  const bool has_room = HasRoom(SetsOf(info));
  LayoutData::Facts facts = {
      .original = has_room && HasBinaries(context_) ? MakeOriginal(info) : VkPipelineLayout{VK_NULL_HANDLE},
      .has_reserved_set = has_room,
      .has_independent_sets = (info.flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT) != 0,
      .address = AddressWith(ranges),
      .ranges = std::vector(ranges.begin(), ranges.end())};
  layout->Attach(
      std::make_unique<LayoutData>(context_, dispatch::DriverHandle(*call.pPipelineLayout), std::move(facts)));
}

PushedAddress PipelineLayouts::AddressWith(absl::Span<const VkPushConstantRange> ranges) {
  if (!is_active() || !context_.pushes_addresses()) return {};
  RangesKey key;
  for (const VkPushConstantRange& range : ranges) key.emplace_back(range.stageFlags, range.offset, range.size);
  std::ranges::sort(key);
  absl::MutexLock lock(&mutex_);
  const auto [found, is_new] = ids_.try_emplace(std::move(key), static_cast<uint32_t>(ids_.size() + 1));
  return {addresses_.StagesOf(ranges), found->second};
}

VkPipelineLayout PipelineLayouts::MakeOriginal(const VkPipelineLayoutCreateInfo& info) {
  std::vector<VkDescriptorSetLayout> sets;
  sets.reserve(info.setLayoutCount);
  for (VkDescriptorSetLayout set : SetsOf(info)) sets.push_back(dispatch::DriverHandle(set));
  VkPipelineLayoutCreateInfo down = info;
  down.pSetLayouts = sets.data();
  const dispatch::Device& device = context_.device();
  VkPipelineLayout layout = VK_NULL_HANDLE;
  const VkResult result = CallNext(device, vk::CreatePipelineLayout{device.handle, &down, nullptr, &layout});
  if (result == VK_SUCCESS) return layout;
  context_.Fail(vk::CommandId::kCreatePipelineLayout, "a pipeline layout", result);
  return VK_NULL_HANDLE;
}

void PipelineLayouts::Rewrite(const vk::DestroyPipelineLayout&, vk::DestroyPipelineLayout& down, dispatch::Rewriter&) {
  // LayoutData destroys it, when no pipeline has it any more.
  down.pipelineLayout = VK_NULL_HANDLE;
  down.pAllocator = nullptr;
}

}  // namespace assay::gpuav
