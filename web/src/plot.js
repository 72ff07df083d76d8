// The distance of the selected pair, or the least of all pairs, over time: a certified band, margin and contacts.
import uPlot from "uplot";
import { h, name, replace } from "./dom.js";
import { boundsAt, contactSpans, isSampled, joinedSpans, lastAt, touchingSpans, uncheckedSpans } from "./contact.js";
import { leastCurve } from "./envelope.js";
import { between, length, seconds, shortSeconds } from "./format.js";

/** `all`: show the least distance of all pairs, and not that of the selected pair. */
export function buildPlot(root, payload, store, { all = false } = {}) {
  const title = h("h2");
  const now = h("p", { class: "now" });
  const zoom = h(
    "button",
    {
      type: "button",
      class: "zoom",
      "aria-pressed": "false",
      click: () => {
        zoom.setAttribute("aria-pressed", String(zoom.getAttribute("aria-pressed") !== "true"));
        load();
      },
    },
    "Zoom in",
  );
  const holder = h("div", { class: "plot", role: "img" });
  const legend = h("p", { class: "legend" });
  root.append(h("div", { class: "bar" }, title, now, zoom), holder, legend);
  let chart = null;
  let shown = null;
  const current = () => {
    const { report } = payload.programs[store.values.program];
    return { report, pair: all ? overall(report) : report.pairs[store.values.pair] };
  };

  const load = () => {
    chart?.destroy();
    chart = null;
    if (root.hidden) return;
    const { report, pair } = (shown = current());
    replace(legend);
    zoom.hidden = !pair?.curve;
    replace(title, all ? ["Minimum distance of all pairs"] : pair ? [name(pair.a), " \u2013 ", name(pair.b)] : ["Distance"]);
    holder.setAttribute("aria-label", pair ? `Distance over time. ${pair.sentence}` : "Distance over time");
    if (!pair?.curve) {
      replace(holder, h("p", { class: "empty" }, why(pair)));
      return;
    }
    replace(holder);
    chart = drawn(holder, pair, report, store, zoom.getAttribute("aria-pressed") === "true");
    replace(legend, legendOf(pair, report));
  };
  const show = () => {
    if (root.hidden || !shown) return;
    const { report, pair } = shown;
    replace(now, pair?.curve ? reading(pair, store.values.time, report) : "");
    chart?.redraw(false);
  };
  const reload = () => (load(), show());
  reload();
  store.listen((values, changed) => {
    if (changed.has("program") || (!all && changed.has("pair"))) reload();
    else if (changed.has("time")) show();
  });
  new ResizeObserver(() => chart?.setSize(sizeOf(holder))).observe(holder);
  for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", reload);
  return reload;
}

const overallOf = new WeakMap();

/** Returns the least distance of all pairs as if it were a pair. */
function overall(report) {
  if (!overallOf.has(report)) {
    const curve = leastCurve(report);
    const margin = Math.max(...report.pairs.map((pair) => pair.margin), 0);
    const same = report.pairs.every((pair) => pair.margin === margin);
    overallOf.set(report, {
      curve,
      margin: same ? margin : 0,
      contacts: joinedSpans(report.pairs, report).map(({ from, to, event }) => ({ time: from, t_end: to, event })),
      sentence: "The minimum distance of all pairs that were checked",
      isAll: true,
      event: "contact",
    });
  }
  return overallOf.get(report);
}

function why(pair) {
  if (!pair) return "No pair is selected.";
  if (pair.isAll) return "No pair has a curve: none comes near, or no curves were requested.";
  if (isSampled(pair)) return "No curve: the motion was sampled, and nothing is known between steps.";
  if (pair.clearance_upper == null && pair.least)
    return `No curve: this pair is ${pair.least} apart all the time.`;
  return "No curve was requested. keepclear verify CELL --html FILE computes curves; in Python, verify(..., curves=200).";
}

function reading(pair, time, report) {
  const bounds = boundsAt(pair.curve, time);
  if (!bounds) return "";
  const who = pair.isAll ? nearestPair(pair.curve, time) : null;
  const at = `${seconds(time, report.t1 - report.t0)}${who ? `, ${who.a} \u2013 ${who.b}` : ""}`;
  if (bounds.exact) return `${between(bounds.lower, bounds.upper)} at ${at}`;
  return bounds.lower > 0
    ? `at least ${length(bounds.lower, Math.floor)} at ${at}`
    : `about ${length(bounds.upper)} at ${at}`;
}

