// The overview of a fleet: programs in a table that is sorted by its heads and filtered by words and by verdict.
import "../viewer.css";
import "./fleet.css";
import { h, icon, ICONS, name, replace } from "../dom.js";
import { counted } from "../format.js";
import { compared, header as sortHeader } from "../table.js";

const MOST_ROWS = 300; // until a user asks for the others
const URGENCY = { COLLIDING: 0, "": 1, UNDECIDED: 2, CLEAR: 3 };
const WORDS = { COLLIDING: "Colliding", "": "No report", UNDECIDED: "Undecided", CLEAR: "Clear" };

const COLUMNS = [
  { name: "verdict", label: "", title: "Verdict", key: (row) => [URGENCY[row.verdict], -row.changes.length, row.least ?? -1] },
  { name: "program", label: "Program", title: "Name", key: (row) => [row.name] },
  { name: "least", label: "Closest", title: "Least clearance", key: (row) => [closeness(row)] },
  { name: "changes", label: "Changed", title: "What changed", key: (row) => [-row.changes.length] },
  { name: "effort", label: "Proved", title: "Pairs proved in this run", key: (row) => [-row.computed, -row.seconds] },
];

function start() {
  const root = document.getElementById("keepclear");
  const payload = JSON.parse(document.getElementById("keepclear-report").textContent);
  replace(root);
  root.append(header(payload));
  if (payload.baseline) root.append(baseline(payload));
  root.append(programs(payload));
  root.append(notes(payload));
  document.body.dataset.ready = "true";
}

function header({ title, verdict, sentence, rows }) {
  const [computed, stored] = ["computed", "stored"].map((key) => rows.reduce((sum, row) => sum + row[key], 0));
  const facts = [
    ["Pairs", `${computed.toLocaleString("en")} proved in this run`],
    ["From the store", stored.toLocaleString("en")],
  ];
  return h(
    "header",
    { class: "verdict", role: "banner", "data-verdict": verdict },
    sign(verdict),
    h("div", { class: "words" }, h("p", { class: "title" }, title), h("h1", {}, verdict), h("p", { class: "sentence" }, `${sentence}.`)),
    h("dl", { class: "facts" }, facts.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value)))),
  );
}

function baseline({ baseline: { name: path, limit }, rows, others }) {
  const changed = rows.filter((row) => row.changes.length > 0);
  const lines = [...changed.flatMap((row) => row.changes.map((text) => `${row.name}: ${text}`)), ...others];
  return h(
    "details",
    { class: "changes", open: lines.length > 0 && lines.length <= 12 },
    h("summary", {}, `Since ${path}: ${lines.length === 0 ? "nothing changed" : counted(lines.length, "change")}`, h("span", { class: "count" }, `limit ${limit}`)),
    lines.length > 0 && h("ul", { class: "groups" }, lines.map((text) => h("li", {}, text))),
  );
}

