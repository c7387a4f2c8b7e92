// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The side panel: what is selected, a resource's accesses in order, the lists of hazards, barriers and resources.

// A list shows further rows on demand.
const PAGE_ROWS = 300;

// An element with text or elements in it. Texts are never parsed as markup.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') made.addEventListener('click', value); else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== ''));
  return made;
}
function link(text, onclick) { return element('button', {class: 'link', type: 'button', onclick}, text); }

class Panel {
  // select(item) has the timeline go to an item.
  constructor(select) {
    this.select = select;
    this.tabs = [...document.querySelectorAll('[role="tab"]')];
    for (const tab of this.tabs) {
      tab.addEventListener('click', () => this.open(tab.dataset.tab));
      tab.addEventListener('keydown', (event) => this.moveTab(event, tab));
    }
  }

  show(model) {
    this.model = model;
    this.count('hazard', model.hazards.length, true);
    this.findings = this.groupFindings();
    this.count('barrier', this.findings.length, false);
    this.count('resource', model.device.resources.length, false);
    this.fillHazards();
    this.fillBarriers();
    this.fillResources();
    this.showItem(null);
  }

  count(name, number, isBad) {
    const badge = document.getElementById(name + '-count');
    badge.textContent = number.toLocaleString('en');
    badge.classList.toggle('bad', isBad && number > 0);
  }

