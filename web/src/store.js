// The values that the page shows at the moment, in one place: parts change them, and are called after each change.

export class Store {
  #values;
  #listeners = [];

  constructor(values) {
    this.#values = { ...values };
  }

  get values() {
    return this.#values;
  }

  /** Calls a listener with (values, changed names) after each change. */
  listen(listener) {
    this.#listeners.push(listener);
  }

  set(changes) {
    const changed = new Set(Object.keys(changes).filter((name) => changes[name] !== this.#values[name]));
    if (changed.size === 0) return;
    Object.assign(this.#values, changes);
    for (const listener of this.#listeners) listener(this.#values, changed);
  }
}
