// The verdict in plain words at the top, and the switch between programs.
import { h, icon, ICONS, replace } from "./dom.js";
import { depthText, durationText, eventCounts } from "./events.js";
import { counted, length, shortSeconds } from "./format.js";

export function buildHeader(root, payload, store, open) {
  const banner = h("header", { class: "verdict", role: "banner" });
  const switcher = h("nav", { class: "programs", "aria-label": "Programs" });
  root.append(banner);
  if (payload.programs.length > 1) root.append(switcher);

  const show = ({ program }) => {
    const { report } = payload.programs[program];
    replace(banner, bannerParts(payload, payload.programs[program]));
    banner.dataset.verdict = report.verdict;
    const tabs = payload.programs.map((entry, i) => tab(entry.report, i, i === program, open));
    replace(switcher, tabs, h("p", { class: "overall" }, `${sentence(payload.overall.text)}`));
  };
  show(store.values);
  store.listen((values, changed) => changed.has("program") && show(values));
}

/** Returns the verdict of a program that is not shown, for paper. */
export function bannerOf(payload, entry) {
  const attributes = { class: "verdict", "data-verdict": entry.report.verdict };
  return h("header", attributes, bannerParts(payload, entry));
}

function bannerParts(payload, { report, text, scene }) {
  return [badge(report.verdict), words(payload, report, text), facts(report, scene)];
}

function words(payload, report, text) {
  const title = [report.title || payload.overall.title, report.program].filter(Boolean).join(" \u00b7 ");
  return h(
    "div",
    { class: "words" },
    h("p", { class: "title" }, title || "Report"),
    h(
      "h1",
      {},
      h("span", { class: "word" }, report.shown),
      report.interrupted && h("em", {}, " stopped early"),
    ),
    h("p", { class: "sentence" }, sentence(text)),
    h("p", { class: "more" }, more(report)),
  );
}

/** Returns what else there is to know at a glance about the first contact. */
function more(report) {
  const first = report.pairs
    .filter((pair) => pair.verdict === "COLLIDING")
    .sort((x, y) => x.time - y.time)[0];
  if (!first) return "";
  const hasMargin = first.margin > 0;
  const lasts = durationText(first, report);
  const closest = first.least && `${first.least} at the closest`;
  const touches = hasMargin && (first.event === "contact" ? "the shapes touch" : closest);
  return [
    !report.sampling && bracket(first, hasMargin),
    lasts && `${hasMargin ? "within the margin " : ""}for ${lasts}`,
    touches,
    depthText(first, report),
    position(first, hasMargin),
  ]
    .filter(Boolean)
    .join(" \u00b7 ");
}

/** Returns between which times the contact of a pair begins, "" where they are too close together to matter. */
function bracket({ t_lo: lo, t_hi: hi }, hasMargin) {
  if (hi - lo < 1e-5) return "";
  let digits = 4;
  while (digits < 16 && Number(lo.toPrecision(digits)) >= Number(hi.toPrecision(digits))) digits++;
  const [until, by] = [lo, hi].map((time) => shortSeconds(time, digits + 1));
  return hasMargin ? `margin kept until ${until}, violated by ${by}` : `proved apart until ${until}, in contact by ${by}`;
}

/** Returns where a pair first is in contact, or within its margin. */
function position({ contacts: [contact] }, hasMargin) {
  const p = contact?.p_W?.map((x) => Number(x.toFixed(3))).join(", ");
  return p && `${hasMargin ? "first" : "contact"} at (${p}) m`;
}

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1) + ".";
}

function facts(report, scene) {
  const warnings = report.warnings.length + (scene?.notes.length ?? 0);
  const list = [
    report.t1 > report.t0
      ? ["Interval", `${shortSeconds(report.t0).replace(" s", "")} \u2013 ${shortSeconds(report.t1)}`]
      : ["Instant", shortSeconds(report.t0)],
    ["Pairs", eventCounts(report)],
    report.sampling && ["Steps", `${report.sampling.times.length} of ${report.sampling.n_asked}`],
    ["Tolerance", length(report.tolerance)],
    warnings > 0 && ["Warnings", h("a", { href: "#warnings" }, String(warnings))],
    report.unchecked.length > 0 && [
      "Not checked",
      h("a", { href: "#unchecked" }, counted(pairsIn(report.unchecked), "pair")),
    ],
  ];
  return h(
    "dl",
    { class: "facts" },
    list.filter(Boolean).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

/** Returns how many pairs a list is about: a pair with several windows of time is in it several times. */
function pairsIn(unchecked) {
  return new Set(unchecked.map(({ a, b }) => JSON.stringify([a, b]))).size;
}

function tab(report, i, current, open) {
  return h(
    "button",
    {
      type: "button",
      "aria-pressed": current ? "true" : "false",
      "data-verdict": report.verdict,
      "data-program": i,
      click: () => open(i),
    },
    badge(report.verdict),
    h("span", {}, report.program || `Program ${i + 1}`),
    h("span", { class: "hidden" }, report.shown),
  );
}

/** Returns the sign of a verdict: shown by its form and its name, not by its colour alone. */
export function badge(verdict, event = null) {
  const marks = { class: "badge", "data-verdict": verdict, "data-event": event, title: event ?? verdict };
  return h("span", marks, icon(...ICONS[verdict]));
}
