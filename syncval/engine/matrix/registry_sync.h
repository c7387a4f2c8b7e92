// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_MATRIX_REGISTRY_SYNC_H_
#define ASSAY_SYNCVAL_ENGINE_MATRIX_REGISTRY_SYNC_H_

#include <string>
#include <string_view>
#include <vector>

#include "vk/vulkan.h"

namespace assay::syncval::matrix {

// The <sync> section of vk.xml, read from the file itself. Expectations that are made from it hold for vk's tables and
// for the engine alike. Each flag has the value of its name. If an element names an alias of the flag, the value is the
// same.
struct RegistrySync {
  struct Stage {
    std::string name;
    VkPipelineStageFlags2 bit = 0;
    // <syncequivalent>; 0 if there is none.
    VkPipelineStageFlags2 parts = 0;
  };
  struct Access {
    std::string name;
    VkAccessFlags2 bit = 0;
    VkAccessFlags2 parts = 0;
    // <syncsupport>: stages, even those that represent several.
    VkPipelineStageFlags2 stages = 0;
  };
  // <syncpipelinestage>
  struct Position {
    VkPipelineStageFlags2 stage = 0;
    bool is_ordered = true;
    VkPipelineStageFlags2 before = 0;
  };
  using Pipeline = std::vector<Position>;

  std::vector<Stage> stages;
  std::vector<Access> accesses;
  std::vector<Pipeline> pipelines;
};

RegistrySync ParseRegistrySync(std::string_view xml);
// For tests with @vulkan_headers//:vk.xml in their data.
RegistrySync ReadRegistrySync();

}  // namespace assay::syncval::matrix

#endif  // ASSAY_SYNCVAL_ENGINE_MATRIX_REGISTRY_SYNC_H_