/** Returns the pair that is closest about a time. */
function nearestPair({ times, pairs }, time) {
  const i = lastAt(times, time);
  return pairs[i + 1] && times[i + 1] - time < time - times[i] ? pairs[i + 1] : pairs[i];
}

function legendOf(pair, report) {
  const entry = (kind, text) => h("span", {}, h("i", { class: kind }), text);
  return [
    entry("band", "distance, between certified bounds"),
    entry("floor", "lower bound between instants"),
    pair.margin > 0 && entry("margin", `margin ${length(pair.margin)}`),
    ["contact", "too close"].map((event) => hasEvent(pair, event) && entry(event === "contact" ? "contact" : "close", event)),
    pair.verdict === "UNDECIDED" && entry("open", "undecided"),
    !pair.isAll && uncheckedSpans(pair, report).length > 0 && entry("skip", "not checked"),
  ].flat();
}

/** Returns whether the chart of a pair, or of all pairs, shows contacts, or times within a margin. */
function hasEvent(pair, wanted) {
  const within = !pair.isAll && pair.margin > 0 && pair.contacts.length > 0;
  return pair.contacts.some(({ event }) => (event ?? pair.event) === wanted) || (within && wanted === "too close");
}

/** Returns how large a chart is in its holder. */
export function sizeOf(holder) {
  return { width: Math.max(holder.clientWidth, 200), height: Math.max(holder.clientHeight, 120) };
}

/** Returns the times and the largest distance to show: all of them, or those around the least distance. */
function rangeOf({ curve, margin }, report, near) {
  const known = curve.upper.filter(Number.isFinite);
  const whole = {
    from: report.t0,
    to: report.t1 > report.t0 ? report.t1 : report.t0 + 1,
    top: Math.max(...known, margin * 1.5, 1e-3), // at least 1 mm: a pair that touches all the time has no other scale
  };
  if (!near || known.length === 0) return whole;
  const least = Math.min(...known);
  const top = Math.min(whole.top, Math.max(3 * least, 2 * margin, 0.02));
  let [first, last] = [curve.upper.indexOf(least), curve.upper.indexOf(least)];
  while (first > 0 && curve.upper[first] < top) first--;
  while (last < curve.upper.length - 1 && curve.upper[last] < top) last++;
  const room = 0.5 * (curve.times[last] - curve.times[first]);
  if (!(room > 0)) return { ...whole, top };
  return {
    from: Math.max(curve.times[first] - room, whole.from),
    to: Math.min(curve.times[last] + room, whole.to),
    top,
  };
}

/** Returns a function that reads colours of the page's style. */
export function coloursOf(holder) {
  return (name) => getComputedStyle(holder).getPropertyValue(name).trim();
}

