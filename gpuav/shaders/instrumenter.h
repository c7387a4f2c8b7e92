// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_SHADERS_INSTRUMENTER_H_
#define ASSAY_GPUAV_SHADERS_INSTRUMENTER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "gpuav/device/context.h"
#include "gpuav/shaders/shader_way.h"
#include "gpuav/shaders/word_cache.h"
#include "spirv_instrument/passes/instrument.h"
#include "state/state.h"

namespace assay::gpuav {

// What the settings ask for. `limits` of mesh shaders are those of the device.
spirv_instrument::InstrumentConfig ConfigOf(const Context& context, ShaderWay way);

// Instruments the words of shaders, those of one content once. Thread-safe.
class Instrumenter {
 public:
  explicit Instrumenter(Context& context);

  // Null if there is nothing to check in the words, or they cannot be instrumented; the latter is reported at severity
  // information. Only one way is there unless Context::pushes_addresses(). With a bit of `terms.host_sets`, the host
  // decides what it can of that set's descriptors, which may be all.
  std::shared_ptr<const InstrumentedWords> Instrument(const std::shared_ptr<state::ShaderCode>& code, ShaderWay way,
                                                      const ShaderTerms& terms);

  // Whether the formats of debugPrintf are read.
  bool prints() const { return context_.settings().printf_enable; }

 private:
  struct Entry {
    // The code lives while a module or a pipeline has it; another one may be at the same place later.
    std::weak_ptr<state::ShaderCode> code;
    std::shared_ptr<const InstrumentedWords> words;
  };

  // The shaders of one way.
  struct Words {
    // Where the code is.
    using Key = std::pair<const state::ShaderCode*, ShaderTerms>;

    explicit Words(const spirv_instrument::InstrumentConfig& of) : config(of), files(config) {}

    const spirv_instrument::InstrumentConfig config;
    WordCache files;
    absl::Mutex mutex;
    absl::flat_hash_map<Key, Entry> entries ABSL_GUARDED_BY(mutex);
    // The size of entries at which those whose code is gone are taken out.
    size_t sweep_at ABSL_GUARDED_BY(mutex) = 64;
  };

  std::shared_ptr<const InstrumentedWords> Find(Words& of_way, const state::ShaderCode& code, const ShaderTerms& terms);
  std::shared_ptr<const InstrumentedWords> Make(Words& of_way, const state::ShaderCode& code, const ShaderTerms& terms);
  void Dump(const state::ShaderCode& code, const InstrumentedWords& instrumented) const;

  Context& context_;
  // By ShaderWay.
  std::array<std::unique_ptr<Words>, kShaderWays> words_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_SHADERS_INSTRUMENTER_H_
