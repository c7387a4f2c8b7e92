// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Notes that an image is accessed by a descriptor, for the host to look whether it was in the right layout: see layout.h.
void NoteImage(const uint instruction, const uint set, const uint binding, const uint index, const uint types) {
  const uvec4 quad = DescriptorQuad(set, binding, index);
  const uint state = quad[kDescriptorStateWord];
  const uint number = quad[kDescriptorSizeWord] - 1u;
  const uvec4 offsets = ActionQuad(kTableOffsetsQuad);
  if (number < offsets[kImageNoteCountWord] && IsWrittenAndLive(state) && HasOneOfTypes(state, types)) {
    const uint note = offsets[kFirstImageNoteWord] + number * kImageNoteWords;
    if (CAUSES.words[note + kImageNoteActionWord] == 0u) {
      const uint action = ActionWord(kActionIndexQuad, kActionIndexWord) + 1u;
      if (atomicCompSwap(CAUSES.words[note + kImageNoteActionWord], 0u, action) == 0u) {
        CAUSES.words[note + kImageNoteShaderWord] = ShaderId();
        CAUSES.words[note + kImageNoteInstructionWord] = instruction;
        CAUSES.words[note + kImageNoteStageWord] = Stage();
      }
    }
  }
}
