// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// VK_EXT_device_generated_commands: what commands, and questions for memory, say of the commands to generate.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/generated_commands/generated_ids.h"
#include "core/generated_commands/generated_rules.h"
#include "core/recording/recording_scope.h"
#include "core/resources/creation_check.h"
#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using messages::Location;
using state::DeviceState;
using Limits = VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT;
using AskedInfo = VkGeneratedCommandsMemoryRequirementsInfoEXT;
using AskForMemory = vk::GetGeneratedCommandsMemoryRequirementsEXT;

// Of both structures.
template <class Info>
struct InfoFacts {
  const Info& info;
  const Limits* limits;
  LayoutNote layout;
  // Null without one; nothing is compared with one that is not known.
  std::optional<ExecutionSetNote> set;

  bool TakesSet() const { return layout.Has(kSet); }
  bool LacksSet() const { return TakesSet() && info.indirectExecutionSet == VK_NULL_HANDLE; }
  bool HasNeedlessSet() const { return !layout.Has(kSet | kOtherToken) && info.indirectExecutionSet != VK_NULL_HANDLE; }
  bool LacksShaders() const {
    return info.indirectExecutionSet == VK_NULL_HANDLE &&
           vk::FindInChain<VkGeneratedCommandsPipelineInfoEXT>(info.pNext) == nullptr &&
           vk::FindInChain<VkGeneratedCommandsShaderInfoEXT>(info.pNext) == nullptr;
  }
  bool HasOtherStages() const { return TakesSet() && set && set->stages != layout.set_stages; }
  bool HasManySequences() const {
    return limits != nullptr && limits->maxIndirectSequenceCount != 0 &&
           info.maxSequenceCount > limits->maxIndirectSequenceCount;
  }
  bool HasManyDraws() const {
    return layout.counts_draws && uint64_t{info.maxDrawCount} * info.maxSequenceCount >= (uint64_t{1} << 24);
  }
  bool RepeatsStage() const {
    const auto* const shaders = vk::FindInChain<VkGeneratedCommandsShaderInfoEXT>(info.pNext);
    if (shaders == nullptr) return false;
    VkShaderStageFlags seen = 0;
    for (const VkShaderEXT handle : state::Items(shaders->pShaders, shaders->shaderCount)) {
      const auto* const shader = DeviceState::Get<state::Shader>(handle);
      if (shader == nullptr) continue;
      if ((seen & shader->stage.stage) != 0) return true;
      seen |= shader->stage.stage;
    }
    return false;
  }
};

struct AskedFacts : InfoFacts<AskedInfo> {
  static constexpr std::string_view kOwner = "VkGeneratedCommandsMemoryRequirementsInfoEXT";
};
using A = const AskedFacts&;
constexpr char kSetMember[] = "indirectExecutionSet";
constexpr char kLayoutMember[] = "indirectCommandsLayout";
constexpr char kMostSequences[] = "VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT.maxIndirectSequenceCount";
constexpr char kShadersChain[] = "VkGeneratedCommandsShaderInfoEXT.pShaders";
constexpr CreationRule<AskedFacts> kAskedRules[] = {
    {"indirectCommandsLayout-11010", kSetMember, "indirectCommandsLayout", [](A a) { return a.LacksSet(); }},
    {"indirectCommandsLayout-11011", kSetMember, "indirectCommandsLayout", [](A a) { return a.HasNeedlessSet(); }},
    {"indirectExecutionSet-11012", kSetMember, "pNext", [](A a) { return a.LacksShaders(); }},
    {"indirectCommandsLayout-11151", kSetMember, "the stages of indirectCommandsLayout",
     [](A a) { return a.HasOtherStages(); }},
    {"maxSequencesCount-11009", "maxSequenceCount", kMostSequences, [](A a) { return a.HasManySequences(); }},
    {"maxDrawCount-11146", "maxDrawCount", "maxSequenceCount", [](A a) { return a.HasManyDraws(); }},
    {"VkGeneratedCommandsShaderInfoEXT-pShaders-11127", kShadersChain, "two shaders of one stage",
     [](A a) { return a.RepeatsStage(); }},
};

struct CommandFacts : InfoFacts<VkGeneratedCommandsInfoEXT> {
  static constexpr std::string_view kOwner = "VkGeneratedCommandsInfoEXT";

