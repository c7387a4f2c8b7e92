// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

constexpr uint32_t kUnused = VK_ATTACHMENT_UNUSED;
constexpr uint32_t kPairs[][2] = {{0, 1}, {1, 0}, {0, 0}, {0, 100}, {kUnused, kUnused}};
constexpr uint32_t kZero = 0;

void SetLocations(Setup& w, const uint32_t* locations) {
  UseTwoColors(w).Chain<VkRenderingAttachmentLocationInfo>(
      w.info, {.colorAttachmentCount = 2, .pColorAttachmentLocations = locations});
}
void SetIndices(Setup& w, const uint32_t* colors, const uint32_t* depth, const uint32_t* stencil) {
  UseTwoColors(w).Chain<VkRenderingInputAttachmentIndexInfo>(w.info, {.colorAttachmentCount = 2,
                                                                      .pColorAttachmentInputIndices = colors,
                                                                      .pDepthInputAttachmentIndex = depth,
                                                                      .pStencilInputAttachmentIndex = stencil});
}

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { SetLocations(w, kPairs[1]); }),
    Correct([](Setup& w) { SetLocations(w, kPairs[4]); }),
    Correct([](Setup& w) { w.Disable("dynamicRenderingLocalRead"), SetLocations(w, kPairs[0]); }),
    {"VkRenderingAttachmentLocationInfo-dynamicRenderingLocalRead-09512",
     [](Setup& w) { w.Disable("dynamicRenderingLocalRead"), SetLocations(w, kPairs[1]); }},
    {"VkRenderingAttachmentLocationInfo-pColorAttachmentLocations-09513", [](Setup& w) { SetLocations(w, kPairs[2]); }},
    {"VkRenderingAttachmentLocationInfo-pColorAttachmentLocations-09515", [](Setup& w) { SetLocations(w, kPairs[3]); }},
    Correct([](Setup& w) { SetIndices(w, kPairs[1], &kUnused, nullptr); }),
    Correct([](Setup& w) { w.Disable("dynamicRenderingLocalRead"), SetIndices(w, kPairs[4], &kUnused, &kUnused); }),
    {"VkRenderingInputAttachmentIndexInfo-dynamicRenderingLocalRead-09519",
     [](Setup& w) { w.Disable("dynamicRenderingLocalRead"), SetIndices(w, kPairs[0], &kUnused, &kUnused); }},
    {"VkRenderingInputAttachmentIndexInfo-dynamicRenderingLocalRead-09520",
     [](Setup& w) { w.Disable("dynamicRenderingLocalRead"), SetIndices(w, kPairs[4], &kZero, &kUnused); }},
    {"VkRenderingInputAttachmentIndexInfo-dynamicRenderingLocalRead-09521",
     [](Setup& w) { w.Disable("dynamicRenderingLocalRead"), SetIndices(w, kPairs[4], &kUnused, &kZero); }},
    {"VkRenderingInputAttachmentIndexInfo-pColorAttachmentInputIndices-09522",
     [](Setup& w) { SetIndices(w, kPairs[2], &kUnused, &kUnused); }},
    {"VkRenderingInputAttachmentIndexInfo-pColorAttachmentInputIndices-09523",
     [](Setup& w) { SetIndices(w, kPairs[0], &kZero, &kUnused); }},
    {"VkRenderingInputAttachmentIndexInfo-pColorAttachmentInputIndices-09524",
     [](Setup& w) { SetIndices(w, kPairs[0], &kUnused, &kZero); }},
};

}  // namespace

absl::Span<const PipelineCase> LocalReadCases() { return kCases; }

}  // namespace assay::core
