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
    const { report, text, scene } = payload.programs[program];
    replace(banner, badge(report.verdict), words(payload, report, text), facts(report, scene));
    banner.dataset.verdict = report.verdict;
    const tabs = payload.programs.map((entry, i) => tab(entry.report, i, i === program, open));
    replace(switcher, tabs, h("p", { class: "overall" }, `${sentence(payload.overall.text)}`));
  };
  show(store.values);
  store.listen((values, changed) => changed.has("program") && show(values));
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
      h("span", { class: "word" }, report.verdict),
      report.interrupted && h("em", {}, " stopped early"),
    ),
    h("p", { class: "sentence" }, sentence(text)),
    h("p", { class: "more" }, more(report)),
  );
}

/** Returns what else there is to know at a glance. */
function more(report) {
  const first = report.pairs
    .filter((pair) => pair.verdict === "COLLIDING")
    .sort((x, y) => x.time - y.time)[0];
  if (!first) return "";
  const [contact] = first.contacts;
  const what = first.event === "too close" ? "closest" : "contact";
  const place = contact?.p_W && `${what} at (${contact.p_W.map((x) => Number(x.toFixed(3))).join(", ")}) m`;
  let digits = 4;
  while (digits < 16 && Number(first.t_lo.toPrecision(digits)) >= Number(first.t_hi.toPrecision(digits)))
    digits++;
  const [until, by] = [first.t_lo, first.t_hi].map((time) => shortSeconds(time, digits + 1));
  const proved = !report.sampling && first.t_hi - first.t_lo >= 1e-5 && `proved apart until ${until}, in contact by ${by}`;
  const lasts = durationText(first, report);
  return [proved, lasts && `for ${lasts}`, depthText(first, report), place].filter(Boolean).join(", ");
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
    ["Pairs", eventCounts(report.pairs)],
    report.sampling && ["Steps", `${report.sampling.times.length} of ${report.sampling.n_asked}`],
    ["Tolerance", length(report.tolerance)],
    warnings > 0 && ["Warnings", h("a", { href: "#warnings" }, String(warnings))],
    report.unchecked.length > 0 && [
      "Not checked",
      h("a", { href: "#unchecked" }, counted(report.unchecked.length, "pair")),
    ],
  ];
  return h(
    "dl",
    { class: "facts" },
    list.filter(Boolean).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
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
    h("span", { class: "hidden" }, report.verdict),
  );
}

/** Returns the sign of a verdict: shown by its form and its name, not by its colour alone. */
export function badge(verdict, event = null) {
  const marks = { class: "badge", "data-verdict": verdict, "data-event": event, title: event ?? verdict };
  return h("span", marks, icon(...ICONS[verdict]));
}
