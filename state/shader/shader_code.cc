// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/shader_code.h"

#include <algorithm>
#include <utility>

#include "absl/hash/hash.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::state {
namespace {

constexpr size_t kHeaderWords = 5;
// Of one module.
constexpr size_t kMaxReflections = 64;
// Of code that may have no other user.
constexpr size_t kMaxRecentCodes = 64;
constexpr size_t kMaxRecentWords = 1 << 20;

// Calls `visit` with the words of each instruction before the first function, until it returns false. Stops at what is
// no instruction.
template <class F>
void ForEachDeclaration(absl::Span<const uint32_t> words, const F& visit) {
  for (size_t i = kHeaderWords; i < words.size();) {
    const size_t size = words[i] >> spv::WordCountShift;
    const auto op = static_cast<spv::Op>(words[i] & spv::OpCodeMask);
    if (size == 0 || size > words.size() - i || op == spv::Op::OpFunction) return;
    if (!visit(op, words.subspan(i, size))) return;
    i += size;
  }
}

// Capabilities come first.
bool AccessesDeviceAddresses(absl::Span<const uint32_t> words) {
  bool found = false;
  ForEachDeclaration(words, [&](spv::Op op, absl::Span<const uint32_t> instruction) {
    if (op != spv::Op::OpCapability) return false;
    found |= instruction.size() > 1 &&
             static_cast<spv::Capability>(instruction[1]) == spv::Capability::PhysicalStorageBufferAddresses;
    return !found;
  });
  return found;
}

std::vector<uint32_t> SpecializationIds(absl::Span<const uint32_t> words) {
  std::vector<uint32_t> ids;
  ForEachDeclaration(words, [&](spv::Op op, absl::Span<const uint32_t> instruction) {
    if (op == spv::Op::OpDecorate && instruction.size() > 3 &&
        static_cast<spv::Decoration>(instruction[2]) == spv::Decoration::SpecId) {
      ids.push_back(instruction[3]);
    }
    return true;
  });
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

ShaderCode::ShaderCode(absl::Span<const uint32_t> words)
    : words_(words.begin(), words.end()),
      accesses_device_addresses_(AccessesDeviceAddresses(words_)),
      specialization_ids_(SpecializationIds(words_)) {}

std::shared_ptr<const EntryPointInterface> ShaderCode::Reflect(std::string_view entry_point,
                                                               VkShaderStageFlagBits stage,
                                                               const VkSpecializationInfo* specialization) {
  Reflection key = {std::string(entry_point), stage, {}, nullptr};
  if (!specialization_ids_.empty()) {
    key.constants = ReadSpecialization(specialization);
    std::erase_if(key.constants, [&](const SpirvSpecialization& constant) {
      return !std::binary_search(specialization_ids_.begin(), specialization_ids_.end(), constant.specialization_id);
    });
  }
  {
    absl::ReaderMutexLock lock(&mutex_);
    if (auto found = Find(key)) return found;
  }
  // Not under the lock, so that threads do not wait for each other.
  key.interface =
      std::make_shared<const EntryPointInterface>(ReflectEntryPoint(words_, entry_point, stage, specialization));
  absl::MutexLock lock(&mutex_);
  if (auto found = Find(key)) return found;
  std::shared_ptr<const EntryPointInterface> interface = key.interface;
  if (reflections_.size() < kMaxReflections) {
    reflections_.push_back(std::move(key));
  } else {
    reflections_[oldest_] = std::move(key);
    oldest_ = (oldest_ + 1) % kMaxReflections;
  }
  return interface;
}

std::shared_ptr<const EntryPointInterface> ShaderCode::Find(const Reflection& key) const {
  for (const Reflection& reflection : reflections_) {
    if (reflection.stage == key.stage && reflection.entry_point == key.entry_point &&
        reflection.constants == key.constants) {
      return reflection.interface;
    }
  }
  return nullptr;
}

std::shared_ptr<ShaderCode> ShaderCodes::Get(absl::Span<const uint32_t> words) {
  const size_t hash = absl::HashOf(words);
  {
    absl::MutexLock lock(&mutex_);
    if (std::shared_ptr<ShaderCode> found = Find(hash, words)) return Keep(std::move(found));
  }
  // Not under the lock, so that threads do not wait for each other.
  auto code = std::make_shared<ShaderCode>(words);
  absl::MutexLock lock(&mutex_);
  if (std::shared_ptr<ShaderCode> found = Find(hash, words)) return Keep(std::move(found));
  Add(hash, code);
  return Keep(std::move(code));
}

std::shared_ptr<ShaderCode> ShaderCodes::Find(size_t hash, absl::Span<const uint32_t> words) const {
  const auto [begin, end] = codes_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    std::shared_ptr<ShaderCode> code = it->second.lock();
    if (code != nullptr && code->words() == words) return code;
  }
  return nullptr;
}

void ShaderCodes::Add(size_t hash, const std::shared_ptr<ShaderCode>& code) {
  if (codes_.size() >= sweep_at_) {
    std::erase_if(codes_, [](const auto& entry) { return entry.second.expired(); });
    sweep_at_ = std::max<size_t>(64, 2 * codes_.size());
  }
  codes_.emplace(hash, code);
}

std::shared_ptr<ShaderCode> ShaderCodes::Keep(std::shared_ptr<ShaderCode> code) {
  if (code->words().size() > kMaxRecentWords) return code;
  std::erase(recent_, code);
  recent_.insert(recent_.begin(), code);
  size_t kept = 0;
  for (size_t words = 0; kept < std::min(recent_.size(), kMaxRecentCodes); ++kept) {
    words += recent_[kept]->words().size();
    if (words > kMaxRecentWords) break;
  }
  recent_.resize(kept);
  return code;
}

}  // namespace assay::state
