// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The fault path. Nothing here is executed where nothing is wrong.

// Whether a slot is that of a cause, now or by us already. Once set, a key keeps its value, so that a plain read of
// what it is to be is right, and spares atomics when many invocations have the same fault.
bool ClaimCause(const uint slot, const uint key) {
  uint found = CAUSES.words[slot + kCauseKeyWord];
  if (found != key) found = atomicCompSwap(CAUSES.words[slot + kCauseKeyWord], 0u, key);
  return found == 0u || found == key;
}

uint CauseKey(const uint instruction, const uint code) {
  uint hash = ActionWord(kActionIndexQuad, kActionIndexWord) * 0x9e3779b1u + ShaderId() * 0x85ebca6bu +
              instruction * 0xc2b2ae35u + code * 0x27d4eb2fu;
  hash = (hash ^ (hash >> 15u)) * 0x2c1b3c6du;
  hash = (hash ^ (hash >> 12u)) * 0x297a2d39u;
  // 0 is a free slot.
  return max(hash ^ (hash >> 15u), 1u);
}

// Writes a record of an error, if there is room.
void WriteErrorRecord(const uint instruction, const uint code, const uint cause, const uint data0, const uint data1,
                      const uint data2, const uint data3, const uint data4) {
  const uint first = atomicAdd(ERRORS.words[kReservedWord], kErrorRecordWords);
  const uint capacity = ERRORS.words[kCapacityWord];
  if (first > capacity || capacity - first < kErrorRecordWords) {
    atomicAdd(ERRORS.words[kLostRecordsWord], 1u);
  } else {
    const uint record = kStreamHeaderWords + first;
    ERRORS.words[record + kRecordCodeWord] = code;
    ERRORS.words[record + kRecordShaderWord] = ShaderId();
    ERRORS.words[record + kRecordInstructionWord] = instruction;
    ERRORS.words[record + kRecordActionWord] = ActionWord(kActionIndexQuad, kActionIndexWord);
    ERRORS.words[record + kRecordCauseWord] = cause;
    ERRORS.words[record + kRecordStageWord] = Stage();
    const uvec4 stage_words = StageWords();
    ERRORS.words[record + kRecordStageWordsWord] = stage_words.x;
    ERRORS.words[record + kRecordStageWordsWord + 1u] = stage_words.y;
    ERRORS.words[record + kRecordStageWordsWord + 2u] = stage_words.z;
    ERRORS.words[record + kRecordStageWordsWord + 3u] = stage_words.w;
    ERRORS.words[record + kRecordDataWord] = data0;
    ERRORS.words[record + kRecordDataWord + 1u] = data1;
    ERRORS.words[record + kRecordDataWord + 2u] = data2;
    ERRORS.words[record + kRecordDataWord + 3u] = data3;
    ERRORS.words[record + kRecordDataWord + 4u] = data4;
    // A record with a size is complete.
    memoryBarrierBuffer();
    atomicExchange(ERRORS.words[record + kRecordSizeWord], kErrorRecordWords);
  }
}

// Counts a fault, and writes a record if it is one of the first of its cause. There is no loop: drivers compile the
// fault path of each check.
void ReportFault(const uint instruction, const uint code, const uint data0, const uint data1, const uint data2,
                 const uint data3, const uint data4) {
  const uint key = CauseKey(instruction, code);
  const uint mask = (1u << CAUSES.words[kCauseSlotBitsWord]) - 1u;
  uint cause = key & mask;
  bool is_ours = ClaimCause(kCausesHeaderWords + cause * kCauseSlotWords, key);
  if (!is_ours) {
    cause = (key >> kCauseSecondShift) & mask;
    is_ours = ClaimCause(kCausesHeaderWords + cause * kCauseSlotWords, key);
  }
  if (is_ours) {
    const uint earlier = atomicAdd(CAUSES.words[kCausesHeaderWords + cause * kCauseSlotWords + kCauseCountWord], 1u);
    if (earlier < ActionWord(kActionIndexQuad, kRecordsPerCauseWord)) {
      WriteErrorRecord(instruction, code, cause, data0, data1, data2, data3, data4);
    }
  } else {
    atomicAdd(ERRORS.words[kLostFaultsWord], 1u);
  }
}
