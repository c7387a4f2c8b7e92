// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/shader_stages/stage_cache.h"

#include "state/shader/specialization.h"

namespace assay::core {

using spirv_instrument::Specialization;

std::shared_ptr<const StageFacts> StageCache::Get(const std::shared_ptr<state::ShaderCode>& code, const char* name,
                                                  VkShaderStageFlagBits stage,
                                                  const VkSpecializationInfo* specialization) {
  // Facts that no specialization constant decides are found without their values.
  Key key = {code.get(), name != nullptr ? name : "", stage, {}};
  std::vector<Specialization> constants;
  {
    absl::ReaderMutexLock lock(&mutex_);
    std::shared_ptr<const StageFacts> found = Find(key, code);
    if (found != nullptr && !found->is_specialized) return found;
    constants = state::ReadSpecialization(specialization);
    Constants& values = std::get<Constants>(key);
    values.reserve(constants.size() + 1);
    // Facts that are found without values do not have this in their key.
    values.emplace_back(0, constants.size());
    for (const Specialization& constant : constants) values.emplace_back(constant.constant_id, constant.value);
    if (found = Find(key, code); found != nullptr) return found;
  }
  // Not under the lock, so that threads do not wait for each other.
  const auto module = code->Read();
  auto facts = std::make_shared<const StageFacts>(
      module != nullptr ? ReadStageFacts(device_, *module, std::get<std::string>(key), stage, owner_, constants)
                        : StageFacts());
  absl::MutexLock lock(&mutex_);
  if (entries_.size() >= kMaxEntries) {
    absl::erase_if(entries_, [](const auto& entry) { return entry.second.code.expired(); });
    if (entries_.size() >= kMaxEntries) entries_.clear();
  }
  if (facts->is_specialized) entries_[key] = {code, facts};
  // Without values, it tells whether they matter.
  std::get<Constants>(key).clear();
  entries_[key] = {code, facts};
  return facts;
}

std::shared_ptr<const StageFacts> StageCache::Find(const Key& key,
                                                   const std::shared_ptr<state::ShaderCode>& code) const {
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.code.lock() != code) return nullptr;
  return found->second.facts;
}

}  // namespace assay::core
