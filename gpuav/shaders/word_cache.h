// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_SHADERS_WORD_CACHE_H_
#define ASSAY_GPUAV_SHADERS_WORD_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "cache/cache.h"
#include "spirv_instrument/passes/instrument.h"
#include "spirv_instrument/runtime/host_limit.h"

namespace assay::gpuav {

// What a pipeline allows of the words of its shader, since another pipeline that checks everything can take its place.
struct ShaderTerms {
  // See StepsConfig::host_sets; 0 if nothing is left to the host.
  uint32_t host_sets = 0;
  // See FrameConfig::reports_at_end.
  bool reports_at_end = false;

  friend bool operator==(const ShaderTerms& a, const ShaderTerms& b) = default;
  template <typename H>
  friend H AbslHashValue(H state, const ShaderTerms& terms) {
    return H::combine(std::move(state), terms.host_sets, terms.reports_at_end);
  }
};

// Words that check themselves. The shader id is yet to be put in. Empty if there is nothing to check in the shader.
struct InstrumentedWords {
  std::vector<uint32_t> words;
  size_t shader_id_word = 0;
  // See spirv_instrument::Instrumented::reports_at_end.
  bool reports_at_end = false;
  // What they leave to the host.
  std::vector<spirv_instrument::HostCondition> conditions;
  // What they compare with; empty if they look for themselves.
  std::vector<spirv_instrument::HostLimit> limits;
  std::vector<spirv_instrument::LimitedCheck> limited_checks;

  std::vector<uint32_t> WithId(uint32_t id) const;
};

// Instrumented words from one run of a program to the next: in the user's folder for caches, assay/gpuav. Another build
// of this library, another configuration and other words are other entries. Thread-safe.
class WordCache {
 public:
  // The folder that is for this user and this build. There is no cache if there is no such folder, or if the build
  // cannot be told from others.
  explicit WordCache(const spirv_instrument::InstrumentConfig& config);
  // For tests. There is no cache without a folder.
  WordCache(const spirv_instrument::InstrumentConfig& config, std::string folder, std::string build);

  std::optional<InstrumentedWords> Find(absl::Span<const uint32_t> words, const ShaderTerms& terms);
  void Add(absl::Span<const uint32_t> words, const ShaderTerms& terms, const InstrumentedWords& instrumented);

 private:
  std::string KeyOf(absl::Span<const uint32_t> words, const ShaderTerms& terms) const;

  const std::string config_;
  std::optional<cache::FileCache> files_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_SHADERS_WORD_CACHE_H_
