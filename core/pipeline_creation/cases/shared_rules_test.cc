// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules that all kinds of pipelines have.

#include "core/pipeline_creation/cases/creation_test.h"

namespace assay::core {
namespace {

constexpr VkPipelineCreateFlags2 kBindableNv = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV;
constexpr VkPipelineCreateFlags2 kBindable = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
constexpr VkPipelineCreateFlags2 kDerive = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT;
constexpr VkPipelineCreateFlags2 kFail = VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
constexpr VkPipelineCreateFlags2 kEarlyReturn = VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT;

// Two resources for a stage, on a device without updates after sets are bound; and three resources, the third one for
// these stages.
void LimitResources(Setup& w, VkShaderStageFlags stages) {
  w.bindings = {{.binding = 0, .count = 2}, {.binding = 1, .stages = stages}};
  w.max_stage_resources = 2;
  for (const char* kind : {"AccelerationStructure", "InlineUniformBlock", "SampledImage", "StorageBuffer",
                           "StorageImage", "StorageTexelBuffer", "UniformBuffer", "UniformTexelBuffer"}) {
    w.without.insert(std::string("descriptorBinding") + kind + "UpdateAfterBind");
  }
}

Setup& DeriveFromBase(Setup& w) {
  w.flags = kDerive;
  w.has_base = true;
  w.base_flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
  return w;
}
Setup& DeriveFromIndex(Setup& w, int32_t index, uint32_t before = 0) {
  w.flags = kDerive;
  w.before = before;
  w.base_index = index;
  return w;
}
Setup& CaptureData(Setup& w) {
  w.Enable("VK_KHR_pipeline_binary").flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
  return w;
}
void AskForFeedback(Setup& w, uint32_t stage_count) {
  static VkPipelineCreationFeedback all, stages[2];
  w.Chain<VkPipelineCreationFeedbackCreateInfo>({.pPipelineCreationFeedback = &all,
                                                 .pipelineStageCreationFeedbackCount = stage_count,
                                                 .pPipelineStageCreationFeedbacks = stages});
}

constexpr MadeKind kKinds[] = {MadeKind::kCompute, MadeKind::kRays, MadeKind::kRaysNv, MadeKind::kGraphics};

struct SharedCase {
  // By kind; empty for a kind without the rule.
  std::string_view ids[4];
  Change change;
  // Whether the rules are of the commands, not of the create infos.
  bool is_of_command = false;
};
constexpr SharedCase All(std::string_view id, Change change) { return {{id, id, id, id}, change}; }
// Ray tracing pipelines of both extensions have one rule.
constexpr SharedCase Both(std::string_view compute, std::string_view rays, Change change) {
  return {{compute, rays, rays}, change};
}
constexpr SharedCase OfCommand(std::string_view compute, std::string_view rays, std::string_view graphics,
                               Change change) {
  return {{compute, rays, rays, graphics}, change, true};
}
constexpr SharedCase kCases[] = {
    Both("flags-09008", "flags-02904", [](Setup& w) { w.EnableGeneratedComputeNv().flags = kBindableNv; }),
    {{"flags-11007"},
     [](Setup& w) {
       w.Enable("VK_EXT_device_generated_commands").Disable("deviceGeneratedCommands").flags = kBindable;
     }},
    {{"", "", "flags-11008"}, [](Setup& w) { w.Enable("VK_EXT_device_generated_commands").flags = kBindable; }},
    Both("pipelineCreationCacheControl-02875", "pipelineCreationCacheControl-02905",
         [](Setup& w) { w.Disable("pipelineCreationCacheControl").flags = kEarlyReturn; }),
    OfCommand("", "flags-03816", "", [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT; }),
    All("None-09497", [](Setup& w) { w.raw_flags = 0x80000000; }),
    All("flags-07984", [](Setup& w) { w.flags = kDerive; }),
    All("flags-07984", By([](Setup& w) {
          DeriveFromBase(w);
          w.base_kind = w.kind == MadeKind::kCompute ? MadeKind::kRays : MadeKind::kCompute;
          if (w.kind == MadeKind::kCompute) w.EnableRays().Enable("VK_KHR_pipeline_library");
        })),
    All("flags-07985", [](Setup& w) { DeriveFromIndex(w, 1); }),
    All("flags-07985", [](Setup& w) { DeriveFromIndex(w, -2); }),
    All("flags-07986", [](Setup& w) { DeriveFromIndex(DeriveFromBase(w), 0, 1); }),
    OfCommand("flags-00695", "flags-03415", "flags-00720", [](Setup& w) { DeriveFromIndex(w, 1, 1); }),
    OfCommand("flags-00696", "flags-03416", "flags-00721", [](Setup& w) { DeriveFromIndex(w, 0, 1); }),
    OfCommand("flags-00696", "flags-03416", "flags-00721", [](Setup& w) { w.flags = kDerive, w.has_base = true; }),
    {{"pipelineStageCreationFeedbackCount-06566", "pipelineStageCreationFeedbackCount-06652",
      "pipelineStageCreationFeedbackCount-06651", "pipelineStageCreationFeedbackCount-06594"},
     [](Setup& w) { AskForFeedback(w, 2); }},
    {{"pNext-09617", "pNext-09617", "pNext-10150 vkCreateRayTracingPipelinesNV-pNext-09617", "pNext-09617"},
     [](Setup& w) { CaptureData(w).has_cache = true; },
     true},
    {{"", "", "pNext-10150"}, [](Setup& w) { CaptureData(w); }, true},
    OfCommand("device-09661", "device-09677", "", [](Setup& w) { w.queues_without = VK_QUEUE_COMPUTE_BIT; }),
    {{"layout-01687", "layout-03428", "layout-03428", "layout-01688"},
     [](Setup& w) { LimitResources(w, VK_SHADER_STAGE_ALL); }},
};
constexpr Change kCorrect[] = {
    [](Setup& w) { LimitResources(w, VK_SHADER_STAGE_FRAGMENT_BIT); },
    [](Setup& w) { w.before = 0; },
    [](Setup& w) { DeriveFromIndex(w, 0, 1).before_flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT; },
    [](Setup& w) { DeriveFromBase(w); },
    [](Setup& w) { AskForFeedback(w, 1); },
    [](Setup& w) { AskForFeedback(w, 0); },
    [](Setup& w) { w.flags = kFail | kEarlyReturn; },
    [](Setup& w) {
      w.flags = kFail;
      w.has_flags2 = w.has_cache = true;
    },
    [](Setup& w) {
      if (w.kind != MadeKind::kRaysNv) CaptureData(w);
    },
};

class SharedRulesTest : public CreationTest {};

TEST_F(SharedRulesTest, Wrong) {
  for (const SharedCase& row : kCases) {
    for (size_t i = 0; i < std::size(kKinds); ++i) {
      if (row.ids[i].empty()) continue;
      Run(kKinds[i], (row.is_of_command ? CommandOf(kKinds[i]) + "-" : "").append(row.ids[i]), row.change);
    }
  }
}
TEST_F(SharedRulesTest, Correct) {
  for (const auto& change : kCorrect) {
    for (const MadeKind kind : kKinds) Run(kind, "", change);
  }
}

}  // namespace
}  // namespace assay::core
