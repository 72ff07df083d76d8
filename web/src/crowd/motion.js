// Where members are at any time: frames of whole numbers, unpacked once, straight lines in between.

/** Returns numbers over m instants, (m, n, k) in a row, from the bytes of their folded second differences. */
export function unfolded([low, high], m) {
  const series = m > 0 ? low.length / m : 0;
  const whole = new Uint16Array(low.length);
  for (let s = 0; s < series; s++) {
    let [value, step] = [0, 0];
    for (let k = 0; k < m; k++) {
      const folded = low[s * m + k] | (high[s * m + k] << 8);
      const second = (folded >> 1) ^ -(folded & 1);
      step = k < 2 ? second : step + second;
      value += step;
      whole[k * series + s] = value; // modulo 2^16
    }
  }
  return whole;
}

export class Motion {
  constructor(payload) {
    const { times, radii, dimensions } = payload;
    Object.assign(this, { times, radii, d: dimensions, n: radii.length, present: payload.present });
    this.origin = payload.origin;
    this.quantum = payload.quantum;
    this.whole = unfolded(payload.positions, times.length);
    if (payload.bounds) {
      this.boundQuantum = payload.bounds.quantum;
      this.boundNumbers = new Int16Array(unfolded(payload.bounds.numbers, times.length).buffer);
    }
    this.x = new Float32Array(3 * this.n); // what `place` fills in
    this.speed = new Float32Array(this.n);
    this.isThere = new Uint8Array(this.n);
    this.boundX = new Float32Array(3 * this.n);
    this.boundRadius = new Float32Array(this.n);
    this.topSpeed = this.#highSpeed();
  }

  get t0() {
    return this.times[0];
  }

  get t1() {
    return this.times[this.times.length - 1];
  }

  /** Returns the last frame that is not after a time. */
  frameAt(time) {
    let [low, high] = [0, this.times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Puts everybody, and their bounds if asked for, where they are at a time. */
  place(time, withBounds = false) {
    const { n, d, whole, quantum, origin, times, present } = this;
    const k = this.frameAt(time);
    const next = Math.min(k + 1, times.length - 1);
    const gap = times[next] - times[k];
    const share = gap > 0 ? Math.min(Math.max((time - times[k]) / gap, 0), 1) : 0;
    for (let i = 0; i < n; i++) {
      let way = 0;
      for (let c = 0; c < d; c++) {
        const a = whole[(k * n + i) * d + c];
        const step = whole[(next * n + i) * d + c] - a;
        this.x[3 * i + c] = origin[c] + quantum * (a + share * step);
        way += step * step;
      }
      this.speed[i] = gap > 0 ? (quantum * Math.sqrt(way)) / gap : 0;
      this.isThere[i] = !present || (present[k * n + i] && (share < 1e-6 || present[next * n + i])) ? 1 : 0;
    }
    if (withBounds && this.boundNumbers) this.#placeBounds(k, next, share);
    return k;
  }

  /** Bounds grow until their member is looked at anew; between a frame before that and one after it, they stay. */
  #placeBounds(k, next, share) {
    const { n, d, boundNumbers: numbers, boundQuantum: quantum } = this;
    for (let i = 0; i < n; i++) {
      const [a, b] = [(k * n + i) * (d + 1), (next * n + i) * (d + 1)];
      const part = numbers[b + d] >= numbers[a + d] ? share : 0;
      for (let c = 0; c < d; c++) {
        const offset = numbers[a + c] + part * (numbers[b + c] - numbers[a + c]);
        this.boundX[3 * i + c] = this.x[3 * i + c] + quantum * offset;
      }
      this.boundRadius[i] = quantum * (numbers[a + d] + part * (numbers[b + d] - numbers[a + d]));
    }
  }

  /** Returns a speed that one in ten is above, of some instants. */
  #highSpeed() {
    const found = [];
    for (let s = 0; s < 12; s++) {
      this.place(this.t0 + ((this.t1 - this.t0) * (s + 0.5)) / 12);
      for (let i = 0; i < this.n; i++) if (this.isThere[i]) found.push(this.speed[i]);
    }
    found.sort((a, b) => a - b);
    return found.length > 0 ? found[Math.floor(0.9 * (found.length - 1))] : 0;
  }
}