  open(name) {
    for (const tab of this.tabs) {
      const isOpen = tab.dataset.tab === name;
      tab.setAttribute('aria-selected', isOpen);
      tab.tabIndex = isOpen ? 0 : -1;
      document.getElementById(tab.dataset.tab).hidden = !isOpen;
    }
  }
  moveTab(event, tab) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step) return;
    const next = this.tabs[(this.tabs.indexOf(tab) + step + this.tabs.length) % this.tabs.length];
    this.open(next.dataset.tab);
    next.focus();
  }

  // A list whose rows are made as they are asked for.
  list(into, count, make, first = 0) {
    const list = element('ul');
    into.append(list);
    let next = first;
    const more = link('', () => add());
    const add = () => {
      const end = Math.min(next + PAGE_ROWS, count);
      for (; next < end; ++next) list.append(...[make(next)].flat());
      more.textContent = 'Show more (' + (count - next).toLocaleString('en') + ' left)';
      more.hidden = next >= count;
    };
    into.append(more);
    add();
  }

  resourceLink(resource) {
    const {model} = this;
    return resource < 0 ? '' : link(model.device.resources[resource][0], () => this.showResource(resource));
  }
  commandLink(command) {
    return link(this.model.describe(command), () => this.select({kind: 'command', id: command}));
  }

  showItem(item) {
    const panel = document.getElementById('details');
    panel.replaceChildren();
    this.resource = -1;
    if (!item) {
      panel.append(element('p', {class: 'quiet'}, 'Click a command, a submission or a label to see what it did; ' +
                           'click a resource to see its accesses in order.'));
      return;
    }
    panel.append(element('h2', {}, this.model.titleOf(item) + (item.kind === 'command' ? '()' : '')));
    ({command: this.showCommand, batch: this.showBatch, buffer: this.showBuffer, region: this.showRegion})[item.kind]
        .call(this, panel, item.id);
  }

  showCommand(panel, command) {
    const {model} = this;
    const labels = model.labelsOf(command);
    const batch = model.batchOf[command];
    panel.append(element('p', {class: 'quiet'}, 'command ' + model.positionOf(command) + ' of ' +
                         model.recording(model.recordingOf[command]).name +
                         (labels.length ? ' in ' + labels.map((label) => '“' + label + '”').join(' › ') : '') + ', ',
                         link(model.device.batches[batch].name, () => this.select({kind: 'batch', id: batch}))));
    this.addHazardsOf(panel, command);
    const accesses = model.accessesOf(command);
    if (accesses.length) {
      panel.append(element('h3', {}, 'Accesses'));
      this.list(panel, accesses.length, (i) => element('li', {}, ...this.accessWords(accesses[i], true)));
    }
    if (model.isUnknown(command)) {
      panel.append(element('p', {class: 'quiet'},
                           'It may access more than is known, through what validation cannot see.'));
    }
    const barriers = model.barriersOf(command);
    if (barriers.length) panel.append(element('h3', {}, 'Barriers'));
    for (const barrier of barriers) panel.append(element('pre', {}, inLines(barrier.text)));
  }

  accessWords(access, withResource) {
    return [element('span', {class: access.isWrite ? 'write' : 'read'},
                    (access.isPossibleRead ? 'part of ' : '') + (access.where || 'all') + (withResource ? ' of ' : '')),
            withResource ? this.resourceLink(access.resource) : '',
            element('div', {class: 'quiet'}, element('code', {}, access.name))];
  }

  addHazardsOf(panel, command) {
    for (const hazard of this.model.hazards) {
      const at = hazard.commands.indexOf(command);
      if (at >= 0) panel.append(this.hazardCard(hazard, at));
    }
  }

  showBatch(panel, number) {
    const {model} = this;
    const batch = model.device.batches[number];
    const milliseconds = (batch.time / 1e6).toLocaleString('en', {maximumFractionDigits: 3});
    panel.append(element('p', {class: 'quiet'}, model.device.queues[batch.queue] + ', ' + milliseconds +
                         ' ms after the device was created'));
    const part = (title, entries) => {
      if (!entries.length) return;
      panel.append(element('h3', {}, title));
      panel.append(element('ul', {}, ...entries.map((entry) => element('li', {}, ...entry))));
    };
    const value = (number) => (number ? ' value ' + number : '');
    const batchLink = (id) => link(model.device.batches[id].name, () => this.select({kind: 'batch', id}));
    part('Waits', batch.waits.map(([semaphore, number, stages, acquired, sources]) => [
      semaphore + value(number), element('div', {class: 'quiet'}, 'before ', element('code', {}, stages)),
      acquired ? element('div', {}, 'until the presentation engine has released ' + acquired) : '',
      ...sources.map((source) => (source < 0 ? element('div', {class: 'quiet'}, 'signalled by what is not kept') :
          element('div', {}, 'signalled by ', batchLink(source)))),
    ]));
    part('Command buffers', batch.commandBuffers.map((recording) => [
      recording < 0 ? 'one of which nothing is known' : model.recording(recording).name + ', ' +
          model.sizeOf(recording).toLocaleString('en') + ' commands',
    ]));
    part('Signals', batch.signals.map(([semaphore, number, stages]) => [
      semaphore + value(number), element('div', {class: 'quiet'}, 'after ', element('code', {}, stages)),
    ]));
    part('Presents', batch.presents.map((image) => [image]));
  }

  showBuffer(panel, number) {
    const {model} = this;
    const [, , batch, recording] = model.buffers[number];
    if (recording < 0) return;
    const times = model.buffers.filter((buffer) => buffer[3] === recording).length;
    panel.append(element('p', {}, model.sizeOf(recording).toLocaleString('en') +
                         ' commands; this recording was submitted ' +
                         (times === 1 ? 'once' : times.toLocaleString('en') + ' times') + '.'),
                 link(model.device.batches[batch].name, () => this.select({kind: 'batch', id: batch})));
  }

  showRegion(panel, number) {
    const [begin, end] = this.model.regions[number];
    panel.append(element('p', {class: 'quiet'}, this.model.regionKind(number) + ', ' +
                         (end - begin).toLocaleString('en') + ' commands'));
  }

  showResource(resource) {
    const {model} = this;
    this.resource = resource;
    this.open('details');
    const panel = document.getElementById('details');
    const [name, what] = model.device.resources[resource];
    const history = historyOf(model, resource);
    const accesses = history.filter((entry) => entry.accesses.length).length;
    panel.replaceChildren(element('h2', {}, name), element('p', {class: 'quiet'}, what),
                          element('h3', {}, accesses.toLocaleString('en') +
                                  (accesses === 1 ? ' command accesses' : ' commands access') +
                                  ' it, in order; barriers that may order them stand between'));
    this.list(panel, history.length, (i) => this.historyRows(history[i]));
    panel.scrollTop = 0;
  }

  historyRows({command, accesses, barriers}) {
    const {model} = this;
    const rows = [];
    if (barriers.length) {
      rows.push(element('li', {class: 'between'}, this.commandLink(command),
                        ...barriers.map((text) => element('div', {}, element('code', {}, masksOf(text))))));
    }
    if (accesses.length) {
      rows.push(element('li', {}, this.commandLink(command), ' ',
                        element('span', {class: 'quiet'}, model.labelsOf(command).join(' › ')),
                        model.hazardous[command] ? element('span', {class: 'bad-text'}, ' hazard') : '',
                        ...accesses.map((access) => element('div', {}, ...this.accessWords(access, false)))));
    }
    return rows;
  }

  hazardCard(hazard, at = 0) {
    const {model} = this;
    const command = hazard.commands[at];
    // In each submission of a recording, the earlier access is equally far away. 0 for one that is gone.
    const prior = hazard.prior === 0 ? -1 : command + hazard.prior;
    const times = hazard.commands.length;
    const item = command !== undefined ? {kind: 'command', id: command} : {kind: 'batch', id: hazard.batch};
    return element('div', {class: 'card hazard'},
                   item.id >= 0 ? link(hazard.id, () => this.select(item)) : element('strong', {}, hazard.id),
                   element('span', {class: 'quiet'}, times > 1 ? ' ×' + times.toLocaleString('en') : ''),
                   element('p', {}, (command !== undefined ? model.nameOf(command) + '(): ' : '') + hazard.text),
                   hazard.fix ? element('pre', {}, inLines(hazard.fix)) : '',
                   element('div', {},
                           prior >= 0 ? element('span', {}, 'Earlier: ', this.commandLink(prior), ' ') : '',
                           hazard.resource < 0 ? '' :
                               element('span', {}, 'On: ', this.resourceLink(hazard.resource))));
  }

  fillHazards() {
    const panel = document.getElementById('hazards');
    panel.replaceChildren();
    const {hazards} = this.model;
    if (!hazards.length) panel.append(element('p', {class: 'quiet'}, 'No hazard was found in what is shown.'));
    this.list(panel, hazards.length, (i) => this.hazardCard(hazards[i]));
  }

  fillBarriers() {
    const panel = document.getElementById('barriers');
    const {model} = this;
    panel.replaceChildren();
    if (model.device.unknownCommands) {
      const count = model.device.unknownCommands.toLocaleString('en');
      panel.append(element('p', {}, 'Of ' + count + ' commands not all accesses are known, so no barrier is ' +
                           'said to be more than was needed.'));
      return;
    }
    panel.append(element('p', {class: 'quiet'}, 'This is what the run that is shown needed, not what another one may ' +
                         'need: all of these could have been left out or narrowed together, and each access would ' +
                         'still have come after those that it conflicts with.'));
    if (!model.device.barrierFindings.length) panel.append(element('p', {}, 'Every barrier was needed as it is.'));
    this.list(panel, this.findings.length, (i) => this.findingCard(this.findings[i]));
  }

  // Recordings of the same work, frame by frame, have the same findings.
  groupFindings() {
    const groups = new Map();
    for (const finding of this.model.device.barrierFindings) {
      const key = [finding.wider, finding.text, finding.narrower, finding.resource].join();
      const group = groups.get(key);
      if (group) {
        group.executions += finding.executions;
        group.open ||= finding.open;
      } else {
        groups.set(key, {...finding});
      }
    }
    return [...groups.values()];
  }

  findingCard(finding) {
    const {model} = this;
    const times = finding.executions === 1 ? 'once' : finding.executions.toLocaleString('en') + ' times';
    return element('div', {class: 'card'},
                   link(finding.wider ? 'Wider than was needed' : 'Ordered nothing', () => this.selectFinding(finding)),
                   element('span', {class: 'quiet'}, ' executed ' + times),
                   element('pre', {}, inLines(model.text(finding.text))),
                   finding.wider ? element('div', {}, 'This would have done:') : '',
                   finding.wider ? element('pre', {}, inLines(model.text(finding.narrower))) : '',
                   finding.open ? element('p', {class: 'quiet'},
                                          'Some of what it ordered was not used again before the run ended.') : '',
                   finding.resource >= 0 ? this.resourceLink(finding.resource) : '');
  }
  selectFinding(finding) {
    const {model} = this;
    for (let command = 0; command < model.commandCount; ++command) {
      if (model.recordingOf[command] === finding.recording && model.indexOf[command] === finding.command)
        return this.select({kind: 'command', id: command});
    }
  }

  fillResources() {
    const panel = document.getElementById('resources');
    const {resources} = this.model.device;
    panel.replaceChildren();
    if (!resources.length) panel.append(element('p', {class: 'quiet'}, 'No buffer or image was accessed.'));
    const byName = (a, b) => resources[a][0].localeCompare(resources[b][0], 'en', {numeric: true});
    const order = resources.map((_, i) => i).sort(byName);
    this.list(panel, order.length, (i) => element('li', {}, this.resourceLink(order[i]),
                                                  element('div', {class: 'quiet'}, resources[order[i]][1])));
  }
}

// A structure with a member on each line.
function inLines(text) {
  return text.replace(/(\{|, )\./g, (all, before) => before.trim() + '\n  .').replace(/ ?\|(?!=) ?/g, '\n      | ');
}

// The masks of a barrier's text, the subpasses that it is between, and its layouts where they change.
function masksOf(text) {
  const of = (name) => (text.match(new RegExp('\\.' + name + ' = ([^,}]*)')) || ['', ''])[1];
  const short = (name) => of(name).replace(/VK_(PIPELINE_STAGE|ACCESS)_2_|_BIT/g, '');
  const [src, dst] = [of('srcSubpass'), of('dstSubpass')].map((subpass) => subpass.replace('VK_SUBPASS_', ''));
  const [from, to] = [of('oldLayout'), of('newLayout')].map((layout) => layout.replace('VK_IMAGE_LAYOUT_', ''));
  return (src ? 'subpass ' + src + ' → ' + dst + ': ' : '') + short('srcStageMask') + ' / ' + short('srcAccessMask') +
      ' → ' + short('dstStageMask') + ' / ' + short('dstAccessMask') +
      (from !== to ? ' (' + from + ' → ' + to + ')' : '');
}
