// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_IMMUTABLE_SAMPLERS_H_
#define ASSAY_CORE_INTERFACES_IMMUTABLE_SAMPLERS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::core {

// What immutable samplers were created with, by the layouts that have them: known when a pipeline is made. Thread-safe.
class ImmutableSamplers {
 public:
  struct Sampler {
    // Without the chain.
    VkSamplerCreateInfo info;
    // Of VkSamplerBlockMatchWindowCreateInfoQCOM.
    std::optional<VkExtent2D> window;
    VkBlockMatchWindowCompareModeQCOM window_mode;
  };
  // By binding, the first sampler of each. Null for a set without.
  using Set = std::shared_ptr<const std::map<uint32_t, std::shared_ptr<const Sampler>>>;

  void Add(const vk::CreateSampler& call);
  void Add(const vk::CreateDescriptorSetLayout& call);
  void Add(const vk::CreatePipelineLayout& call);
  void Remove(VkSampler sampler);
  void Remove(VkDescriptorSetLayout layout);
  void Remove(VkPipelineLayout layout);

  Set Of(VkDescriptorSetLayout layout) const;
  // By set number; empty if no set has any.
  std::vector<Set> Of(VkPipelineLayout layout) const;

 private:
  Set Find(VkDescriptorSetLayout layout) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<VkSampler, std::shared_ptr<const Sampler>> samplers_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<VkDescriptorSetLayout, Set> sets_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<VkPipelineLayout, std::vector<Set>> layouts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_IMMUTABLE_SAMPLERS_H_
