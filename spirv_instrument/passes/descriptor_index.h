// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_DESCRIPTOR_INDEX_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_DESCRIPTOR_INDEX_H_

#include <memory>

#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

// Uses of descriptors that do not exist, were never written, or refer to what was destroyed: images, samplers, combined
// image samplers, texel buffers, input attachments, buffers and acceleration structures. Indices may be constant,
// dynamic or non-uniform; arrays of fixed, runtime and variable length, and arrays of arrays (the index is that of the
// flattened array). The instruction that is guarded is the one that accesses the image, buffer or acceleration
// structure: OpImageSample*, OpImageFetch, OpImageRead, OpLoad of a block and so on. OpLoad of an image itself stays as
// it is. Of a sampled image that OpSampledImage made both descriptors are checked, each for its own.
//
// A constant index is left to the host.
//
// *Literals*: set, binding, constant part of the index, the descriptor types that the access may be to, the factor of
// each term. *Ids*: the terms of the index.
//
// A descriptor from a function parameter is known if all calls select it from one variable: indices that only the
// callers know are passed on (PassIndices).
//
// What it does not see, and counts with the reason: a parameter that different calls give descriptors of different
// variables; OpPhi and OpSelect of images or pointers. An acceleration structure that was converted from an address has
// no descriptor. A ray query whose OpRayQueryInitializeKHR is not executed stays as it was; the pass for ray queries
// keeps it from being used.
struct DescriptorIndexConfig {
  bool images = true;
  // Loads, stores and so on of blocks. BufferBounds finds the same, so that MakePasses does not ask for both;
  // OpArrayLength is always a use.
  bool buffers = true;
  bool acceleration_structures = true;
  // Whether a query of size, levels, samples or level of detail is a use.
  bool queries = true;
};

std::unique_ptr<Pass> MakeDescriptorIndex(const DescriptorIndexConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_DESCRIPTOR_INDEX_H_
