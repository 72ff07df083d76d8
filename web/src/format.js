// Numbers as people read them; a bound is never rounded to the side on which it would claim more.

/** Returns a length: millimetres below 0.1 m, else metres. `round` is Math.floor or Math.ceil for bounds. */
export function length(metres, round = Math.round) {
  if (metres == null || !Number.isFinite(metres)) return "unknown";
  const inMillimetres = Math.abs(metres) < 0.0995;
  const value = inMillimetres ? metres * 1000 : metres;
  return `${digits(value, 3, round)} ${inMillimetres ? "mm" : "m"}`;
}

/**
 * Returns two bounds of a length in one unit, such as "4.12 - 4.21 mm". Bounds that are closer together than one unit
 * of the last digit are one number, the nearest: 40 mm known within a micrometre is "40 mm", not "39.9 mm".
 */
export function between(lower, upper) {
  const scale = Math.abs(upper) < 0.0995 ? 1000 : 1;
  const unit = scale === 1000 ? "mm" : "m";
  if (lower > 0 && (upper - lower) * scale < stepOf(lower * scale, 3))
    return `${digits(lower * scale, 3, Math.round)} ${unit}`;
  const low = digits(Math.max(lower, 0) * scale, 3, Math.floor);
  const high = digits(Math.max(upper, 0) * scale, 3, Math.ceil);
  return low === high ? `${low} ${unit}` : `${low} \u2013 ${high} ${unit}`;
}

/**
 * Returns a time in seconds with as many decimals as a step of the interval needs, at least milliseconds: all times of
 * one interval have the same decimals, so that a column of them can be compared.
 */
export function seconds(time, span) {
  if (time == null) return "";
  const decimals = 3 - Math.floor(Math.log10(span > 0 ? span : 1));
  return `${time.toFixed(Math.min(Math.max(decimals, 3), 6))} s`;
}

/** Returns a time with so many significant digits at most. */
export function shortSeconds(time, digits = 5) {
  if (time == null) return "";
  return `${Number(Math.abs(time) < 100 ? time.toPrecision(digits) : time.toFixed(3))} s`;
}

/** Returns how long something lasts: milliseconds below a tenth of a second. */
export function duration(time) {
  return time < 0.0995 ? `${Number((1000 * time).toPrecision(3))} ms` : `${Number(time.toPrecision(3))} s`;
}

/** Returns a number and its noun, such as "1 pair" or "21 pairs". */
export function counted(n, noun) {
  return `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** Returns a count, from five digits on in groups of three, as the text of a report has it. */
export function grouped(n) {
  return n < 10_000 ? String(n) : String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

function digits(value, n, round) {
  if (value === 0) return "0";
  const step = stepOf(value, n);
  // A value that is a multiple of the step, up to the rounding of single precision, is left there.
  const steps =
    Math.abs(value / step - Math.round(value / step)) < 1e-4 ? Math.round(value / step) : round(value / step);
  return String(Number((steps * step).toPrecision(n)));
}

/** Returns one unit of the last of n digits, at least 0.001: 1 um, or 1 mm. */
function stepOf(value, n) {
  return Math.max(10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - n), 0.001);
}
