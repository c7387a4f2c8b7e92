// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mouse, keys, search, and which device is shown.

class App {
  constructor() {
    const started = performance.now();
    this.data = JSON.parse(document.getElementById('data').textContent);
    this.canvas = document.getElementById('canvas');
    this.tip = document.getElementById('tip');
    this.models = [];
    this.results = [];
    this.current = -1;
    this.hazard = -1;
    this.panel = new Panel((item) => this.selectItem(item, true));
    this.timeline = new Timeline(this.canvas, this.modelOf(0));
    this.fillDevices();
    this.listen();
    this.show(0);
    this.loadTime = performance.now() - started;
  }

  modelOf(number) {
    this.models[number] ??= new Model(this.data.devices[number]);
    return this.models[number];
  }

  fillDevices() {
    this.devices = document.getElementById('device');
    this.data.devices.forEach((device, number) => this.devices.append(element('option', {value: number}, device.name)));
    this.devices.hidden = this.data.devices.length < 2;
    this.devices.addEventListener('change', () => this.show(Number(this.devices.value)));
  }

  show(number) {
    const model = this.model = this.modelOf(number);
    const {device} = model;
    const many = (count, what) => count.toLocaleString('en') + ' ' + what + (count === 1 ? '' : 's');
    document.getElementById('summary').textContent =
        [device.name, many(device.batches.length, 'submission'), many(model.commandCount, 'command'),
         many(device.frames.length, 'frame')].join(' · ');
    const dropped = document.getElementById('dropped');
    dropped.textContent = device.dropped;
    dropped.hidden = !device.dropped;
    this.timeline.show(model);
    this.panel.show(model);
    this.panel.open(model.hazards.length ? 'hazards' : 'details');
    this.results = [];
    this.search();
  }

  selectItem(item, reveal) {
    this.timeline.selected = item;
    if (reveal && item) this.timeline.reveal(item);
    this.panel.showItem(item);
    if (item) {
      this.panel.open('details');
      document.getElementById('status').textContent =
          item.kind === 'command' ? this.model.describe(item.id) : this.model.titleOf(item);
    }
    this.timeline.request();
  }

  search() {
    const query = document.getElementById('query').value;
    this.results = searchRun(this.model, query);
    this.current = -1;
    const found = document.getElementById('found');
    found.textContent = query.trim() ? this.results.length.toLocaleString('en') + ' found' : '';
  }
  goToResult(step) {
    if (!this.results.length) return;
    this.current = this.current < 0 ? (step > 0 ? 0 : this.results.length - 1)
                                    : (this.current + step + this.results.length) % this.results.length;
    document.getElementById('found').textContent =
        (this.current + 1).toLocaleString('en') + ' of ' + this.results.length.toLocaleString('en');
    this.selectItem(this.results[this.current], true);
  }

  goToHazard() {
    const {hazardCommands} = this.model;
    if (!hazardCommands.length) return;
    this.hazard = (this.hazard + 1) % hazardCommands.length;
    this.selectItem({kind: 'command', id: hazardCommands[this.hazard]}, true);
  }

  // The next slice of the row, or the one before.
  moveAlong(step) {
    const item = this.timeline.selected;
    if (!item) return this.selectFirst();
    const [row, at] = this.rowAndPlace(item);
    const next = at + step;
    if (next >= 0 && next < row.length) this.selectItem({kind: item.kind, id: row.ids[next]}, true);
  }
  // What encloses it, or the first that it encloses.
  moveAcross(step) {
    const item = this.timeline.selected;
    if (!item) return this.selectFirst();
    const rows = this.model.rowsOf(this.model.lanes[this.model.queueOfItem(item)]);
    const [begin, end] = this.model.spanOf(item);
    const [own] = this.rowAndPlace(item);
    for (let i = rows.findIndex(([row]) => row === own) + step; i >= 0 && i < rows.length; i += step) {
      const [row, kind] = rows[i];
      const at = row.firstAfter(begin);
      if (at < row.length && row.begins[at] < end) return this.selectItem({kind, id: row.ids[at]}, true);
    }
  }
  rowAndPlace(item) {
    const rows = this.model.rowsOf(this.model.lanes[this.model.queueOfItem(item)]);
    const [begin] = this.model.spanOf(item);
    for (const [row, kind] of rows) {
      if (kind !== item.kind) continue;
      const at = row.firstFrom(begin);
      if (row.ids[at] === item.id) return [row, at];
    }
    return [rows[0][0], 0];
  }
  selectFirst() {
    if (this.model.commandCount) this.selectItem({kind: 'command', id: 0}, true);
    else if (this.model.device.batches.length) this.selectItem({kind: 'batch', id: 0}, true);
  }

