// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_ENTRY_POINT_SLOTS_H_
#define ASSAY_STATE_SHADER_ENTRY_POINT_SLOTS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "vk/vulkan.h"

namespace assay::state {

// What caches keep with the code of a module, for each entry point that was asked for: one value for each cache. What
// is there once stays as long as the code, so that it is found without a lock. Safe to use from several threads.
class EntryPointSlots {
 public:
  static constexpr size_t kSlots = 8;
  using Value = std::shared_ptr<const void>;

  class EntryPoint {
   public:
    EntryPoint(std::string_view name, VkShaderStageFlagBits stage, EntryPoint* next)
        : name_(name), stage_(stage), next_(next) {}

    // Null before Set(). `slot` is below kSlots.
    const Value* Get(size_t slot) const { return values_[slot].load(std::memory_order_acquire); }

   private:
    friend class EntryPointSlots;

    const std::string name_;
    const VkShaderStageFlagBits stage_;
    EntryPoint* const next_;
    std::array<std::atomic<const Value*>, kSlots> values_ = {};
    // What values_ point to.
    std::array<Value, kSlots> kept_;
  };

  EntryPointSlots() = default;
  EntryPointSlots(const EntryPointSlots&) = delete;
  EntryPointSlots& operator=(const EntryPointSlots&) = delete;
  ~EntryPointSlots();

  // Whether or not the module has such an entry point. Null if there are too many already.
  EntryPoint* Find(std::string_view name, VkShaderStageFlagBits stage);
  // Keeps a value, but for one that is there already. Returns what is there.
  const Value& Set(EntryPoint& entry_point, size_t slot, Value value);

 private:
  static constexpr size_t kMaxEntryPoints = 64;

  EntryPoint* Search(std::string_view name, VkShaderStageFlagBits stage) const;

  // A list; entry points are added at its head.
  std::atomic<EntryPoint*> first_ = nullptr;
  absl::Mutex mutex_;
  size_t count_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_ENTRY_POINT_SLOTS_H_
