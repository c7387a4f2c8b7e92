// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The output of debugPrintf. A print is a call of BeginPrint, one of WritePrintWords for each four words of arguments,
// and one of EndPrint. A record is as long as four-word steps make it; the host knows how many words have a meaning.

// Room for a record with so many words of arguments, and all of it but these and the size. Returns where it is; 0 if
// there is no room.
uint BeginPrint(const uint instruction, const uint argument_words) {
  const uint words = kRecordDataWord + argument_words;
  const uint capacity = OUTPUT.words[kCapacityWord];
  // A full output is not asked for more room, so that many prints do not make the count of words start anew.
  if (OUTPUT.words[kReservedWord] >= capacity) {
    atomicAdd(OUTPUT.words[kLostRecordsWord], 1u);
    return 0u;
  }
  const uint first = atomicAdd(OUTPUT.words[kReservedWord], words);
  if (first > capacity || capacity - first < words) {
    atomicAdd(OUTPUT.words[kLostRecordsWord], 1u);
    return 0u;
  }
  const uint record = kStreamHeaderWords + first;
  OUTPUT.words[record + kRecordCodeWord] = kPrintRecord;
  OUTPUT.words[record + kRecordShaderWord] = ShaderId();
  OUTPUT.words[record + kRecordInstructionWord] = instruction;
  OUTPUT.words[record + kRecordActionWord] = ActionWord(kActionIndexQuad, kActionIndexWord);
  OUTPUT.words[record + kRecordCauseWord] = 0u;
  OUTPUT.words[record + kRecordStageWord] = Stage();
  const uvec4 stage_words = StageWords();
  OUTPUT.words[record + kRecordStageWordsWord] = stage_words.x;
  OUTPUT.words[record + kRecordStageWordsWord + 1u] = stage_words.y;
  OUTPUT.words[record + kRecordStageWordsWord + 2u] = stage_words.z;
  OUTPUT.words[record + kRecordStageWordsWord + 3u] = stage_words.w;
  return record;
}

// Writes the arguments' words from `first` on.
void WritePrintWords(const uint record, const uint first, const uint word0, const uint word1, const uint word2,
                     const uint word3) {
  if (record == 0u) return;
  const uint at = record + kRecordDataWord + first;
  OUTPUT.words[at] = word0;
  OUTPUT.words[at + 1u] = word1;
  OUTPUT.words[at + 2u] = word2;
  OUTPUT.words[at + 3u] = word3;
}

void EndPrint(const uint record, const uint argument_words) {
  if (record == 0u) return;
  // A record with a size is complete.
  memoryBarrierBuffer();
  atomicExchange(OUTPUT.words[record + kRecordSizeWord], kRecordDataWord + argument_words);
}
