// The contacts of all pairs over time: one lane for each pair that something happens to.
import { h, name, replace } from "./dom.js";
import { contactSpans, touchingSpans, uncheckedSpans } from "./contact.js";
import { EVENTS, contactText, depthText } from "./events.js";
import { duration, length, shortSeconds } from "./format.js";

const MOST_LANES = 200;

/** Returns the pairs with a lane, those that matter most first. */
export function pairsWithEvents(report) {
  const order = Object.keys(EVENTS);
  return report.pairs
    .map((pair, index) => ({ pair, index, skipped: uncheckedSpans(pair, report) }))
    .filter(({ pair, skipped }) => pair.event !== "clear" || skipped.length > 0)
    .sort((x, y) => order.indexOf(x.pair.event) - order.indexOf(y.pair.event) || (x.pair.time ?? 0) - (y.pair.time ?? 0));
}

export function buildLanes(root, payload, store) {
  const list = h("div", { class: "lanes", role: "list" });
  const legend = h("p", { class: "legend" });
  const axis = h("div", { class: "lane-axis", "aria-hidden": "true" });
  root.append(h("div", { class: "bar" }, legend), axis, list);
  const report = () => payload.programs[store.values.program].report;
  const load = () => {
    const { t0, t1 } = report();
    const lanes = pairsWithEvents(report());
    const share = (time) => (100 * (time - t0)) / (t1 - t0 || 1);
    replace(
      list,
      lanes.slice(0, MOST_LANES).map((lane) => laneOf(lane, report(), share, store)),
      lanes.length > MOST_LANES && h("p", { class: "note" }, `${lanes.length - MOST_LANES} more in the table of pairs`),
    );
    const ticks = ticksOf(t0, t1).map((time) => {
      const tick = h("span", {}, shortSeconds(time));
      tick.style.left = `${share(time)}%`;
      return tick;
    });
    replace(axis, h("span", {}), h("div", { class: "lane-ticks" }, ticks));
    const kinds = new Set(lanes.flatMap(({ pair, skipped }) => [...kindsOf(pair), skipped.length > 0 && "skip"]));
    const entry = (kind, text) => kinds.has(kind) && h("span", {}, h("i", { "data-event": kind }), text);
    replace(
      legend,
      [entry("contact", "contact"), entry("too close", "too close"), entry("undecided", "undecided"), entry("skip", "allowed, or not checked")].filter(Boolean),
    );
    show();
  };
  const show = () => {
    const { t0, t1 } = report();
    list.style.setProperty("--now", String((store.values.time - t0) / (t1 - t0 || 1)));
    for (const lane of list.children)
      lane.setAttribute?.("aria-current", String(Number(lane.dataset.lane) === store.values.pair));
  };
  load();
  store.listen((_, changed) => {
    if (changed.has("program")) load();
    else if (changed.has("time") || changed.has("pair")) show();
  });
}

/** Returns about five round times of an interval. */
function ticksOf(t0, t1) {
  const rough = (t1 - t0) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((one) => one >= rough);
  const first = Math.ceil(t0 / step - 1e-9);
  return Array.from({ length: Math.floor(t1 / step + 1e-9) - first + 1 }, (_, k) => (first + k) * step);
}

/** Returns the events that the lane of a pair shows. */
function kindsOf(pair) {
  const within = pair.margin > 0 && pair.contacts.length > 0 ? ["too close"] : [];
  return [pair.event, ...within];
}

function spanText(what, { from, to, known = true, lasts = false }, about = "") {
  const lasting = known ? `, ${lasts ? "at least " : about}${duration(to - from)}` : ", duration not computed";
  return `${what} at ${shortSeconds(from)}${lasting}`;
}

function withinText(pair, span) {
  const what = span.event === "too close" ? contactText(span, pair) : `closer than the margin of ${length(pair.margin)}`;
  return spanText(what, span);
}

function laneOf({ pair, index, skipped }, report, share, store) {
  const track = h("div", { class: "lane-track" });
  const bar = (from, to, event, label, seek) => {
    const part = h("button", {
      type: "button",
      "data-event": event,
      title: label,
      "aria-label": label,
      click: (click) => (click.stopPropagation(), store.set({ pair: index, playing: false, time: seek })),
    });
    part.style.left = `${share(from)}%`;
    part.style.width = `max(3px, ${share(to) - share(from)}%)`;
    track.append(part);
  };
  for (const { from, to, reason } of skipped)
    bar(from, to, "skip", `${reason}: ${shortSeconds(from)} to ${shortSeconds(to)}`, from);
  if (pair.event === "undecided")
    bar(pair.t_lo, pair.t_hi, "undecided", `undecided from ${shortSeconds(pair.t_lo)} to ${shortSeconds(pair.t_hi)}`, pair.t_lo);
  for (const span of contactSpans(pair, report)) {
    const { from, to, known } = span;
    const touching = touchingSpans(pair, span, report);
    const isWhole = touching[0] === span;
    if (!isWhole) bar(from, known ? to : from, "too close", withinText(pair, span), from);
    for (const one of touching)
      bar(one.from, known ? one.to : one.from, "contact", isWhole ? spanText("contact", span) : spanText("contact", one, "about "), one.from);
  }
  const depth = depthText(pair, report);
  return h(
    "div",
    {
      class: "lane",
      role: "listitem",
      "data-lane": index,
      "data-event": pair.event,
      title: [pair.sentence, depth].filter(Boolean).join(", "),
      click: (event) => {
        const { left, width } = track.getBoundingClientRect();
        const part = (event.clientX - left) / (width || 1);
        const seeks = event.target.closest(".lane-track") && part >= 0 && part <= 1;
        const time = report.t0 + part * (report.t1 - report.t0);
        store.set({ pair: index, playing: false, ...(seeks ? { time } : {}) });
      },
    },
    h("span", { class: "lane-name" }, name(pair.a), " \u2013 ", name(pair.b)),
    track,
  );
}
