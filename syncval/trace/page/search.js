// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Finds commands by their name or the resources that they access, and regions and submissions by their name. Returns
// items in order of ticks.
function searchRun(model, query) {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return [];
  const has = (text) => text.toLowerCase().includes(wanted);
  const names = model.device.commandNames.map(has);
  const resources = model.device.resources.map((resource) => has(resource[0]));
  const inRecording = model.device.recordings.map((recording) => recording.ids.map((id, index) => {
    if (names[id]) return true;
    for (let a = recording.firstAccess[index]; a < recording.firstAccess[index + 1]; ++a) {
      if (resources[recording.accesses[a * ACCESS]]) return true;
    }
    for (let b = recording.firstBarrier[index]; b < recording.firstBarrier[index + 1]; ++b) {
      const on = recording.barriers[b * BARRIER];
      if (on >= 0 && resources[on]) return true;
    }
    return false;
  }));
  const found = [];
  model.device.batches.forEach((batch, number) => {
    if (has(batch.name) || batch.presents.some(has)) found.push({kind: 'batch', id: number});
  });
  model.buffers.forEach((buffer, number) => {
    if (buffer[3] >= 0 && has(model.recording(buffer[3]).name)) found.push({kind: 'buffer', id: number});
  });
  model.regions.forEach((region, number) => {
    if (has(model.regionName(number))) found.push({kind: 'region', id: number});
  });
  for (let command = 0; command < model.commandCount; ++command) {
    if (inRecording[model.recordingOf[command]][model.indexOf[command]]) found.push({kind: 'command', id: command});
  }
  for (const item of found) item.begin = model.spanOf(item)[0];
  return found.sort((a, b) => a.begin - b.begin);
}
