// When pairs are in contact, as far as the report knows it.

const FLASH = 0.012; // of the interval: how long a contact of unknown duration is shown

/** Returns the spans [from, to] in which a pair is in contact or too close; `known` says whether the end is known. */
export function contactSpans(pair, report) {
  const flash = FLASH * (report.t1 - report.t0);
  return pair.contacts.map(({ time, t_end: end, t_last: last, distance_upper: upper }) => ({
    time,
    from: time,
    to: end ?? last ?? Math.min(time + flash, report.t1),
    known: end != null || last != null,
    lasts: end == null && last != null, // until the check ends
    depth: upper < 0 ? -upper : null,
  }));
}

/** Returns when a pair is not checked, as spans of time; contact is allowed then, or nothing is known of it. */
export function uncheckedSpans({ a, b }, report) {
  return report.unchecked
    .filter((entry) => (entry.a === a && entry.b === b) || (entry.a === b && entry.b === a))
    .map(({ t_from: from, t_to: to, reason }) => ({ from: from ?? report.t0, to: to ?? report.t1, reason }));
}

/** Returns whether a pair is known to be in contact, or too close, at a time at which it is checked. */
export function isTouching(pair, time, report) {
  if (pair.verdict !== "COLLIDING") return false;
  const slack = 1e-6 * Math.max(report.t1 - report.t0, 1e-6);
  const spans = contactSpans(pair, report);
  if (spans.some((span) => time >= span.from - slack && time <= span.to + slack)) return true;
  if (spans.every((span) => span.known)) return false;
  if (uncheckedSpans(pair, report).some(({ from, to }) => time >= from && time <= to)) return false;
  const bounds = pair.curve && boundsAt(pair.curve, time);
  return bounds != null && bounds.upper <= pair.margin + report.tolerance;
}

/** Returns certified bounds of the distance at a time: exact at an instant of the curve, else from its floor. */
export function boundsAt(curve, time) {
  const { times } = curve;
  const last = times.length - 1;
  if (last < 0 || time < times[0] - 1e-9 || time > times[last] + 1e-6) return null;
  const i = lastAt(times, time);
  if (i === last || time - times[i] < 1e-6)
    return { lower: curve.lower[i], upper: curve.upper[i], exact: true };
  const part = (time - times[i]) / (times[i + 1] - times[i]);
  const upper = curve.upper[i] + part * (curve.upper[i + 1] - curve.upper[i]);
  return { lower: curve.lower_between[i], upper, exact: false };
}

/** Returns the number of the last of increasing times that is not after a time, at least 0. */
export function lastAt(times, time) {
  let low = 0;
  for (let high = times.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns whether a pair was checked at some instants only. */
export function isSampled(pair) {
  return pair.proof === "sampled in time";
}

/** Returns a pair's order in the table: contacts by time, then open pairs, then clear ones by distance. */
export function urgency(pair) {
  const rank = { COLLIDING: 0, UNDECIDED: 1, CLEAR: 2 }[pair.verdict];
  const value = rank === 0 ? (pair.time ?? 0) : leastDistance(pair);
  return [rank, value];
}

/** Returns the number by which pairs are sorted by distance; far ones come after those that were measured. */
export function leastDistance(pair) {
  return pair.clearance_upper == null ? 1e6 + (pair.clearance_lower ?? 0) : (pair.clearance_lower ?? -1e6);
}

/** Returns the time that a pair is about: its first contact, or when it is closest. */
export function momentOf(pair) {
  if (pair.verdict === "UNDECIDED") return isSampled(pair) ? pair.clearance_time : pair.t_lo;
  return pair.time ?? pair.clearance_time;
}

/** Returns the object that a name belongs to: the robot of a link, or the object itself. */
export function ownerOf(name) {
  return name.split("/")[0];
}
