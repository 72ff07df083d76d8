// The pairs: grouped by event or object, sortable, filtered by text; a click on a row seeks its moment.
import { h, name, replace } from "./dom.js";
import { badge } from "./header.js";
import { contactSpans, isSampled, leastDistance, momentOf, ownerOf, touchingSpans, urgency } from "./contact.js";
import { EVENTS, contactText, depthText, durationText } from "./events.js";
import { counted, seconds, shortSeconds } from "./format.js";
import { Rows } from "./rows.js";

const ROW = 52; // pixels, as the style has it
const ON_PAPER = 400; // rows that are printed
const PINNED = { key: "pinned", title: "Pinned", rank: -1 };
const OWN = "own links";
const GROUPS = { event: "by event", object: "by object", none: "no groups" };

const COLUMNS = [
  { name: "verdict", label: "", title: "Verdict", key: urgency },
  { name: "pair", label: "Pair", title: "Names", key: (pair) => [`${pair.a} ${pair.b}`] },
  { name: "least", label: "Distance", title: "Minimum distance", key: (pair) => [leastDistance(pair)] },
  { name: "time", label: "At", title: "Time", key: (pair) => [momentOf(pair) ?? Infinity] },
];

export function buildTable(root, payload, store) {
  const filter = h("input", {
    type: "search",
    placeholder: "Filter by name",
    "aria-label": "Filter pairs by name",
    spellcheck: "false",
    input: () => show(),
  });
  const group = h(
    "select",
    { "aria-label": "Group pairs", change: () => (closed.clear(), show()) },
    Object.entries(GROUPS).map(([value, text]) => h("option", { value }, text)),
  );
  const count = h("span", { class: "count", "aria-live": "polite" });
  const head = h("tr");
  const body = h("tbody");
  const table = h(
    "table",
    { class: "pairs", role: "grid" },
    h("caption", { class: "hidden" }, "Pairs that were checked"),
    h("thead", {}, head),
    body,
  );
  const empty = h("p", { class: "empty" });
  const scroller = h("div", { class: "scroll" }, table, empty);
  root.append(h("div", { class: "bar" }, count, group, filter), scroller);

  const closed = new Set();
  let order = { column: "verdict", down: false };
  const report = () => payload.programs[store.values.program].report;
  const pairs = () => report().pairs;
  const rows = new Rows(scroller, body, {
    height: ROW,
    spacer: (height) => filler(height),
    make: (entry) => (entry.group ? groupRow(entry, closed, show) : row(entry, report(), store)),
  });
  rows.onDraw = () => mark(body, store.values.pair);

  const show = () => {
    const wanted = filter.value.trim().toLowerCase();
    const { key } = COLUMNS.find((column) => column.name === order.column);
    const found = pairs()
      .map((pair, index) => ({ pair, index, key: key(pair) }))
      .filter(({ pair }) =>
        wanted.split(/\s+/).every((part) => `${pair.a} ${pair.b}`.toLowerCase().includes(part)),
      )
      .sort(
        (x, y) =>
          isPinned(y.pair) - isPinned(x.pair) ||
          (order.down ? -1 : 1) * compared(x.key, y.key) ||
          x.index - y.index,
      );
    replace(
      head,
      COLUMNS.map((column) => header(column, order, (next) => ((order = next), show()))),
    );
    rows.show(grouped(found, group.value, closed, robotsOf(payload, store)));
    replace(count, found.length === pairs().length ? `${found.length}` : `${found.length} of ${pairs().length}`);
    replace(
      empty,
      found.length > 0
        ? ""
        : pairs().length > 0
          ? "No pair matches the filter."
          : "No pair comes near, or none had to be checked.",
    );
  };
  show();
  store.listen((values, changed) => {
    if (changed.has("program")) show();
    else if (changed.has("pair")) {
      rows.reveal(rows.entries.findIndex((entry) => entry.index === values.pair));
      mark(body, values.pair, true);
    }
  });
  window.addEventListener("beforeprint", () => {
    const { printed, left } = forPaper(rows.entries);
    rows.whole(printed);
    replace(empty, left);
  });
  window.addEventListener("afterprint", () => (rows.whole(null), show()));
}

