// The contacts of all pairs over time: one lane for each pair that something happens to.
import { h, name, replace } from "./dom.js";
import { contactSpans, uncheckedSpans } from "./contact.js";
import { EVENTS, depthText } from "./events.js";
import { duration, shortSeconds } from "./format.js";

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
  root.append(list, legend);
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
    const kinds = new Set(lanes.flatMap(({ pair, skipped }) => [pair.event, skipped.length > 0 && "skip"]));
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
  for (const { from, to, known, lasts } of contactSpans(pair, report)) {
    const length = known ? `, ${lasts ? "at least " : ""}${duration(to - from)}` : ", duration not computed";
    bar(from, known ? to : from, pair.event, `${EVENTS[pair.event].one} at ${shortSeconds(from)}${length}`, from);
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
