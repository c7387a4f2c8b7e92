// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_STAGE_CACHE_H_
#define ASSAY_CORE_SHADER_STAGES_STAGE_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/shader_stages/stage_facts.h"
#include "state/shader/shader_code.h"
#include "vk/vulkan.h"

namespace assay::core {

// The facts of entry points that were read, so that a pipeline of known shaders parses none of them again. Safe to use
// from several threads.
class StageCache {
 public:
  // `device` must outlive it.
  StageCache(const dispatch::Device& device, StageOwner owner) : device_(device), owner_(owner) {}

  // Never null. `name` may be null; so may `specialization`.
  std::shared_ptr<const StageFacts> Get(const std::shared_ptr<state::ShaderCode>& code, const char* name,
                                        VkShaderStageFlagBits stage, const VkSpecializationInfo* specialization);

 private:
  // Values of specialization constants, for entry points that may depend on them.
  using Constants = std::vector<std::pair<uint32_t, uint64_t>>;
  using Key = std::tuple<const state::ShaderCode*, std::string, VkShaderStageFlagBits, Constants>;
  struct Entry {
    // Another code may be at the same place later.
    std::weak_ptr<state::ShaderCode> code;
    std::shared_ptr<const StageFacts> facts;
  };
  static constexpr size_t kMaxEntries = 4096;

  std::shared_ptr<const StageFacts> Find(const Key& key, const std::shared_ptr<state::ShaderCode>& code) const
      ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  const dispatch::Device& device_;
  const StageOwner owner_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<Key, Entry> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_STAGE_CACHE_H_
