// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/original_shaders.h"

#include <algorithm>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

bool HasImmutableSamplers(const VkDescriptorSetLayoutCreateInfo& info) {
  return std::ranges::any_of(absl::MakeSpan(info.pBindings, info.bindingCount),
                             [](const auto& binding) { return binding.pImmutableSamplers != nullptr; });
}

template <class T>
std::vector<T> Copy(const T* items, size_t count) {
  return items == nullptr ? std::vector<T>() : std::vector<T>(items, items + count);
}

}  // namespace

DriverSetLayout::~DriverSetLayout() {
  if (!context_.has_device()) return;
  const dispatch::Device& device = context_.device();
  CallNext(device, vk::DestroyDescriptorSetLayout{device.handle, layout_, nullptr});
}

void DriverSetLayout::AddUser(const std::shared_ptr<OriginalShaders>& shaders) {
  if (!has_immutable_samplers_) return;
  absl::MutexLock lock(&mutex_);
  if (users_.size() >= sweep_at_) {
    std::erase_if(users_, [](const auto& user) { return user.expired(); });
    sweep_at_ = std::max<size_t>(64, 2 * users_.size());
  }
  users_.push_back(shaders);
}

void DriverSetLayout::OnDestroy() {
  std::vector<std::weak_ptr<OriginalShaders>> users;
  {
    absl::MutexLock lock(&mutex_);
    users.swap(users_);
  }
  for (const auto& user : users) {
    if (const std::shared_ptr<OriginalShaders> shaders = user.lock()) shaders->Get(0);
  }
}

bool DriverSetLayouts::is_needed() const { return context_.device().HasFeature(vk::FeatureId::kShaderObject); }

void DriverSetLayouts::Rewrite(const vk::CreateDescriptorSetLayout&, vk::CreateDescriptorSetLayout& down,
                               dispatch::Rewriter&) const {
  // We destroy the layout, maybe after the application's callbacks are gone.
  if (is_needed()) down.pAllocator = nullptr;
}

void DriverSetLayouts::PostCallRecord(const vk::CreateDescriptorSetLayout& call, VkResult result) {
  if (result != VK_SUCCESS || !is_needed()) return;
  auto layout = std::make_shared<DriverSetLayout>(context_, dispatch::DriverHandle(*call.pSetLayout),
                                                  HasImmutableSamplers(*call.pCreateInfo));
  absl::MutexLock lock(&mutex_);
  layouts_[*call.pSetLayout] = std::move(layout);
}

void DriverSetLayouts::Rewrite(const vk::DestroyDescriptorSetLayout& call, vk::DestroyDescriptorSetLayout& down,
                               dispatch::Rewriter&) {
  if (!is_needed()) return;
  std::shared_ptr<DriverSetLayout> layout;
  {
    absl::MutexLock lock(&mutex_);
    const auto found = layouts_.find(call.descriptorSetLayout);
    if (found == layouts_.end()) return;
    layout = std::move(found->second);
    layouts_.erase(found);
  }
  layout->OnDestroy();
  // DriverSetLayout destroys it, when no shader may be made with it any more.
  down.descriptorSetLayout = VK_NULL_HANDLE;
  down.pAllocator = nullptr;
}

std::shared_ptr<DriverSetLayout> DriverSetLayouts::Find(VkDescriptorSetLayout layout) const {
  absl::MutexLock lock(&mutex_);
  const auto found = layouts_.find(layout);
  return found == layouts_.end() ? nullptr : found->second;
}

ShaderSource::ShaderSource(const VkShaderCreateInfoEXT& info, std::shared_ptr<state::ShaderCode> code,
                           std::vector<std::shared_ptr<DriverSetLayout>> set_layouts)
    : info_(info),
      code_(std::move(code)),
      entry_point_(info.pName != nullptr ? info.pName : ""),
      set_layouts_(std::move(set_layouts)),
      push_constants_(Copy(info.pPushConstantRanges, info.pushConstantRangeCount)) {
  for (const auto& layout : set_layouts_) set_layout_handles_.push_back(layout->layout());
  if (const auto* size = vk::FindInChain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(info.pNext)) {
    subgroup_size_ = *size;
    subgroup_size_->pNext = nullptr;
  }
  if (info.pSpecializationInfo == nullptr) return;
  specialization_ = *info.pSpecializationInfo;
  constants_ = Copy(specialization_->pMapEntries, specialization_->mapEntryCount);
  constant_data_ = Copy(static_cast<const uint8_t*>(specialization_->pData), specialization_->dataSize);
}

VkShaderCreateInfoEXT ShaderSource::Info() {
  VkShaderCreateInfoEXT info = info_;
  info.pNext = subgroup_size_ ? &*subgroup_size_ : nullptr;
  info.codeSize = code_->words().size() * sizeof(uint32_t);
  info.pCode = code_->words().data();
  info.pName = entry_point_.c_str();
  info.pSetLayouts = set_layout_handles_.data();
  info.pPushConstantRanges = push_constants_.data();
  if (specialization_) {
    specialization_->pMapEntries = constants_.data();
    specialization_->pData = constant_data_.data();
    info.pSpecializationInfo = &*specialization_;
  }
  return info;
}

OriginalShaders::~OriginalShaders() {
  if (!context_.has_device()) return;
  const dispatch::Device& device = context_.device();
  absl::MutexLock lock(&mutex_);
  for (VkShaderEXT shader : shaders_) {
    if (shader != VK_NULL_HANDLE) CallNext(device, vk::DestroyShaderEXT{device.handle, shader, nullptr});
  }
}

VkShaderEXT OriginalShaders::Get(size_t index) {
  absl::MutexLock lock(&mutex_);
  if (sources_.empty()) return shaders_[index];
  std::vector<VkShaderCreateInfoEXT> infos;
  infos.reserve(sources_.size());
  for (ShaderSource& source : sources_) infos.push_back(source.Info());
  shaders_.resize(infos.size());
  const dispatch::Device& device = context_.device();
  const auto count = static_cast<uint32_t>(infos.size());
  const VkResult result =
      CallNext(device, vk::CreateShadersEXT{device.handle, count, infos.data(), nullptr, shaders_.data()});
  sources_.clear();
  if (result != VK_SUCCESS) context_.Fail(vk::CommandId::kCreateShadersEXT, "a shader object", result);
  return shaders_[index];
}

}  // namespace assay::gpuav
