// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_SHADER_ACCESSES_H_
#define ASSAY_SYNCVAL_COMMANDS_SHADER_ACCESSES_H_

#include "state/state.h"
#include "syncval/commands/check.h"

// Accesses of shaders through the descriptors that they statically use. Private to the folder.
namespace assay::syncval {

// Adds the accesses of the stage through the bound descriptor sets. For a draw, `rendering` is its render pass
// instance, whose attachments the fragment shader may read as input attachments, and `attachments` holds their ordering
// rules; null for other commands.
void CollectStage(AccessCollector& collector, const state::BindPointState& bindings, const state::PipelineStage& stage,
                  const state::RenderPassInstance* rendering = nullptr, const Attachments* attachments = nullptr);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_SHADER_ACCESSES_H_
