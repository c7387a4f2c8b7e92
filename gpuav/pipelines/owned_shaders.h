// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_OWNED_SHADERS_H_
#define ASSAY_GPUAV_PIPELINES_OWNED_SHADERS_H_

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpuav/shaders/shader_registry.h"

namespace assay::gpuav {

// Shaders that were instrumented for a pipeline or a shader object. What is linked with the pipeline shares them.
class OwnedShaders {
 public:
  // `submissions` counts submissions with instrumented shaders.
  OwnedShaders(ShaderRegistry& registry, std::vector<uint32_t> ids, const std::atomic<uint64_t>& submissions)
      : registry_(registry), ids_(std::move(ids)), submissions_(submissions) {}
  ~OwnedShaders() {
    for (const uint32_t id : ids_) registry_.Remove(id, submissions_.load(std::memory_order_acquire));
  }
  OwnedShaders(const OwnedShaders&) = delete;
  OwnedShaders& operator=(const OwnedShaders&) = delete;

 private:
  ShaderRegistry& registry_;
  const std::vector<uint32_t> ids_;
  const std::atomic<uint64_t>& submissions_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_OWNED_SHADERS_H_
