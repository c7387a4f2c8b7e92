// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Indirect execution sets: the pipelines or shader objects that generated commands choose from.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/generated_commands/generated_ids.h"
#include "core/generated_commands/generated_rules.h"
#include "core/interfaces/resource_accesses.h"
#include "core/resources/creation_check.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using messages::Location;
using state::DeviceState;
using Limits = VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT;

constexpr auto kBindable = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
constexpr char kPipelineStages[] =
    "VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT.supportedIndirectCommandsShaderStagesPipelineBinding";

VkShaderStageFlags StagesOf(const state::Pipeline& pipeline) {
  VkShaderStageFlags stages = 0;
  for (const state::PipelineStage& stage : pipeline.stages) stages |= stage.stage;
  return stages;
}
// Of limits that are known, the stages that pipelines or shader objects of sets can have; all where they are not.
VkShaderStageFlags Supported(const Limits* limits, VkShaderStageFlags Limits::* member) {
  return limits != nullptr && limits->*member != 0 ? limits->*member : ~VkShaderStageFlags{0};
}
bool HasDynamic(const state::DescriptorSetLayout* layout) { return layout != nullptr && layout->dynamic_count() != 0; }
template <class W>
bool RepeatsIndex(absl::Span<const W> writes) {
  std::set<uint32_t> seen;
  return !std::ranges::all_of(writes, [&](const W& write) { return seen.insert(write.index).second; });
}

