// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The run of one device, made from page_data.cc's JSON. The JSON has each recording once; here each command has one
// place for each time that it was submitted. Large collections are typed arrays.

// How many numbers an element has in the flat arrays of a recording.
const ACCESS = 4;   // resource, access name, text of where, whether it is partial
const BARRIER = 2;  // resource or -1, text
const REGION = 5;   // kind, name, first command, end command, depth
const HAZARD = 6;   // id, text, fix, command, prior command or -1, resource or -1

const REGION_KINDS = ['label', 'render pass', 'subpass', 'secondary command buffer'];

class Model {
  constructor(device) {
    this.device = device;
    this.end = Math.max(device.end, 1);
    this.commandCount = 0;
    for (const batch of device.batches) {
      for (const recording of batch.commandBuffers) this.commandCount += recording < 0 ? 0 : this.sizeOf(recording);
    }
    // Of each command of the run, in the order in which barrier arrows number them.
    this.recordingOf = new Uint32Array(this.commandCount);
    this.indexOf = new Uint32Array(this.commandCount);
    this.beginOf = new Float64Array(this.commandCount);
    this.batchOf = new Uint32Array(this.commandCount);
    this.hazardous = new Uint8Array(this.commandCount);
    // [begin, end, queue, recording, region], and secondary command buffers.
    this.regions = [];
    // [begin, end, batch, recording]
    this.buffers = [];
    this.lanes = device.queues.map((name) => ({name, rows: [new Row(), new Row()], regions: [], commands: new Row(),
                                              hazards: new Row()}));
    // Where each command buffer of a batch begins among the commands.
    this.firstOf = [];
    this.place();
    this.collectHazards();
    this.collectArrows();
  }

  recording(number) { return this.device.recordings[number]; }
  text(number) { return this.device.texts[number]; }
  // Commands of a recording, with those of secondaries.
  sizeOf(number) {
    const recording = this.recording(number);
    if (recording.size === undefined) {
      recording.size = recording.ids.length;
      for (let i = 0; i < recording.executed.length; i += 2) recording.size += this.sizeOf(recording.executed[i + 1]);
    }
    return recording.size;
  }

  place() {
    let next = 0;
    this.device.batches.forEach((batch, number) => {
      const lane = this.lanes[batch.queue];
      lane.rows[0].add(batch.begin, batch.end, number);
      const firsts = [];
      let at = batch.begin;
      for (const recording of batch.commandBuffers) {
        firsts.push(next);
        const size = recording < 0 ? 0 : this.sizeOf(recording);
        const end = at + Math.max(size, 1);
        lane.rows[1].add(at, end, this.buffers.length);
        this.buffers.push([at, end, number, recording]);
        if (recording >= 0) next = this.placeRecording(recording, number, at, next, 0);
        at = end;
      }
      this.firstOf.push(firsts);
    });
    for (const lane of this.lanes) {
      this.placeRegions(lane);
      lane.rows.forEach((row) => row.freeze());
      lane.commands.freeze();
    }
  }

  placeRecording(number, batch, begin, next, depth) {
    const recording = this.recording(number);
    const queue = this.device.batches[batch].queue;
    const lane = this.lanes[queue];
    const ticks = new Float64Array(recording.ids.length + 1);
    let executed = 0, at = begin;
    for (let i = 0; i < recording.ids.length; ++i) {
      ticks[i] = at;
      this.recordingOf[next] = number;
      this.indexOf[next] = i;
      this.beginOf[next] = at;
      this.batchOf[next] = batch;
      lane.commands.add(at, at + 1, next);
      ++next;
      ++at;
      for (; executed < recording.executed.length && recording.executed[executed] === i; executed += 2) {
        const secondary = recording.executed[executed + 1];
        const size = this.sizeOf(secondary);
        const inner = depth + this.depthAt(recording, i);
        if (size) this.addRegion(lane, inner, at, at + size, queue, secondary, -1);
        next = this.placeRecording(secondary, batch, at, next, inner + 1);
        at += size;
      }
    }
    ticks[recording.ids.length] = at;
    for (let i = 0; i < recording.regions.length; i += REGION) {
      this.addRegion(lane, depth + recording.regions[i + 4], ticks[recording.regions[i + 2]],
                     ticks[recording.regions[i + 3]], queue, number, i);
    }
    return next;
  }

  depthAt(recording, command) {
    let depth = 0;
    for (let i = 0; i < recording.regions.length; i += REGION) {
      if (recording.regions[i + 2] <= command && command < recording.regions[i + 3])
        depth = Math.max(depth, recording.regions[i + 4] + 1);
    }
    return depth;
  }

