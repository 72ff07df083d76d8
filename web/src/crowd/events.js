// What happened, by time: contacts that flash, overlaps that last, and the events up to now.

export const WORDS = {
  contact: "touch",
  begin: "begin to overlap",
  end: "no longer overlap",
  wall: "touches a wall",
  possible: "may touch",
};

export class Events {
  constructor({ events, ids, names }) {
    Object.assign(this, events);
    this.n = events.time.length;
    this.names = names;
    const row = new Map(Array.from(ids, (id, k) => [id, k]));
    this.rowI = Int32Array.from(events.i, (id) => row.get(id) ?? -1);
    this.rowJ = Int32Array.from(events.j, (id) => row.get(id) ?? -1);
    this.spans = this.#overlaps();
  }

  nameOf(k) {
    return this.kinds[this.kind[k]];
  }

  /** Returns what the one or two are called that an event is about. */
  who(k) {
    return [this.rowI[k], this.rowJ[k]].filter((row) => row >= 0).map((row) => this.names[row]);
  }

  /** Returns how many events happened until a time. */
  countUntil(time) {
    let [low, high] = [0, this.n];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time + 1e-12) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns from when to when pairs overlap, or may touch. */
  #overlaps() {
    const [open, spans] = [new Map(), []];
    for (let k = 0; k < this.n; k++) {
      const name = this.nameOf(k);
      const key = `${this.i[k]} ${this.j[k]}`;
      if (name === "begin" || name === "possible") {
        const span = { from: this.time[k], to: Infinity, a: this.rowI[k], b: this.rowJ[k] };
        open.set(key, span);
        spans.push(span);
      } else if (name === "end" && open.has(key)) {
        open.get(key).to = this.time[k];
        open.delete(key);
      }
    }
    return spans;
  }

  /** Fills in how much each member glows: 1 at a contact and while it overlaps another, less soon after. */
  glow(time, width, glow) {
    glow.fill(0);
    const last = this.countUntil(time);
    for (let k = last - 1; k >= 0 && this.time[k] > time - width; k--) {
      if (this.j[k] < 0) continue; // walls
      const strength = 1 - (time - this.time[k]) / width;
      for (const row of [this.rowI[k], this.rowJ[k]]) if (row >= 0) glow[row] = Math.max(glow[row], strength);
    }
    let pairs = 0;
    for (const { from, to, a, b } of this.spans) {
      if (from > time) break;
      if (to < time || b < 0) continue;
      pairs++;
      for (const row of [a, b]) if (row >= 0) glow[row] = 1;
    }
    return pairs;
  }

  /** Returns the places of contacts in a short time before now, with how fresh they are. */
  recent(time, width, most) {
    const found = [];
    for (let k = this.countUntil(time) - 1; k >= 0 && found.length < most; k--) {
      if (this.time[k] <= time - width) break;
      if (this.j[k] >= 0 && this.nameOf(k) !== "end")
        found.push({ k, fresh: 1 - (time - this.time[k]) / width });
    }
    return found;
  }
}
