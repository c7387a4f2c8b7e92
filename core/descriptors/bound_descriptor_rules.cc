// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/descriptors/bound_descriptor_rules.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_accesses.h"
#include "core/interfaces/variable_text.h"
#include "vk/commands.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using vk::FeatureId;

// What a traversal needs of how its acceleration structure was built.
struct TraversalRule {
  ResourceAccess access;
  ContentNeed::Kind kind;
  vk::VuidIndex rule;
  // Whether it is for pipelines without VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV alone.
  bool is_without_motion = false;
};
constexpr TraversalRule kTraversalRules[] = {
    {kTracesRay, ContentNeed::Kind::kTopLevel, vk::Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06359")},
    {kTracesRay, ContentNeed::Kind::kWithoutMotion, vk::Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06360"), true},
    {kTracesRayInMotion, ContentNeed::Kind::kTopLevelWithMotion,
     vk::Vuid("VUID-RuntimeSpirv-OpTraceRayMotionNV-06365")},
    {kTracesHitObjectInMotion, ContentNeed::Kind::kTopLevelWithMotion,
     vk::Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayMotionNV-07709")},
    {kQueriesRay, ContentNeed::Kind::kTopLevel, vk::Vuid("VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06352")},
    {kGeneratesIntersection, ContentNeed::Kind::kWithoutMotion,
     vk::Vuid("VUID-RuntimeSpirv-OpRayQueryGenerateIntersectionKHR-06354")},
    {kReadsPositions, ContentNeed::Kind::kDataAccess, vk::Vuid("VUID-RuntimeSpirv-flags-08761")},
};

bool HasProtectedNoFault(const dispatch::Device& device) {
  const auto* const memory = device.physical_device->Find<VkPhysicalDeviceProtectedMemoryProperties>();
  return memory != nullptr && memory->protectedNoFault == VK_TRUE;
}

// The sampler of a descriptor; null where it is not known, or may be another later.
const state::Sampler* SamplerOf(const state::BindPointState& bound, const ResourceVariable& resource) {
  const state::DescriptorContents* const contents = ContentsOf(bound, resource.set);
  const auto* const binding = contents != nullptr ? contents->layout().Find(resource.binding) : nullptr;
  if (binding != nullptr && binding->has_immutable_samplers)
    return binding->immutable_samplers.empty() ? nullptr : binding->immutable_samplers[0].get();
  const state::Descriptor* const descriptor = FixedDescriptor(bound, resource);
  if (descriptor == nullptr) return nullptr;
  const bool is_combined = descriptor->kind == state::Descriptor::Kind::kImage;
  if (!is_combined && descriptor->kind != state::Descriptor::Kind::kSampler) return nullptr;
  return state::DeviceState::Get<state::Sampler>(is_combined ? descriptor->sampler : descriptor->resource);
}

// The view of a descriptor that stays; null where it is not known.
const state::ImageView* ViewOf(const state::BindPointState& bound, const ResourceVariable& resource) {
  const state::Descriptor* const descriptor = FixedDescriptor(bound, resource);
  if (descriptor == nullptr || descriptor->kind != state::Descriptor::Kind::kImage) return nullptr;
  const auto* const view = state::DeviceState::Get<state::ImageView>(descriptor->resource);
  return view != nullptr && view->image ? view : nullptr;
}

// That the descriptors that are bound have the elements of an array.
bool CheckIndex(const DescriptorAccess& access) {
  const state::BindPointState& bound = access.shaders.bound;
  const state::DescriptorContents* const contents = ContentsOf(bound, access.resource.set);
  const auto* const binding = contents != nullptr ? contents->layout().Find(access.resource.binding) : nullptr;
  if (binding == nullptr || binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) return true;
  // A set may have fewer of its last binding. Those beyond the last one are not tracked.
  const size_t tracked = contents->descriptors().size();
  const size_t count = std::min<size_t>(binding->count, tracked - std::min<size_t>(binding->first, tracked));
  if (*access.resource.largest_index < count || tracked == state::DescriptorSetLayout::kMaxDescriptors) return true;
  return !access.ReportUse(access.ids.Of(DescriptorRule("None-10068")),
                           messages::Object(bound.sets[access.resource.set].layout),
                           absl::StrCat("an array with the index ", *access.resource.largest_index, ", but ",
                                        SetText(bound.sets[access.resource.set], access.report.reporter()), " has ",
                                        count, " descriptors of that binding"));
}

}  // namespace

std::vector<vk::VuidIndex> DescriptorIds() {
  std::vector<vk::VuidIndex> all;
  vk::ForEachCommand([&](auto tag) {
    using C = typename decltype(tag)::Command;
    if constexpr (ActionCommand<C>) {
      const DescriptorRuleIds& ids = DescriptorRuleIdsOf<C>(false);
      all.insert(all.end(), ids.begin(), ids.end());
    }
  });
  std::erase(all, vk::kNoVuid);
  return all;
}

DescriptorRuleIds FindDescriptorRuleIds(std::string_view command, bool pushes_constants) {
  DescriptorRuleIds ids(command);
  if (pushes_constants) ids.Remove("None-08601");
  if (pushes_constants) ids.Remove("maintenance4-08602");
  return ids;
}

DescriptorFacts::DescriptorFacts(const dispatch::Device& of)
    : device(of),
      has_sparse_int64_atomics(of.HasFeature(FeatureId::kSparseImageInt64Atomics)),
      has_sparse_float_atomics(of.HasFeature(FeatureId::kSparseImageFloat32Atomics) ||
                               of.HasFeature(FeatureId::kSparseImageFloat32AtomicAdd) ||
                               of.HasFeature(FeatureId::kSparseImageFloat32AtomicMinMax)),
      renders_to_single_sampled(of.HasFeature(FeatureId::kMultisampledRenderToSingleSampled)),
      protected_no_fault(HasProtectedNoFault(of)),
      maintenance4(of.HasFeature(FeatureId::kMaintenance4)),
      filters_cubic(of.IsEnabled(vk::ExtensionId::kExtFilterCubic)),
      cubic_range_clamp(of.HasFeature(FeatureId::kCubicRangeClamp)),
      selectable_cubic_weights(of.HasFeature(FeatureId::kSelectableCubicWeights)),
      features(of) {}

BoundDescriptorRules::BoundDescriptorRules(const dispatch::Device& device)
    : inherits_(device.HasFeature(FeatureId::kCommandBufferInheritance)), facts_(device) {}

bool BoundDescriptorRules::Check(const DescriptorRuleIds& ids, DrawRecording::BindPoint point,
                                 const state::CommandBuffer& buffer, RecordingScope& scope, const UsedDescriptors& used,
                                 messages::Report& report) const {
  const state::BindPointState& bound = buffer.At(PointOf(point));
  const BoundShaders shaders{point, buffer, scope.draw, bound};
  const UsedDescriptors& checked = scope.checked_descriptors[point];
  const bool has_other_sets_alone = checked.shaders == used.shaders && checked.layouts_key == used.layouts_key &&
                                    bound.descriptor_buffer_offsets.empty();
  bool is_right = CheckNeeds(facts_, ids, shaders, scope, has_other_sets_alone, report);
  if (point == DrawRecording::kGraphics) is_right &= CheckAttachmentWrites(ids, shaders, scope, report);
  shaders.ForEach([&](const ResourceAccesses& resources, const state::Pipeline*, const state::Shader*) {
    for (const ResourceAccesses::Stage& stage : resources.stages) {
      const ShaderInterface& shader = *stage.shader;
      if (!stage.accesses_images) continue;
      if (shader.stage == VK_SHADER_STAGE_FRAGMENT_BIT && shaders.MayDiscard()) {
        is_right = false;
        continue;
      }
      for (const ResourceVariable& resource : shader.resources) {
        const DescriptorAccess access{ids, shaders, shader.stage, resource, report};
        if (resource.largest_index) is_right &= CheckIndex(access);
        if (resource.accesses == 0 || resource.dim == spv::Dim::Max) continue;
        if (resource.dim != spv::Dim::Buffer) {
          const state::ImageView* const view = ViewOf(bound, resource);
          if (view != nullptr) is_right &= CheckImage(facts_, access, *view);
          if (resource.kind == ResourceVariable::Kind::kInputAttachment) {
            is_right &= CheckInputAttachment(access, view);
          } else if (view != nullptr && point == DrawRecording::kGraphics) {
            is_right &= CheckFeedbackLoop(access, *view, scope);
          }
          continue;
        }
        const state::Descriptor* const descriptor = FixedDescriptor(bound, resource);
        if (descriptor == nullptr || descriptor->kind != state::Descriptor::Kind::kTexelBuffer) continue;
        const auto* const view = state::DeviceState::Get<state::BufferView>(descriptor->resource);
        if (view != nullptr) is_right &= CheckTexelBuffer(facts_, access, *view);
      }
      for (const SampledImage& sampled : shader.sampled_images) {
        const ResourceVariable& image = shader.resources[sampled.image];
        const state::ImageView* const view = ViewOf(bound, image);
        const state::Sampler* const sampler = SamplerOf(bound, shader.resources[sampled.sampler]);
        if (view == nullptr || sampler == nullptr) continue;
        const DescriptorAccess access{ids, shaders, shader.stage, image, report};
        is_right &= CheckSampler(facts_, access, *view, *sampler, sampled.uses);
      }
    }
  });
  return is_right;
}

bool DescriptorAccess::Report(vk::VuidIndex rule, const messages::ObjectRef& object, std::string_view as,
                              std::string_view is, std::string fix) const {
  if (rule == vk::kNoVuid) return false;
  const messages::Reporter& reporter = report.reporter();
  const std::string set = SetText(shaders.bound.sets[resource.set], reporter);
  return ReportUse(rule, object,
                   absl::StrCat(as, ", but the descriptor in ", set, " is ", reporter.Describe(object), ", ", is),
                   std::move(fix));
}

bool DescriptorAccess::ReportUse(vk::VuidIndex rule, const messages::ObjectRef& object, std::string_view as,
                                 std::string fix) const {
  if (rule == vk::kNoVuid) return false;
  report.Error(rule, {{VK_OBJECT_TYPE_COMMAND_BUFFER, shaders.buffer.handle()}, object}, report.location(),
               absl::StrCat(ShaderText(shaders, stage, report.reporter()), " accesses binding ", resource.binding,
                            " of set ", resource.set, " as ", as, "."),
               std::move(fix));
  return true;
}

bool CheckProtection(const DescriptorAccess& access, const messages::ObjectRef& object, std::string_view what,
                     bool is_protected, bool is_written) {
  constexpr VkShaderStageFlags kMayWrite = VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
  if ((access.shaders.buffer.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) == 0) {
    return !is_protected ||
           !access.Report("commandBuffer-02707", object, absl::StrCat(what, ", in an unprotected command buffer"),
                          "which is protected");
  }
  if (!is_written) return true;
  const std::string as = absl::StrCat(what, " that it writes, in a protected command buffer");
  if (!is_protected) return !access.Report("commandBuffer-02712", object, as, "which is not protected");
  return (access.stage & kMayWrite) != 0 || !access.ReportUse(access.ids.Of("commandBuffer-02713"), object, as);
}

std::string ShaderText(const BoundShaders& shaders, VkShaderStageFlagBits stage, const messages::Reporter& reporter) {
  std::string text = absl::StrCat("The ", StageText(stage), " shader");
  if (shaders.draw.HasPipeline(shaders.point))
    absl::StrAppend(&text, " of ", reporter.Describe(messages::Object(shaders.bound.pipeline)));
  return text;
}

std::string SetText(const state::BoundSet& set, const messages::Reporter& reporter) {
  return set.pushed != nullptr ? "the pushed set" : reporter.Describe(messages::Object(set.set));
}

std::string MissingFeatureText(VkFormat format, VkFormatFeatureFlags2 feature) {
  return absl::StrCat("whose format ", vk::EnumName(vk::EnumId::kFormat, format), " does not have ",
                      vk::EnumName(vk::EnumId::kFormatFeatureFlagBits2, static_cast<int64_t>(feature)));
}

void BoundDescriptorRules::AddNeeds(vk::CommandId command, DrawRecording::BindPoint point,
                                    const state::CommandBuffer& buffer, RecordingScope& scope) const {
  const state::BindPointState& bound = buffer.At(PointOf(point));
  const BoundShaders shaders{point, buffer, scope.draw, bound};
  shaders.ForEach([&](const ResourceAccesses& used, const state::Pipeline* pipeline, const state::Shader*) {
    if (!used.has_traversals) return;
    const bool allows_motion =
        pipeline == nullptr || (pipeline->flags & VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_MOTION_BIT_NV) != 0;
    for (const ResourceAccesses::Stage& stage : used.stages) {
      if (!stage.runs) continue;
      for (const ResourceVariable& resource : stage.shader->resources) {
        if (resource.accesses == 0 || resource.kind != ResourceVariable::Kind::kAccelerationStructure) continue;
        const state::Descriptor* const descriptor = FixedDescriptor(bound, resource);
        if (descriptor == nullptr || descriptor->kind != state::Descriptor::Kind::kAccelerationStructure) continue;
        const VkObjectType type = descriptor->type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV
                                      ? VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV
                                      : VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR;
        for (const TraversalRule& rule : kTraversalRules) {
          if ((resource.accesses & rule.access) == 0 || (rule.is_without_motion && allows_motion)) continue;
          AddNeed({.kind = rule.kind, .rule = rule.rule, .command = command, .object = {type, descriptor->resource}},
                  scope.needs);
        }
      }
    }
  });
}

}  // namespace assay::core