// Whether its shaders use a dynamic descriptor.
bool UsesDynamic(const state::Pipeline& pipeline) {
  const auto* const code = static_cast<const ResourceAccesses*>(pipeline.core_resources.get());
  if (code == nullptr || !pipeline.layout) return false;
  const auto& sets = pipeline.layout->set_layouts;
  return std::ranges::any_of(code->stages, [&](const ResourceAccesses::Stage& stage) {
    return std::ranges::any_of(stage.shader->resources, [&](const ResourceVariable& used) {
      const auto* const set = used.set < sets.size() ? sets[used.set].get() : nullptr;
      const auto* const binding = set != nullptr ? set->Find(used.binding) : nullptr;
      return binding != nullptr && (binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
                                    binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
    });
  });
}
// The fragment shader's; null if it is not known.
template <class T>
const StageInterface* OutputsOf(const T& object) {
  const auto* const code = static_cast<const ResourceAccesses*>(object.core_resources.get());
  return code != nullptr && code->fragment != nullptr && code->fragment->is_known ? &code->fragment->outputs : nullptr;
}
bool DifferInUse(const StageInterface& a, const StageInterface& b, spv::BuiltIn built_in) {
  return (std::ranges::count(a.used_built_ins, built_in) != 0) != (std::ranges::count(b.used_built_ins, built_in) != 0);
}
// Whether one uses an output that the other does not have.
bool HasOtherOutputs(const StageInterface& a, const StageInterface& b) {
  return a.is_complete && b.is_complete && std::ranges::any_of(a.elements, [&](const InterfaceElement& own) {
           return own.is_used && std::ranges::none_of(b.elements, [&](const InterfaceElement& other) {
                    return own.location == other.location && own.component == other.component &&
                           own.index == other.index && own.type == other.type;
                  });
         });
}

struct SetFacts {
  static constexpr std::string_view kOwner = "VkIndirectExecutionSetCreateInfoEXT";
  const dispatch::Device& device;
  const VkIndirectExecutionSetCreateInfoEXT& info;
  const Limits* limits;
};
constexpr CreationRule<SetFacts> kSetRules[] = {
    // A limit of 0 counts if another shows that the driver knows them.
    {"maxIndirectShaderObjectCount-11014", "type", "no feature shaderObject, or maxIndirectShaderObjectCount",
     [](const SetFacts& s) {
       const bool has_none = s.limits != nullptr && s.limits->maxIndirectShaderObjectCount == 0 &&
                             s.limits->maxIndirectPipelineCount != 0;
       return s.info.type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT &&
              (has_none || !s.device.HasFeature(vk::FeatureId::kShaderObject));
     }},
};

struct PipelineSetFacts {
  static constexpr std::string_view kOwner = "VkIndirectExecutionSetPipelineInfoEXT";
  const VkIndirectExecutionSetPipelineInfoEXT& info;
  const Limits* limits;
  // Null if it is not known.
  const state::Pipeline* pipeline = DeviceState::Get<state::Pipeline>(info.initialPipeline);

  bool IsUnsupported(VkPipelineBindPoint point, VkShaderStageFlags stages) const {
    return pipeline != nullptr && pipeline->bind_point == point &&
           (Supported(limits, &Limits::supportedIndirectCommandsShaderStagesPipelineBinding) & stages) == 0;
  }
};
using P = const PipelineSetFacts&;
constexpr CreationRule<PipelineSetFacts> kPipelineSetRules[] = {
    {"supportedIndirectCommandsShaderStagesPipelineBinding-11015", "initialPipeline", kPipelineStages,
     [](P p) { return p.IsUnsupported(VK_PIPELINE_BIND_POINT_COMPUTE, VK_SHADER_STAGE_COMPUTE_BIT); }},
    {"supportedIndirectCommandsShaderStagesPipelineBinding-11016", "initialPipeline", kPipelineStages,
     [](P p) { return p.IsUnsupported(VK_PIPELINE_BIND_POINT_GRAPHICS, VK_SHADER_STAGE_FRAGMENT_BIT); }},
    {"supportedIndirectCommandsShaderStagesPipelineBinding-11017", "initialPipeline", kPipelineStages,
     [](P p) { return p.IsUnsupported(VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, kRayStages); }},
    {"initialPipeline-11153", "initialPipeline", "the flags that it was created with",
     [](P p) { return p.pipeline != nullptr && (p.pipeline->flags & kBindable) == 0; }},
    {"initialPipeline-11019", "initialPipeline", "its dynamic descriptors",
     [](P p) { return p.pipeline != nullptr && UsesDynamic(*p.pipeline); }},
    {"maxPipelineCount-11018", "maxPipelineCount",
     "VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT.maxIndirectPipelineCount",
     [](P p) {
       const uint32_t most = p.limits != nullptr ? p.limits->maxIndirectPipelineCount : 0;
       return p.info.maxPipelineCount == 0 || (most != 0 && p.info.maxPipelineCount > most);
     }},
};

struct ShaderSetFacts {
  static constexpr std::string_view kOwner = "VkIndirectExecutionSetShaderInfoEXT";
  const VkIndirectExecutionSetShaderInfoEXT& info;
  const Limits* limits;
  // Those that are known.
  std::vector<const state::Shader*> shaders = {};

  VkShaderStageFlags Stages() const {
    VkShaderStageFlags stages = 0;
    for (const state::Shader* const shader : shaders) stages |= shader->stage.stage;
    return stages;
  }
};
using S = const ShaderSetFacts&;
constexpr CreationRule<ShaderSetFacts> kShaderSetRules[] = {
    {"stage-11023", "pInitialShaders", "two shaders of one stage",
     [](S s) { return static_cast<size_t>(std::popcount(s.Stages())) != s.shaders.size(); }},
    {"pInitialShaders-11020", "pInitialShaders", "supportedIndirectCommandsShaderStagesShaderBinding",
     [](S s) {
       return (s.Stages() & ~Supported(s.limits, &Limits::supportedIndirectCommandsShaderStagesShaderBinding)) != 0;
     }},
    {"pInitialShaders-11154", "pInitialShaders", "the flags that they were created with",
     [](S s) {
       return std::ranges::any_of(
           s.shaders, [](auto* shader) { return (shader->flags & VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT) == 0; });
     }},
    {"VkIndirectExecutionSetShaderLayoutInfoEXT-pSetLayouts-11024", "pSetLayoutInfos", "dynamic descriptors",
     [](S s) {
       return std::ranges::any_of(state::Items(s.info.pSetLayoutInfos, s.info.shaderCount), [](const auto& layouts) {
         return std::ranges::any_of(state::Items(layouts.pSetLayouts, layouts.setLayoutCount), [](auto set) {
           return HasDynamic(DeviceState::Get<state::DescriptorSetLayout>(set));
         });
       });
     }},
};

// All writes of a call.
template <class C, class W, class T>
struct WriteFacts {
  static constexpr std::string_view kOwner = C::kName;
  const ExecutionSetNote& set;
  const Limits* limits;
  absl::Span<const W> writes;
  // Those that are known.
  std::vector<const T*> objects = {};

  bool IsFor(bool shaders) const { return set.has_shaders == shaders; }
  bool HasLargeIndex() const {
    return std::ranges::any_of(writes, [&](const W& write) { return write.index >= set.most; });
  }
  template <class F>
  bool AnyOutputs(F&& differ) const {
    const auto first = [&](const auto& initial) {
      const StageInterface* const own = OutputsOf(*initial);
      return own != nullptr && Any([&](const T& object) {
               const StageInterface* const other = OutputsOf(object);
               return other != nullptr && differ(*own, *other);
             });
    };
    return std::ranges::any_of(set.pipeline, first) || std::ranges::any_of(set.shaders, first);
  }
  bool DiffersInUse(spv::BuiltIn built_in) const {
    return AnyOutputs([=](const auto& a, const auto& b) { return DifferInUse(a, b, built_in); });
  }
  bool DiffersInOutputs() const {
    return AnyOutputs([](const auto& a, const auto& b) { return HasOtherOutputs(a, b) || HasOtherOutputs(b, a); });
  }
  template <class F>
  bool Any(F&& is_wrong) const {
    return std::ranges::any_of(objects, [&](const T* object) { return is_wrong(*object); });
  }
};
using PipelineWrites =
    WriteFacts<vk::UpdateIndirectExecutionSetPipelineEXT, VkWriteIndirectExecutionSetPipelineEXT, state::Pipeline>;
using WP = const PipelineWrites&;
constexpr char kWrites[] = "pExecutionSetWrites";
constexpr CreationRule<PipelineWrites> kPipelineWriteRules[] = {
    {"indirectExecutionSet-11035", kWrites, "a set of shader objects", [](WP w) { return !w.IsFor(false); }},
    {"executionSetWriteCount-11037", kWrites, "maxPipelineCount of the set",
     [](WP w) { return w.writes.size() > w.set.most; }},
    {"pExecutionSetWrites-11042", kWrites, "two equal indices", [](WP w) { return RepeatsIndex(w.writes); }},
    {"VkWriteIndirectExecutionSetPipelineEXT-index-11026", kWrites, "maxPipelineCount of the set",
     [](WP w) { return w.HasLargeIndex(); }},
    {"VkWriteIndirectExecutionSetPipelineEXT-pipeline-11027", kWrites, "the flags of a pipeline",
     [](WP w) { return w.Any([](const auto& pipeline) { return (pipeline.flags & kBindable) == 0; }); }},
    {"VkWriteIndirectExecutionSetPipelineEXT-pipeline-11030", kWrites, kPipelineStages,
     [](WP w) {
       const auto most = Supported(w.limits, &Limits::supportedIndirectCommandsShaderStagesPipelineBinding);
       return w.Any([&](const auto& pipeline) { return (StagesOf(pipeline) & ~most) != 0; });
     }},
    {"initialPipeline-11152", kWrites, "the stages of the initial pipeline",
     [](WP w) { return w.Any([&](const auto& pipeline) { return StagesOf(pipeline) != w.set.stages; }); }},
    {"initialPipeline-11098", kWrites, "another use of FragDepth",
     [](WP w) { return w.DiffersInUse(spv::BuiltIn::FragDepth); }},
    {"initialPipeline-11086", kWrites, "another use of SampleMask",
     [](WP w) { return w.DiffersInUse(spv::BuiltIn::SampleMask); }},
    {"initialPipeline-11085", kWrites, "another use of FragStencilRefEXT",
     [](WP w) { return w.DiffersInUse(spv::BuiltIn::FragStencilRefEXT); }},
    {"initialPipeline-11147", kWrites, "other fragment outputs", [](WP w) { return w.DiffersInOutputs(); }},
    {"None-11039", kWrites, "the layout of the initial pipeline",
     [](WP w) {
       const state::PipelineLayout* const layout = w.set.layout();
       return w.Any([&](const auto& pipeline) {
         return pipeline.layout && layout != nullptr && AreIncompatible(*pipeline.layout, *layout);
       });
     }},
};
using ShaderWrites =
    WriteFacts<vk::UpdateIndirectExecutionSetShaderEXT, VkWriteIndirectExecutionSetShaderEXT, state::Shader>;
using WS = const ShaderWrites&;
constexpr CreationRule<ShaderWrites> kShaderWriteRules[] = {
    {"indirectExecutionSet-11041", kWrites, "a set of pipelines", [](WS w) { return !w.IsFor(true); }},
    {"pExecutionSetWrites-11043", kWrites, "two equal indices", [](WS w) { return RepeatsIndex(w.writes); }},
    {"VkWriteIndirectExecutionSetShaderEXT-index-11031", kWrites, "maxShaderCount of the set",
     [](WS w) { return w.HasLargeIndex(); }},
    {"VkWriteIndirectExecutionSetShaderEXT-shader-11032", kWrites, "the flags of a shader",
     [](WS w) {
       return w.Any(
           [](const auto& shader) { return (shader.flags & VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT) == 0; });
     }},
    {"VkWriteIndirectExecutionSetShaderEXT-pInitialShaders-11033", kWrites, "the stages of the initial shaders",
     [](WS w) { return w.Any([&](const auto& shader) { return (shader.stage.stage & w.set.stages) == 0; }); }},
    {"FragDepth-11054", kWrites, "another use of FragDepth",
     [](WS w) { return w.DiffersInUse(spv::BuiltIn::FragDepth); }},
    {"SampleMask-11050", kWrites, "another use of SampleMask",
     [](WS w) { return w.DiffersInUse(spv::BuiltIn::SampleMask); }},
    {"StencilExportEXT-11003", kWrites, "another use of FragStencilRefEXT",
     [](WS w) { return w.DiffersInUse(spv::BuiltIn::FragStencilRefEXT); }},
    {"None-11148", kWrites, "other fragment outputs", [](WS w) { return w.DiffersInOutputs(); }},
    {"pExecutionSetWrites-11140", kWrites, "the set layouts of the initial shaders",
     [](WS w) {
       return w.Any([&](const auto& shader) {
         return std::ranges::any_of(w.set.shaders, [&](const auto& first) {
           return first->stage.stage == shader.stage.stage && HaveOtherSets(first->set_layouts, shader.set_layouts);
         });
       });
     }},
};

template <class Writes, size_t N, class C, class H>
void CheckWrites(const dispatch::Device& device, const C& call, const std::optional<ExecutionSetNote>& set,
                 const CreationRule<Writes> (&rules)[N], H member, messages::Report& report) {
  if (!set) return;
  Writes facts = {*set, device.physical_device->Find<Limits>(),
                  state::Items(call.pExecutionSetWrites, call.executionSetWriteCount)};
  for (const auto& write : facts.writes) {
    if (const auto* object = DeviceState::Get<std::remove_cvref_t<decltype(*facts.objects[0])>>(write.*member))
      facts.objects.push_back(object);
  }
  CheckRows(device, messages::Object(call.indirectExecutionSet), report.location(), report, rules, facts);
}

}  // namespace

