// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_SHADER_CODE_H_
#define ASSAY_STATE_SHADER_SHADER_CODE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/constants/specialization.h"
#include "state/shader/entry_point_slots.h"
#include "state/shader/reflection.h"
#include "vk/vulkan.h"

namespace assay::state {

// A copy of a module's code, with the reflections that were made of it. Nothing reads the code before it is asked
// something. Safe to use from several threads.
class ShaderCode : public std::enable_shared_from_this<ShaderCode> {
 public:
  // An invalid module is no error; see ReflectEntryPoint().
  explicit ShaderCode(absl::Span<const uint32_t> words);
  ShaderCode(const ShaderCode&) = delete;
  ShaderCode& operator=(const ShaderCode&) = delete;

  absl::Span<const uint32_t> words() const { return words_; }
  // What EntryPointCache keeps.
  EntryPointSlots& slots() { return slots_; }
  // The module; null if it cannot be read. Those who check, reflect and describe the same code one after the other read
  // it once: what was read last is kept for a while.
  std::shared_ptr<const spirv_instrument::Module> Read();
  // Whether the module declares that it accesses memory by device address (SPIR-V, capability
  // PhysicalStorageBufferAddresses). False for an invalid module. Reads the module if Reflect() was never called.
  bool accesses_device_addresses();

  // ReflectEntryPoint(). The code is not reflected again for the same entry point, stage and values of specialization
  // constants that the module has. The result is never null.
  std::shared_ptr<const EntryPointInterface> Reflect(std::string_view entry_point, VkShaderStageFlagBits stage,
                                                     const VkSpecializationInfo* specialization);

 private:
  // What is the same for all entry points.
  struct Declarations {
    bool accesses_device_addresses = false;
    // The SpecIds of the module, sorted.
    std::vector<uint32_t> specialization_ids;
  };

  struct Reflection {
    std::string entry_point;
    VkShaderStageFlagBits stage;
    std::vector<spirv_instrument::Specialization> constants;
    std::shared_ptr<const EntryPointInterface> interface;
  };

  static Declarations ReadDeclarations(const spirv_instrument::Module& module);
  // Null before SetDeclarations(). They do not change afterwards.
  const Declarations* FindDeclarations() const { return declarations_.load(std::memory_order_acquire); }
  // Keeps those of another thread, if there are any.
  const Declarations& SetDeclarations(Declarations declarations);
  std::shared_ptr<const EntryPointInterface> Find(const Reflection& key) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  const std::vector<uint32_t> words_;
  EntryPointSlots slots_;
  mutable absl::Mutex mutex_;
  std::weak_ptr<const spirv_instrument::Module> module_ ABSL_GUARDED_BY(mutex_);
  // declarations_ points to it.
  std::unique_ptr<const Declarations> kept_declarations_ ABSL_GUARDED_BY(mutex_);
  std::atomic<const Declarations*> declarations_ = nullptr;
  std::vector<Reflection> reflections_ ABSL_GUARDED_BY(mutex_);
  // The index of the reflection that the next one replaces, when there are too many.
  size_t oldest_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Shader code by its content: modules and pipelines with the same code share it. What nothing else refers to is kept
// for a while, since applications destroy modules when pipelines are made, and make them again for the next one. Safe
// to use from several threads.
class ShaderCodes {
 public:
  // The code with these words.
  std::shared_ptr<ShaderCode> Get(absl::Span<const uint32_t> words);

  // A slot of EntryPointSlots, for one cache; a number that is not below kSlots if there are no more.
  size_t TakeSlot() { return next_slot_++; }

  // Whether pipelines and shader objects are to be reflected. Set before there are any.
  bool reflects() const { return reflects_; }
  void set_reflects(bool reflects) { reflects_ = reflects; }

 private:
  std::shared_ptr<ShaderCode> Find(size_t hash, absl::Span<const uint32_t> words) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Add(size_t hash, const std::shared_ptr<ShaderCode>& code) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Makes it the newest of recent_ unless it is too large, and returns it.
  std::shared_ptr<ShaderCode> Keep(std::shared_ptr<ShaderCode> code) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  bool reflects_ = true;
  // Slots that others do not have.
  std::atomic<size_t> next_slot_ = 1;
  absl::Mutex mutex_;
  // By a hash of the words.
  std::unordered_multimap<size_t, std::weak_ptr<ShaderCode>> codes_ ABSL_GUARDED_BY(mutex_);
  // The size of codes_ at which code that is gone is taken out.
  size_t sweep_at_ ABSL_GUARDED_BY(mutex_) = 64;
  // What was last asked for, newest first.
  std::vector<std::shared_ptr<ShaderCode>> recent_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_SHADER_CODE_H_
