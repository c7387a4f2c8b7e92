// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The functions that instrumented shaders call: see checks.h. They are compiled as a compute shader that calls none of
// them, and linked into shaders of all stages.

#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef ASSAY_BY_ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

#include "spirv_instrument/runtime/error_codes.h"
#include "spirv_instrument/runtime/layout.h"

#include "spirv_instrument/checks/memory.glsl"

#include "spirv_instrument/checks/faults.glsl"

#include "spirv_instrument/checks/descriptors.glsl"

#include "spirv_instrument/checks/addresses.glsl"
#include "spirv_instrument/checks/buffers.glsl"

#include "spirv_instrument/checks/images.glsl"
#include "spirv_instrument/checks/image_notes.glsl"
#include "spirv_instrument/checks/meshes.glsl"
#include "spirv_instrument/checks/rays.glsl"
#include "spirv_instrument/checks/vertices.glsl"

#include "spirv_instrument/checks/arithmetic.glsl"
#include "spirv_instrument/checks/counts.glsl"
#include "spirv_instrument/checks/prints.glsl"

void main() {}
