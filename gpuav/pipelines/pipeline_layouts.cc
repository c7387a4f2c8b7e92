// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/pipeline_layouts.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "gpuav/choices/command_choice.h"
#include "gpuav/pipelines/bind_points.h"
#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

// LayoutData::fixed() of what a call of this thread makes, from the call down to PostCallRecord.
thread_local VkPipelineLayout made_fixed = VK_NULL_HANDLE;

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
  for (VkPipelineLayout layout : {layout_, facts_.original, facts_.fixed}) {
    if (layout != VK_NULL_HANDLE) CallNext(device, vk::DestroyPipelineLayout{device.handle, layout, nullptr});
  }
}

VkPipelineLayout OriginalLayout(VkPipelineLayout layout) {
  const auto* state = state::DeviceState::Get<state::PipelineLayout>(layout);
  const LayoutData* data = state != nullptr ? state->Sub<LayoutData>() : nullptr;
  return data != nullptr ? data->original() : VK_NULL_HANDLE;
}

bool MayBeInExecutionSets(const Context& context, VkPipelineBindPoint point) {
  const dispatch::Device& device = context.device();
  if (!device.HasFeature(vk::FeatureId::kDeviceGeneratedCommands)) return false;
  return point == VK_PIPELINE_BIND_POINT_COMPUTE ||
         (point == VK_PIPELINE_BIND_POINT_GRAPHICS && !device.HasFeature(vk::FeatureId::kGraphicsPipelineLibrary));
}

VkPipelineLayout ExecutionSetLayout(const Context& context, VkPipelineLayout layout, VkPipelineBindPoint point) {
  const auto* state = state::DeviceState::Get<state::PipelineLayout>(layout);
  const LayoutData* data = state != nullptr ? state->Sub<LayoutData>() : nullptr;
  if (data == nullptr) return VK_NULL_HANDLE;
  if (data->original() != VK_NULL_HANDLE) return data->original();
  return MayBeInExecutionSets(context, point) ? data->fixed() : VK_NULL_HANDLE;
}

bool PipelineLayouts::HasRoom(absl::Span<const VkDescriptorSetLayout> sets) const {
  return is_active() && WayOf(sets) == ShaderWay::kReservedSet;
}

ShaderWay PipelineLayouts::WayOf(absl::Span<const VkDescriptorSetLayout> sets) const {
  const bool has_descriptor_buffers = std::ranges::any_of(sets, [](VkDescriptorSetLayout set) {
    const auto* layout = state::DeviceState::Get<state::DescriptorSetLayout>(set);
    return layout != nullptr && IsForDescriptorBuffers(*layout);
  });
  if (has_descriptor_buffers) return ShaderWay::kDescriptorBuffers;
  return sets.size() > context_.reserved_set() ? ShaderWay::kPushedAddress : ShaderWay::kReservedSet;
}

void PipelineLayouts::AddReservedSet(const VkDescriptorSetLayout*& sets, uint32_t& count,
                                     dispatch::Rewriter& rewriter) const {
  AddSet(reserved_.layout(), sets, count, rewriter);
}

void PipelineLayouts::AddSet(VkDescriptorSetLayout ours, const VkDescriptorSetLayout*& sets, uint32_t& count,
                             dispatch::Rewriter& rewriter) const {
  const uint32_t reserved = context_.reserved_set();
  VkDescriptorSetLayout* const all = rewriter.Extend(sets, count, reserved + 1);
  std::fill(all + count, all + reserved, reserved_.empty_layout());
  all[reserved] = ours;
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
  made_fixed = VK_NULL_HANDLE;
  if (!has_room || fixed_.layout() == VK_NULL_HANDLE) return;
  rewriter.AfterCall([this, &info](VkResult result) {
    if (result != VK_SUCCESS) return;
    std::vector<VkDescriptorSetLayout> sets(info.pSetLayouts, info.pSetLayouts + info.setLayoutCount);
    sets[context_.reserved_set()] = fixed_.layout();
    VkPipelineLayoutCreateInfo other = info;
    other.pSetLayouts = sets.data();
    made_fixed = Make(other);
  });
}

