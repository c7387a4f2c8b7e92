// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that access a resource or have a barrier that covers it, in order: [{command, accesses, barriers}].
function historyOf(model, resource) {
  const byRecording = model.device.recordings.map((recording) => historyIn(model, recording, resource));
  const history = [];
  let seen = false;
  for (let command = 0; command < model.commandCount; ++command) {
    const found = byRecording[model.recordingOf[command]].get(model.indexOf[command]);
    if (!found) continue;
    // Barriers before the first access order nothing of it.
    if (!found.accesses.length && !seen) continue;
    seen = true;
    history.push({command, accesses: found.accesses, barriers: found.barriers});
  }
  while (history.length && !history[history.length - 1].accesses.length) history.pop();
  return history;
}

// The same by the index of the command, in one recording.
function historyIn(model, recording, resource) {
  const found = new Map();
  const at = (index) => {
    if (!found.has(index)) found.set(index, {accesses: [], barriers: []});
    return found.get(index);
  };
  for (let index = 0; index < recording.ids.length; ++index) {
    for (let a = recording.firstAccess[index]; a < recording.firstAccess[index + 1]; ++a) {
      if (recording.accesses[a * ACCESS] === resource) at(index).accesses.push(model.access(recording, a));
    }
    for (let b = recording.firstBarrier[index]; b < recording.firstBarrier[index + 1]; ++b) {
      const on = recording.barriers[b * BARRIER];
      if (on < 0 || on === resource) at(index).barriers.push(model.text(recording.barriers[b * BARRIER + 1]));
    }
  }
  return found;
}
