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
  const uint hash = ActionWord(kActionIndexQuad, kActionIndexWord) * 0x9e3779b1u + ShaderId() * 0x85ebca6bu +
                    instruction * 0xc2b2ae35u + code * 0x27d4eb2fu;
  // 0 is a free slot.
  return max(hash ^ (hash >> 15u), 1u);
}

// Writes a record of an error, if there is room.
void WriteErrorRecord(const uint instruction, const uint code, const uint cause, const uint data0, const uint data1,
                      const uint data2, const uint data3, const uint data4) {
  const uint first = atomicAdd(ERRORS.quads[kStreamHeaderQuad][kReservedWord], kErrorRecordWords);
  const uint capacity = ERRORS.quads[kStreamHeaderQuad][kCapacityWord];
  if (first > capacity || capacity - first < kErrorRecordWords) {
    atomicAdd(ERRORS.quads[kStreamHeaderQuad][kLostRecordsWord], 1u);
  } else {
    // All records are of so many words, so that each begins with a quad.
    const uint quad = (kStreamHeaderWords + first) / 4u;
    const uvec4 stage_words = StageWords();
    ERRORS.quads[quad] = uvec4(0u, code, ShaderId(), instruction);
    ERRORS.quads[quad + 1u] =
        uvec4(ActionWord(kActionIndexQuad, kActionIndexWord), cause, Stage(), stage_words.x);
    ERRORS.quads[quad + 2u] = uvec4(stage_words.yzw, data0);
    ERRORS.quads[quad + 3u] = uvec4(data1, data2, data3, data4);
    // A record with a size is complete.
    memoryBarrierBuffer();
    atomicExchange(ERRORS.quads[quad][kRecordSizeWord], kErrorRecordWords);
  }
}

// Counts a fault, and writes a record if it is one of the first of its cause. There is no loop: drivers compile the
// fault path of each check.
void CountFault(const uint instruction, const uint code, const uint data0, const uint data1, const uint data2,
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
    atomicAdd(ERRORS.quads[kStreamHeaderQuad][kLostFaultsWord], 1u);
  }
}

void ReportFault(const uint instruction, const uint code, const uint data0, const uint data1, const uint data2,
                 const uint data3, const uint data4) {
  CountFault(instruction, code, data0, data1, data2, data3, data4);
}

// Where faults are reported at the end (FrameConfig::reports_at_end), NoteFault stands in for ReportFault: the first
// fault of an invocation is kept, so that the code that reports is there once, and not at each check.
uint noted_instruction;
uint noted_code;
uint noted_data0;
uint noted_data1;
uint noted_data2;
uint noted_data3;
uint noted_data4;

// Comes first in an entry point.
void BeginNotes() { noted_instruction = 0u; }

void NoteFault(const uint instruction, const uint code, const uint data0, const uint data1, const uint data2,
               const uint data3, const uint data4) {
  if (noted_instruction == 0u) {
    noted_instruction = instruction;
    noted_code = code;
    noted_data0 = data0;
    noted_data1 = data1;
    noted_data2 = data2;
    noted_data3 = data3;
    noted_data4 = data4;
  }
}

// Comes last in an entry point.
void EndNotes() {
  if (noted_instruction != 0u) {
    CountFault(noted_instruction, noted_code, noted_data0, noted_data1, noted_data2, noted_data3, noted_data4);
  }
}

// Where every check compares with a limit (runtime/host_limit.h): which check failed first, counted from 1, and what it
// compared.
uint noted_check;
uint noted_value;

uint Limit(const uint limit) { return ACTION.quads[kFirstLimitQuad + limit / 4u][limit % 4u]; }

// Comes first in an entry point.
void BeginChecks() { noted_check = 0u; }

void NoteCheck(const uint check, const uint value) {
  if (noted_check == 0u) {
    noted_check = check;
    noted_value = value;
  }
}

// For one of several checks of an access.
void NoteCheckUnless(const bool holds, const uint check, const uint value) {
  if (!holds) NoteCheck(check, value);
}

// Comes last in an entry point.
void EndChecks() {
  const uint first = ACTION.quads[kActionIndexQuad][kFirstNoteWord];
  if (noted_check != 0u && first != 0u) {
    const uint note = first + (noted_check - 1u) * kNoteWords;
    if (atomicAdd(CAUSES.words[note + kNoteCountWord], 1u) == 0u) {
      const uvec4 stage_words = StageWords();
      CAUSES.words[note + kNoteValueWord] = noted_value;
      CAUSES.words[note + kNoteStageWordsWord] = stage_words.x;
      CAUSES.words[note + kNoteStageWordsWord + 1u] = stage_words.y;
      CAUSES.words[note + kNoteStageWordsWord + 2u] = stage_words.z;
      CAUSES.words[kHasNotesWord] = 1u;
      memoryBarrierBuffer();
      atomicExchange(CAUSES.words[note + kNoteIsCompleteWord], 1u);
    }
  }
}