void AddExecutionSetIds(std::vector<vk::VuidIndex>& ids) {
  AddIds(kSetRules, ids);
  AddIds(kPipelineSetRules, ids);
  AddIds(kShaderSetRules, ids);
  AddIds(kPipelineWriteRules, ids);
  AddIds(kShaderWriteRules, ids);
}

void GeneratedCommandRules::PreCallValidate(const vk::CreateIndirectExecutionSetEXT& call,
                                            messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const VkIndirectExecutionSetCreateInfoEXT& info = *call.pCreateInfo;
  const Limits* const limits = device_.physical_device->Find<Limits>();
  const Location command = report.location();
  const Location create = command.Dot("pCreateInfo");
  CreationCheck check(device_, messages::Object(call.device), SetFacts::kOwner, &info, create, report);
  check.Run(kSetRules, SetFacts{device_, info, limits});
  if (check.has_reported()) return;
  const Location data = create.Dot("info");
  if (info.type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT && info.info.pPipelineInfo != nullptr) {
    const PipelineSetFacts facts = {*info.info.pPipelineInfo, limits};
    CheckRows(device_, messages::Object(facts.info.initialPipeline), data.Dot("pPipelineInfo"), report,
              kPipelineSetRules, facts);
  } else if (info.type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT && info.info.pShaderInfo != nullptr) {
    ShaderSetFacts facts = {*info.info.pShaderInfo, limits};
    for (const VkShaderEXT shader : state::Items(facts.info.pInitialShaders, facts.info.shaderCount)) {
      if (const auto* known = DeviceState::Get<state::Shader>(shader)) facts.shaders.push_back(known);
    }
    CheckRows(device_, messages::Object(call.device), data.Dot("pShaderInfo"), report, kShaderSetRules, facts);
  }
}

