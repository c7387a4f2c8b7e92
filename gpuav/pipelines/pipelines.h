// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PIPELINES_PIPELINES_H_
#define ASSAY_GPUAV_PIPELINES_PIPELINES_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/synchronization/mutex.h"
#include "gpuav/choices/command_choice.h"
#include "gpuav/device/context.h"
#include "gpuav/device/instance_rewrites.h"
#include "gpuav/pipelines/host_decided.h"
#include "gpuav/pipelines/owned_shaders.h"
#include "gpuav/pipelines/pipeline_layouts.h"
#include "gpuav/pipelines/second_pipelines.h"
#include "gpuav/shaders/instrumenter.h"
#include "gpuav/shaders/shader_choice.h"
#include "gpuav/shaders/shader_registry.h"
#include "gpuav/shaders/shader_way.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Pipelines. Where one is made, each stage gets a module of ours with instrumented words, which lives for the call. So
// vkCreateShaderModule costs nothing, words that came with the pipeline are no other than those of a module, and what
// the application keeps in a pipeline cache is under the key of the words that it was made from.
//
// Where only some commands are to run instrumented shaders, and where there may be binaries of pipelines
// (KeepsOriginals), graphics and compute pipelines and their libraries are made twice. What the application has is as
// it made it, and a second one is instrumented. Recordings bind that for the commands that run it (shader_switch.h).
// Shader groups of ray tracing pipelines have handles, which the application keeps, so that these are made once.
namespace assay::gpuav {

// What a pipeline has for us; its state owns it. Pipelines in which nothing is checked have none, but for libraries
// that fetch vertices robustly, and those that are in execution sets with others.
class PipelineData : public state::ObjectSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kGpuav;
  using Shaders = absl::InlinedVector<std::shared_ptr<const OwnedShaders>, 1>;
  // The driver's pipelines, where there are two.
  struct Two {
    VkPipeline original = VK_NULL_HANDLE;
    VkPipeline instrumented = VK_NULL_HANDLE;

    explicit operator bool() const { return instrumented != VK_NULL_HANDLE; }
  };
  struct Facts {
    bool has_robust_vertex_inputs = false;
    bool may_be_in_sets = false;
  };
  PipelineData(Shaders shaders, std::unique_ptr<HostDecided> host, const Facts& facts, SecondPipelines& seconds,
               Two two)
      : shaders_(std::move(shaders)), host_(std::move(host)), facts_(facts), seconds_(seconds), two_(two) {}
  ~PipelineData() override {
    if (two_) seconds_.Destroy(two_.instrumented);
  }
  PipelineData(const PipelineData&) = delete;
  PipelineData& operator=(const PipelineData&) = delete;

  // Its own, and those of its libraries.
  const Shaders& shaders() const { return shaders_; }
  // The checks that it leaves to the host; null if there are none.
  HostDecided* host() const { return host_.get(); }
  // Whether vertex attributes may be fetched from outside of their buffer.
  bool has_robust_vertex_inputs() const { return facts_.has_robust_vertex_inputs; }
  // Whether it may be in an execution set in which pipelines are instrumented. Our set is without a dynamic offset
  // then.
  bool may_be_in_sets() const { return facts_.may_be_in_sets; }
  // None if there is but one pipeline, with these shaders.
  const Two& two() const { return two_; }

 private:
  const Shaders shaders_;
  const std::unique_ptr<HostDecided> host_;
  const Facts facts_;
  SecondPipelines& seconds_;
  const Two two_;
};

// What a call has made for a pipeline.
struct MadePipeline {
  std::vector<uint32_t> shader_ids;
  std::unique_ptr<HostDecided> host;
  // The driver's; null if there is but one.
  VkPipeline second = VK_NULL_HANDLE;
};

class Pipelines {
 public:
  // `submissions` counts submissions with shaders that are instrumented.
  Pipelines(Context& context, Instrumenter& instrumenter, ShaderRegistry& registry, const CommandChoice& commands,
            const std::atomic<uint64_t>& submissions)
      : context_(context),
        instrumenter_(instrumenter),
        registry_(registry),
        submissions_(submissions),
        stages_(StagesToInstrument(context.device())),
        choice_(context.settings().gpuav_only_shaders),
        keeps_originals_(KeepsOriginals(context, commands)),
        has_binaries_(HasBinaries(context)),
        seconds_(context) {}

