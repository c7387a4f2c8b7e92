// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/shaders/word_cache.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::gpuav {
namespace {

using spirv_instrument::HostCondition;
using spirv_instrument::HostLimit;
using spirv_instrument::kMaxLimits;
using spirv_instrument::kMaxNotes;
using spirv_instrument::LimitedCheck;

// Of a value: the word of the shader id; whether faults are reported at the end; how many conditions, limits and checks
// that compare with limits there are.
constexpr size_t kHeaderWords = 5;

// The configuration as text. What cannot be set is the same for a build.
std::string ToText(const spirv_instrument::InstrumentConfig& config) {
  const spirv_instrument::PassConfigs& passes = config.passes;
  const spirv_instrument::RuntimeConfig& runtime = config.frame.runtime;
  std::string text = runtime.reach == spirv_instrument::Reach::kDescriptorSet
                         ? absl::StrCat("set ", runtime.descriptor_set)
                         : absl::StrCat("push ", runtime.push_constant_offset);
  if (runtime.has_descriptor_buffers) text += " descriptor_buffers";
  absl::StrAppend(&text, " checks ", config.frame.max_checks);
  const auto add = [&text](std::string_view name, bool is_there) {
    if (is_there) absl::StrAppend(&text, " ", name);
  };
  add("descriptor_index", passes.descriptor_index.has_value());
  add("buffer_bounds", passes.buffer_bounds.has_value());
  add("image_coordinate", passes.image_coordinate.has_value());
  add("device_address", passes.device_address.has_value());
  add("ray_query", passes.ray_query.has_value());
  add("vertex_fetch", passes.vertex_fetch.has_value());
  add("undefined_arithmetic", passes.undefined_arithmetic.has_value());
  add("image_layout", passes.image_layout.has_value());
  add("block_counts", passes.block_counts.has_value());
  add("debug_printf", passes.debug_printf.has_value());
  if (passes.mesh_output) {
    const auto& limits = passes.mesh_output->task_limits;
    absl::StrAppend(&text, " mesh_output ", limits.x, " ", limits.y, " ", limits.z, " ", limits.total);
  }
  return text;
}

std::string UserFolder() {
  // Not for a program with another user's rights.
  const auto variable = [](const char* name) -> const char* { return secure_getenv(name); };
  return cache::UserCacheFolder("gpuav", variable).value_or("");
}

// Takes words one after the other. Those that are not there are 0.
class WordReader {
 public:
  explicit WordReader(absl::Span<const uint32_t> words) : rest_(words) {}

  uint32_t Next() {
    const absl::Span<const uint32_t> word = Take(1);
    return word.empty() ? 0 : word[0];
  }
  // Empty if there are not so many.
  absl::Span<const uint32_t> Take(size_t count) {
    is_good_ = is_good_ && count <= rest_.size();
    if (!is_good_) return {};
    const absl::Span<const uint32_t> taken = rest_.first(count);
    rest_.remove_prefix(count);
    return taken;
  }
  bool is_good() const { return is_good_; }
  absl::Span<const uint32_t> rest() const { return rest_; }

 private:
  absl::Span<const uint32_t> rest_;
  bool is_good_ = true;
};

HostCondition ReadCondition(WordReader& reader) {
  HostCondition condition;
  condition.kind = static_cast<HostCondition::Kind>(reader.Next());
  for (uint32_t* word : {&condition.set, &condition.binding, &condition.index, &condition.bytes, &condition.types}) {
    *word = reader.Next();
  }
  return condition;
}

HostLimit ReadLimit(WordReader& reader) {
  HostLimit limit;
  limit.kind = static_cast<HostLimit::Kind>(reader.Next());
  for (uint32_t* word : {&limit.set, &limit.binding, &limit.index, &limit.end, &limit.stride, &limit.types}) {
    *word = reader.Next();
  }
  return limit;
}

bool IsSound(const HostLimit& limit) { return limit.kind <= HostLimit::Kind::kDescriptors && limit.stride != 0; }

void AddLimit(const HostLimit& limit, std::vector<uint32_t>& words) {
  words.insert(words.end(), {static_cast<uint32_t>(limit.kind), limit.set, limit.binding, limit.index, limit.end,
                             limit.stride, limit.types});
}

}  // namespace

