// What the verdict depends on: warnings, assumptions, pairs that were not checked, and how it was done.
import { h, replace } from "./dom.js";
import { counted, length, shortSeconds } from "./format.js";

const KNOWN = /^(pairs|evaluations|proved by .*)$/; // statistics that other rows show

export function buildDetails(root, payload, store) {
  const box = h("section", { class: "details", "aria-label": "What this depends on" });
  root.append(box);
  const show = ({ program }) => {
    const entry = payload.programs[program];
    const { report } = entry;
    const warnings = [...report.warnings, ...(entry.scene?.notes ?? [])];
    replace(
      box,
      fold(
        "warnings",
        "Warnings",
        warnings.length,
        list(warnings),
        warnings.length > 0,
        "There are no warnings.",
      ),
      fold(
        "assumptions",
        "Assumptions",
        report.assumptions.length,
        assumptions(report),
        false,
        "There are none.",
      ),
      fold(
        "unchecked",
        "Not checked",
        report.unchecked.length,
        unchecked(report, payload.reasons),
        false,
        "All pairs were checked, all the time.",
      ),
      fold("method", "How it was checked", null, method(entry, payload), false),
    );
  };
  show(store.values);
  store.listen((values, changed) => changed.has("program") && show(values));
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  window.addEventListener("hashchange", unfold);
  document.addEventListener("click", (event) => {
    const name = event.target.closest?.("a[href^='#']")?.getAttribute("href").slice(1);
    const target = name && document.getElementById(name);
    if (target instanceof HTMLDetailsElement) target.open = true;
  });
  window.addEventListener("beforeprint", () =>
    box.querySelectorAll("details").forEach((part) => (part.open = true)),
  );
}

function fold(id, title, count, content, open, none = "") {
  const empty = count === 0;
  return h(
    "details",
    { id, open, class: empty ? `${id} none` : id },
    h("summary", {}, title, count != null && h("span", { class: "count" }, String(count))),
    empty ? h("p", { class: "empty" }, none) : content,
  );
}

function list(texts) {
  return h(
    "ul",
    {},
    texts.map((text) => h("li", {}, text)),
  );
}

function assumptions(report) {
  return h(
    "dl",
    {},
    report.assumptions.map(({ kind, subject, text }) =>
      h("div", {}, h("dt", {}, h("span", { class: "kind" }, kind), subject), h("dd", {}, text)),
    ),
  );
}

function unchecked(report, reasons) {
  const groups = new Map();
  for (const entry of report.unchecked) {
    if (!groups.has(entry.reason)) groups.set(entry.reason, []);
    groups.get(entry.reason).push(entry);
  }
  return h(
    "div",
    { class: "groups" },
    [...groups].map(([reason, entries]) =>
      h(
        "div",
        {},
        h("h3", {}, reasons[reason] ?? reason, h("span", { class: "count" }, String(entries.length))),
        h(
          "ul",
          {},
          entries.map((entry) => h("li", {}, `${entry.a} \u2013 ${entry.b}`, note(entry))),
        ),
      ),
    ),
  );
}

function note({ detail, touching, t_from: from, t_to: to }) {
  const when = [from != null && `from ${shortSeconds(from)}`, to != null && `until ${shortSeconds(to)}`]
    .filter(Boolean)
    .join(" ");
  const state = touching == null || /touch|apart/.test(detail) ? "" : touching ? "touching" : "apart";
  const parts = [when, detail, state].filter(Boolean);
  return parts.length > 0 && h("span", { class: "note" }, parts.join(", "));
}

function method({ report, scene }, payload) {
  const evaluations = report.pairs.reduce((sum, pair) => sum + pair.evaluations, 0);
  const proofs = new Map();
  for (const pair of report.pairs) if (pair.proof) proofs.set(pair.proof, (proofs.get(pair.proof) ?? 0) + 1);
  const rows = [
    ["Interval", `${shortSeconds(report.t0)} to ${shortSeconds(report.t1)}`],
    [
      "Tolerance",
      `${length(report.tolerance)}: a least distance this close to its margin may be called either way`,
    ],
    ["CLEAR", "proved for every instant of the interval, rounding included"],
    proofs.size > 0 && [
      "Proved by",
      [...proofs].map(([name, n]) => `${name} (${counted(n, "pair")})`).join(", "),
    ],
    ["Distance queries", evaluations.toLocaleString("en")],
    ...Object.entries(report.statistics)
      .filter(([name]) => !KNOWN.test(name))
      .map(([name, value]) => [capital(name), valueText(value)]),
    ["Format", report.format],
  ].filter(Boolean);
  return h(
    "div",
    {},
    h(
      "dl",
      { class: "rows" },
      rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    ),
    scene && h("p", { class: "note" }, shownAs(scene, payload)),
  );
}

function capital(name) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function valueText(value) {
  if (value === null || typeof value !== "object")
    return typeof value === "number" ? value.toLocaleString("en") : String(value);
  return Object.entries(value)
    .map(([name, entry]) => `${name}: ${valueText(entry)}`)
    .join(", ");
}

function shownAs(scene, payload) {
  const shapes = new Set(scene.bodies.map((body) => body.shape));
  const simplified = [...shapes].filter(
    (i) => payload.shapes[i].triangles.length / 3 < payload.shapes[i].whole,
  );
  const text = `The 3D view shows ${counted(scene.times.length, "instant")} and interpolates between them; the check covers all times.`;
  if (simplified.length === 0) return text;
  const names = scene.bodies.filter((body) => simplified.includes(body.shape)).map((body) => body.name);
  return `${text} Shown simplified (the check used every triangle): ${[...new Set(names)].join(", ")}.`;
}
