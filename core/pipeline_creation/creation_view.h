// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINE_CREATION_CREATION_VIEW_H_
#define ASSAY_CORE_PIPELINE_CREATION_CREATION_VIEW_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// What create infos of pipelines have in common, and the rules of it. A rule is written once for all kinds of
// pipelines, with the id of each kind; a kind that does not have the rule has vk::kNoVuid.
namespace assay::core {

// Of the create info.
enum class PipelineKind : uint8_t { kCompute, kRayTracing, kRayTracingNv, kExecutionGraph };
struct KindIds {
  vk::VuidIndex compute;
  vk::VuidIndex ray_tracing;
  vk::VuidIndex ray_tracing_nv;
  vk::VuidIndex execution_graph = vk::kNoVuid;

  vk::VuidIndex Of(PipelineKind kind) const {
    switch (kind) {
      case PipelineKind::kCompute:
        return compute;
      case PipelineKind::kRayTracing:
        return ray_tracing;
      case PipelineKind::kRayTracingNv:
        return ray_tracing_nv;
      case PipelineKind::kExecutionGraph:
        return execution_graph;
    }
    return vk::kNoVuid;
  }
};

// Those of VkPipelineCreateFlags2CreateInfo, if the chain has one.
template <class I>
VkPipelineCreateFlags2 CreationFlagsOf(const I& info) {
  const auto* flags = vk::FindInChain<VkPipelineCreateFlags2CreateInfo>(info.pNext);
  return flags != nullptr ? flags->flags : VkPipelineCreateFlags2{info.flags};
}

// An element of pCreateInfos.
struct CreationView {
  template <class C, class I>
  CreationView(const dispatch::Device& of, PipelineKind which, const C& call, const I& info, uint32_t at)
      : device(of),
        kind(which),
        chain(info.pNext),
        own_flags(info.flags),
        flags(CreationFlagsOf(info)),
        base(info.basePipelineHandle),
        base_index(info.basePipelineIndex),
        cache(call.pipelineCache),
        index(at),
        count(call.createInfoCount) {
    if constexpr (requires { info.stageCount; }) stage_count = info.stageCount;
  }

  bool HasFlag(VkPipelineCreateFlags2 some) const { return (flags & some) != 0; }
  template <class T>
  const T* Chained() const {
    return vk::FindInChain<T>(chain);
  }
  vk::VuidIndex Id(const KindIds& ids) const { return ids.Of(kind); }

  const dispatch::Device& device;
  PipelineKind kind;
  const void* chain;
  VkPipelineCreateFlags own_flags;
  // Those that count (CreationFlagsOf()).
  VkPipelineCreateFlags2 flags;
  VkPipeline base;
  int32_t base_index;
  VkPipelineCache cache;
  uint32_t stage_count = 1;
  // Among the create infos of the command.
  uint32_t index;
  uint32_t count;
};

// Reports errors of one create info. `where` is the create info.
class CreationReport {
 public:
  CreationReport(const CreationView& view, const messages::Location& where, messages::Report& report)
      : view_(view), where_(where), report_(report) {}

  const messages::Location& where() const { return where_; }
  // Nothing if there is no id.
  void Error(vk::VuidIndex id, const messages::Location& at, std::string text) {
    if (id == vk::kNoVuid) return;
    report_.Error(id, {messages::Object(view_.device.handle)}, at, std::move(text));
  }
  void Error(vk::VuidIndex id, std::string_view member, std::string text) {
    Error(id, where_.Dot(member), std::move(text));
  }
  // Of the flags that count.
  void FlagError(vk::VuidIndex id, std::string text) {
    if (view_.Chained<VkPipelineCreateFlags2CreateInfo>() == nullptr) return Error(id, "flags", std::move(text));
    Error(id, where_.Next("VkPipelineCreateFlags2CreateInfo", "flags"), std::move(text));
  }

 private:
  const CreationView& view_;
  const messages::Location& where_;
  messages::Report& report_;
};

// Flags that a kind of pipeline, or a device without a feature, does not have.
void CheckCreationFlags(const CreationView& view, CreationReport& report);
// basePipelineHandle and basePipelineIndex. `base_flags` are those of the create info that basePipelineIndex leads to;
// they are not read for another one.
void CheckDerivative(const CreationView& view, VkPipelineCreateFlags2 base_flags, CreationReport& report);
// VkPipelineCreationFeedbackCreateInfo, VkPipelineBinaryInfoKHR, and what these and flags ask of the cache.
void CheckCreationChain(const CreationView& view, CreationReport& report);
// What the driver wrote into VkPipelineCreationFeedbackCreateInfo; to be called after the call. Reports what drivers,
// and not applications, do wrong. `C` is any command that creates pipelines.
template <class C>
void CheckWrittenFeedback(const dispatch::Device& device, const C& call, VkResult result);
// The number of resources that each of the stages has in a layout.
void CheckStageResources(const CreationView& view, VkPipelineLayout handle, VkShaderStageFlags stages,
                         CreationReport& report);
// Whether the sets that both layouts have are of the same bindings. False if the layouts are not compatible; those that
// differ in more than that are not, either.
bool HaveSameSets(const state::PipelineLayout& one, const state::PipelineLayout& other);
// VkPipelineRobustnessCreateInfo in the chain of a pipeline or of a stage, which `where` leads to.
void CheckRobustness(const dispatch::Device& device, const void* chain, const messages::Location& where,
                     messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINE_CREATION_CREATION_VIEW_H_
