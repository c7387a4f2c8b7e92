// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/shader_objects.h"

#include <algorithm>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "gpuav/pipelines/stages.h"
#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

// What a call of this thread has made, from the call down to PostCallRecord.
thread_local std::vector<ShaderObjects::Made> made_shaders;

// Shaders that device-generated commands may bind, and flags that we do not know of, stay as they are.
constexpr VkShaderCreateFlagsEXT kKnownFlags =
    VK_SHADER_CREATE_LINK_STAGE_BIT_EXT | VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT |
    VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT | VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT |
    VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT | VK_SHADER_CREATE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_EXT |
    VK_SHADER_CREATE_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT;

// A structure that we do not know of may give set layouts another meaning.
bool IsChainKnown(const void* chain) {
  for (const auto* link = static_cast<const VkBaseInStructure*>(chain); link != nullptr; link = link->pNext) {
    if (link->sType != VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO &&
        link->sType != VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT) {
      return false;
    }
  }
  return true;
}

absl::Span<const VkDescriptorSetLayout> SetsOf(const VkShaderCreateInfoEXT& info) {
  return absl::MakeSpan(info.pSetLayouts, info.setLayoutCount);
}

absl::Span<const uint32_t> WordsOf(const VkShaderCreateInfoEXT& info) {
  return absl::MakeSpan(static_cast<const uint32_t*>(info.pCode), info.codeSize / sizeof(uint32_t));
}

bool IsLinked(const VkShaderCreateInfoEXT& info) { return (info.flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT) != 0; }

}  // namespace

ShaderObjectLayout::~ShaderObjectLayout() {
  if (!context_.has_device()) return;
  const dispatch::Device& device = context_.device();
  CallNext(device, vk::DestroyPipelineLayout{device.handle, layout_, nullptr});
}

bool ShaderObjects::IsKnown(const VkShaderCreateInfoEXT& info) const {
  if (info.codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT || info.pCode == nullptr) return false;
  if ((info.flags & ~kKnownFlags) != 0 || !IsChainKnown(info.pNext)) return false;
  if (info.setLayoutCount == 0) return true;
  return info.pSetLayouts != nullptr &&
         std::ranges::all_of(SetsOf(info), [&](auto layout) { return set_layouts_.Find(layout) != nullptr; });
}

ShaderWay ShaderObjects::WayOf(const VkShaderCreateInfoEXT& info) const {
  // Maybe between others that have their descriptors in descriptor buffers, whose offsets a set of ours would disturb.
  if (info.setLayoutCount == 0 && context_.device().HasFeature(vk::FeatureId::kDescriptorBuffer)) {
    return ShaderWay::kDescriptorBuffers;
  }
  return layouts_.WayOf(SetsOf(info));
}

std::unique_ptr<const ShaderObjectLayout> ShaderObjects::MakeLayout(const VkShaderCreateInfoEXT& down) {
  const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                           .setLayoutCount = down.setLayoutCount,
                                           .pSetLayouts = down.pSetLayouts,
                                           .pushConstantRangeCount = down.pushConstantRangeCount,
                                           .pPushConstantRanges = down.pPushConstantRanges};
  const dispatch::Device& device = context_.device();
  VkPipelineLayout layout = VK_NULL_HANDLE;
  const VkResult result = CallNext(device, vk::CreatePipelineLayout{device.handle, &info, nullptr, &layout});
  if (result == VK_SUCCESS) return std::make_unique<ShaderObjectLayout>(context_, layout);
  context_.Fail(vk::CommandId::kCreatePipelineLayout, "a pipeline layout", result);
  return nullptr;
}

void ShaderObjects::Instrument(const VkShaderCreateInfoEXT& info, VkShaderCreateInfoEXT& down, Made& made) {
  if (!context_.is_enabled() || !stages_.Has(info.stage)) return;
  const ShaderWay way = WayOf(info);
  PushedAddress address;
  if (way != ShaderWay::kReservedSet) {
    address = layouts_.AddressWith(absl::MakeSpan(info.pPushConstantRanges, info.pushConstantRangeCount));
    if ((address.stages & info.stage) == 0) return;
  }
  if (context_.settings().gpuav_select_instrumented_shaders && !IsChosen(info.pNext)) return;
  if (!choice_.Chooses("", info.pName, made.code->words())) return;
  const std::shared_ptr<const InstrumentedWords> instrumented = instrumenter_.Instrument(made.code, way, {});
  if (instrumented == nullptr) return;
  made.layout = MakeLayout(down);
  if (made.layout == nullptr) return;
  made.address = address;
  made.way = way;
  made.id = registry_.NewId();
  made.words = instrumented->WithId(made.id);
  down.codeSize = made.words.size() * sizeof(uint32_t);
  down.pCode = made.words.data();
}