/** Returns the table of a program that is not shown, for paper. */
export function paperTable(report) {
  const found = report.pairs
    .map((pair, index) => ({ pair, index, key: urgency(pair) }))
    .sort((x, y) => isPinned(y.pair) - isPinned(x.pair) || compared(x.key, y.key) || x.index - y.index);
  const { printed, left } = forPaper(grouped(found, "event", new Set(), new Set()));
  const noStore = { set: () => {} };
  const rows = printed.map((entry) =>
    entry.group ? groupRow(entry, new Set(), () => {}) : row(entry, report, noStore),
  );
  const labels = COLUMNS.map(({ name, label }) => h("th", { scope: "col", class: name }, label));
  return h(
    "div",
    {},
    h("table", { class: "pairs" }, h("thead", {}, h("tr", {}, labels)), h("tbody", {}, rows)),
    h("p", { class: "empty" }, left || (found.length === 0 && "No pair comes near, or none had to be checked.")),
  );
}

/** Returns the rows that are printed, and a sentence about the others. */
function forPaper(entries) {
  const isFar = ({ pair }) => pair?.event === "clear" && pair.clearance_upper == null;
  const near = entries.filter((entry) => !isFar(entry));
  const [far, more] = [entries.length - near.length, near.length - ON_PAPER];
  const left = [far > 0 && `${counted(far, "clear pair")} without a measured distance`, more > 0 && counted(more, "row")];
  const text = left.some(Boolean) ? `Not printed: ${left.filter(Boolean).join(", ")}.` : "";
  return { printed: near.slice(0, ON_PAPER), left: text };
}

/**
 * Returns the rows with a header before each group; closed groups have their header only. Pinned pairs are the first
 * group; pairs of a robot's own links are a group below those with the surroundings, of each event.
 */
function grouped(found, by, closed, robots) {
  if (by === "none" || found.length === 0) return found;
  const groups = new Map();
  const keyOf = by === "event" ? eventKey : (pair) => objectKey(pair, robots);
  for (const entry of found) {
    const { key, title, rank } = isPinned(entry.pair) ? PINNED : keyOf(entry.pair);
    if (!groups.has(key)) groups.set(key, { key, title, rank, members: [] });
    groups.get(key).members.push(entry);
  }
  const ordered = [...groups.values()].sort((x, y) => x.rank - y.rank);
  return ordered.flatMap(({ key, title, members }) => {
    const worst = members.reduce((one, { pair }) => (urgency(pair)[0] < urgency(one)[0] ? pair : one), members[0].pair);
    const header = { group: key, title, n: members.length, worst, open: !closed.has(key) };
    return closed.has(key) ? [header] : [header, ...members];
  });
}

function isPinned({ group }) {
  return group === "pinned";
}

function eventKey({ event, group }) {
  const own = group === OWN ? `, ${OWN}` : "";
  const rank = 2 * Object.keys(EVENTS).indexOf(event) + Boolean(own);
  return { key: event + own, title: EVENTS[event].title + own, rank };
}

/** Returns the object under which a pair is listed: what a robot comes near, or the first of two objects. */
function objectKey({ a, b, group }, robots) {
  const [one, other] = [ownerOf(a), ownerOf(b)];
  const name = group === OWN ? `${one}, ${OWN}` : robots.has(one) && !robots.has(other) ? other : one;
  return { key: name, title: name, rank: group === OWN ? 1 : 0 };
}

function robotsOf(payload, store) {
  const { report, scene } = payload.programs[store.values.program];
  const links = report.pairs.flatMap(({ a, b }) => [a, b]).filter((text) => text.includes("/"));
  return new Set([...(scene?.robots ?? []).map((robot) => robot.name), ...links.map(ownerOf)]);
}

function groupRow({ group, title, n, worst, open }, closed, show) {
  const toggle = () => {
    if (open) closed.add(group);
    else closed.delete(group);
    show();
  };
  return h(
    "tr",
    { class: "group", "data-group": group, "data-verdict": worst.verdict, "data-event": worst.event },
    h(
      "th",
      { colspan: 4, scope: "rowgroup" },
      h(
        "button",
        { type: "button", "aria-expanded": String(open), click: toggle },
        h("span", { class: "title" }, title),
        h("span", { class: "count" }, String(n)),
      ),
    ),
  );
}

function filler(height) {
  const line = h("tr", { class: "filler", "aria-hidden": "true" }, h("td", { colspan: 4 }));
  line.style.height = `${height}px`;
  return line;
}