/** Returns how axes of charts look. */
export function axisStyle(colour) {
  return {
    stroke: () => colour("--muted"),
    grid: { stroke: () => colour("--line"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
  };
}

function drawn(holder, pair, report, store, near) {
  const { curve } = pair;
  const { from, to, top } = rangeOf(pair, report, near);
  const scale = top < 0.0995 ? 1000 : 1;
  const scaled = (values) => Array.from(values, (x) => (Number.isFinite(x) ? Math.max(x, 0) * scale : null));
  const floor = [...scaled(curve.lower_between)];
  floor.push(floor.at(-1) ?? 0);
  const colour = coloursOf(holder);
  const axis = axisStyle(colour);
  const line = { points: { show: false }, width: 1.5, stroke: () => colour("--accent") };
  const chart = new uPlot(
    {
      ...sizeOf(holder),
      padding: [8, 22, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      scales: { x: { time: false, range: () => [from, to] }, y: { range: [0, top * scale * 1.08] } },
      axes: [
        { ...axis, size: 28, space: 60, values: (_, ticks) => ticks.map((t) => shortSeconds(t)) },
        {
          ...axis,
          size: (_, labels) => Math.max(52, 16 + 7 * Math.max(0, ...(labels ?? []).map((text) => text.length))),
          space: 30,
          values: (_, ticks) =>
            ticks.map((y) => `${Number(y.toPrecision(6))} ${scale === 1000 ? "mm" : "m"}`),
        },
      ],
      series: [
        {},
        { ...line, label: "upper" },
        { ...line, label: "lower" },
        {
          label: "floor",
          points: { show: false },
          width: 1,
          stroke: () => colour("--floor"),
          fill: () => colour("--floor-fill"),
          paths: uPlot.paths.stepped({ align: 1 }),
        },
      ],
      bands: [{ series: [1, 2], fill: () => colour("--band") }],
      hooks: {
        drawAxes: [(u) => shade(u, pair, report, colour)],
        draw: [(u) => marks(u, pair, scale, store.values.time, colour)],
      },
    },
    [Array.from(curve.times), scaled(curve.upper), scaled(curve.lower), floor],
    holder,
  );
  listenToPlot(chart, store, report);
  return chart;
}

function shade(u, pair, report, colour) {
  const { ctx, bbox } = u;
  const span = (from, to, fill) => {
    const [x0, x1] = [from, to].map((t) => u.valToPos(t, "x", true));
    ctx.fillStyle = fill;
    ctx.fillRect(x0, bbox.top, Math.max(x1 - x0, 2 * devicePixelRatio), bbox.height);
  };
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const one of contactSpans(pair, report)) {
    const touching = pair.isAll ? [one].filter(({ event }) => event === "contact") : touchingSpans(pair, one, report);
    if (touching[0] !== one) span(one.from, one.known ? one.to : one.from, colour("--open-fill"));
    for (const { from, to } of touching) span(from, one.known ? to : from, colour("--hit-fill"));
  }
  if (pair.verdict === "UNDECIDED") span(pair.t_lo, pair.t_hi, colour("--open-fill"));
  if (!pair.isAll) for (const { from, to } of uncheckedSpans(pair, report)) span(from, to, colour("--skip-fill"));
  ctx.restore();
}

function marks(u, pair, scale, time, colour) {
  const { ctx, bbox } = u;
  const px = devicePixelRatio;
  const vertical = (t, stroke, width, dash = []) => {
    const x = Math.round(u.valToPos(t, "x", true));
    stroked(ctx, stroke, width * px, dash, [x, bbox.top], [x, bbox.top + bbox.height]);
  };
  const dot = (t, y, fill) => {
    ctx.beginPath();
    ctx.arc(u.valToPos(t, "x", true), u.valToPos(y * scale, "y", true), 4 * px, 0, 7);
    ctx.fillStyle = fill;
    ctx.fill();
  };
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left - 5 * px, bbox.top, bbox.width + 10 * px, bbox.height + 5 * px);
  ctx.clip();
  if (pair.margin > 0) {
    const y = Math.round(u.valToPos(pair.margin * scale, "y", true));
    stroked(ctx, colour("--open"), 1.5 * px, [6 * px, 4 * px], [bbox.left, y], [bbox.left + bbox.width, y]);
  }
  for (const { time: begin, event } of pair.contacts)
    vertical(begin, colour(event === "too close" || (!pair.isAll && pair.margin > 0) ? "--open" : "--hit"), 1.5);
  if (pair.clearance_time != null && pair.verdict !== "COLLIDING")
    dot(pair.clearance_time, Math.max(pair.clearance_upper, 0), colour("--accent"));
  vertical(time, colour("--text"), 1.5);
  const bounds = boundsAt(pair.curve, time);
  if (bounds) dot(time, Math.max(bounds.upper, 0), colour("--text"));
  ctx.restore();
}

/** Draws a line between two points of a canvas. */
export function stroked(ctx, stroke, width, dash, from, to) {
  ctx.beginPath();
  ctx.setLineDash(dash);
  ctx.lineWidth = width;
  ctx.strokeStyle = stroke;
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}

/** Lets a click and a drag on a chart choose the time. */
export function listenToPlot(chart, store, { t0, t1 }) {
  const { over } = chart;
  const seek = (event) => {
    const left = event.clientX - over.getBoundingClientRect().left;
    const time = chart.posToVal(left, "x");
    store.set({ playing: false, time: Math.min(Math.max(time, t0), t1) });
  };
  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    over.setPointerCapture(event.pointerId);
    seek(event);
  });
  over.addEventListener("pointermove", (event) => event.buttons & 1 && seek(event));
}