  addRegion(lane, depth, begin, end, queue, recording, region) {
    lane.regions.push([depth, begin, end, this.regions.length]);
    this.regions.push([begin, end, queue, recording, region]);
  }
  // Regions come recording by recording, and rows are in order. A region gets the row of its depth, or one further in
  // if that is taken.
  placeRegions(lane) {
    lane.regions.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    for (const [depth, begin, end, id] of lane.regions) {
      let at = depth + 2;
      while (lane.rows[at] && lane.rows[at].length && lane.rows[at].ends[lane.rows[at].length - 1] > begin) ++at;
      while (lane.rows.length <= at) lane.rows.push(new Row());
      lane.rows[at].add(begin, end, id);
    }
    delete lane.regions;
  }

  // One entry for each hazard of a recording, with all the places that it has.
  collectHazards() {
    this.hazards = [];
    const found = new Map();
    for (let command = 0; command < this.commandCount; ++command) {
      const recording = this.recording(this.recordingOf[command]);
      if (!recording.hazards.length) continue;
      for (let i = 0; i < recording.hazards.length; i += HAZARD) {
        if (recording.hazards[i + 3] !== this.indexOf[command]) continue;
        const key = this.recordingOf[command] + ':' + i;
        let hazard = found.get(key);
        if (!hazard) {
          const [id, text, fix, at, prior, resource] = recording.hazards.slice(i, i + HAZARD);
          hazard = {id: this.text(id), text: this.text(text), fix: this.text(fix), resource, commands: [],
                    batch: this.batchOf[command], prior: prior < 0 ? 0 : prior - at};
          found.set(key, hazard);
          this.hazards.push(hazard);
        }
        hazard.commands.push(command);
        this.hazardous[command] = 1;
      }
    }
    for (const hazard of this.device.hazards) {
      const at = this.findPoint(hazard.at);
      const prior = this.findPoint(hazard.prior);
      this.hazards.push({id: hazard.id, text: hazard.text, fix: hazard.fix,
                         resource: this.findResource(hazard.resource), commands: at < 0 ? [] : [at],
                         batch: hazard.at[0], prior: prior < 0 || at < 0 ? 0 : prior - at});
      if (at >= 0) this.hazardous[at] = 1;
    }
    this.hazardCommands = [];
    this.hazardous.forEach((is, command) => {
      if (!is) return;
      this.hazardCommands.push(command);
      this.lanes[this.queueOf(command)].hazards.add(this.beginOf[command], this.beginOf[command] + 1, command);
    });
    this.lanes.forEach((lane) => lane.hazards.freeze());
  }

  findResource(name) { return this.device.resources.findIndex((resource) => resource[0] === name); }

  // The command of the run that [batch, command buffer, command] is; -1 for none.
  findPoint([batch, buffer, index]) {
    if (batch < 0 || this.firstOf[batch][buffer] === undefined) return -1;
    const recording = this.device.batches[batch].commandBuffers[buffer];
    let command = this.firstOf[batch][buffer];
    for (; command < this.commandCount && this.batchOf[command] === batch; ++command) {
      if (this.indexOf[command] === index && this.recordingOf[command] === recording) return command;
    }
    return -1;
  }

  // {fromTick, fromQueue, toTick, toQueue, kind}, by fromTick.
  collectArrows() {
    this.arrows = [];
    const {arrows, batches} = this.device;
    const place = (command) => [this.beginOf[command] + 0.5, this.queueOf(command)];
    const add = (kind, from, to, what) =>
        this.arrows.push({kind, fromTick: from[0], fromQueue: from[1], toTick: to[0], toQueue: to[1], what});
    for (let i = 0; i < arrows.length; i += 3) {
      add('barrier', place(arrows[i]), place(arrows[i + 1]), arrows[i + 1]);
      add('barrier', place(arrows[i + 1]), place(arrows[i + 2]), arrows[i + 1]);
    }
    batches.forEach((batch, number) => {
      for (const wait of batch.waits) {
        for (const source of wait[4]) {
          if (source < 0) continue;
          add('semaphore', [batches[source].end, batches[source].queue], [batch.begin, batch.queue], number);
        }
      }
    });
    this.arrows.sort((a, b) => a.fromTick - b.fromTick);
    this.arrowBegins = Float64Array.from(this.arrows, (arrow) => arrow.fromTick);
  }

  queueOf(command) { return this.device.batches[this.batchOf[command]].queue; }

