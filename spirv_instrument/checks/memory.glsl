// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of runtime/runtime.h, by descriptor set or by device address. Only the functions and macros here say
// which.

// The linker puts functions of the module in place of these.
uint ShaderId() { return 0u; }
// The execution model.
uint Stage() { return 0u; }
uvec4 StageWords() { return uvec4(0u); }

#ifdef ASSAY_BY_ADDRESS

// The same for the address of the action block.
uvec2 ActionAddress() { return uvec2(0u); }

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Quads { uvec4 quads[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Words { uint words[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Errors { uvec4 quads[]; };

#define ACTION Quads(ActionAddress())
uvec4 ActionQuad(const uint quad) { return ACTION.quads[quad]; }
uvec4 TableQuad(const uint quad) { return Quads(ActionQuad(kTablesAndErrorsQuad).xy).quads[quad]; }

#define ERRORS Errors(ActionQuad(kTablesAndErrorsQuad).zw)
#define CAUSES Words(ActionQuad(kCausesAndOutputQuad).xy)
#define OUTPUT Words(ActionQuad(kCausesAndOutputQuad).zw)
#define COUNTS Words(ActionQuad(kCountsQuad).xy)

#else

layout(set = 0, binding = kActionBinding, std140) uniform Action { uvec4 quads[kActionQuads]; } action;
layout(set = 0, binding = kTablesBinding, std430) readonly buffer Tables { uvec4 quads[]; } tables;
layout(set = 0, binding = kErrorsBinding, std430) buffer Errors { uvec4 quads[]; } errors;
layout(set = 0, binding = kCausesBinding, std430) buffer Causes { uint words[]; } causes;
layout(set = 0, binding = kOutputBinding, std430) buffer Output { uint words[]; } output_;
layout(set = 0, binding = kCountsBinding, std430) buffer Counts { uint words[]; } counts;

#define ACTION action

uvec4 ActionQuad(const uint quad) { return ACTION.quads[quad]; }
uvec4 TableQuad(const uint quad) { return tables.quads[quad]; }

#define ERRORS errors
#define CAUSES causes
#define OUTPUT output_
#define COUNTS counts

#endif

uint ActionWord(const uint quad, const uint word) { return ActionQuad(quad)[word]; }
