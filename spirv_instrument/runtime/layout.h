// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Where words are in the memory that instrumented shaders read and write: see runtime.h. C++ and GLSL both include this
// file, so that host and shaders agree.

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_LAYOUT_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_LAYOUT_H_

#ifdef __cplusplus
#include <cstdint>
#define ASSAY_WORD(name, value) inline constexpr uint32_t name = value
namespace assay::spirv_instrument {
#else
#define ASSAY_WORD(name, value) const uint name = value
#endif

// A quad is four words, aligned to 16 bytes. Offsets and sizes below are in quads or words, as their names say.

// ---- The action block: what is the same for one action command.
ASSAY_WORD(kActionIndexQuad, 0);
// In this quad: the index of the action in its command buffer; records that each cause may write; 0xffffffff if
// descriptors that are in no table are valid, and 0 if they are missing; where in the causes the action's notes begin,
// in words, and 0 if it has none.
ASSAY_WORD(kActionIndexWord, 0);
ASSAY_WORD(kRecordsPerCauseWord, 1);
ASSAY_WORD(kUncheckedWord, 2);
ASSAY_WORD(kFirstNoteWord, 3);

ASSAY_WORD(kTableOffsetsQuad, 1);
// In this quad: the offset in quads of the address table in the tables; 0 if there is none, and addresses are not
// checked. Where in the causes the notes of images begin that the action accesses, in words, and how many there are.
ASSAY_WORD(kAddressTableWord, 0);
ASSAY_WORD(kFirstImageNoteWord, 1);
ASSAY_WORD(kImageNoteCountWord, 2);

// Draw parameters: what a draw that is not indirect says; of an indirect one the host does not know them.
ASSAY_WORD(kDrawQuad, 2);
ASSAY_WORD(kFirstVertexWord, 0);
ASSAY_WORD(kFirstInstanceWord, 1);
ASSAY_WORD(kVertexCountWord, 2);
ASSAY_WORD(kInstanceCountWord, 3);

// Device addresses of the other memory, two words each; read where there is no descriptor set.
ASSAY_WORD(kTablesAndErrorsQuad, 3);
ASSAY_WORD(kCausesAndOutputQuad, 4);
ASSAY_WORD(kCountsQuad, 5);
// Behind the address of the counts, that of a quad with the address of the table of known descriptors, which may become
// another one at any time. Both are two words; 0 if there is none, and nothing is known.
ASSAY_WORD(kKnownDescriptorsWord, 2);

// Bit i of the first word: the attribute at location i is read once for each instance.
ASSAY_WORD(kAttributeRatesQuad, 6);

// How many values, from 0 on, draw parameters may have; 0 for any.
ASSAY_WORD(kDrawLimitsQuad, 7);
ASSAY_WORD(kBaseInstancesWord, 0);
ASSAY_WORD(kInstanceIndicesWord, 1);
ASSAY_WORD(kDrawIndicesWord, 2);

// For each descriptor set, the offset in quads of its table in the tables; 0 if no set is bound. Four to a quad. For a
// shader whose descriptors are in descriptor buffers, the offset of the set's place.
ASSAY_WORD(kFirstSetQuad, 8);
ASSAY_WORD(kMaxSets, 32);
// For each location, the vertex or instance indices from which on the bound vertex buffer does not hold the attribute:
// see vertex_attributes.h. Four to a quad.
ASSAY_WORD(kFirstAttributeQuad, 16);
ASSAY_WORD(kMaxAttributes, 32);
// The same words for a shader whose checks are comparisons with limits (host_limit.h), which has no vertices: its
// limits. Four to a quad.
ASSAY_WORD(kFirstLimitQuad, 16);
ASSAY_WORD(kMaxLimits, 32);
ASSAY_WORD(kActionQuads, 24);

// ---- The tables. Quad 0 is all 0: what offset 0 leads to has no bindings and no pages.

// The table of a descriptor set: a quad for the set, one for each binding, one for each descriptor.
ASSAY_WORD(kBindingCountWord, 0);
// Of a binding: the offset of its first descriptor in quads, from the beginning of the table; how many descriptors it
// has, the variable count considered.
ASSAY_WORD(kFirstDescriptorWord, 0);
ASSAY_WORD(kDescriptorCountWord, 1);
// Of a descriptor.
ASSAY_WORD(kDescriptorStateWord, 0);
ASSAY_WORD(kDescriptorSizeWord, 1);
ASSAY_WORD(kDescriptorExtentWord, 2);
ASSAY_WORD(kDescriptorLevelsWord, 3);

// kDescriptorStateWord: what is known of the descriptor. The type is in the bits from kDescriptorTypeShift on, as one
// of DescriptorType.
ASSAY_WORD(kDescriptorIsWritten, 1);
ASSAY_WORD(kDescriptorIsDestroyed, 2);
ASSAY_WORD(kDescriptorIsNull, 4);
ASSAY_WORD(kDescriptorTypeShift, 8);
// That of descriptors of which nothing is known.
ASSAY_WORD(kUnknownDescriptorType, 31);
// kDescriptorSizeWord: of a buffer the range in bytes, of a texel buffer the number of texels; 0 if the descriptor may
// not be accessed, 0xffffffff if it is null. No range has more than 0xfffffffe. Of an image view that is noted when it
// is accessed, the number of its note, counted from 1; 0 of others.
// kDescriptorExtentWord: of an image, width in the low half and height in the high half.
// kDescriptorLevelsWord: depth or layers in the low half, levels in the bits from 16 on, samples in those from 24 on.
// Both are 0 if the descriptor may not be accessed.
ASSAY_WORD(kLevelsShift, 16);
ASSAY_WORD(kSamplesShift, 24);

// The place of a set in a descriptor buffer, one quad: the address of its bytes, two words; how many bytes the buffer
// has from there on, 0xffffffff for more; the offset in quads of the table of its layout. All are 0 if the place is not
// known: nothing is checked then.
ASSAY_WORD(kPlaceAddressWord, 0);
ASSAY_WORD(kPlaceRoomWord, 2);
ASSAY_WORD(kPlaceLayoutWord, 3);
// The table of a set layout: a quad for the layout (kBindingCountWord), one for each binding. Of a binding: where its
// first descriptor begins, in bytes from the place; how many there are (kDescriptorCountWord), 0xffffffff for any
// number; how many bytes one has, a multiple of 4, and 0 if these say nothing; its DescriptorType, with
// kBindingIsVariable if there are only as many as the buffer has bytes for.
ASSAY_WORD(kBindingOffsetWord, 0);
ASSAY_WORD(kBindingBytesWord, 2);
ASSAY_WORD(kBindingTypeWord, 3);
ASSAY_WORD(kBindingTypeMask, 0xff);
ASSAY_WORD(kBindingIsVariable, 0x100);

// The table of known descriptors, by type and bytes: a quad with log2 of the number of slots; the quad of those that
// are not known; slots.
ASSAY_WORD(kSlotBitsWord, 0);
ASSAY_WORD(kUnknownDescriptorQuad, 1);
ASSAY_WORD(kFirstSlotQuad, 2);
// A slot: a quad with the two words of the key, of which the first is 0 if the slot is empty; the descriptor's quad. A
// key is in the slot that the low bits of its first word say, or in one behind it, with no empty one between.
ASSAY_WORD(kSlotQuads, 2);
// The key begins with these and the type in each word, and takes up the descriptor word by word.
ASSAY_WORD(kKeyFactor0, 0x9e3779b1u);
ASSAY_WORD(kKeyFactor1, 0x85ebca6bu);
ASSAY_WORD(kKeyFactor2, 0xc2b2ae35u);

// The table of live device addresses: this quad, buckets, lists of ranges.
// How many bits of an address are within a page; log2 of the number of buckets; how many buckets in a row to look at.
ASSAY_WORD(kPageShiftWord, 0);
ASSAY_WORD(kBucketBitsWord, 1);
ASSAY_WORD(kProbesWord, 2);
ASSAY_WORD(kFirstBucketQuad, 1);
// A bucket: the number of the page; how many ranges there are in it, 0 for an empty bucket.
ASSAY_WORD(kPageWord, 0);
ASSAY_WORD(kRangeCountWord, 1);
// One range: where in the page it begins (0 if it begins before), and how many bytes are left from there, which may be
// more than the page has; 0xffffffff for 4 GiB or more. Several ranges: the offset in quads of their list, from the
// beginning of the table. Two ranges to a quad, sorted by begin.
ASSAY_WORD(kRangeBeginWord, 2);
ASSAY_WORD(kRangeRoomWord, 3);
ASSAY_WORD(kRangeListWord, 2);
// The bucket of a page is (page * kPageHash) >> (32 - bucket bits), or one of those behind it.
ASSAY_WORD(kPageHash, 0x9e3779b1u);

// ---- Errors, and the output of debugPrintf: a stream of records, each behind the last.
// How many words were asked for, which may be more than there are; how many words of data there are; how many records
// did not find room; how many faults did not find room among the causes.
ASSAY_WORD(kReservedWord, 0);
ASSAY_WORD(kCapacityWord, 1);
ASSAY_WORD(kLostRecordsWord, 2);
ASSAY_WORD(kLostFaultsWord, 3);
ASSAY_WORD(kStreamHeaderWords, 4);
ASSAY_WORD(kStreamHeaderQuad, 0);

// ---- A record. The size in words is the first word and is written last: a record without it was not finished.
ASSAY_WORD(kRecordSizeWord, 0);
// An ErrorCode; kPrintRecord in the output of debugPrintf.
ASSAY_WORD(kRecordCodeWord, 1);
ASSAY_WORD(kRecordShaderWord, 2);
// The position of the instruction in the module as it was read, counted from 1.
ASSAY_WORD(kRecordInstructionWord, 3);
ASSAY_WORD(kRecordActionWord, 4);
// The slot of the cause, where its faults are counted.
ASSAY_WORD(kRecordCauseWord, 5);
// SpvExecutionModel; 0xffffffff if it is not known.
ASSAY_WORD(kRecordStageWord, 6);
// Four stage words: see StageWords in runtime.h.
ASSAY_WORD(kRecordStageWordsWord, 7);
// What the error code says of them; in a print record the arguments.
ASSAY_WORD(kRecordDataWord, 11);
ASSAY_WORD(kRecordDataWords, 5);
ASSAY_WORD(kErrorRecordWords, 16);

// ---- Causes: a hash table that counts the faults of each action, shader, instruction and error code.
// The header: log2 of the number of slots, at most 16; not 0 if there is a note.
ASSAY_WORD(kCauseSlotBitsWord, 0);
ASSAY_WORD(kHasNotesWord, 1);
ASSAY_WORD(kCausesHeaderWords, 4);
// A slot: the hash of its cause; how many faults. Both are 0 if it is free.
ASSAY_WORD(kCauseKeyWord, 0);
ASSAY_WORD(kCauseCountWord, 1);
ASSAY_WORD(kCauseSlotWords, 2);
// A cause may have the slot that the low bits of its hash say, or the one that the bits from here on say.
ASSAY_WORD(kCauseSecondShift, 16);

// ---- Notes, behind the slots: one for each check of an action whose shader compares with limits. How many faults; of
// the first one what was not below the limit, and three stage words; 1, written last, when these are complete. All are
// 0 where there was none.
ASSAY_WORD(kNoteCountWord, 0);
ASSAY_WORD(kNoteValueWord, 1);
ASSAY_WORD(kNoteStageWordsWord, 2);
ASSAY_WORD(kNoteIsCompleteWord, 5);
ASSAY_WORD(kNoteWords, 6);
// So many checks a shader may have.
ASSAY_WORD(kMaxNotes, 64);

// ---- Notes of images, behind the notes: one for each number that a descriptor may have. The first of those who access
// such a descriptor: the index of the action, counted from 1; and what records have.
ASSAY_WORD(kImageNoteActionWord, 0);
ASSAY_WORD(kImageNoteShaderWord, 1);
ASSAY_WORD(kImageNoteInstructionWord, 2);
ASSAY_WORD(kImageNoteStageWord, 3);
ASSAY_WORD(kImageNoteWords, 4);

// ---- Bindings of the reserved descriptor set. The action block is a dynamic uniform buffer, all others are storage
// buffers.
ASSAY_WORD(kActionBinding, 0);
ASSAY_WORD(kTablesBinding, 1);
ASSAY_WORD(kErrorsBinding, 2);
ASSAY_WORD(kCausesBinding, 3);
ASSAY_WORD(kOutputBinding, 4);
ASSAY_WORD(kCountsBinding, 5);
ASSAY_WORD(kBindingsOfReservedSet, 6);

#ifdef __cplusplus
}  // namespace assay::spirv_instrument
#endif

#undef ASSAY_WORD

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_LAYOUT_H_
