// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_SHADERS_INSTRUMENTER_H_
#define ASSAY_GPUAV_SHADERS_INSTRUMENTER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "gpuav/device/context.h"
#include "gpuav/shaders/word_cache.h"
#include "spirv_instrument/passes/instrument.h"
#include "state/state.h"

namespace assay::gpuav {

// What the settings ask for. `limits` of mesh shaders are those of the device.
spirv_instrument::InstrumentConfig ConfigOf(const Context& context);

// Instruments the words of shaders, those of one content once. Thread-safe.
class Instrumenter {
 public:
  explicit Instrumenter(Context& context) : context_(context), config_(ConfigOf(context)), files_(config_) {}

  // Null if there is nothing to check in the words, or they cannot be instrumented; the latter is reported at severity
  // information. With a bit of `host_sets`, the host decides what it can of that set's descriptors, which may be all.
  std::shared_ptr<const InstrumentedWords> Instrument(const std::shared_ptr<state::ShaderCode>& code,
                                                      uint32_t host_sets);

  const spirv_instrument::InstrumentConfig& config() const { return config_; }

 private:
  struct Entry {
    // The code lives while a module or a pipeline has it; another one may be at the same place later.
    std::weak_ptr<state::ShaderCode> code;
    std::shared_ptr<const InstrumentedWords> words;
  };

  // The words are found by the place of their code, and what is left to the host.
  using Key = std::pair<const state::ShaderCode*, uint32_t>;

  std::shared_ptr<const InstrumentedWords> Find(const state::ShaderCode& code, uint32_t host_sets);
  std::shared_ptr<const InstrumentedWords> Make(const state::ShaderCode& code, uint32_t host_sets);
  void Dump(const state::ShaderCode& code, const InstrumentedWords& instrumented) const;

  Context& context_;
  const spirv_instrument::InstrumentConfig config_;
  WordCache files_;
  absl::Mutex mutex_;
  absl::flat_hash_map<Key, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  // The size of entries_ at which those whose code is gone are taken out.
  size_t sweep_at_ ABSL_GUARDED_BY(mutex_) = 64;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_SHADERS_INSTRUMENTER_H_
