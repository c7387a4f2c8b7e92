// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_SHADERS_INSTRUMENTER_H_
#define ASSAY_GPUAV_SHADERS_INSTRUMENTER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
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
  // information.
  std::shared_ptr<const InstrumentedWords> Instrument(const std::shared_ptr<state::ShaderCode>& code);

  const spirv_instrument::InstrumentConfig& config() const { return config_; }

 private:
  struct Entry {
    // The code lives while a module or a pipeline has it; another one may be at the same place later.
    std::weak_ptr<state::ShaderCode> code;
    std::shared_ptr<const InstrumentedWords> words;
  };

  std::shared_ptr<const InstrumentedWords> Find(const state::ShaderCode& code);
  std::shared_ptr<const InstrumentedWords> Make(const state::ShaderCode& code);
  void Dump(const state::ShaderCode& code, const InstrumentedWords& instrumented) const;

  Context& context_;
  const spirv_instrument::InstrumentConfig config_;
  WordCache files_;
  absl::Mutex mutex_;
  absl::flat_hash_map<const state::ShaderCode*, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  // The size of entries_ at which those whose code is gone are taken out.
  size_t sweep_at_ ABSL_GUARDED_BY(mutex_) = 64;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_SHADERS_INSTRUMENTER_H_
