// What the verdict depends on: warnings, assumptions, pairs that were not checked, and how it was done.
import { h, replace } from "./dom.js";
import { evidenceContent } from "./evidence.js";
import { counted, grouped, length, shortSeconds } from "./format.js";

const SHOWN = 12; // names in a row
const KNOWN = /^(pairs|evaluations|proved by .*)$/; // statistics that other rows show
const LABELS = { "at rest and apart": "Fixed pairs" };
const EXPLAINED = { "at rest and apart": "neither moves relative to the other, and they do not touch" };

export function buildDetails(root, payload, store) {
  const box = h("section", { class: "details", "aria-label": "What this depends on" });
  root.append(box);
  const show = ({ program }) => {
    const evidence = payload.evidence && fold("evidence", "Evidence", null, evidenceContent(payload.evidence), false);
    replace(box, detailsOf(payload.programs[program], payload), evidence);
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

/** Returns what the verdict of a program depends on; on paper all of it is open. */
export function detailsOf(entry, payload, onPaper = false) {
  const { report } = entry;
  const warnings = [...report.warnings, ...(entry.scene?.notes ?? [])];
  const assumed = assumptionGroups(report);
  const folds = [
    ["warnings", "Warnings", warnings.length, list(warnings), warnings.length > 0, "There are no warnings."],
    ["assumptions", "Assumptions", assumed.length, assumptions(assumed), false, "There are no assumptions."],
    [
      "unchecked",
      "Not checked",
      report.unchecked.length,
      unchecked(report, payload.reasons),
      false,
      "All pairs were checked during the whole interval.",
    ],
    ["method", "How it was checked", null, method(entry, payload), false],
  ];
  return folds.map(([id, title, count, content, open, none]) =>
    fold(onPaper ? null : id, title, count, content, open || onPaper, none, id),
  );
}

function fold(id, title, count, content, open, none = "", kind = id) {
  const empty = count === 0;
  return h(
    "details",
    { id, open, class: empty ? `${kind} none` : kind },
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

/** Returns the assumptions; what is assumed in the same words of several objects is one group. */
function assumptionGroups(report) {
  const groups = new Map();
  for (const { kind, subject, text } of report.assumptions) {
    const key = `${kind}\n${text}`;
    if (!groups.has(key)) groups.set(key, { kind, text, subjects: [] });
    groups.get(key).subjects.push(subject);
  }
  return [...groups.values()];
}

function assumptions(groups) {
  return h(
    "dl",
    {},
    groups.map(({ kind, text, subjects }) =>
      h("div", {}, h("dt", {}, h("span", { class: "kind" }, kind), listed(subjects)), h("dd", {}, text)),
    ),
  );
}

/** Returns the first of some names, and how many more there are; the whole list under the pointer. */
function listed(names) {
  const shown = names.slice(0, SHOWN).join(", ");
  if (names.length <= SHOWN) return shown;
  return h("span", { title: names.join(", ") }, `${shown} and ${grouped(names.length - SHOWN)} more`);
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
    report.t1 > report.t0
      ? ["Interval", `${shortSeconds(report.t0)} to ${shortSeconds(report.t1)}`]
      : ["Instant", shortSeconds(report.t0)],
    [
      "Tolerance",
      `${length(report.tolerance)}: a pair that keeps its margin by less than this may be reported either way`,
    ],
    report.t1 > report.t0
      ? ["CLEAR", "proved for every instant of the interval, rounding included"]
      : ["CLEAR", "proved for this instant, rounding included"],
    proofs.size > 0 && [
      "Proved by",
      [...proofs].map(([name, n]) => `${name} (${counted(n, "pair")})`).join(", "),
    ],
    ["Distance queries", grouped(evaluations)],
    ...Object.entries(report.statistics)
      .filter(([name]) => !KNOWN.test(name))
      .map(([name, value]) => [LABELS[name] ?? capital(name), [valueText(value), EXPLAINED[name]].filter(Boolean).join(": ")]),
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
    return Number.isInteger(value) ? grouped(value) : String(value);
  return Object.entries(value)
    .map(([name, entry]) => `${name}: ${valueText(entry)}`)
    .join(", ");
}

function shownAs(scene, payload) {
  const shapes = new Set(scene.bodies.map((body) => body.shape));
  const simplified = [...shapes].filter(
    (i) => payload.shapes[i].triangles.length / 3 < payload.shapes[i].whole,
  );
  const text =
    scene.times.length > 1
      ? `The 3D view shows ${counted(scene.times.length, "instant")} and interpolates between them; the check covers all times.`
      : "";
  if (simplified.length === 0) return text;
  const names = scene.bodies.filter((body) => simplified.includes(body.shape)).map((body) => body.name);
  return `${text} Shown simplified (the check used every triangle): ${[...new Set(names)].join(", ")}.`.trim();
}
