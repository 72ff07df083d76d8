// The least distance of all pairs over time, from the certified curves of those that come near.
import { lastAt, uncheckedSpans } from "./contact.js";

const MOST_CURVES = 40; // whose instants are taken: each of them is compared with all curves

/**
 * Returns the curve of the least distance over all checked pairs, null where no pair has a curve.
 *
 * At an instant of a curve its upper bound also bounds the least distance. Other curves have no bound there, so an
 * instant is kept only if the pair that was sampled then is about the closest. Lower bounds are those of all pairs,
 * and of the pairs without a curve, which are far.
 */
export function leastCurve(report) {
  const curves = report.pairs
    .filter((pair) => pair.curve)
    .map((pair) => ({ pair, curve: pair.curve, skipped: uncheckedSpans(pair, report) }));
  if (curves.length === 0) return null;
  const others = report.pairs.filter((pair) => !pair.curve).map((pair) => pair.clearance_lower ?? 0);
  const far = Math.min(...others, report.far?.count ? report.far.bound : Infinity);
  const points = [];
  for (const time of instantsOf(curves)) {
    let [value, lower, owner] = [Infinity, far, null];
    for (const one of curves) {
      if (isSkipped(one, time, report)) continue;
      const found = at(one.curve, time);
      lower = Math.min(lower, found.lower);
      if (found.upper < value || (found.upper === value && found.exact))
        [value, owner] = [found.upper, { ...found, pair: one.pair }];
    }
    if (owner?.exact) points.push({ time, upper: value, lower: Math.min(lower, value), pair: owner.pair });
  }
  if (points.length === 0) return null;
  return {
    times: points.map((point) => point.time),
    upper: points.map((point) => point.upper),
    lower: points.map((point) => point.lower),
    lower_between: points.slice(1).map((point, i) => Math.min(floorOf(curves, points[i].time, point.time), far)),
    pairs: points.map((point) => point.pair),
  };
}

/** Returns the instants of the curves that come lowest, which share the coarse instants with all others. */
function instantsOf(curves) {
  const least = new Map(curves.map(({ curve }) => [curve, Math.min(...curve.upper)]));
  const lowest = [...least.keys()].sort((x, y) => least.get(x) - least.get(y)).slice(0, MOST_CURVES);
  return [...new Set(lowest.flatMap((curve) => Array.from(curve.times)))].sort((x, y) => x - y);
}

/** Returns whether a pair is not checked at a time; at the ends of a span inside of the interval it is. */
function isSkipped({ skipped }, time, { t0, t1 }) {
  return skipped.some(({ from, to }) => (time > from || from <= t0) && (time < to || to >= t1));
}

/** Returns bounds of a curve at a time; the upper one is exact at its own instants only. */
function at(curve, time) {
  const i = lastAt(curve.times, time);
  if (curve.times[i] === time) return { lower: curve.lower[i], upper: curve.upper[i], exact: true };
  const next = Math.min(i + 1, curve.times.length - 1);
  const part = (time - curve.times[i]) / (curve.times[next] - curve.times[i] || 1);
  const upper = curve.upper[i] + part * (curve.upper[next] - curve.upper[i]);
  return { lower: curve.lower_between[Math.min(i, curve.lower_between.length - 1)], upper, exact: false };
}

/** Returns the least of the lower bounds between two times. */
function floorOf(curves, from, to) {
  let floor = Infinity;
  for (const { curve, skipped } of curves) {
    if (skipped.some((span) => span.from <= from && span.to >= to)) continue;
    for (let i = lastAt(curve.times, from); i < curve.lower_between.length && curve.times[i] < to; i++)
      floor = Math.min(floor, curve.lower_between[i]);
  }
  return floor;
}
