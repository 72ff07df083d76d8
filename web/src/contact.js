// When pairs are in contact, as far as the report knows it.

const FLASH = 0.012; // of the interval: how long a contact of unknown duration is shown

/**
 * Returns the spans [from, to] in which a pair is within its margin; `known` says whether the end is known. The event of
 * a span is "contact" if the shapes touch at some time in it, else "too close", and `least` says how close they come.
 */
export function contactSpans(pair, report) {
  if (!spansOf.has(pair)) spansOf.set(pair, makeSpans(pair, report));
  return spansOf.get(pair);
}

const spansOf = new WeakMap(); // asked for in every frame, of all colliding pairs

function makeSpans(pair, report) {
  const flash = FLASH * (report.t1 - report.t0);
  return pair.contacts.map(({ time, t_end: end, t_last: last, distance_upper: upper, event, least }) => ({
    time,
    from: time,
    to: end ?? last ?? Math.min(time + flash, report.t1),
    known: end != null || last != null,
    lasts: end == null && last != null, // until the check ends
    depth: upper < 0 ? -upper : null,
    event: event ?? pair.event,
    least,
  }));
}

/**
 * Returns the parts of a span in which the shapes touch, as far as the curve of the pair shows it. A pair without a
 * margin touches all the time, and so does one without a curve, of which no more is known.
 */
export function touchingSpans(pair, span, report) {
  if (span.event !== "contact") return [];
  if (!(pair.margin > 0) || !pair.curve || !span.known) return [span];
  const found = [];
  const { times, upper } = pair.curve;
  for (let i = lastAt(times, span.from); i < times.length && times[i] <= span.to; i++) {
    const touches = upper[i] <= report.tolerance && times[i] >= span.from;
    if (touches && found.at(-1)?.last === i - 1) Object.assign(found.at(-1), { to: times[i], last: i });
    else if (touches) found.push({ from: times[i], to: times[i], last: i });
  }
  return found.length > 0 ? found : [span];
}

/** Returns the times at which some pairs are within their margins, and those at which shapes touch, each joined. */
export function joinedSpans(pairs, report) {
  const all = pairs.flatMap((pair) => contactSpans(pair, report).map((span) => ({ pair, span })));
  const within = all.filter(({ pair, span }) => span.event === "too close" || touchingSpans(pair, span, report)[0] !== span);
  const touching = all.flatMap(({ pair, span }) =>
    touchingSpans(pair, span, report).map(({ from, to }) => ({ from, to: span.known ? to : from })),
  );
  const named = (spans, event) => joined(spans).map((span) => ({ ...span, event }));
  return [...named(within.map(({ span }) => span), "too close"), ...named(touching, "contact")];
}

function joined(spans) {
  const found = [];
  for (const { from, to } of [...spans].sort((x, y) => x.from - y.from)) {
    const last = found.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}

/** Returns when a pair is not checked, as spans of time; contact is allowed then, or nothing is known of it. */
export function uncheckedSpans({ a, b }, report) {
  return report.unchecked
    .filter((entry) => (entry.a === a && entry.b === b) || (entry.a === b && entry.b === a))
    .map(({ t_from: from, t_to: to, reason }) => ({ from: from ?? report.t0, to: to ?? report.t1, reason }));
}

/** Returns "contact" or "too close" where a pair is known to be so at a time at which it is checked, else null. */
export function eventAt(pair, time, report) {
  if (pair.verdict !== "COLLIDING") return null;
  const slack = 1e-6 * Math.max(report.t1 - report.t0, 1e-6);
  const spans = contactSpans(pair, report);
  const isIn = ({ from, to }) => time >= from - slack && time <= to + slack;
  const span = spans.find(isIn);
  if (span) return touchingSpans(pair, span, report).some(isIn) ? "contact" : "too close";
  if (spans.every(({ known }) => known) && !(pair.left != null && time >= pair.left)) return null; // all contacts until then are known
  if (uncheckedSpans(pair, report).some(({ from, to }) => time >= from && time <= to)) return null;
  const bounds = pair.curve && boundsAt(pair.curve, time);
  if (bounds == null || bounds.upper > pair.margin + report.tolerance) return null;
  return pair.margin > 0 && bounds.upper > report.tolerance ? "too close" : "contact";
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

/** Returns the number by which pairs are sorted by distance: deep contacts first, far pairs after the measured ones. */
export function leastDistance(pair) {
  if (pair.reach != null) return pair.reach;
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