void GeneratedCommandRules::PostCallRecord(const vk::CreateIndirectExecutionSetEXT& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  ExecutionSetNote note;
  note.has_shaders = call.pCreateInfo->type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT;
  if (note.has_shaders) {
    const VkIndirectExecutionSetShaderInfoEXT& info = *call.pCreateInfo->info.pShaderInfo;
    note.most = info.maxShaderCount;
    note.push_constants = state::ItemList(info.pPushConstantRanges, info.pushConstantRangeCount);
    for (const VkShaderEXT handle : state::Items(info.pInitialShaders, info.shaderCount)) {
      auto* const shader = DeviceState::Get<state::Shader>(handle);
      if (shader == nullptr) return;
      note.stages |= shader->stage.stage;
      note.shaders.emplace_back(shader);
    }
  } else {
    const VkIndirectExecutionSetPipelineInfoEXT& info = *call.pCreateInfo->info.pPipelineInfo;
    auto* const pipeline = DeviceState::Get<state::Pipeline>(info.initialPipeline);
    if (pipeline == nullptr) return;
    note.most = info.maxPipelineCount;
    note.stages = StagesOf(*pipeline);
    note.bind_point = pipeline->bind_point;
    if (pipeline->layout) note.push_constants = pipeline->layout->push_constants;
    note.pipeline.emplace_back(pipeline);
  }
  sets_.Set(*call.pIndirectExecutionSet, std::move(note));
}

void GeneratedCommandRules::PreCallValidate(const vk::UpdateIndirectExecutionSetPipelineEXT& call,
                                            messages::Report& report) const {
  CheckWrites(device_, call, sets_.Find(call.indirectExecutionSet), kPipelineWriteRules,
              &VkWriteIndirectExecutionSetPipelineEXT::pipeline, report);
}

void GeneratedCommandRules::PreCallValidate(const vk::UpdateIndirectExecutionSetShaderEXT& call,
                                            messages::Report& report) const {
  CheckWrites(device_, call, sets_.Find(call.indirectExecutionSet), kShaderWriteRules,
              &VkWriteIndirectExecutionSetShaderEXT::shader, report);
}

}  // namespace assay::core
