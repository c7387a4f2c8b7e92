// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_SHADERS_SHADER_REGISTRY_H_
#define ASSAY_GPUAV_SHADERS_SHADER_REGISTRY_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "spirv_instrument/ir/debug/source_locations.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/printf/prints.h"
#include "spirv_instrument/runtime/host_limit.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// A stage of a pipeline, or a shader object, that was instrumented, as its records need it.
struct InstrumentedShader {
  // The words that the application gave.
  std::shared_ptr<state::ShaderCode> code;
  // Null if the words came with the pipeline or with a shader object.
  VkShaderModule module = VK_NULL_HANDLE;
  // Null for a stage of a pipeline.
  VkShaderEXT object = VK_NULL_HANDLE;
  // Whether another pipeline may be bound when it runs: its own is in an execution set.
  bool may_be_in_sets = false;
  // Its own then; null once the pipeline is gone.
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_ALL;
  std::string entry_point;
  // Whether accesses past the end of a buffer are harmless: robustBufferAccess, or VkPipelineRobustnessCreateInfo.
  bool has_robust_buffers = false;
  // What its notes are of. Null if it leaves none.
  std::shared_ptr<const std::vector<spirv_instrument::LimitedCheck>> limited_checks;
  // Becomes true with the first fault that is read. Null where nobody wants to know.
  std::shared_ptr<std::atomic<bool>> has_faults;
};

// What is read from a shader's words for its first report.
struct ShaderText {
  explicit ShaderText(spirv_instrument::Module read) : module(std::move(read)), locations(module), prints(module) {}

  const spirv_instrument::Module module;
  const spirv_instrument::SourceLocations locations;
  const spirv_instrument::Prints prints;
};

// The instrumented shaders by the ids in their records. An id is never given twice. Words live as long as a record may
// name them: the application may destroy modules when pipelines are made, and pipelines when work is complete, though
// its records were not read yet. Thread-safe.
class ShaderRegistry {
 public:
  // A new id; it has no shader yet.
  uint32_t NewId();
  void Add(uint32_t id, InstrumentedShader shader);
  // The pipeline that it is of, if that may be in execution sets.
  void SetPipeline(uint32_t id, VkPipeline pipeline);
  // The pipeline or shader object is gone. Records of submissions up to the number `submission` may still name the
  // shader.
  void Remove(uint32_t id, uint64_t submission);
  // The records of all submissions up to this one were read.
  void ForgetUpTo(uint64_t submission);
  // Whether there is anything to forget. Takes no lock.
  bool has_removed() const { return has_removed_.load(std::memory_order_relaxed); }

  // A copy; with no code if there is no such shader.
  InstrumentedShader Find(uint32_t id) const;
  // Null if there is no such shader, or its words cannot be read.
  std::shared_ptr<const ShaderText> TextOf(uint32_t id);

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  struct Entry {
    InstrumentedShader shader;
    std::shared_ptr<const ShaderText> text;
  };
  struct Removed {
    uint32_t id;
    uint64_t submission;
  };

  mutable absl::Mutex mutex_;
  uint32_t last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<uint32_t, Entry> shaders_ ABSL_GUARDED_BY(mutex_);
  std::vector<Removed> removed_ ABSL_GUARDED_BY(mutex_);
  std::atomic<bool> has_removed_{false};
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_SHADERS_SHADER_REGISTRY_H_
