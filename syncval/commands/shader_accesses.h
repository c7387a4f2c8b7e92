// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_SHADER_ACCESSES_H_
#define ASSAY_SYNCVAL_COMMANDS_SHADER_ACCESSES_H_

#include "state/state.h"
#include "syncval/commands/check.h"

// What shaders access: the descriptors that they statically use, as they use them. Private to the package.
namespace assay::syncval {

// Adds what the stage accesses through the sets that are bound. `rendering` is where a draw's fragment shader reads
// input attachments, and `attachments` what it knows of them; null for what is no draw.
void CollectStage(AccessCollector& collector, const state::BindPointState& bindings, const state::PipelineStage& stage,
                  const state::RenderPassInstance* rendering = nullptr, const Attachments* attachments = nullptr);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_SHADER_ACCESSES_H_
