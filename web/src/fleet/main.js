// The overview of a fleet: programs in a table that is sorted by its heads and filtered by words and by verdict.
import "../viewer.css";
import "./fleet.css";
import { h, icon, ICONS, name, replace } from "../dom.js";
import { counted } from "../format.js";
import { compared, header as sortHeader } from "../table.js";

const MOST_ROWS = 300; // until a user asks for the others
const URGENCY = { COLLIDING: 0, "TOO CLOSE": 1, "": 2, UNDECIDED: 3, CLEAR: 4 };
const WORDS = { COLLIDING: "Colliding", "TOO CLOSE": "Too close", "": "No report", UNDECIDED: "Undecided", CLEAR: "Clear" };

const COLUMNS = [
  { name: "verdict", label: "", title: "Verdict", key: (row) => [URGENCY[row.shown], -row.changes.length, row.least ?? -1] },
  { name: "program", label: "Program", title: "Name", key: (row) => [row.name] },
  { name: "least", label: "Closest", title: "Minimum distance", key: (row) => [closeness(row)] },
  { name: "changes", label: "Changed", title: "Number of changes", key: (row) => [-row.changes.length] },
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

function header({ title, verdict, shown, sentence, rows }) {
  const [computed, stored] = ["computed", "stored"].map((key) => rows.reduce((sum, row) => sum + row[key], 0));
  const facts = [
    ["Pairs", `${computed.toLocaleString("en")} proved in this run`],
    ["From the store", stored.toLocaleString("en")],
  ];
  return h(
    "header",
    { class: "verdict", role: "banner", "data-verdict": verdict },
    sign(verdict, shown),
    h("div", { class: "words" }, h("p", { class: "title" }, title), h("h1", {}, shown), h("p", { class: "sentence" }, `${sentence}.`)),
    h("dl", { class: "facts" }, facts.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value)))),
  );
}

/** Returns what changed: a line for each cause, which opens to its changes. */
function baseline({ baseline: { name: path, limit, changes, causes } }) {
  const line = ({ text, changes: all }) =>
    h("li", {}, all.length === 0 ? text : h("details", {}, h("summary", {}, text), h("ul", {}, all.map((one) => h("li", {}, one)))));
  return h(
    "details",
    { class: "changes", open: causes.length > 0 && causes.length <= 12 },
    h("summary", {}, `Since ${path}: ${changes === 0 ? "nothing changed" : counted(changes, "change")}`, h("span", { class: "count" }, `limit ${limit}`)),
    causes.length > 0 && h("ul", { class: "groups" }, causes.map(line)),
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

  const matches = (row) => chosen === null || (chosen === "changed" ? row.changes.length > 0 : row.shown === chosen);
  const show = () => {
    const wanted = filter.value.trim().toLowerCase().split(/\s+/);
    const { key } = COLUMNS.find((column) => column.name === order.column);
    const found = rows
      .map((row, index) => ({ row, index, key: key(row) }))
      .filter(({ row }) => matches(row) && wanted.every((part) => `${row.name} ${row.text}`.toLowerCase().includes(part)))
      .sort((x, y) => (order.down ? -1 : 1) * compared(x.key, y.key) || x.index - y.index);
    const shown = whole ? found : found.slice(0, MOST_ROWS);
    replace(head, COLUMNS.map((column) => sortHeader(column, order, (next) => ((order = next), show()))));
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
    const n = rows.filter((row) => (kind === "changed" ? row.changes.length > 0 : row.shown === kind)).length;
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

/** Returns one row: name, verdict and minimum distance in sight, the sentence and the changes below its name when opened. */
function entry(row) {
  const title = name([row.program, row.cell].find(Boolean), { class: "name" });
  return h(
    "tr",
    { "data-verdict": row.verdict || "NONE" },
    h("td", { class: "verdict" }, sign(row.verdict, row.shown), h("span", { class: "hidden" }, row.shown || "no report")),
    h(
      "td",
      { class: "pair" },
      h(
        "details",
        { open: !row.shown },
        h(
          "summary",
          {},
          row.page ? h("a", { href: row.page }, title) : title,
          h("span", { class: "where" }, [row.program && row.cell, row.variant].filter(Boolean).join(" \u00b7 ")),
          row.warnings > 0 && h("span", { class: "kind" }, counted(row.warnings, "warning")),
        ),
        h("p", { class: "text" }, row.text),
        row.changes.map((text) => h("p", { class: "change" }, text)),
      ),
    ),
    h("td", { class: "least" }, row.least_text, row.pair && h("span", { class: "where" }, row.pair)),
    h("td", { class: "number changed" }, row.changes.length || ""),
    h("td", { class: "number effort", title: `${row.stored} from the store, ${row.seconds.toFixed(3)} s` }, String(row.computed)),
  );
}

function notes({ rows }) {
  const pages = rows.some((row) => row.page);
  return h(
    "p",
    { class: "note" },
    "Closest: the minimum distance of any pair of the program, as far as it is proved. ",
    pages
      ? "The name of a program opens its page with all pairs."
      : "The page of a program: keepclear view FLEET.json --program NAME, or with the cell in motion: keepclear verify CELL --program NAME --html FILE.",
  );
}

function sign(verdict, shown = verdict) {
  const kind = verdict || "NONE";
  return h("span", { class: "badge", "data-verdict": kind, title: shown || "No report" }, icon(...(ICONS[kind] ?? ["M12 7v6", "M12 17v.2"])));
}

/** Returns how close a program comes: contacts first, what is unknown next. */
function closeness(row) {
  return row.verdict === "COLLIDING" ? -2 : (row.least ?? -1);
}

start();
