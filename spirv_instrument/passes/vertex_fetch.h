// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_VERTEX_FETCH_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_VERTEX_FETCH_H_

#include <memory>

#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

// Vertex attributes past the end of their vertex buffer, and draw parameters that the draw must not have.
//
// *Attributes*: VUID-vkCmdDraw-None-02721, "any attribute data fetched must be entirely contained within the
// corresponding vertex buffer binding". An attribute is fetched for the vertex index, which has the base vertex in it
// already, or for the instance index, with the first instance in it. Where a vertex shader loads an input variable with
// Location, this index must be below what the action block has for each location: the host knows bindings, formats and
// strides, and puts there how far the buffer reaches (SetVertexAttributes of runtime/vertex_attributes.h). It also
// considers the divisor, which makes instances share elements, and robust access, with which there is no end. A matrix
// or an array has several locations; a constant index selects among them.
//
// Indices of an indexed or an indirect draw are seen by no one but the shader.
//
// *Draw parameters*, where the shader loads the built-in, against limits in the action block (kDrawLimitsQuad):
//
//   BaseInstance     is 0 in an indirect draw without drawIndirectFirstInstance, or with a divisor other than 1 without
//                    supportsNonZeroFirstInstance: VUID-VkDrawIndirectCommand-firstInstance-00501, pNext-09461,
//                    None-09462, VUID-VkDrawIndexedIndirectCommand-firstInstance-00554
//   InstanceIndex    is at most maxMultiviewInstanceIndex with multiview:
//                    VUID-vkCmdDraw-maxMultiviewInstanceIndex-02688
//   DrawIndex        is below maxDrawIndirectCount: VUID-vkCmdDrawIndirectCount-countBuffer-02717
//
// They are only reported: the value itself does no harm.
//
// *Variant*: attribute or draw parameter. *Span*: of attributes, the locations, so that attributes that are loaded one
// after the other are checked at once. *Literals*: of draw parameters, the built-in and the word with its limit. *Ids*:
// none, so that one load of an attribute decides all loads behind it, and conditions leave loops.
//
// What it does not see: an attribute that no instruction loads, or that is loaded through a pointer that different
// calls pass; locations from kMaxAttributes on; the alignment of addresses (VUID-vkCmdDraw-format-10389); attributes
// with a divisor other than 1 in an indirect draw; functions that entry points of several execution models reach.
struct VertexFetchConfig {
  bool attributes = true;
  bool draw_parameters = true;
};

std::unique_ptr<Pass> MakeVertexFetch(const VertexFetchConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_VERTEX_FETCH_H_