  const DeviceState& state;
  // Those that a vertex buffer token of the layout is for; null where it is not known what is bound.
  const PipelineStates* pipeline = nullptr;

  // Whether the address is in buffers of which none has the usage.
  bool LacksUsage(VkDeviceAddress address, VkBufferUsageFlags usage) const {
    const auto buffers = state.buffer_addresses().Find(address);
    return address != 0 && !buffers.empty() &&
           std::ranges::none_of(buffers, [=](const auto& buffer) { return (buffer->usage & usage) != 0; });
  }
  bool PushesOutside(const std::vector<VkPushConstantRange>& ranges) const {
    return TakesSet() && set && AreOutside(ranges, set->push_constants);
  }
  // A pipeline whose vertex input is dynamic as a whole has no stride of its own either.
  bool HasFixedStrides() const {
    return layout.Has(kVertexBuffer) && pipeline != nullptr &&
           !pipeline->dynamic.Has(IndexOf(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE)) &&
           !pipeline->dynamic.Has(IndexOf(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT));
  }
};
using C = const CommandFacts&;
constexpr CreationRule<CommandFacts> kCommandRules[] = {
    {"indirectCommandsLayout-11083", kSetMember, "indirectCommandsLayout", [](C c) { return c.LacksSet(); }},
    {"indirectCommandsLayout-10241", kSetMember, "indirectCommandsLayout", [](C c) { return c.HasNeedlessSet(); }},
    {"indirectExecutionSet-11080", kSetMember, "pNext", [](C c) { return c.LacksShaders(); }},
    {"indirectCommandsLayout-11002", kSetMember, "the stages of indirectCommandsLayout",
     [](C c) { return c.HasOtherStages(); }},
    {"indirectCommandsLayout-11065", kLayoutMember, "the push constants of indirectExecutionSet",
     [](C c) { return c.PushesOutside(c.layout.pushed); }},
    {"indirectCommandsLayout-11066", kLayoutMember, "the push constants of indirectExecutionSet",
     [](C c) { return c.PushesOutside(c.layout.indices); }},
    {"indirectCommandsLayout-11144", kLayoutMember, "the pipeline layout of indirectExecutionSet",
     [](C c) {
       const state::PipelineLayout* const layout = c.TakesSet() && c.set ? c.set->layout() : nullptr;
       return layout != nullptr && c.layout.pipeline_layout && AreIncompatible(*layout, *c.layout.pipeline_layout);
     }},
    {"indirectCommandsLayout-11079", kLayoutMember, "the bound pipeline, which has strides of its own",
     [](C c) { return c.HasFixedStrides(); }},
    {"maxSequenceCount-11067", "maxSequenceCount", kMostSequences, [](C c) { return c.HasManySequences(); }},
    {"maxDrawCount-11078", "maxDrawCount", "maxSequenceCount", [](C c) { return c.HasManyDraws(); }},
    {"preprocessAddress-11069", "preprocessAddress", "the usage of the buffer",
     [](C c) { return c.LacksUsage(c.info.preprocessAddress, VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT); }},
    {"sequenceCountAddress-11072", "sequenceCountAddress", "the usage of the buffer",
     [](C c) { return c.LacksUsage(c.info.sequenceCountAddress, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT); }},
};

constexpr vk::VuidIndex kAddress = vk::Vuid("VUID-VkGeneratedCommandsInfoEXT-preprocessAddress-11063");
constexpr vk::VuidIndex kSize = vk::Vuid("VUID-VkGeneratedCommandsInfoEXT-preprocessSize-11071");

// What the driver needs to preprocess; 0 where it cannot be asked.
VkDeviceSize SizeToPreprocess(const dispatch::Device& device, const VkGeneratedCommandsInfoEXT& info) {
  AskedInfo asked = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
                     .indirectCommandsLayout = dispatch::DriverHandle(info.indirectCommandsLayout),
                     .maxSequenceCount = info.maxSequenceCount,
                     .maxDrawCount = info.maxDrawCount};
  VkGeneratedCommandsPipelineInfoEXT pipeline = {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT};
  if (info.indirectExecutionSet != VK_NULL_HANDLE) {
    asked.indirectExecutionSet = dispatch::DriverHandle(info.indirectExecutionSet);
  } else if (const auto* own = vk::FindInChain<VkGeneratedCommandsPipelineInfoEXT>(info.pNext);
             own != nullptr && DeviceState::Get<state::Pipeline>(own->pipeline) != nullptr) {
    pipeline.pipeline = dispatch::DriverHandle(own->pipeline);
    asked.pNext = &pipeline;
  } else {
    return 0;
  }
  VkMemoryRequirements2 found = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  dispatch::CallNext(device, AskForMemory{device.handle, &asked, &found});
  return found.memoryRequirements.size;
}