function programs({ rows }) {
  let order = { column: "verdict", down: false };
  let chosen = null; // a kind of row, null: all
  let whole = false;
  const filter = h("input", {
    type: "search",
    placeholder: "Filter by name",
    "aria-label": "Filter programs by name",
    spellcheck: "false",
    input: () => show(),
  });
  const count = h("span", { class: "count", "aria-live": "polite" });
  const kinds = h("div", { class: "kinds", role: "group", "aria-label": "Verdicts" });
  const head = h("tr");
  const body = h("tbody");
  const more = h("button", { type: "button", class: "zoom rest", click: () => ((whole = true), show()) });
  const empty = h("p", { class: "empty" });

  const matches = (row) => chosen === null || (chosen === "changed" ? row.changes.length > 0 : row.verdict === chosen);
  const show = () => {
    const wanted = filter.value.trim().toLowerCase().split(/\s+/);
    const { key } = COLUMNS.find((column) => column.name === order.column);
    const found = rows
      .map((row, index) => ({ row, index, key: key(row) }))
      .filter(({ row }) => matches(row) && wanted.every((part) => `${row.name} ${row.text}`.toLowerCase().includes(part)))
      .sort((x, y) => (order.down ? -1 : 1) * compared(x.key, y.key) || x.index - y.index);
    const shown = whole ? found : found.slice(0, MOST_ROWS);
    replace(head, COLUMNS.map((column) => sortHeader(column, order, (next) => ((order = next), show()))), h("th", { scope: "col", class: "page" }));
    replace(body, shown.map(({ row }) => entry(row)));
    replace(kinds, buttons(rows, chosen, (next) => ((chosen = next), show())));
    more.hidden = shown.length === found.length;
    more.textContent = `Show ${found.length - shown.length} more`;
    replace(count, found.length === rows.length ? `${rows.length}` : `${found.length} of ${rows.length}`);
    replace(empty, found.length > 0 ? "" : "No program matches the filter.");
    document.body.dataset.shown = found.length;
  };
  show();
  return h(
    "section",
    { class: "card", "aria-label": "Programs" },
    h("div", { class: "bar" }, h("h2", {}, "Programs"), count, kinds, filter),
    h("div", { class: "scroll" }, h("table", { class: "pairs fleet" }, h("caption", { class: "hidden" }, "Programs"), h("thead", {}, head), body), more, empty),
  );
}

function buttons(rows, chosen, choose) {
  const kinds = [...Object.keys(URGENCY), "changed"];
  return kinds.map((kind) => {
    const n = rows.filter((row) => (kind === "changed" ? row.changes.length > 0 : row.verdict === kind)).length;
    const label = kind === "changed" ? "Changed" : WORDS[kind];
    return (
      n > 0 &&
      h(
        "button",
        { type: "button", class: "zoom", "data-kind": kind, "aria-pressed": String(chosen === kind), click: () => choose(chosen === kind ? null : kind) },
        `${label} ${n}`,
      )
    );
  });
}

function entry(row) {
  return h(
    "tr",
    { "data-verdict": row.verdict || "NONE" },
    h("td", { class: "verdict" }, sign(row.verdict), h("span", { class: "hidden" }, row.verdict || "no report")),
    h(
      "td",
      { class: "pair" },
      name([row.program, row.cell].find(Boolean), { class: "name" }),
      h("span", { class: "where" }, [row.program && row.cell, row.variant].filter(Boolean).join(" \u00b7 ")),
      h("p", { class: "text" }, row.text, row.warnings > 0 && h("span", { class: "kind" }, counted(row.warnings, "warning"))),
      row.changes.map((text) => h("p", { class: "change" }, text)),
    ),
    h("td", { class: "least" }, row.least_text),
    h("td", { class: "number changed" }, row.changes.length || ""),
    h("td", { class: "number effort", title: `${row.stored} from the store, ${row.seconds.toFixed(3)} s` }, String(row.computed)),
    h("td", { class: "page" }, row.page && h("a", { href: row.page, "aria-label": `Page of ${row.name}` }, "Page")),
  );
}

function notes({ rows }) {
  const pages = rows.some((row) => row.page);
  return h(
    "p",
    { class: "note" },
    "Closest: a proved lower bound of the minimum distance. ",
    pages
      ? "Each page has all pairs of a program."
      : "The page of a program: keepclear view FLEET.json --program NAME, or with the cell in motion: keepclear verify CELL --program NAME --html FILE.",
  );
}

function sign(verdict) {
  const kind = verdict || "NONE";
  return h("span", { class: "badge", "data-verdict": kind, title: verdict || "No report" }, icon(...(ICONS[kind] ?? ["M12 7v6", "M12 17v.2"])));
}

/** Returns how close a program comes: contacts first, what is unknown next. */
function closeness(row) {
  return row.verdict === "COLLIDING" ? -2 : (row.least ?? -1);
}

start();
