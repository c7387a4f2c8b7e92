// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

Setup& MakeBase(Setup& w) {
  w.base = std::make_unique<Setup>();
  w.base->info.flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
  return *w.base;
}
void UseBinaries(Setup& w) {
  w.Enable("VK_KHR_pipeline_binary");
  w.binary_count = 1;
}
constexpr PipelineCase kCases[] = {
    {nullptr, [](Setup& w) { w.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT, MakeBase(w); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-07984",
     [](Setup& w) { w.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT; }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-07985",
     [](Setup& w) { w.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT, w.info.basePipelineIndex = 5; }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-07986",
     [](Setup& w) { w.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT, MakeBase(w), w.info.basePipelineIndex = 0; }},
    {"VUID-vkCreateGraphicsPipelines-flags-00720",
     [](Setup& w) { w.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT, w.info.basePipelineIndex = 0; }},
    {"VUID-vkCreateGraphicsPipelines-flags-00721",
     [](Setup& w) { w.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT, MakeBase(w).info.flags = 0; }},
    {"VUID-vkCreateGraphicsPipelines-pNext-09617",
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_binary");
       w.Chain<VkPipelineCreateFlags2CreateInfo>(w.info, {}).flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
       w.has_cache = true;
     }},
    {"VUID-vkCreateGraphicsPipelines-pNext-09616", [](Setup& w) { UseBinaries(w), w.has_cache = true; }},
    {"VUID-vkCreateGraphicsPipelines-binaryCount-09622",
     [](Setup& w) { UseBinaries(w), w.info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT; }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_binary");
       w.Chain<VkPipelineCreateFlags2CreateInfo>(w.info, {}).flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
     }},
};

}  // namespace

absl::Span<const PipelineCase> CallCases() { return kCases; }

}  // namespace assay::core
