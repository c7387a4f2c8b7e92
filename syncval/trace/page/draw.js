// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The timeline on a canvas. The cost of a frame grows with the pixels, not with the commands: each row starts by binary
// search and skips slices that share a pixel with a drawn one.

const ROW = 19;
const GAP = 14;
const RULER = 36;
const TITLE = 17;
const MAX_ARROWS = 250;
const COLORS = ['back', 'line', 'text', 'quiet', 'accent', 'hazard', 'submission', 'present', 'buffer', 'label', 'pass',
                'draw', 'dispatch', 'transfer', 'barrier', 'other', 'frame', 'on-slice', 'arrow', 'raised'];

class Timeline {
  constructor(canvas, model) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d', {alpha: false});
    this.begin = 0;
    this.ticks = 1;
    this.scroll = 0;
    this.selected = null;
    this.marked = new Set();
    this.readColors();
    this.show(model);
  }

  show(model) {
    this.model = model;
    this.selected = null;
    this.scroll = 0;
    this.fit(0, model.end);
  }

  readColors() {
    const style = getComputedStyle(document.documentElement);
    this.colors = {};
    for (const name of COLORS) this.colors[name] = style.getPropertyValue('--' + name).trim();
  }

  get width() { return this.canvas.clientWidth; }
  get height() { return this.canvas.clientHeight; }
  xOf(tick) { return (tick - this.begin) / this.ticks * this.width; }
  tickAt(x) { return this.begin + x / this.width * this.ticks; }

  fit(begin, end) {
    const margin = (end - begin) * 0.04 + 0.5;
    this.setView(begin - margin, end - begin + 2 * margin);
  }
  setView(begin, ticks) {
    const {end} = this.model;
    this.ticks = Math.min(Math.max(ticks, 4), end * 1.2 + 4);
    this.begin = Math.min(Math.max(begin, -this.ticks * 0.5), end - this.ticks * 0.5);
    this.request();
  }
  zoom(factor, x = this.width / 2) {
    const tick = this.tickAt(x);
    const ticks = Math.min(Math.max(this.ticks * factor, 4), this.model.end * 1.2 + 4);
    this.setView(tick - x / this.width * ticks, ticks);
  }
  pan(pixels) { this.setView(this.begin + pixels / this.width * this.ticks, this.ticks); }
  scrollBy(pixels) {
    this.scroll = Math.min(Math.max(this.scroll + pixels, 0), Math.max(0, this.contentHeight() - this.height));
    this.request();
  }
  // Moves and zooms no more than it takes to see the item well.
  reveal(item) {
    const [begin, end] = this.model.spanOf(item);
    const pixels = (end - begin) / this.ticks * this.width;
    if (pixels < 6 || pixels > this.width) {
      const ticks = Math.max((end - begin) * 3, 60);
      this.setView((begin + end) / 2 - ticks / 2, ticks);
    } else if (begin < this.begin || end > this.begin + this.ticks) {
      this.setView((begin + end) / 2 - this.ticks / 2, this.ticks);
    }
    const top = this.laneTop(this.model.queueOfItem(item));
    if (top < RULER || top + TITLE > this.height) this.scrollBy(top - RULER - GAP);
    this.request();
  }

  laneHeight(lane) { return TITLE + (lane.rows.length + 1) * ROW + GAP; }
  laneTop(queue) {
    let top = RULER + 6 - this.scroll;
    for (let i = 0; i < queue; ++i) top += this.laneHeight(this.model.lanes[i]);
    return top;
  }
  contentHeight() { return this.laneTop(this.model.lanes.length) + this.scroll + GAP; }
  rowTop(queue, row) { return this.laneTop(queue) + TITLE + row * ROW; }
  commandTop(queue) { return this.rowTop(queue, this.model.lanes[queue].rows.length); }

  // The item at a point, or null.
  hit(x, y) {
    if (y < RULER) return null;
    const tick = this.tickAt(x);
    for (let queue = 0; queue < this.model.lanes.length; ++queue) {
      const rows = this.model.rowsOf(this.model.lanes[queue]);
      const index = Math.floor((y - this.rowTop(queue, 0)) / ROW);
      if (index < 0 || index >= rows.length) continue;
      const [row, kind] = rows[index];
      const at = row.firstAfter(tick - this.ticks / this.width);
      if (at < row.length && row.begins[at] <= tick + this.ticks / this.width) return {kind, id: row.ids[at]};
    }
    return null;
  }

  request() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  resize() {
    const scale = window.devicePixelRatio || 1;
    const width = Math.round(this.width * scale), height = Math.round(this.height * scale);
    if (this.canvas.width === width && this.canvas.height === height) return;
    this.canvas.width = width;
    this.canvas.height = height;
  }

  draw() {
    this.resize();
    const {context} = this;
    const scale = window.devicePixelRatio || 1;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = '11.5px system-ui, "Noto Sans", "DejaVu Sans", sans-serif';
    context.textBaseline = 'middle';
    context.fillStyle = this.colors.back;
    context.fillRect(0, 0, this.width, this.height);
    this.drawFrames();
    this.slices = 0;
    this.model.lanes.forEach((lane, queue) => this.drawLane(lane, queue));
    this.drawArrows();
    this.drawSelection();
    this.drawRuler();
  }

  // Frames as stripes behind everything.
  drawFrames() {
    const {context, model} = this;
    const frames = model.device.frames;
    if (!this.frameBegins || this.framesOf !== model) {
      this.framesOf = model;
      this.frameBegins = Float64Array.from(frames, (frame) => frame[0]);
    }
    context.fillStyle = this.colors.frame;
    let at = Math.max(lowerBound(this.frameBegins, this.begin, true) - 1, 0);
    const perPixel = this.ticks / this.width;
    while (at < frames.length && frames[at][0] < this.begin + this.ticks) {
      const [begin, end] = frames[at];
      const x = this.xOf(begin);
      if (at % 2 === 0) context.fillRect(x, RULER, Math.max(this.xOf(end) - x, 0.5), this.height);
      at = end - begin < perPixel ? Math.max(at + 1, lowerBound(this.frameBegins, begin + perPixel, false)) : at + 1;
    }
  }

  drawLane(lane, queue) {
    const {context} = this;
    const top = this.laneTop(queue);
    if (top > this.height || top + this.laneHeight(lane) < RULER) return;
    context.fillStyle = this.colors.text;
    context.fillText(lane.name, 8, top + TITLE / 2);
    this.model.rowsOf(lane).forEach(([row, kind], i) => this.drawRow(row, kind, top + TITLE + i * ROW));
    this.drawHazards(queue, top);
  }

  drawRow(row, kind, top) {
    const end = this.begin + this.ticks;
    const perPixel = this.ticks / this.width;
    for (let at = row.firstAfter(this.begin); at < row.length && row.begins[at] < end;) {
      const x = this.xOf(row.begins[at]);
      const width = this.xOf(row.ends[at]) - x;
      this.drawSlice(kind, row.ids[at], x, top, width);
      // Slices that end within the drawn pixel are not seen.
      at = width < 1 ? Math.max(at + 1, row.firstAfter(row.begins[at] + perPixel)) : at + 1;
      ++this.slices;
    }
  }

  drawSlice(kind, id, x, top, width) {
    const {context} = this;
    context.fillStyle = this.colors[this.colorOf(kind, id)];
    const left = Math.max(x, -4);
    const shown = Math.min(x + width, this.width + 4) - left;
    context.fillRect(left, top, Math.max(width > 3 ? shown - 1 : shown, 1), ROW - 2);
    if (shown < 26) return;
    const title = this.shorten(this.model.titleOf({kind, id}), kind, shown - 9);
    if (!title) return;
    context.fillStyle = this.colors['on-slice'];
    context.fillText(title, Math.max(left, 0) + 4, top + ROW / 2 - 0.5);
  }

  // The part of a text that fits. Commands lose their prefix; objects with a name keep only that.
  shorten(text, kind, width) {
    const short = kind === 'command' ? text.replace(/^vkCmd/, '') : text.replace(/^\w+ 0x[0-9a-f]+\[(.+)\]$/, '$1');
    const full = this.context.measureText(short).width;
    if (full <= width) return short;
    const room = Math.floor(short.length * (width - 10) / full);
    return room > 1 ? short.slice(0, room) + '…' : '';
  }

  colorOf(kind, id) {
    switch (kind) {
      case 'batch': return this.model.device.batches[id].presents.length ? 'present' : 'submission';
      case 'buffer': return 'buffer';
      case 'region': return this.model.regionKind(id) === 'label' ? 'label' : 'pass';
      default: return this.model.hazardous[id] ? 'hazard' : this.model.kindOf(id);
    }
  }

  // However narrow it is, a hazard is seen.
  drawHazards(queue, top) {
    const {context, model} = this;
    context.fillStyle = this.colors.hazard;
    const row = model.lanes[queue].hazards;
    const y = this.commandTop(queue) + ROW - 1;
    for (let at = row.firstFrom(this.begin - 1); at < row.length && row.begins[at] < this.begin + this.ticks;) {
      const x = this.xOf(row.begins[at] + 0.5);
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x - 5, y + 8);
      context.lineTo(x + 5, y + 8);
      context.fill();
      at = Math.max(at + 1, row.firstFrom(this.tickAt(x + 3) - 0.5));
    }
  }

  drawArrows() {
    const {model} = this;
    const end = this.begin + this.ticks;
    const first = lowerBound(model.arrowBegins, this.begin - this.ticks, false);
    const last = lowerBound(model.arrowBegins, end, false);
    this.arrowsHidden = last - first > MAX_ARROWS * 4;
    let drawn = 0;
    for (let i = first; i < last && !this.arrowsHidden && drawn < MAX_ARROWS; ++i) {
      const arrow = model.arrows[i];
      const pixels = Math.abs(this.xOf(arrow.toTick) - this.xOf(arrow.fromTick));
      if (arrow.toTick < this.begin || (pixels < 5 && arrow.fromQueue === arrow.toQueue)) continue;
      this.drawArrow(arrow, arrow.kind === 'barrier' ? this.colors.barrier : this.colors.arrow, 1);
      ++drawn;
    }
    if (!this.selected) return;
    const kind = {command: 'barrier', batch: 'semaphore'}[this.selected.kind];
    for (const arrow of this.arrowsOfSelected(kind)) this.drawArrow(arrow, this.colors.accent, 1.8);
  }
  arrowsOfSelected(kind) {
    if (this.arrowsFor !== this.selected) {
      this.arrowsFor = this.selected;
      this.selectedArrows = kind ? this.model.arrows.filter((a) => a.kind === kind && a.what === this.selected.id) : [];
    }
    return this.selectedArrows;
  }

  drawArrow(arrow, color, weight) {
    const {context} = this;
    const from = [this.xOf(arrow.fromTick), this.arrowY(arrow, arrow.fromQueue)];
    const to = [this.xOf(arrow.toTick), this.arrowY(arrow, arrow.toQueue)];
    const bend = from[1] === to[1] ? -Math.min(34, 8 + Math.abs(to[0] - from[0]) / 8) : 0;
    const middle = (from[0] + to[0]) / 2;
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = weight;
    context.beginPath();
    context.moveTo(...from);
    if (bend) context.quadraticCurveTo(middle, from[1] + bend * 1.6, ...to);
    else context.bezierCurveTo(middle, from[1], middle, to[1], ...to);
    context.stroke();
    const angle = bend ? Math.atan2(-bend * 1.6, to[0] - middle) : 0;
    context.beginPath();
    context.moveTo(...to);
    context.lineTo(to[0] - 7 * Math.cos(angle - 0.45), to[1] - 7 * Math.sin(angle - 0.45));
    context.lineTo(to[0] - 7 * Math.cos(angle + 0.45), to[1] - 7 * Math.sin(angle + 0.45));
    context.fill();
  }
  arrowY(arrow, queue) {
    return arrow.kind === 'barrier' ? this.commandTop(queue) + 2 : this.rowTop(queue, 0) + ROW / 2;
  }

  drawSelection() {
    if (!this.selected) return;
    const {context, model} = this;
    const [begin, end] = model.spanOf(this.selected);
    const queue = model.queueOfItem(this.selected);
    const rows = model.rowsOf(model.lanes[queue]);
    const index = rows.findIndex(([row, kind]) => {
      if (kind !== this.selected.kind) return false;
      const at = row.firstFrom(begin);
      return at < row.length && row.ids[at] === this.selected.id;
    });
    if (index < 0) return;
    const x = this.xOf(begin);
    context.strokeStyle = this.colors.accent;
    context.lineWidth = 2;
    context.strokeRect(x - 1, this.rowTop(queue, index) - 1, Math.max(this.xOf(end) - x, 3) + 1, ROW);
  }

  drawRuler() {
    const {context} = this;
    context.fillStyle = this.colors.raised;
    context.fillRect(0, 0, this.width, RULER);
    context.fillStyle = this.colors.line;
    context.fillRect(0, RULER - 1, this.width, 1);
    const step = niceStep(this.ticks * 90 / this.width);
    context.fillStyle = this.colors.quiet;
    const end = Math.min(this.begin + this.ticks, this.model.end);
    for (let tick = Math.ceil(Math.max(this.begin, 0) / step) * step; tick <= end; tick += step) {
      const x = this.xOf(tick);
      context.fillRect(x, RULER - 6, 1, 5);
      context.fillText(tick.toLocaleString('en'), x + 3, RULER - 9);
    }
    this.drawFrameNumbers();
    if (!this.arrowsHidden) return;
    const hint = 'zoom in for arrows';
    context.fillStyle = this.colors.quiet;
    context.fillText(hint, this.width - context.measureText(hint).width - 10, this.height - 12);
  }

  drawFrameNumbers() {
    const {context, model} = this;
    const frames = model.device.frames;
    let at = Math.max(lowerBound(this.frameBegins, this.begin, true) - 1, 0);
    let last = -100;
    context.fillStyle = this.colors.text;
    for (let steps = 0; at < frames.length && frames[at][0] < this.begin + this.ticks && steps < 4000; ++at, ++steps) {
      const x = Math.max(this.xOf(frames[at][0]), 0);
      if (x - last < 64) {
        at = Math.max(at, lowerBound(this.frameBegins, this.tickAt(last + 64), false) - 1);
        continue;
      }
      last = x;
      context.fillText('frame ' + (at + 1), x + 4, 10);
    }
  }
}

// 1, 2 or 5 times a power of ten, at least the value and at least 1.
function niceStep(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  for (const factor of [1, 2, 5, 10]) {
    if (power * factor >= value) return power * factor;
  }
  return power * 10;
}
