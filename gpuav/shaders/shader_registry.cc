// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/shaders/shader_registry.h"

#include "absl/status/statusor.h"

namespace assay::gpuav {

uint32_t ShaderRegistry::NewId() {
  absl::MutexLock lock(&mutex_);
  return ++last_id_;
}

void ShaderRegistry::Add(uint32_t id, InstrumentedShader shader) {
  absl::MutexLock lock(&mutex_);
  shaders_[id].shader = std::move(shader);
}

void ShaderRegistry::SetPipeline(uint32_t id, VkPipeline pipeline) {
  absl::MutexLock lock(&mutex_);
  const auto found = shaders_.find(id);
  if (found == shaders_.end()) return;
  found->second.shader.may_be_in_sets = true;
  found->second.shader.pipeline = pipeline;
}

void ShaderRegistry::Remove(uint32_t id, uint64_t submission) {
  absl::MutexLock lock(&mutex_);
  if (const auto found = shaders_.find(id); found != shaders_.end()) found->second.shader.pipeline = VK_NULL_HANDLE;
  removed_.push_back({id, submission});
  has_removed_.store(true, std::memory_order_relaxed);
}

void ShaderRegistry::ForgetUpTo(uint64_t submission) {
  absl::MutexLock lock(&mutex_);
  std::erase_if(removed_, [&](const Removed& removed) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (removed.submission > submission) return false;
    shaders_.erase(removed.id);
    return true;
  });
  has_removed_.store(!removed_.empty(), std::memory_order_relaxed);
}

InstrumentedShader ShaderRegistry::Find(uint32_t id) const {
  absl::MutexLock lock(&mutex_);
  const auto found = shaders_.find(id);
  return found == shaders_.end() ? InstrumentedShader() : found->second.shader;
}

std::shared_ptr<const ShaderText> ShaderRegistry::TextOf(uint32_t id) {
  absl::MutexLock lock(&mutex_);
  const auto found = shaders_.find(id);
  if (found == shaders_.end()) return nullptr;
  Entry& entry = found->second;
  if (entry.text == nullptr) {
    absl::StatusOr<spirv_instrument::Module> module = spirv_instrument::Module::Read(entry.shader.code->words());
    if (module.ok()) entry.text = std::make_shared<ShaderText>(*std::move(module));
  }
  return entry.text;
}

}  // namespace assay::gpuav
