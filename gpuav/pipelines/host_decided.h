// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_HOST_DECIDED_H_
#define ASSAY_GPUAV_PIPELINES_HOST_DECIDED_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/inlined_vector.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "gpuav/device/context.h"
#include "gpuav/pipelines/owned_shaders.h"
#include "gpuav/pipelines/second_pipelines.h"
#include "gpuav/shaders/instrumenter.h"
#include "gpuav/shaders/shader_registry.h"
#include "state/state.h"
#include "vk/vulkan.h"

// Checks that the host decides. Where a compute shader accesses a descriptor whose index is constant, the host knows as
// much of it as the shader's table when the command is recorded: nobody may change the descriptors of a bound set until
// the command buffer is complete. So the pipeline that the application gets does without such checks, and without the
// loads that they need, under conditions on descriptors. Before a command for which one of them does not hold, another
// pipeline is bound that checks everything: whether the access happens at all, only the shader knows.
//
// What the application's pipeline still checks may be comparisons with limits, which the host computes of the
// descriptors in the same way, and writes to the action block (runtime/host_limit.h).
//
// What it finds, it may report at the end of an invocation, one fault of each (FrameConfig::reports_at_end). Once it
// has reported one, the pipeline that checks everything is bound, too: it reports each fault at once.
namespace assay::gpuav {

// Bit i: the descriptors of set i stay what they are when a command with this layout is recorded.
uint32_t SetsTheHostKnows(const state::PipelineLayout& layout);

// Whether a condition holds for what is bound.
bool Holds(const spirv_instrument::HostCondition& condition, const state::BindPointState& bindings);

// What the host knows of each HostLimit of an action's shader, by what is bound.
using HostKnowledge = absl::InlinedVector<spirv_instrument::LimitFacts, 4>;

// What a compute pipeline is made of, but for its module.
class ComputePipelineSource {
 public:
  // Nothing if a chain has something that is not kept. `layout` is the driver's, and outlives this.
  static std::optional<ComputePipelineSource> Of(const VkComputePipelineCreateInfo& info, VkPipelineLayout layout);

  // The driver's pipeline of this module; null if it cannot be made. Thread-compatible.
  VkPipeline Make(SecondPipelines& pipelines, VkShaderModule module);

 private:
  ComputePipelineSource() = default;

  VkPipelineCreateFlags2 flags_ = 0;
  VkPipelineShaderStageCreateFlags stage_flags_ = 0;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::string entry_point_;
  std::optional<VkPipelineRobustnessCreateInfo> robustness_;
  std::optional<VkPipelineRobustnessCreateInfo> stage_robustness_;
  std::optional<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo> subgroup_size_;
  bool has_flags2_ = false;
  bool has_specialization_ = false;
  std::vector<VkSpecializationMapEntry> constants_;
  std::vector<uint8_t> constant_data_;
};

// The conditions of a pipeline, and the pipeline that checks everything. Thread-safe.
class HostDecided {
 public:
  // `shader` is what the registry needs to know of either, and `words` are what the application's pipeline runs. All
  // references must outlive this.
  HostDecided(Context& context, SecondPipelines& pipelines, Instrumenter& instrumenter, ShaderRegistry& registry,
              const std::atomic<uint64_t>& submissions, ComputePipelineSource source, InstrumentedShader shader,
              std::shared_ptr<const InstrumentedWords> words, std::shared_ptr<const std::atomic<bool>> has_faults)
      : context_(context),
        pipelines_(pipelines),
        instrumenter_(instrumenter),
        registry_(registry),
        submissions_(submissions),
        words_(std::move(words)),
        has_faults_(std::move(has_faults)),
        source_(std::move(source)),
        shader_(std::move(shader)) {}
  ~HostDecided();
  HostDecided(const HostDecided&) = delete;
  HostDecided& operator=(const HostDecided&) = delete;

  // If all conditions hold for what is bound: all that the application's pipeline has to be told. Nothing otherwise.
  std::optional<HostKnowledge> Know(const state::BindPointState& bindings) const;
  // Whether the application's pipeline has reported a fault.
  bool has_faults() const { return has_faults_->load(std::memory_order_relaxed); }

  // Whether the application's pipeline compares with limits; then, how many notes its actions need.
  bool has_limits() const { return !words_->limits.empty(); }
  uint32_t note_count() const { return static_cast<uint32_t>(words_->limited_checks.size()); }
  // The application's pipeline, in the registry. Set before anything else can see this.
  uint32_t shader_id() const { return shader_id_; }
  void set_shader_id(uint32_t id) { shader_id_ = id; }

  // The driver's pipeline that checks everything. It is made when it is first asked for; null if it cannot be made,
  // which is reported.
  VkPipeline SelfChecking();

 private:
  VkPipeline Make() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Context& context_;
  SecondPipelines& pipelines_;
  Instrumenter& instrumenter_;
  ShaderRegistry& registry_;
  const std::atomic<uint64_t>& submissions_;
  const std::shared_ptr<const InstrumentedWords> words_;
  const std::shared_ptr<const std::atomic<bool>> has_faults_;
  uint32_t shader_id_ = 0;
  absl::Mutex mutex_;
  ComputePipelineSource source_ ABSL_GUARDED_BY(mutex_);
  InstrumentedShader shader_ ABSL_GUARDED_BY(mutex_);
  bool is_made_ ABSL_GUARDED_BY(mutex_) = false;
  VkPipeline pipeline_ ABSL_GUARDED_BY(mutex_) = VK_NULL_HANDLE;
  std::unique_ptr<OwnedShaders> own_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_HOST_DECIDED_H_
