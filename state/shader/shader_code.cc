// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/shader_code.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/statusor.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/ir/sections.h"
#include "state/shader/specialization.h"

namespace assay::state {
namespace {

using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spirv_instrument::Section;
using spirv_instrument::Specialization;

// Of EntryPointSlots: reflections that depend on no specialization constant.
constexpr size_t kReflectionSlot = 0;
// Of one module.
constexpr size_t kMaxReflections = 64;
// Of code that may have no other user.
constexpr size_t kMaxRecentCodes = 64;
constexpr size_t kMaxRecentWords = 1 << 20;

// The modules of a process that were read last. A module takes some twelve times the memory of its words.
class RecentModules {
 public:
  static RecentModules& OfProcess() {
    static auto* const modules = new RecentModules;
    return *modules;
  }

  void Keep(std::shared_ptr<const Module> module, size_t words) {
    if (words > kMaxWords) return;
    absl::MutexLock lock(&mutex_);
    // Destroyed after the lock.
    module.swap(modules_[next_]);
    next_ = (next_ + 1) % std::size(modules_);
  }

 private:
  static constexpr size_t kModules = 8;
  static constexpr size_t kMaxWords = 1 << 15;

  absl::Mutex mutex_;
  std::shared_ptr<const Module> modules_[kModules] ABSL_GUARDED_BY(mutex_);
  size_t next_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace

ShaderCode::ShaderCode(absl::Span<const uint32_t> words) : words_(words.begin(), words.end()) {}

ShaderCode::Declarations ShaderCode::ReadDeclarations(const Module& module) {
  Declarations result;
  result.accesses_device_addresses = HasCapability(module, spv::Capability::PhysicalStorageBufferAddresses);
  for (Instruction instruction : module.section(Section::kAnnotations)) {
    if (instruction.op() == spv::Op::OpDecorate &&
        instruction.enumerant<spv::Decoration>(1) == spv::Decoration::SpecId) {
      result.specialization_ids.push_back(instruction.literal(2));
    }
  }
  std::sort(result.specialization_ids.begin(), result.specialization_ids.end());
  return result;
}

const ShaderCode::Declarations& ShaderCode::SetDeclarations(Declarations declarations) {
  absl::MutexLock lock(&mutex_);
  if (kept_declarations_ == nullptr) {
    kept_declarations_ = std::make_unique<const Declarations>(std::move(declarations));
    declarations_.store(kept_declarations_.get(), std::memory_order_release);
  }
  return *kept_declarations_;
}

std::shared_ptr<const Module> ShaderCode::Read() {
  {
    absl::ReaderMutexLock lock(&mutex_);
    if (std::shared_ptr<const Module> module = module_.lock()) return module;
  }
  // Not under the lock, so that threads do not wait for each other.
  absl::StatusOr<Module> read = Module::Read(words_);
  if (!read.ok()) return nullptr;
  auto module = std::make_shared<const Module>(*std::move(read));
  RecentModules::OfProcess().Keep(module, words_.size());
  absl::MutexLock lock(&mutex_);
  module_ = module;
  return module;
}

bool ShaderCode::accesses_device_addresses() {
  if (const Declarations* known = FindDeclarations()) return known->accesses_device_addresses;
  const std::shared_ptr<const Module> module = Read();
  return SetDeclarations(module != nullptr ? ReadDeclarations(*module) : Declarations()).accesses_device_addresses;
}

std::shared_ptr<const EntryPointInterface> ShaderCode::Reflect(std::string_view entry_point,
                                                               VkShaderStageFlagBits stage,
                                                               const VkSpecializationInfo* specialization) {
  EntryPointSlots::EntryPoint* const slots = slots_.Find(entry_point, stage);
  const EntryPointSlots::Value* const known = slots != nullptr ? slots->Get(kReflectionSlot) : nullptr;
  if (known != nullptr) return std::static_pointer_cast<const EntryPointInterface>(*known);
  std::shared_ptr<const Module> module;
  const Declarations* declarations = FindDeclarations();
  if (declarations == nullptr) {
    module = Read();
    declarations = &SetDeclarations(module != nullptr ? ReadDeclarations(*module) : Declarations());
  }
  Reflection key = {std::string(entry_point), stage, {}, nullptr};
  const std::vector<uint32_t>& ids = declarations->specialization_ids;
  if (!ids.empty()) {
    key.constants = ReadSpecialization(specialization);
    std::erase_if(key.constants, [&](const Specialization& constant) {
      return !std::binary_search(ids.begin(), ids.end(), constant.constant_id);
    });
  }
  {
    absl::ReaderMutexLock lock(&mutex_);
    if (auto found = Find(key)) return found;
  }
  if (module == nullptr) module = Read();
  key.interface = std::make_shared<const EntryPointInterface>(
      module != nullptr ? ReflectEntryPointIn(*module, entry_point, stage, specialization) : EntryPointInterface());
  if (ids.empty() && slots != nullptr) {
    return std::static_pointer_cast<const EntryPointInterface>(slots_.Set(*slots, kReflectionSlot, key.interface));
  }
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
