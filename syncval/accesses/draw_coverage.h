// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_DRAW_COVERAGE_H_
#define ASSAY_SYNCVAL_ACCESSES_DRAW_COVERAGE_H_

#include "state/state.h"
#include "syncval/accesses/attachments.h"
#include "syncval/accesses/draw_arguments.h"

namespace assay::syncval {

// Whether a draw has a fragment at every place of the render area, so that it meets the fragments of every other draw
// of the instance.
//
// Viewports and scissors must contain the render area. Beyond that, where the primitives lie is unknown, but for one
// usual case: a triangle or two over everything, whose corners the vertex shader knows by their index alone. It has no
// attributes, descriptors or push constants that could place them. No test of depth or stencil, no discard and no
// sample mask may take fragments away.
//
// `assumes_primitives` takes the primitives of each draw to cover its viewport: the setting
// syncval_shader_accesses_heuristic. Dynamic rendering and subpasses of several layers without multiview are not
// covered, since a draw may be to one layer.
bool CoversRenderArea(const DrawStages& stages, const state::ResolvedDrawState& state, const DrawArguments& arguments,
                      const state::RenderPassInstance& rendering, bool assumes_primitives);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_DRAW_COVERAGE_H_