void PipelineLayouts::PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result) {
  const VkPipelineLayout fixed = std::exchange(made_fixed, VK_NULL_HANDLE);
  if (result != VK_SUCCESS) return;
  auto* layout = state::DeviceState::Get<state::PipelineLayout>(*call.pPipelineLayout);
  if (layout == nullptr) return;
  const VkPipelineLayoutCreateInfo& info = *call.pCreateInfo;
  const auto ranges = RangesOf(info);
  const bool has_room = HasRoom(SetsOf(info));
  LayoutData::Facts facts = {
      .original = has_room && HasBinaries(context_) ? MakeOriginal(info) : VkPipelineLayout{VK_NULL_HANDLE},
      .fixed = fixed,
      .has_reserved_set = has_room,
      .has_independent_sets = (info.flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT) != 0,
      .address = AddressWith(ranges),
      .ranges = std::vector(ranges.begin(), ranges.end()),
      .buffer_layouts = MakeBufferLayouts(SetsOf(info))};
  layout->Attach(
      std::make_unique<LayoutData>(context_, dispatch::DriverHandle(*call.pPipelineLayout), std::move(facts)));
}

std::vector<std::shared_ptr<const BufferLayout>> PipelineLayouts::MakeBufferLayouts(
    absl::Span<const VkDescriptorSetLayout> sets) {
  if (!context_.pushes_addresses() || WayOf(sets) != ShaderWay::kDescriptorBuffers) return {};
  std::vector<std::shared_ptr<const BufferLayout>> layouts;
  for (VkDescriptorSetLayout set : sets) {
    const auto* layout = state::DeviceState::Get<state::DescriptorSetLayout>(set);
    layouts.push_back(layout != nullptr ? MakeBufferLayout(context_.device(), tables_, *layout) : nullptr);
  }
  return layouts;
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
  return Make(down);
}

VkPipelineLayout PipelineLayouts::Make(const VkPipelineLayoutCreateInfo& down) {
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

void PipelineLayouts::Rewrite(const vk::CreateIndirectCommandsLayoutEXT& call,
                              vk::CreateIndirectCommandsLayoutEXT& down, dispatch::Rewriter& rewriter) {
  if (!is_active()) return;
  const VkIndirectCommandsLayoutCreateInfoEXT& info = *call.pCreateInfo;
  const auto tokens = absl::MakeSpan(info.pTokens, info.tokenCount);
  const auto set = std::ranges::find(tokens, VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT,
                                     &VkIndirectCommandsLayoutTokenEXT::type);
  const bool has_set = set != tokens.end();
  // Shader objects of such sets are as the application made them.
  if (has_set && set->data.pExecutionSet->type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT) return;
  VkIndirectCommandsLayoutCreateInfoEXT& copy = *rewriter.Copy(down.pCreateInfo);
  const VkPipelineBindPoint point = BindPointOf(info.shaderStages);
  if (has_set) {
    const VkPipelineLayout layout = ExecutionSetLayout(context_, info.pipelineLayout, point);
    if (layout != VK_NULL_HANDLE) copy.pipelineLayout = layout;
  }
  const auto* given = vk::FindInChain<VkPipelineLayoutCreateInfo>(info.pNext);
  // Where pipelines may be captured, generated commands run those with the application's layouts.
  if (given == nullptr || HasBinaries(context_)) return;
  auto* const own = rewriter.CopyLinked<VkPipelineLayoutCreateInfo>(copy);
  if (own == nullptr) return;
  if (HasRoom(SetsOf(*given))) {
    const bool is_fixed = has_set && MayBeInExecutionSets(context_, point);
    AddSet(is_fixed ? fixed_.layout() : reserved_.layout(), own->pSetLayouts, own->setLayoutCount, rewriter);
  }
  addresses_.AddTo(own->pPushConstantRanges, own->pushConstantRangeCount, rewriter);
}

}  // namespace assay::gpuav