// The rules of commands, which have a command buffer for the state besides their own.
struct BufferFacts {
  const state::CommandBuffer& buffer;
  const state::CommandBuffer& of_state;
  const LayoutNote& layout;
  const std::optional<ExecutionSetNote>& set;
  const Limits* limits;

  bool KnowsBound() const {
    const auto* const scope = of_state.Sub<RecordingScope>();
    return scope != nullptr && !scope->draw.has_executed();
  }
  // Whether the initial pipeline or shaders of the set are not bound.
  bool LacksInitialState() const {
    if (!layout.Has(kSet) || !set || !KnowsBound()) return false;
    if (!set->has_shaders)
      return reinterpret_cast<uint64_t>(of_state.At(set->bind_point).pipeline) != set->pipeline[0]->handle();
    return std::ranges::any_of(set->shaders, [&](const auto& shader) {
      const VkShaderStageFlagBits stage = shader->stage.stage;
      return stage != VK_SHADER_STAGE_COMPUTE_BIT &&
             reinterpret_cast<uint64_t>(of_state.draw.shader(stage)) != shader->handle();
    });
  }
  // Of the bound pipeline, those that generated commands cannot have.
  bool HasUnsupportedStage() const {
    const auto* const scope = of_state.Sub<RecordingScope>();
    const auto point = layout.Has(kDraws)   ? DrawRecording::kGraphics
                       : layout.Has(kTrace) ? DrawRecording::kRayTracing
                                            : DrawRecording::kCompute;
    if (!KnowsBound() || layout.Has(kOtherToken) || !scope->draw.HasPipeline(point) || limits == nullptr) return false;
    constexpr VkPipelineBindPoint kPoints[] = {VK_PIPELINE_BIND_POINT_GRAPHICS, VK_PIPELINE_BIND_POINT_COMPUTE,
                                               VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR};
    const auto* const pipeline = DeviceState::Get<state::Pipeline>(of_state.At(kPoints[point]).pipeline);
    const VkShaderStageFlags supported = limits->supportedIndirectCommandsShaderStages;
    return pipeline != nullptr && supported != 0 &&
           std::ranges::any_of(pipeline->stages, [=](const auto& stage) { return (stage.stage & supported) == 0; });
  }
};
struct ExecuteFacts : BufferFacts {
  static constexpr std::string_view kOwner = "vkCmdExecuteGeneratedCommandsEXT";
};
constexpr CreationRule<ExecuteFacts> kExecuteRules[] = {
    {"indirectCommandsLayout-11053", "commandBuffer", "the initial shader state of the set, which is not bound",
     [](const ExecuteFacts& e) { return e.LacksInitialState(); }},
    {"supportedIndirectCommandsShaderStages-11060", "commandBuffer",
     "a bound pipeline with stages that supportedIndirectCommandsShaderStages does not have",
     [](const ExecuteFacts& e) { return e.HasUnsupportedStage(); }},
};
struct PreprocessFacts : BufferFacts {
  static constexpr std::string_view kOwner = "vkCmdPreprocessGeneratedCommandsEXT";

  const VkGeneratedCommandsInfoEXT& info;
};
using Q = const PreprocessFacts&;
constexpr CreationRule<PreprocessFacts> kPreprocessRules[] = {
    {"commandBuffer-11081", "commandBuffer", "its pool, which is protected",
     [](Q q) { return (q.buffer.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0; }},
    {"pGeneratedCommandsInfo-11082", "pGeneratedCommandsInfo", "a layout without explicit preprocessing",
     [](Q q) { return !q.layout.is_preprocessed; }},
    {"supportedIndirectCommandsShaderStages-11088", "pGeneratedCommandsInfo",
     "shaderStages that supportedIndirectCommandsShaderStages does not have",
     [](Q q) {
       const VkShaderStageFlags supported = q.limits != nullptr ? q.limits->supportedIndirectCommandsShaderStages : 0;
       return supported != 0 && (q.info.shaderStages & ~supported) != 0;
     }},
    {"stateCommandBuffer-11138", "stateCommandBuffer", "its state: it is not being recorded",
     [](Q q) { return q.of_state.recording_state != state::RecordingState::kRecording; }},
    {"indirectCommandsLayout-11084", "stateCommandBuffer", "the initial shader state of the set, which is not bound",
     [](Q q) { return q.LacksInitialState(); }},
};

}  // namespace

