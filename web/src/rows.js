// Long lists: only the rows that are in sight are in the document, once there are many.

const MANY = 250; // rows that a browser lays out without a pause
const BEYOND = 12; // rows above and below what is in sight

/**
 * Keeps the rows of a body in sight. `spacer(height)` makes an element as tall as the rows that are left out;
 * `make(entry)` makes the element of an entry, all of which have about the same height.
 */
export class Rows {
  #drawn = "";

  constructor(scroller, body, { height, spacer, make }) {
    Object.assign(this, { scroller, body, height, spacer, make, entries: [] });
    scroller.addEventListener("scroll", () => this.#draw(), { passive: true });
    new ResizeObserver(() => this.#draw()).observe(scroller);
  }

  /** Shows other entries. */
  show(entries) {
    this.entries = entries;
    this.#drawn = "";
    this.#draw();
  }

  /** Brings an entry into sight, if it is not. */
  reveal(index) {
    if (index < 0 || this.entries.length <= MANY) return;
    const { scrollTop, clientHeight } = this.scroller;
    const top = index * this.height;
    if (top < scrollTop || top + 2 * this.height > scrollTop + clientHeight)
      this.scroller.scrollTop = Math.max(top - clientHeight / 2, 0);
    this.#draw();
  }

  /** Puts some entries into the document whatever is in sight, for paper; null: those in sight again. */
  whole(entries) {
    this.#drawn = "";
    if (entries == null) return this.#draw();
    this.body.replaceChildren(...entries.map(this.make));
  }

  #draw() {
    const n = this.entries.length;
    const { scrollTop, clientHeight } = this.scroller;
    const first = n <= MANY ? 0 : Math.max(Math.floor(scrollTop / this.height) - BEYOND, 0);
    const last = n <= MANY ? n : Math.min(Math.ceil((scrollTop + clientHeight) / this.height) + BEYOND, n);
    if (this.#drawn === `${first} ${last}`) return;
    this.#drawn = `${first} ${last}`;
    const rows = this.entries.slice(first, last).map(this.make);
    const above = first > 0 ? [this.spacer(first * this.height)] : [];
    const below = last < n ? [this.spacer((n - last) * this.height)] : [];
    this.body.replaceChildren(...above, ...rows, ...below);
    this.onDraw?.();
  }
}
