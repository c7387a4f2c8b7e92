// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The fault path. Nothing here is executed where nothing is wrong.

// Whether a key word of a slot is ours, now or by us already. Once set, a word keeps its value, so that a plain read of
// what it is to be is right, and spares atomics when many invocations have the same fault.
bool ClaimCauseWord(const uint word, const uint key) {
  if (CAUSES.words[word] == key) return true;
  const uint previous = atomicCompSwap(CAUSES.words[word], 0u, key);
  return previous == 0u || previous == key;
}

// Writes a record of an error, if there is room.
void WriteErrorRecord(const uint instruction, const uint code, const uint cause, const uint data0, const uint data1,
                      const uint data2, const uint data3, const uint data4) {
  const uint first = atomicAdd(ERRORS.words[kReservedWord], kErrorRecordWords);
  const uint capacity = ERRORS.words[kCapacityWord];
  if (first > capacity || capacity - first < kErrorRecordWords) {
    atomicAdd(ERRORS.words[kLostRecordsWord], 1u);
    return;
  }
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

// Counts a fault, and writes a record if it is one of the first of its cause.
void ReportFault(const uint instruction, const uint code, const uint data0, const uint data1, const uint data2,
                 const uint data3, const uint data4) {
  const uint action_key = ActionWord(kActionIndexQuad, kActionIndexWord) + 1u;
  const uint shader_key = ShaderId() + 1u;
  const uint instruction_key = (code << kCauseCodeShift) | (instruction & ((1u << kCauseCodeShift) - 1u));
  const uint mask = (1u << CAUSES.words[kCauseSlotBitsWord]) - 1u;
  const uint probes = CAUSES.words[kCauseProbesWord];
  uint hash = action_key * 0x9e3779b1u + shader_key * 0x85ebca6bu + instruction_key * 0xc2b2ae35u;
  hash ^= hash >> 15u;
  for (uint probe = 0u; probe < probes; ++probe) {
    const uint cause = (hash + probe) & mask;
    const uint slot = kCausesHeaderWords + cause * kCauseSlotWords;
    if (!ClaimCauseWord(slot + kCauseActionWord, action_key)) continue;
    if (!ClaimCauseWord(slot + kCauseShaderWord, shader_key)) continue;
    if (!ClaimCauseWord(slot + kCauseInstructionWord, instruction_key)) continue;
    const uint earlier = atomicAdd(CAUSES.words[slot + kCauseCountWord], 1u);
    if (earlier < ActionWord(kActionIndexQuad, kRecordsPerCauseWord)) {
      WriteErrorRecord(instruction, code, cause, data0, data1, data2, data3, data4);
    }
    return;
  }
  atomicAdd(ERRORS.words[kLostFaultsWord], 1u);
}