void AddGeneratedInfoIds(std::vector<vk::VuidIndex>& ids) {
  AddIds(kAskedRules, ids);
  AddIds(kCommandRules, ids);
  AddIds(kExecuteRules, ids);
  AddIds(kPreprocessRules, ids);
}

void GeneratedCommandRules::PreCallValidate(const vk::GetGeneratedCommandsMemoryRequirementsEXT& call,
                                            messages::Report& report) const {
  if (call.pInfo == nullptr) return;
  const AskedInfo& info = *call.pInfo;
  const std::optional<LayoutNote> layout = layouts_.Find(info.indirectCommandsLayout);
  if (!layout) return;
  CheckRows(
      device_, messages::Object(info.indirectCommandsLayout), report.location().Dot("pInfo"), report, kAskedRules,
      AskedFacts{{info, device_.physical_device->Find<Limits>(), *layout, sets_.Find(info.indirectExecutionSet)}});
}

void GeneratedCommandRules::CheckInfo(const VkGeneratedCommandsInfoEXT& info, const state::CommandBuffer& buffer,
                                      const state::CommandBuffer& state_buffer, bool is_preprocessing,
                                      messages::Report& report) const {
  const std::optional<LayoutNote> layout = layouts_.Find(info.indirectCommandsLayout);
  if (!layout || device_.HasFeature(vk::FeatureId::kCommandBufferInheritance)) return;
  const auto* const limits = device_.physical_device->Find<Limits>();
  const std::optional<ExecutionSetNote> set = sets_.Find(info.indirectExecutionSet);
  const Location command = report.location();
  const messages::ObjectRef object = {VK_OBJECT_TYPE_COMMAND_BUFFER, buffer.handle()};
  CreationCheck of_command(device_, object, "", nullptr, command, report);
  const BufferFacts facts = {buffer, state_buffer, *layout, set, limits};
  if (is_preprocessing) {
    of_command.Run(kPreprocessRules, PreprocessFacts{facts, info});
  } else {
    of_command.Run(kExecuteRules, ExecuteFacts{facts});
  }
  const auto* const scope = state_buffer.Sub<RecordingScope>();
  const Location where = command.Dot("pGeneratedCommandsInfo");
  CreationCheck of_info(device_, object, CommandFacts::kOwner, &info, where, report);
  of_info.Run(kCommandRules,
              CommandFacts{
                  {info, limits, *layout, set},
                  state_,
                  facts.KnowsBound() && !layout->Has(kSet) ? scope->draw.pipeline(DrawRecording::kGraphics) : nullptr});
  if (of_info.has_reported() || of_command.has_reported() || (info.indirectExecutionSet != VK_NULL_HANDLE && !set))
    return;
  const VkDeviceSize size = SizeToPreprocess(device_, info);
  if (size != 0 && info.preprocessAddress == 0) {
    of_info.Report(kAddress, "preprocessAddress", "vkGetGeneratedCommandsMemoryRequirementsEXT");
  } else if (info.preprocessSize < size) {
    of_info.Report(kSize, "preprocessSize", "vkGetGeneratedCommandsMemoryRequirementsEXT");
  }
}

void GeneratedCommandRules::PreCallValidate(const vk::CmdExecuteGeneratedCommandsEXT& call, dispatch::Slot& slot,
                                            messages::Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pGeneratedCommandsInfo == nullptr) return;
  CheckInfo(*call.pGeneratedCommandsInfo, *buffer, *buffer, false, report);
}

void GeneratedCommandRules::PreCallValidate(const vk::CmdPreprocessGeneratedCommandsEXT& call, dispatch::Slot& slot,
                                            messages::Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  const state::CommandBuffer* const of_state = DeviceState::Get(call.stateCommandBuffer);
  if (buffer == nullptr || of_state == nullptr || call.pGeneratedCommandsInfo == nullptr) return;
  CheckInfo(*call.pGeneratedCommandsInfo, *buffer, *of_state, true, report);
}

}  // namespace assay::core
