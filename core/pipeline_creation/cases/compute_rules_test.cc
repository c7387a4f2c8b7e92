// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of compute pipelines alone, and of robustness.

#include "core/pipeline_creation/cases/creation_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using Setup = CreationSetup;

struct ComputeCase {
  // Null for a correct pipeline.
  const char* id;
  void (*change)(Setup&);
};
constexpr ComputeCase kCases[] = {
    {"VUID-VkComputePipelineCreateInfo-stage-00701", [](Setup& w) { w.stages = {VK_SHADER_STAGE_VERTEX_BIT}; }},
    {"VUID-VkComputePipelineIndirectBufferInfoNV-deviceGeneratedComputePipelines-09009",
     [](Setup& w) {
       w.Enable("VK_NV_device_generated_commands");
       w.Enable("VK_NV_device_generated_commands_compute");
       w.Disable("deviceGeneratedComputePipelines");
       w.Chain<VkComputePipelineIndirectBufferInfoNV>({.deviceAddress = 256, .size = 64});
     }},
    {"VUID-VkComputePipelineIndirectBufferInfoNV-flags-09010",
     [](Setup& w) {
       w.Enable("VK_NV_device_generated_commands");
       w.Enable("VK_NV_device_generated_commands_compute");
       w.Chain<VkComputePipelineIndirectBufferInfoNV>({.deviceAddress = 256, .size = 64});
     }},
    {"VUID-VkComputePipelineIndirectBufferInfoNV-pipelineDeviceAddressCaptureReplay-09014",
     [](Setup& w) {
       w.Enable("VK_NV_device_generated_commands");
       w.Enable("VK_NV_device_generated_commands_compute");
       w.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV;
       w.Disable("deviceGeneratedComputeCaptureReplay");
       w.Chain<VkComputePipelineIndirectBufferInfoNV>(
           {.deviceAddress = 256, .size = 64, .pipelineDeviceAddressCaptureReplay = 256});
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_NV_device_generated_commands");
       w.Enable("VK_NV_device_generated_commands_compute");
       w.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV;
       w.Chain<VkComputePipelineIndirectBufferInfoNV>(
           {.deviceAddress = 256, .size = 64, .pipelineDeviceAddressCaptureReplay = 256});
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_device_generated_commands");
       w.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
     }},
    {nullptr, [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT; }},
    {"VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06926",
     [](Setup& w) {
       w.Disable("pipelineRobustness");
       w.Chain<VkPipelineRobustnessCreateInfo>({.storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06926",
     [](Setup& w) {
       w.Disable("pipelineRobustness");
       w.ChainToStage<VkPipelineRobustnessCreateInfo>(
           {.storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-robustBufferAccess2-06931",
     [](Setup& w) {
       w.Enable("VK_EXT_robustness2");
       w.Disable("robustBufferAccess2");
       w.Chain<VkPipelineRobustnessCreateInfo>(
           {.storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2});
     }},
    {nullptr,
     [](Setup& w) {
       w.Chain<VkPipelineRobustnessCreateInfo>(
           {.storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06927",
     [](Setup& w) {
       w.Disable("pipelineRobustness");
       w.Chain<VkPipelineRobustnessCreateInfo>({.uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06927",
     [](Setup& w) {
       w.Disable("pipelineRobustness");
       w.ChainToStage<VkPipelineRobustnessCreateInfo>(
           {.uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-robustBufferAccess2-06932",
     [](Setup& w) {
       w.Enable("VK_EXT_robustness2");
       w.Disable("robustBufferAccess2");
       w.Chain<VkPipelineRobustnessCreateInfo>(
           {.uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2});
     }},
    {nullptr,
     [](Setup& w) {
       w.Chain<VkPipelineRobustnessCreateInfo>(
           {.uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06928",
     [](Setup& w) {
       w.Disable("pipelineRobustness");
       w.Chain<VkPipelineRobustnessCreateInfo>({.vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06928",
     [](Setup& w) {
       w.Disable("pipelineRobustness");
       w.ChainToStage<VkPipelineRobustnessCreateInfo>(
           {.vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-robustBufferAccess2-06933",
     [](Setup& w) {
       w.Enable("VK_EXT_robustness2");
       w.Disable("robustBufferAccess2");
       w.Chain<VkPipelineRobustnessCreateInfo>(
           {.vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2});
     }},
    {nullptr,
     [](Setup& w) {
       w.Chain<VkPipelineRobustnessCreateInfo>(
           {.vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-pipelineRobustness-06929",
     [](Setup& w) {
       w.Disable("pipelineRobustness");
       w.Chain<VkPipelineRobustnessCreateInfo>({.images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-robustImageAccess-06930",
     [](Setup& w) {
       w.Disable("robustImageAccess");
       w.Chain<VkPipelineRobustnessCreateInfo>({.images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS});
     }},
    {"VUID-VkPipelineRobustnessCreateInfo-robustImageAccess2-06934",
     [](Setup& w) {
       w.Enable("VK_EXT_robustness2");
       w.Disable("robustImageAccess2");
       w.Chain<VkPipelineRobustnessCreateInfo>({.images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2});
     }},
    {nullptr,
     [](Setup& w) {
       w.Chain<VkPipelineRobustnessCreateInfo>({.images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS});
     }},
    {nullptr,
     [](Setup& w) {
       w.Chain<VkPipelineRobustnessCreateInfo>({.images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2});
     }},
    {nullptr, [](Setup& w) { w.Disable("pipelineRobustness"), w.Chain<VkPipelineRobustnessCreateInfo>({}); }},
};

class ComputeRulesTest : public CreationTest {};

TEST_F(ComputeRulesTest, All) {
  for (const ComputeCase& row : kCases) Run(MadeKind::kCompute, row.id, row.change);
}

}  // namespace
}  // namespace assay::core