  fitSelection() {
    if (this.timeline.selected) this.timeline.fit(...this.model.spanOf(this.timeline.selected).slice(0, 2));
  }

  listen() {
    const {canvas, timeline} = this;
    canvas.addEventListener('pointerdown', (event) => this.dragFrom(event));
    canvas.addEventListener('pointermove', (event) => this.drag(event));
    canvas.addEventListener('pointerup', (event) => this.drop(event));
    canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    canvas.addEventListener('dblclick', () => this.fitSelection());
    canvas.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
    document.addEventListener('keydown', (event) => this.key(event));
    const form = document.getElementById('search');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.goToResult(1);
    });
    document.getElementById('previous').addEventListener('click', () => this.goToResult(-1));
    document.getElementById('query').addEventListener('input', () => this.search());
    new ResizeObserver(() => timeline.request()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      timeline.readColors();
      timeline.request();
    });
  }

  dragFrom(event) {
    this.dragged = {x: event.offsetX, y: event.offsetY, moved: 0};
    this.canvas.setPointerCapture(event.pointerId);
  }
  drag(event) {
    if (!this.dragged) return this.hover(event);
    const x = event.offsetX - this.dragged.x, y = event.offsetY - this.dragged.y;
    this.dragged.moved += Math.abs(x) + Math.abs(y);
    if (this.dragged.moved < 4) return;
    this.canvas.classList.add('dragging');
    this.timeline.pan(-x);
    this.timeline.scrollBy(-y);
    this.dragged.x = event.offsetX;
    this.dragged.y = event.offsetY;
  }
  drop(event) {
    const wasClick = this.dragged && this.dragged.moved < 4;
    this.dragged = null;
    this.canvas.classList.remove('dragging');
    if (wasClick) this.selectItem(this.timeline.hit(event.offsetX, event.offsetY), false);
  }

  hover(event) {
    const item = this.timeline.hit(event.offsetX, event.offsetY);
    this.tip.hidden = !item;
    if (!item) return;
    this.tip.textContent = this.tipOf(item);
    const right = event.offsetX + 470 > this.canvas.clientWidth;
    this.tip.style.left = right ? '' : event.offsetX + 14 + 'px';
    this.tip.style.right = right ? this.canvas.clientWidth - event.offsetX + 10 + 'px' : '';
    this.tip.style.top = Math.min(event.offsetY + 16, this.canvas.clientHeight - 90) + 'px';
  }
  tipOf(item) {
    if (item.kind !== 'command') return this.model.titleOf(item);
    const accesses = this.model.accessesOf(item.id).slice(0, 4).map((access) =>
        (access.isWrite ? 'writes ' : 'reads ') + this.model.device.resources[access.resource][0]);
    const barriers = this.model.barriersOf(item.id).slice(0, 2).map((barrier) => masksOf(barrier.text));
    return [this.model.describe(item.id), ...accesses, ...barriers].join('\n');
  }

  wheel(event) {
    event.preventDefault();
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isSideways) this.timeline.pan(event.deltaX || event.deltaY);
    else if (event.altKey) this.timeline.scrollBy(event.deltaY);
    else this.timeline.zoom(Math.exp(Math.max(-120, Math.min(120, event.deltaY)) / 300), event.offsetX);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /INPUT|SELECT|TEXTAREA/.test(event.target.tagName);
    if (event.key === 'Escape') {
      if (typing) this.canvas.focus(); else this.selectItem(null, false);
      return;
    }
    if (typing) return;
    const anywhere = {
      '/': () => document.getElementById('query').select(),
      n: () => this.goToResult(1),
      N: () => this.goToResult(-1),
      h: () => this.goToHazard(),
      f: () => this.fitSelection(),
      0: () => this.timeline.fit(0, this.model.end),
      a: () => this.timeline.pan(-this.timeline.width / 6),
      d: () => this.timeline.pan(this.timeline.width / 6),
      w: () => this.timeline.zoom(1 / 1.5),
      s: () => this.timeline.zoom(1.5),
      '+': () => this.timeline.zoom(1 / 1.5),
      '-': () => this.timeline.zoom(1.5),
    };
    const onCanvas = {
      ArrowLeft: () => this.moveAlong(-1),
      ArrowRight: () => this.moveAlong(1),
      ArrowUp: () => this.moveAcross(-1),
      ArrowDown: () => this.moveAcross(1),
      Home: () => this.timeline.setView(0, this.timeline.ticks),
      End: () => this.timeline.setView(this.model.end - this.timeline.ticks, this.timeline.ticks),
    };
    const act = anywhere[event.key] || (document.activeElement === this.canvas && onCanvas[event.key]);
    if (!act) return;
    event.preventDefault();
    act();
  }
}

window.assay = new App();
