// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/interfaces/interface_cache.h"

#include <utility>

#include "state/shader/specialization.h"

namespace assay::core {

using spirv_instrument::Specialization;

std::shared_ptr<const ShaderInterface> InterfaceCache::Get(const std::shared_ptr<state::ShaderCode>& code,
                                                           const char* name, VkShaderStageFlagBits stage,
                                                           const VkSpecializationInfo* specialization) {
  // An interface that no specialization constant decides is found without their values.
  Key key = {code.get(), name != nullptr ? name : "", stage, {}};
  std::vector<Specialization> constants;
  {
    absl::ReaderMutexLock lock(&mutex_);
    std::shared_ptr<const ShaderInterface> found = Find(key, code);
    if (found != nullptr && !found->is_specialized) return found;
    constants = state::ReadSpecialization(specialization);
    Constants& values = std::get<Constants>(key);
    values.reserve(constants.size() + 1);
    // An interface that is found without values does not have this in its key.
    values.emplace_back(0, constants.size());
    for (const Specialization& constant : constants) values.emplace_back(constant.constant_id, constant.value);
    if (found = Find(key, code); found != nullptr) return found;
  }
  // Not under the lock, so that threads do not wait for each other.
  const auto module = code->Read();
  auto interface = std::make_shared<const ShaderInterface>(
      module != nullptr ? ReadShaderInterface(*module, std::get<std::string>(key), stage, constants)
                        : ShaderInterface());
  absl::MutexLock lock(&mutex_);
  ++parse_count_;
  if (entries_.size() >= kMaxEntries) {
    absl::erase_if(entries_, [](const auto& entry) { return entry.second.code.expired(); });
    if (entries_.size() >= kMaxEntries) entries_.clear();
  }
  if (interface->is_specialized) entries_[key] = {code, interface};
  // Without values, it tells whether they matter.
  std::get<Constants>(key).clear();
  entries_[key] = {code, interface};
  return interface;
}

size_t InterfaceCache::parse_count() const {
  absl::ReaderMutexLock lock(&mutex_);
  return parse_count_;
}

std::shared_ptr<const ShaderInterface> InterfaceCache::Find(const Key& key,
                                                            const std::shared_ptr<state::ShaderCode>& code) const {
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.code.lock() != code) return nullptr;
  return found->second.interface;
}

}  // namespace assay::core