std::vector<uint32_t> InstrumentedWords::WithId(uint32_t id) const {
  std::vector<uint32_t> result = words;
  if (shader_id_word != 0) result[shader_id_word] = id;
  return result;
}

WordCache::WordCache(const spirv_instrument::InstrumentConfig& config)
    : WordCache(config, UserFolder(), cache::BuildOfThisLibrary()) {}

WordCache::WordCache(const spirv_instrument::InstrumentConfig& config, std::string folder, std::string build)
    : config_(ToText(config)) {
  if (folder.empty() || build.empty()) return;
  files_.emplace(cache::FileCacheOptions{.folder = std::move(folder), .build = std::move(build)});
}

std::string WordCache::KeyOf(absl::Span<const uint32_t> words, const ShaderTerms& terms) const {
  std::string key = absl::StrCat(config_, " host ", terms.host_sets, terms.reports_at_end ? " at end" : "");
  key.push_back('\0');
  key.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
  return key;
}

// The header (kHeaderWords), conditions, limits, checks that compare with limits, words.
std::optional<InstrumentedWords> WordCache::Find(absl::Span<const uint32_t> words, const ShaderTerms& terms) {
  if (!files_) return std::nullopt;
  const std::optional<std::string> value = files_->Find(KeyOf(words, terms));
  if (!value || value->size() % sizeof(uint32_t) != 0) return std::nullopt;
  std::vector<uint32_t> all(value->size() / sizeof(uint32_t));
  std::memcpy(all.data(), value->data(), value->size());
  WordReader reader(all);
  const absl::Span<const uint32_t> header = reader.Take(kHeaderWords);
  if (header.empty()) return std::nullopt;
  InstrumentedWords result = {.shader_id_word = header[0], .reports_at_end = header[1] != 0};
  for (uint32_t i = 0; i < header[2] && reader.is_good(); ++i) result.conditions.push_back(ReadCondition(reader));
  for (uint32_t i = 0; i < header[3] && reader.is_good(); ++i) result.limits.push_back(ReadLimit(reader));
  for (uint32_t i = 0; i < header[4] && reader.is_good(); ++i) {
    const HostLimit limit = ReadLimit(reader);
    const uint32_t number = reader.Next();
    if (number >= result.limits.size()) return std::nullopt;
    result.limited_checks.push_back({.limit = limit, .limit_number = number, .instruction = reader.Next()});
  }
  if (!reader.is_good() || header[3] > kMaxLimits || header[4] > kMaxNotes) return std::nullopt;
  if (!std::ranges::all_of(result.limits, IsSound)) return std::nullopt;
  if (!std::ranges::all_of(result.limited_checks, IsSound, &LimitedCheck::limit)) return std::nullopt;
  const absl::Span<const uint32_t> rest = reader.rest();
  result.words.assign(rest.begin(), rest.end());
  if (!result.words.empty() && result.shader_id_word >= result.words.size()) return std::nullopt;
  return result;
}

void WordCache::Add(absl::Span<const uint32_t> words, const ShaderTerms& terms, const InstrumentedWords& instrumented) {
  if (!files_) return;
  std::vector<uint32_t> all = {
      static_cast<uint32_t>(instrumented.shader_id_word), static_cast<uint32_t>(instrumented.reports_at_end),
      static_cast<uint32_t>(instrumented.conditions.size()), static_cast<uint32_t>(instrumented.limits.size()),
      static_cast<uint32_t>(instrumented.limited_checks.size())};
  for (const HostCondition& condition : instrumented.conditions) {
    all.insert(all.end(), {static_cast<uint32_t>(condition.kind), condition.set, condition.binding, condition.index,
                           condition.bytes, condition.types});
  }
  for (const HostLimit& limit : instrumented.limits) AddLimit(limit, all);
  for (const LimitedCheck& check : instrumented.limited_checks) {
    AddLimit(check.limit, all);
    all.insert(all.end(), {check.limit_number, check.instruction});
  }
  all.insert(all.end(), instrumented.words.begin(), instrumented.words.end());
  files_->Add(KeyOf(words, terms),
              std::string_view(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(uint32_t)));
}

}  // namespace assay::gpuav
