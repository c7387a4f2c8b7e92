// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

constexpr VkPipelineCreateFlags kDerive = VK_PIPELINE_CREATE_DERIVATIVE_BIT;

Setup& MakeBase(Setup& w) {
  w.base = std::make_unique<Setup>();
  w.base->info.flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
  return *w.base;
}
void UseBinaries(Setup& w) {
  w.Enable("VK_KHR_pipeline_binary");
  w.binary_count = 1;
}
Setup& CaptureData(Setup& w) {
  return SetFlags2(With(w, {"VK_KHR_pipeline_binary"}), VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR);
}

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { w.info.flags = kDerive, MakeBase(w); }),
    {"flags-07984", [](Setup& w) { w.info.flags = kDerive; }},
    {"flags-07985", [](Setup& w) { w.info.flags = kDerive, w.info.basePipelineIndex = 5; }},
    {"flags-07986", [](Setup& w) { w.info.flags = kDerive, MakeBase(w), w.info.basePipelineIndex = 0; }},
    {"vkCreateGraphicsPipelines-flags-00720", [](Setup& w) { w.info.flags = kDerive, w.info.basePipelineIndex = 0; }},
    {"vkCreateGraphicsPipelines-flags-00721", [](Setup& w) { w.info.flags = kDerive, MakeBase(w).info.flags = 0; }},
    {"vkCreateGraphicsPipelines-pNext-09617", [](Setup& w) { CaptureData(w).has_cache = true; }},
    {"vkCreateGraphicsPipelines-pNext-09616", [](Setup& w) { UseBinaries(w), w.has_cache = true; }},
    {"vkCreateGraphicsPipelines-binaryCount-09622",
     [](Setup& w) { UseBinaries(w), w.info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT; }},
    Correct([](Setup& w) { CaptureData(w); }),
};

}  // namespace

absl::Span<const PipelineCase> CallCases() { return kCases; }

}  // namespace assay::core
