// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Where words are in the memory that replace_references.comp reads. C++ and GLSL both include this file, so that host
// and shader agree.

#ifndef ASSAY_GPUAV_BUILDS_LAYOUT_H_
#define ASSAY_GPUAV_BUILDS_LAYOUT_H_

#ifdef __cplusplus
#include <cstdint>
#define ASSAY_WORD(name, value) inline constexpr uint32_t name = value
namespace assay::gpuav {
#else
#define ASSAY_WORD(name, value) const uint name = value
#endif

// A quad is four words, aligned to 16 bytes. Addresses are two words, low word first.

// ---- The parameters of a dispatch, which is for the instances of one structure.
// Of the instances that the application gives: the address of the first one. Of an indirect build, it is the address
// without the offset that the range says.
ASSAY_WORD(kSourceWord, 0);
// Where the instances go.
ASSAY_WORD(kTargetWord, 2);
// Of an indirect build: the address of its VkAccelerationStructureBuildRangeInfoKHR, and where the one goes that is for
// the copy. 0 of others.
ASSAY_WORD(kRangeWord, 4);
ASSAY_WORD(kTargetRangeWord, 6);
// How many instances there are; of an indirect build, how many there may be.
ASSAY_WORD(kMostWord, 8);
// Bytes from the source on that are in one buffer, at most 0xffffffff.
ASSAY_WORD(kRoomWord, 9);
// The address of the table of references.
ASSAY_WORD(kTableWord, 10);
ASSAY_WORD(kParameterQuads, 3);
// The address of the parameters is pushed. In the shader as it is compiled, it is at this byte.
ASSAY_WORD(kPushedOffset, 120);

ASSAY_WORD(kQuadsOfInstance, 4);
ASSAY_WORD(kInstancesOfGroup, 16);

// ---- The table of references: the addresses that live acceleration structures have. It begins with this quad: which
// buckets are the current ones; not 0 if there are structures whose addresses are not known, so that nothing is
// replaced.
ASSAY_WORD(kCurrentBucketsWord, 0);
ASSAY_WORD(kUnknownWord, 1);
// Then a quad for each array of buckets that there was: its address, and the number of buckets less 1. The number is a
// power of two.
ASSAY_WORD(kBucketMaskWord, 2);
ASSAY_WORD(kFirstBucketsQuad, 1);
ASSAY_WORD(kMaxBuckets, 24);

// A bucket has two addresses in each quad; 0 stands for none. An address is anywhere in one of the two buckets that it
// hashes to. The host writes an address at once, while the shader may read the words one by one: it may take what is
// not there for there, if it comes or goes at that time, but never overlook what stays there.
ASSAY_WORD(kQuadsOfBucket, 4);
ASSAY_WORD(kHighHash, 0x9e3779b9u);
ASSAY_WORD(kFirstHash, 0x85ebca6bu);
ASSAY_WORD(kSecondHash, 0xc2b2ae35u);

#undef ASSAY_WORD
#ifdef __cplusplus
}  // namespace assay::gpuav
#endif

#endif  // ASSAY_GPUAV_BUILDS_LAYOUT_H_