  nameOf(command) {
    return this.device.commandNames[this.recording(this.recordingOf[command]).ids[this.indexOf[command]]];
  }
  kindOf(command) { return kindOfName(this.nameOf(command)); }
  positionOf(command) { return this.recording(this.recordingOf[command]).positions[this.indexOf[command]]; }
  // "command 7, vkCmdDispatch()"
  describe(command) { return 'command ' + this.positionOf(command) + ', ' + this.nameOf(command) + '()'; }
  isUnknown(command) {
    const {unknown} = this.recording(this.recordingOf[command]);
    const at = lowerBound(unknown, this.indexOf[command], false);
    return unknown[at] === this.indexOf[command];
  }

  labelsOf(command) {
    const recording = this.recording(this.recordingOf[command]);
    const index = this.indexOf[command];
    const labels = [];
    for (let i = 0; i < recording.regions.length; i += REGION) {
      if (recording.regions[i] === 0 && recording.regions[i + 2] <= index && index < recording.regions[i + 3])
        labels.push([recording.regions[i + 4], this.text(recording.regions[i + 1])]);
    }
    return labels.sort((a, b) => a[0] - b[0]).map((label) => label[1]);
  }

  accessesOf(command) {
    const recording = this.recording(this.recordingOf[command]);
    const index = this.indexOf[command];
    const result = [];
    for (let a = recording.firstAccess[index]; a < recording.firstAccess[index + 1]; ++a)
      result.push(this.access(recording, a));
    return result;
  }
  access(recording, a) {
    const [resource, access, where, partial] = recording.accesses.slice(a * ACCESS, a * ACCESS + ACCESS);
    const [name, isWrite] = this.device.accessNames[access];
    return {resource, name, isWrite: isWrite === 1 || /LAYOUT_TRANSITION/.test(name), where: this.text(where),
            isPossibleRead: partial === 1};
  }

  // [{resource, text}]
  barriersOf(command) {
    const recording = this.recording(this.recordingOf[command]);
    const index = this.indexOf[command];
    const result = [];
    for (let b = recording.firstBarrier[index]; b < recording.firstBarrier[index + 1]; ++b)
      result.push({resource: recording.barriers[b * BARRIER], text: this.text(recording.barriers[b * BARRIER + 1])});
    return result;
  }

  regionName(number) {
    const [, , , recording, region] = this.regions[number];
    return region < 0 ? this.recording(recording).name : this.text(this.recording(recording).regions[region + 1]);
  }
  regionKind(number) {
    const [, , , recording, region] = this.regions[number];
    return REGION_KINDS[region < 0 ? 3 : this.recording(recording).regions[region]];
  }

  // The methods below take an item: {kind: 'batch' | 'buffer' | 'region' | 'command', id}.

  spanOf({kind, id}) {
    switch (kind) {
      case 'batch': return [this.device.batches[id].begin, this.device.batches[id].end];
      case 'buffer': return this.buffers[id];
      case 'region': return this.regions[id];
      default: return [this.beginOf[id], this.beginOf[id] + 1];
    }
  }
  queueOfItem({kind, id}) {
    switch (kind) {
      case 'batch': return this.device.batches[id].queue;
      case 'buffer': return this.device.batches[this.buffers[id][2]].queue;
      case 'region': return this.regions[id][2];
      default: return this.queueOf(id);
    }
  }
  titleOf({kind, id}) {
    switch (kind) {
      case 'batch': return this.device.batches[id].name;
      case 'buffer': return this.bufferTitle(id);
      case 'region': return this.regionName(id);
      default: return this.nameOf(id);
    }
  }
  bufferTitle(number) {
    const recording = this.buffers[number][3];
    return recording < 0 ? 'a command buffer of which nothing is known' : this.recording(recording).name;
  }
  // The rows of a lane with the kind of their slices; commands last.
  rowsOf(lane) {
    const kindOfRow = (i) => (i === 0 ? 'batch' : i === 1 ? 'buffer' : 'region');
    return [...lane.rows.map((row, i) => [row, kindOfRow(i)]), [lane.commands, 'command']];
  }
}

function kindOfName(name) {
  if (/Barrier|Event/.test(name)) return 'barrier';
  if (/^vkCmdDraw/.test(name)) return 'draw';
  if (/Dispatch|TraceRays/.test(name)) return 'dispatch';
  if (/Copy|Blit|Clear|Fill|Update|Resolve|Build/.test(name)) return 'transfer';
  return 'other';
}