export function header(column, order, sort) {
  const current = order.column === column.name;
  const down = current && !order.down;
  return h(
    "th",
    {
      scope: "col",
      class: column.name,
      "aria-sort": current ? (order.down ? "descending" : "ascending") : "none",
    },
    h(
      "button",
      {
        type: "button",
        title: `Sort by ${column.title.toLowerCase()}`,
        click: () => sort({ column: column.name, down }),
      },
      column.label || h("span", { class: "hidden" }, column.title),
      h("span", { class: "arrow", "aria-hidden": "true" }, current ? (order.down ? "\u2193" : "\u2191") : ""),
    ),
  );
}

function row({ pair, index }, report, store) {
  const select = (time) => {
    const moment = time ?? momentOf(pair);
    store.set({ pair: index, playing: false, ...(moment == null ? {} : { time: moment }) });
  };
  return h(
    "tr",
    {
      "data-pair": index,
      "data-verdict": pair.verdict,
      "data-event": pair.event,
      tabindex: 0,
      title: titleOf(pair, report),
      click: () => select(),
      keydown: (event) => event.key === "Enter" && event.target === event.currentTarget && select(),
    },
    h("td", { class: "verdict" }, badge(pair.verdict, pair.event), h("span", { class: "hidden" }, pair.verdict)),
    h("td", { class: "pair" }, name(pair.a, { class: "name" }), name(pair.b, { class: "name" }), strip(pair, report, select)),
    h("td", { class: "least" }, leastText(pair), note(durationText(pair, report, { isShort: true })), note(depthText(pair, report, { isShort: true }))),
    h("td", { class: "time" }, seconds(momentOf(pair), report.t1 - report.t0)),
  );
}

/** Returns the contacts of a pair on a line of time; a click on one seeks it. */
function strip(pair, report, select) {
  if (pair.contacts.length === 0 || report.t1 <= report.t0) return null;
  const share = (time) => (100 * (time - report.t0)) / (report.t1 - report.t0);
  const spans = contactSpans(pair, report);
  const touching = spans.flatMap((span) => touchingSpans(pair, span, report).filter((one) => one !== span));
  return h(
    "span",
    { class: "contacts" },
    spans.map((span, i) => {
      const { from, to, known, least } = span;
      const isPartly = touchingSpans(pair, span, report)[0] !== span;
      const label = `${i + 1}: ${contactText({ event: span.event, least }, pair)} at ${shortSeconds(from)}`;
      const part = h("button", {
        type: "button",
        title: label,
        "aria-label": label,
        "data-contact": i,
        "data-event": isPartly ? "too close" : "contact",
        click: (event) => (event.stopPropagation(), select(from)),
      });
      part.style.left = `${share(from)}%`;
      part.style.width = `max(4px, ${known ? share(to) - share(from) : 0}%)`;
      return part;
    }),
    touching.map(({ from, to }) => {
      const part = h("i", { "aria-hidden": "true" });
      part.style.left = `${share(from)}%`;
      part.style.width = `max(3px, ${share(to) - share(from)}%)`;
      return part;
    }),
  );
}

/** Returns what is known about a pair in one sentence. */
function titleOf(pair, report) {
  const lasts = durationText(pair, report);
  const lasting = lasts && `${pair.margin > 0 ? "within the margin " : ""}for ${lasts}`;
  return [pair.sentence, lasting, depthText(pair, report)].filter(Boolean).join(", ");
}

function note(text) {
  return text && h("span", { class: "note" }, text);
}

function leastText(pair) {
  if (pair.event === "too close" && pair.least) return pair.least.replace(/ (?=m{1,2}$)/, "\u00a0");
  if (pair.verdict === "COLLIDING") return EVENTS[pair.event].one;
  return pair.least.replace(/ (?=m{1,2}$)/, "\u00a0") || (isSampled(pair) ? "none found" : "not computed");
}

function mark(body, pair, scroll = false) {
  for (const entry of body.children) {
    if (entry.dataset.pair == null) continue;
    const current = Number(entry.dataset.pair) === pair;
    entry.setAttribute("aria-selected", String(current));
    if (current && scroll) entry.scrollIntoView({ block: "nearest" });
  }
}

export function compared(x, y) {
  for (let i = 0; i < x.length; i++) {
    if (x[i] < y[i]) return -1;
    if (x[i] > y[i]) return 1;
  }
  return 0;
}
