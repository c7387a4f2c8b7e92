// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_INTERFACE_CACHE_H_
#define ASSAY_CORE_INTERFACES_INTERFACE_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/interfaces/shader_interface.h"
#include "spirv_instrument/ir/constants/specialization.h"
#include "state/shader/shader_code.h"
#include "vk/vulkan.h"

namespace assay::core {

// The interfaces of entry points that were read, so that a pipeline of known shaders parses none of them again. Safe to
// use from several threads.
class InterfaceCache {
 public:
  // Never null. `name` may be null; so may `specialization`.
  std::shared_ptr<const ShaderInterface> Get(const std::shared_ptr<state::ShaderCode>& code, const char* name,
                                             VkShaderStageFlagBits stage, const VkSpecializationInfo* specialization);
  // How many interfaces were read.
  size_t parse_count() const;

 private:
  // Values of specialization constants, for interfaces that depend on them.
  using Constants = std::vector<std::pair<uint32_t, uint64_t>>;
  using Key = std::tuple<const state::ShaderCode*, std::string, VkShaderStageFlagBits, Constants>;
  struct Entry {
    // Another code may be at the same place later.
    std::weak_ptr<state::ShaderCode> code;
    std::shared_ptr<const ShaderInterface> interface;
  };
  static constexpr size_t kMaxEntries = 4096;

  std::shared_ptr<const ShaderInterface> Find(const Key& key, const std::shared_ptr<state::ShaderCode>& code) const
      ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<Key, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  size_t parse_count_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_INTERFACE_CACHE_H_
