// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_SHADER_ACCESSES_H_
#define ASSAY_SYNCVAL_COMMANDS_SHADER_ACCESSES_H_

#include <cstdint>

#include "state/state.h"
#include "syncval/commands/check.h"

// Accesses of shaders through the descriptors that they statically use. Private to the folder.
namespace assay::syncval {

// What a fragment shader or a subpass shader may read as input attachments.
struct InputAttachments {
  const state::RenderPassInstance& rendering;
  const Attachments& attachments;
  // Whether fragments at one place access attachments in rasterization order, even if not as attachments alone:
  // rasterization order attachment access or fragment shader interlock.
  bool are_in_rasterization_order;
  // Whether the draw covers the render area (CoversRenderArea).
  bool covers_render_area;
  // The context's.
  uint64_t version;
};

// Adds the accesses of the stage through the bound descriptor sets. `inputs` are those of a draw or of subpass shading;
// null for other commands.
void CollectStage(AccessCollector& collector, const state::BindPointState& bindings, const state::PipelineStage& stage,
                  const InputAttachments* inputs = nullptr);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_SHADER_ACCESSES_H_
