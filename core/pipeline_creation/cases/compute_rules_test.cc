// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of compute pipelines alone, and of robustness.

#include "core/pipeline_creation/cases/creation_test.h"

namespace assay::core {
namespace {

using Indirect = VkComputePipelineIndirectBufferInfoNV;
using Robustness = VkPipelineRobustnessCreateInfo;

constexpr VkPipelineRobustnessImageBehavior kImageAccess = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS;
constexpr VkPipelineRobustnessImageBehavior kImageAccess2 = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2;

Setup& WithoutAccess2(Setup& w) { return w.Enable("VK_EXT_robustness2").Disable("robustBufferAccess2"); }
void ReplayIndirect(Setup& w) {
  w.EnableGeneratedComputeNv().flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV;
  w.Chain<Indirect>({.deviceAddress = 256, .size = 64, .pipelineDeviceAddressCaptureReplay = 256});
}

constexpr CreationCase kCases[] = {
    {"VkComputePipelineIndirectBufferInfoNV-flags-09010",
     [](Setup& w) { w.EnableGeneratedComputeNv().Chain<Indirect>({.deviceAddress = 256, .size = 64}); }},
    {"VkComputePipelineIndirectBufferInfoNV-pipelineDeviceAddressCaptureReplay-09014",
     [](Setup& w) { ReplayIndirect(w.Disable("deviceGeneratedComputeCaptureReplay")); }},
    Correct(ReplayIndirect),
    Correct([](Setup& w) {
      w.Enable("VK_EXT_device_generated_commands").flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
    }),
    Correct([](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT; }),
    {"VkPipelineRobustnessCreateInfo-robustImageAccess-06930",
     [](Setup& w) { w.Disable("robustImageAccess").Chain<Robustness>({.images = kImageAccess}); }},
    {"VkPipelineRobustnessCreateInfo-robustImageAccess2-06934", By([](Setup& w) {
       w.Enable("VK_EXT_robustness2").Disable("robustImageAccess2").Chain<Robustness>({.images = kImageAccess2});
     })},
    Correct([](Setup& w) { w.Chain<Robustness>({.images = kImageAccess}); }),
    Correct([](Setup& w) { w.Chain<Robustness>({.images = kImageAccess2}); }),
    Correct([](Setup& w) { w.Disable("pipelineRobustness").Chain<Robustness>({}); }),
};

// A kind of buffers, and what is reported without the feature for the behavior.
struct BufferCase {
  VkPipelineRobustnessBufferBehavior Robustness::* member;
  const char* id;
  const char* id_of_access2;
};
constexpr BufferCase kBufferCases[] = {
    {&Robustness::storageBuffers, "pipelineRobustness-06926", "robustBufferAccess2-06931"},
    {&Robustness::uniformBuffers, "pipelineRobustness-06927", "robustBufferAccess2-06932"},
    {&Robustness::vertexInputs, "pipelineRobustness-06928", "robustBufferAccess2-06933"},
};

class ComputeRulesTest : public CreationTest {};

TEST_F(ComputeRulesTest, All) { Run(MadeKind::kCompute, kCases); }
TEST_F(ComputeRulesTest, RobustBuffers) {
  const std::string owner = "VkPipelineRobustnessCreateInfo-";
  for (const BufferCase& row : kBufferCases) {
    Robustness disabled = {}, access2 = {};
    disabled.*row.member = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED;
    access2.*row.member = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2;
    Run(MadeKind::kCompute, owner + row.id,
        [&](CreationSetup& w) { w.Disable("pipelineRobustness").ChainToStage(disabled); });
    Run(MadeKind::kCompute, owner + row.id_of_access2, [&](CreationSetup& w) { WithoutAccess2(w).Chain(access2); });
    Run(MadeKind::kCompute, "", [&](CreationSetup& w) { w.Chain(access2); });
  }
}

}  // namespace
}  // namespace assay::core
