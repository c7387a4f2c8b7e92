// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What instrumented shaders report. C++ and GLSL both include this file. Codes keep their numbers, since records may be
// read by another build than that which made the shader: add new ones at the end of a group.

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_ERROR_CODES_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_ERROR_CODES_H_

#ifdef __cplusplus
#include <cstdint>
// NOLINTBEGIN(bugprone-macro-parentheses): these are names that are declared.
#define ASSAY_CODE(name, value) name = value,
#define ASSAY_CODES_BEGIN(name)       \
  namespace assay::spirv_instrument { \
  enum class name : uint32_t {
#define ASSAY_CODES_END \
  }                     \
  ;                     \
  }
// NOLINTEND(bugprone-macro-parentheses)
#else
#define ASSAY_CODE(name, value) const uint name = value;
#define ASSAY_CODES_BEGIN(name)
#define ASSAY_CODES_END
#endif

// Behind each code: the data words of its record (kRecordDataWord in layout.h).
ASSAY_CODES_BEGIN(ErrorCode)
// Descriptors. Set; binding; index; how many descriptors the binding has; the state (kDescriptorStateWord).
ASSAY_CODE(kDescriptorIndexOutOfBounds, 1)
ASSAY_CODE(kDescriptorNotWritten, 2)
ASSAY_CODE(kDescriptorDestroyed, 3)
ASSAY_CODE(kDescriptorNull, 4)
ASSAY_CODE(kDescriptorTypeMismatch, 5)
// No set is bound, or it does not have the binding.
ASSAY_CODE(kDescriptorMissing, 6)
// Buffers. Set; binding; index of the descriptor; where the access ends, in bytes from the begin of the range
// (0xffffffff if it is further away); how many bytes the range has.
ASSAY_CODE(kBufferOutOfBounds, 16)
// The same, in texels.
ASSAY_CODE(kTexelBufferOutOfBounds, 17)
// Device addresses. The address, low word first; the size of the access; how many bytes are left at the address (0 if
// it is in no live range), or the alignment.
ASSAY_CODE(kAddressOutOfBounds, 24)
ASSAY_CODE(kAddressAcrossEnd, 25)
ASSAY_CODE(kAddressMisaligned, 26)
// Images. Three coordinates, of which those that the image does not have are 0; the level, or of the sample code the
// sample; the size that is exceeded.
ASSAY_CODE(kImageCoordinatesOutOfBounds, 32)
ASSAY_CODE(kImageLevelOutOfBounds, 33)
ASSAY_CODE(kImageLayerOutOfBounds, 34)
ASSAY_CODE(kImageSampleOutOfBounds, 35)
// A component of an offset; the smallest and the largest that the device has.
ASSAY_CODE(kImageOffsetOutOfRange, 36)
// What the host finds of notes (image_notes.h). No data.
ASSAY_CODE(kImageLayout, 37)
// Ray queries and traces. Words of the value that is wrong: origin or direction, with 0 or 1 behind it; smallest and
// largest T; direction; flags, and those of them that exclude one another.
ASSAY_CODE(kRayNotFinite, 48)
ASSAY_CODE(kRayNegativeT, 49)
ASSAY_CODE(kRayRangeReversed, 50)
ASSAY_CODE(kRayZeroDirection, 51)
ASSAY_CODE(kRayFlagsExclusive, 52)
// No data.
ASSAY_CODE(kRayQueryNotInitialized, 53)
// Smallest and largest T.
ASSAY_CODE(kRayTNotANumber, 54)
// The time of a motion ray, as float.
ASSAY_CODE(kRayTimeOutOfRange, 55)
// The type of the intersection, candidate or committed, that the query has.
ASSAY_CODE(kRayQueryWithoutIntersection, 56)
// T of the intersection; smallest T; committed T.
ASSAY_CODE(kRayHitTOutOfRange, 57)
// The hit kind.
ASSAY_CODE(kRayHitKindOutOfRange, 58)
// No data.
ASSAY_CODE(kHitObjectNotInitialized, 59)
// Mesh and task shaders. The index; how many vertices or primitives were set.
ASSAY_CODE(kMeshOutputPastCount, 64)
// The count; the maximum; 0 for vertices, 1 for primitives.
ASSAY_CODE(kMeshCountPastMaximum, 65)
// The index.
ASSAY_CODE(kMeshOutputsNotSet, 66)
// The three counts; the maximum; the dimension, or 3 for the product.
ASSAY_CODE(kTaskCountPastMaximum, 67)
// An index of a primitive; how many vertices are declared.
ASSAY_CODE(kMeshIndexPastVertices, 68)
// Vertices. The location; the index of the vertex or instance; how many there are.
ASSAY_CODE(kVertexOutOfBounds, 80)
ASSAY_CODE(kInstanceOutOfBounds, 81)
// Draw parameters. The value; how many values there are.
ASSAY_CODE(kBaseInstanceNotAllowed, 82)
ASSAY_CODE(kInstanceIndexNotAllowed, 83)
ASSAY_CODE(kDrawIndexNotAllowed, 84)
// Arithmetic. Two values of two words each, low word first, of the first component that is wrong; then the component
// in the lowest byte, the width of the values in bits in the next one, and 0 in the one after it for integers without
// sign, 1 for those with sign, 2 for floats. Narrow integers are widened by their sign, halves to 32 bits.
// The operands; of a shift the base and the shift, which counts as unsigned.
ASSAY_CODE(kDivisionByZero, 96)
ASSAY_CODE(kDivisionOverflow, 97)
ASSAY_CODE(kShiftPastWidth, 98)
// The result; the number of the extended instruction and the opcode.
ASSAY_CODE(kNotANumber, 99)
ASSAY_CODE(kInfinity, 100)
// Offset and count; the width is that of the base.
ASSAY_CODE(kBitFieldPastWidth, 101)
// The value; the width of the result in bits, and 1 if it has a sign.
ASSAY_CODE(kConversionOutOfRange, 102)
// A record of debugPrintf. The arguments.
ASSAY_CODE(kPrintRecord, 240)
ASSAY_CODES_END

#undef ASSAY_CODE
#undef ASSAY_CODES_BEGIN
#undef ASSAY_CODES_END

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_ERROR_CODES_H_