  void Rewrite(const vk::CreateComputePipelines& call, vk::CreateComputePipelines& down, dispatch::Rewriter& rewriter);
  void Rewrite(const vk::CreateGraphicsPipelines& call, vk::CreateGraphicsPipelines& down,
               dispatch::Rewriter& rewriter);
  void Rewrite(const vk::CreateRayTracingPipelinesKHR& call, vk::CreateRayTracingPipelinesKHR& down,
               dispatch::Rewriter& rewriter);
  void PostCallRecord(const vk::CreateShaderModule& call, VkResult result);
  void PreCallRecord(const vk::DestroyShaderModule& call);
  void PostCallRecord(const vk::CreateComputePipelines& call, VkResult) { Attach(call); }
  void PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult) { Attach(call); }
  void PostCallRecord(const vk::CreateRayTracingPipelinesKHR& call, VkResult) { Attach(call); }
  // Before the device is destroyed.
  void Clear() { seconds_.Clear(); }

  // For tests: what it knows, as text (gpuav_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

 private:
  // What a call is making.
  struct Making {
    std::vector<MadePipeline> made;
    std::vector<VkShaderModule> modules;
    // Pipelines that get a second one.
    std::vector<size_t> pairs;
  };

  // stages_of(info, copy) gives the application's stages and the copies that go down.
  template <class C, class F>
  void RewriteEach(const C& call, C& down, dispatch::Rewriter& rewriter, const F& stages_of);
  template <class C>
  void Attach(const C& call);
  std::shared_ptr<const OwnedShaders> Own(std::vector<uint32_t> ids) const;
  // The way for a pipeline, and the stages that have it; no stages if the pipeline is not to be instrumented.
  struct Way {
    ShaderWay way = ShaderWay::kReservedSet;
    VkShaderStageFlags stages = 0;
  };
  template <class I>
  Way WayOf(const I& info);
  // PipelineData::may_be_in_sets() of it.
  template <class I>
  bool MayBeInSets(const I& info) const;
  // Whether there is to be a second pipeline; `is_instrumented` says whether one of its own stages is.
  template <class I>
  bool NeedsSecond(const I& info, bool is_instrumented);
  // Makes `infos`, a copy of what goes down, that of the second pipelines, and gives what goes down the application's
  // layouts.
  template <class C, class I>
  void Part(const C& call, C& down, I* infos, dispatch::Rewriter& rewriter, Making& making);
  bool IsWanted(const VkPipelineShaderStageCreateInfo& stage);
  // Says once that there is neither a set nor room for the address.
  void ReportNoRoom(const state::PipelineLayout& layout);
  // Gives `down` the instrumented words of `stage`.
  template <class Info>
  void RewriteStage(const Info& pipeline, const VkPipelineShaderStageCreateInfo& stage,
                    VkPipelineShaderStageCreateInfo& down, dispatch::Rewriter& rewriter, Making& making,
                    MadePipeline& made, ShaderWay way);
  // What the pipeline that checks everything is made of; nothing if there can be no such pipeline.
  std::optional<ComputePipelineSource> SourceOf(const VkComputePipelineCreateInfo& info, ShaderWay way) const;
  // What shaders of pipelines with a source may leave to others.
  ShaderTerms TermsOf(VkPipelineLayout layout, bool has_robust_buffers) const;
  // After the call, frees modules, and gives to Attach what was made.
  void FinishAfterCall(dispatch::Rewriter& rewriter, const std::shared_ptr<Making>& making);

  Context& context_;
  Instrumenter& instrumenter_;
  ShaderRegistry& registry_;
  const std::atomic<uint64_t>& submissions_;
  const InstrumentedStages stages_;
  const ShaderChoice choice_;
  const bool keeps_originals_;
  const bool has_binaries_;
  SecondPipelines seconds_;
  std::atomic<bool> has_reported_no_room_{false};
  absl::Mutex mutex_;
  // The modules that the application chose, if it has to (gpuav_select_instrumented_shaders).
  absl::flat_hash_set<VkShaderModule> chosen_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PIPELINES_PIPELINES_H_
