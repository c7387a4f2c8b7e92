// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Slices of one row of a lane, in order and without overlap.
class Row {
  constructor() {
    this.begins = [];
    this.ends = [];
    this.ids = [];
  }
  add(begin, end, id) {
    this.begins.push(begin);
    this.ends.push(end);
    this.ids.push(id);
  }
  freeze() {
    this.begins = Float64Array.from(this.begins);
    this.ends = Float64Array.from(this.ends);
    this.ids = Uint32Array.from(this.ids);
  }
  get length() { return this.ids.length; }
  // The first slice that ends after the tick.
  firstAfter(tick) { return lowerBound(this.ends, tick, true); }
  // The first that begins at the tick or after it.
  firstFrom(tick) { return lowerBound(this.begins, tick, false); }
}

// The first element that is not less than the value, or, if strict, greater.
function lowerBound(values, value, strict) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (strict ? values[middle] <= value : values[middle] < value) low = middle + 1; else high = middle;
  }
  return low;
}
