// When pairs are in contact, as far as the report knows it.

const FLASH = 0.012; // of the interval: how long a contact of unknown duration is shown

/** Returns the spans [from, to] in which a pair is in contact; `known` tells whether the end is. */
export function contactSpans(pair, report) {
  const flash = FLASH * (report.t1 - report.t0);
  return pair.contacts.map(({ time, t_end: end }) => ({
    time,
    from: time,
    to: end ?? Math.min(time + flash, report.t1),
    known: end != null,
  }));
}

/** Returns whether a pair is known to be in contact at a time. */
export function isTouching(pair, time, report) {
  if (pair.verdict !== "COLLIDING") return false;
  const slack = 1e-6 * Math.max(report.t1 - report.t0, 1e-6);
  if (contactSpans(pair, report).some((span) => time >= span.from - slack && time <= span.to + slack))
    return true;
  const bounds = pair.curve && boundsAt(pair.curve, time);
  return bounds != null && bounds.upper <= pair.margin + report.tolerance;
}

/** Returns certified bounds of the distance at a time: exact at an instant of the curve, else from its floor. */
export function boundsAt(curve, time) {
  const { times } = curve;
  const last = times.length - 1;
  if (last < 0 || time < times[0] - 1e-9 || time > times[last] + 1e-6) return null;
  let i = 0;
  for (let hi = last; i < hi; ) {
    const middle = (i + hi + 1) >> 1;
    if (times[middle] <= time) i = middle;
    else hi = middle - 1;
  }
  if (i === last || time - times[i] < 1e-6)
    return { lower: curve.lower[i], upper: curve.upper[i], exact: true };
  const part = (time - times[i]) / (times[i + 1] - times[i]);
  const upper = curve.upper[i] + part * (curve.upper[i + 1] - curve.upper[i]);
  return { lower: curve.lower_between[i], upper, exact: false };
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