void ShaderObjects::Rewrite(const vk::CreateShadersEXT& call, vk::CreateShadersEXT& down,
                            dispatch::Rewriter& rewriter) {
  if (!layouts_.is_active()) return;
  auto made = std::make_shared<std::vector<Made>>(call.createInfoCount);
  auto* const infos = rewriter.Copy(down.pCreateInfos, call.createInfoCount);
  const auto all = absl::MakeSpan(call.pCreateInfos, call.createInfoCount);
  // Those that are linked are all changed, or none.
  const bool is_left_out =
      std::ranges::any_of(all, [&](const VkShaderCreateInfoEXT& info) { return IsLinked(info) && !IsChanged(info); });
  for (size_t i = 0; i < all.size(); ++i) {
    const VkShaderCreateInfoEXT& info = all[i];
    if (IsLinked(info) ? is_left_out : !IsChanged(info)) continue;
    if (WayOf(info) == ShaderWay::kReservedSet) {
      layouts_.AddReservedSet(infos[i].pSetLayouts, infos[i].setLayoutCount, rewriter);
    }
    layouts_.addresses().AddTo(infos[i].pPushConstantRanges, infos[i].pushConstantRangeCount, rewriter);
    (*made)[i].code = std::make_shared<state::ShaderCode>(WordsOf(info));
    Instrument(info, infos[i], (*made)[i]);
  }
  rewriter.AfterCall([made](VkResult) { made_shaders = std::move(*made); });
}

std::vector<ShaderObjectData::Original> ShaderObjects::MakeOriginals(const vk::CreateShadersEXT& call,
                                                                     const std::vector<Made>& made) {
  std::vector<ShaderObjectData::Original> originals(made.size());
  const auto make = [&](const std::vector<size_t>& indices) {
    std::vector<ShaderSource> sources;
    std::vector<std::shared_ptr<DriverSetLayout>> used;
    for (const size_t i : indices) {
      const VkShaderCreateInfoEXT& info = call.pCreateInfos[i];
      std::vector<std::shared_ptr<DriverSetLayout>> layouts;
      for (VkDescriptorSetLayout layout : SetsOf(info)) layouts.push_back(set_layouts_.Find(layout));
      used.insert(used.end(), layouts.begin(), layouts.end());
      sources.emplace_back(info, made[i].code, std::move(layouts));
    }
    const auto shaders = std::make_shared<OriginalShaders>(context_, std::move(sources));
    for (const auto& layout : used) layout->AddUser(shaders);
    for (size_t i = 0; i < indices.size(); ++i) originals[indices[i]] = {shaders, i};
  };
  std::vector<size_t> linked;
  for (size_t i = 0; i < made.size(); ++i) {
    if (made[i].code == nullptr) continue;
    if (IsLinked(call.pCreateInfos[i])) {
      linked.push_back(i);
    } else {
      make({i});
    }
  }
  if (!linked.empty()) make(linked);
  return originals;
}

void ShaderObjects::PostCallRecord(const vk::CreateShadersEXT& call, VkResult) {
  std::vector<Made> all = std::exchange(made_shaders, {});
  if (all.size() != call.createInfoCount) return;
  std::vector<ShaderObjectData::Original> originals = MakeOriginals(call, all);
  for (size_t i = 0; i < all.size(); ++i) {
    Made& made = all[i];
    const VkShaderCreateInfoEXT& info = call.pCreateInfos[i];
    state::Shader* const shader = state::DeviceState::Get<state::Shader>(call.pShaders[i]);
    // After a failure, the application's array may still have handles of before.
    if (made.code == nullptr || shader == nullptr || shader->Sub<ShaderObjectData>() != nullptr) continue;
    ShaderObjectData::SetLayouts set_layouts;
    for (VkDescriptorSetLayout layout : SetsOf(info)) {
      set_layouts.emplace_back(state::DeviceState::Get<state::DescriptorSetLayout>(layout));
    }
    auto data = std::make_unique<ShaderObjectData>(std::move(originals[i]), std::move(set_layouts));
    if (made.id != 0) {
      registry_.Add(made.id, {.code = made.code,
                              .object = call.pShaders[i],
                              .stage = info.stage,
                              .entry_point = info.pName != nullptr ? info.pName : "",
                              .has_robust_buffers = context_.device().HasFeature(vk::FeatureId::kRobustBufferAccess)});
      data->SetInstrumented(std::make_unique<OwnedShaders>(registry_, std::vector{made.id}, submissions_),
                            std::move(made.layout), made.address, made.way);
    }
    shader->Attach(std::move(data));
    if (made.id != 0 && instrumenter_.prints()) ReportFormats(context_, registry_, made.id);
  }
}

void ShaderObjects::Rewrite(const vk::GetShaderBinaryDataEXT& call, vk::GetShaderBinaryDataEXT& down,
                            dispatch::Rewriter& rewriter) {
  const state::Shader* const shader = state::DeviceState::Get<state::Shader>(call.shader);
  const auto* data = shader != nullptr ? shader->Sub<ShaderObjectData>() : nullptr;
  if (data == nullptr) return;
  const VkShaderEXT original = data->GetOriginal();
  if (original != VK_NULL_HANDLE) {
    down.shader = original;
    return;
  }
  // Nothing is better than a binary that is none of the application's words.
  down.pData = nullptr;
  const size_t* size_of_nothing = down.pDataSize;
  down.pDataSize = rewriter.Copy(size_of_nothing);
  rewriter.AfterCall([size = call.pDataSize](VkResult) { *size = 0; });
}

}  // namespace assay::gpuav
