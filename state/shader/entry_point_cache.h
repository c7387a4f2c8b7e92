// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_ENTRY_POINT_CACHE_H_
#define ASSAY_STATE_SHADER_ENTRY_POINT_CACHE_H_

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
#include "spirv_instrument/ir/constants/specialization.h"
#include "state/shader/shader_code.h"
#include "state/shader/specialization.h"
#include "vk/vulkan.h"

namespace assay::state {

// Facts of entry points, which are read once for each code, entry point, and values of specialization constants, so
// that a pipeline of known shaders parses none of them again. Most facts depend on no specialization constant; these
// stay with the code and are found without a lock. Facts that may depend on some have a member is_specialized, which
// says so; they are found by the values. Safe to use from several threads.
template <class Facts>
class EntryPointCache {
 public:
  // For code that `codes` knows. To be made before there is any.
  explicit EntryPointCache(ShaderCodes& codes) : slot_(codes.TakeSlot()) {}

  // `name` and `specialization` may be null. For facts that are not there yet,
  //   Facts read(const spirv_instrument::Module* module, std::string_view name, constants)
  // is called, with null for words that are no module. Never null.
  template <class Read>
  std::shared_ptr<const Facts> Get(ShaderCode& code, const char* name, VkShaderStageFlagBits stage,
                                   const VkSpecializationInfo* specialization, const Read& read) {
    EntryPointSlots::EntryPoint* const entry_point = FindEntryPoint(code, name, stage);
    const EntryPointSlots::Value* const kept = FindKept(entry_point);
    if (kept != nullptr) return std::static_pointer_cast<const Facts>(*kept);
    return FindByValues(code, name, stage, specialization, read, entry_point);
  }
  // The same, for a caller that keeps the facts no longer than the code: the result may own what `code` owns, which is
  // nothing for the code of a module (CodeOf).
  template <class Read>
  std::shared_ptr<const Facts> Borrow(const std::shared_ptr<ShaderCode>& code, const char* name,
                                      VkShaderStageFlagBits stage, const VkSpecializationInfo* specialization,
                                      const Read& read) {
    EntryPointSlots::EntryPoint* const entry_point = FindEntryPoint(*code, name, stage);
    const EntryPointSlots::Value* const kept = FindKept(entry_point);
    if (kept != nullptr) return {code, static_cast<const Facts*>(kept->get())};
    return FindByValues(*code, name, stage, specialization, read, entry_point);
  }

 private:
  using Constants = std::vector<std::pair<uint32_t, uint64_t>>;
  using Key = std::tuple<const ShaderCode*, std::string, VkShaderStageFlagBits, Constants>;
  struct Entry {
    // Another code may be at the same place later.
    std::weak_ptr<ShaderCode> code;
    std::shared_ptr<const Facts> facts;
  };
  static constexpr size_t kMaxEntries = 4096;

  static bool IsSpecialized(const Facts& facts) {
    if constexpr (requires { facts.is_specialized; }) {
      return facts.is_specialized;
    } else {
      return false;
    }
  }

  EntryPointSlots::EntryPoint* FindEntryPoint(ShaderCode& code, const char* name, VkShaderStageFlagBits stage) const {
    return slot_ < EntryPointSlots::kSlots ? code.slots().Find(name != nullptr ? name : "", stage) : nullptr;
  }
  // Null if they depend on specialization constants, or are not there.
  const EntryPointSlots::Value* FindKept(const EntryPointSlots::EntryPoint* entry_point) const {
    const EntryPointSlots::Value* const kept = entry_point != nullptr ? entry_point->Get(slot_) : nullptr;
    return kept != nullptr && !IsSpecialized(*static_cast<const Facts*>(kept->get())) ? kept : nullptr;
  }

  // `entry_point` is null if there is no room for it.
  template <class Read>
  std::shared_ptr<const Facts> FindByValues(ShaderCode& code, const char* name, VkShaderStageFlagBits stage,
                                            const VkSpecializationInfo* specialization, const Read& read,
                                            EntryPointSlots::EntryPoint* entry_point) {
    const std::vector<spirv_instrument::Specialization> constants = ReadSpecialization(specialization);
    Key key = {&code, name != nullptr ? name : "", stage, {}};
    for (const auto& constant : constants) std::get<Constants>(key).emplace_back(constant.constant_id, constant.value);
    {
      absl::ReaderMutexLock lock(&mutex_);
      const auto found = entries_.find(key);
      if (found != entries_.end() && found->second.code.lock().get() == &code) return found->second.facts;
    }
    // Not under the lock, so that threads do not wait for each other.
    const auto module = code.Read();
    auto facts = std::make_shared<const Facts>(read(module.get(), std::get<std::string>(key), constants));
    if (entry_point != nullptr) {
      code.slots().Set(*entry_point, slot_, facts);
      if (!IsSpecialized(*facts)) return facts;
    }
    absl::MutexLock lock(&mutex_);
    if (entries_.size() >= kMaxEntries) {
      absl::erase_if(entries_, [](const auto& entry) { return entry.second.code.expired(); });
      if (entries_.size() >= kMaxEntries) entries_.clear();
    }
    entries_[std::move(key)] = {code.weak_from_this(), facts};
    return facts;
  }

  const size_t slot_;
  absl::Mutex mutex_;
  absl::flat_hash_map<Key, Entry> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_ENTRY_POINT_CACHE_H_
