// The pairs: sortable, filtered by text; a click on a row or on one of its contacts seeks the moment.
import { h, name, replace } from "./dom.js";
import { badge } from "./header.js";
import { isSampled, leastDistance, urgency } from "./contact.js";
import { shortSeconds } from "./format.js";

const MOST_ROWS = 300; // until somebody asks for the rest

const COLUMNS = [
  { name: "verdict", label: "", title: "Verdict", key: urgency },
  { name: "pair", label: "Pair", title: "Names", key: (pair) => [`${pair.a} ${pair.b}`] },
  { name: "least", label: "Closest", title: "Least distance", key: (pair) => [leastDistance(pair)] },
  { name: "time", label: "At", title: "Time", key: (pair) => [momentOf(pair) ?? Infinity] },
];

/** Returns the time that a pair is about: its first contact, or when it is closest. */
export function momentOf(pair) {
  if (pair.verdict === "UNDECIDED") return isSampled(pair) ? pair.clearance_time : pair.t_lo;
  return pair.time ?? pair.clearance_time;
}

export function buildTable(root, payload, store) {
  const filter = h("input", {
    type: "search",
    placeholder: "Filter by name",
    "aria-label": "Filter pairs by name",
    spellcheck: "false",
    input: () => show(),
  });
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
  let whole = false;
  const more = h("button", { type: "button", class: "zoom rest", click: () => ((whole = true), show()) });
  root.append(
    h("div", { class: "bar" }, h("h2", {}, "Pairs"), count, filter),
    h("div", { class: "scroll" }, table, more, empty),
  );

  let order = { column: "verdict", down: false };
  const pairs = () => payload.programs[store.values.program].report.pairs;

  const show = () => {
    const wanted = filter.value.trim().toLowerCase();
    const { key } = COLUMNS.find((column) => column.name === order.column);
    const rows = pairs()
      .map((pair, index) => ({ pair, index, key: key(pair) }))
      .filter(({ pair }) =>
        wanted.split(/\s+/).every((part) => `${pair.a} ${pair.b}`.toLowerCase().includes(part)),
      )
      .sort((x, y) => (order.down ? -1 : 1) * compared(x.key, y.key) || x.index - y.index);
    replace(
      head,
      COLUMNS.map((column) => header(column, order, (next) => ((order = next), show()))),
    );
    const shown = whole ? rows : rows.slice(0, MOST_ROWS);
    replace(
      body,
      shown.map(({ pair, index }) => row(pair, index, store)),
    );
    more.hidden = shown.length === rows.length;
    more.textContent = `Show ${rows.length - shown.length} more`;
    replace(count, rows.length === pairs().length ? `${rows.length}` : `${rows.length} of ${pairs().length}`);
    replace(
      empty,
      rows.length > 0 ? "" : pairs().length > 0 ? "No pair has such a name." : "No pair comes near, or none had to be checked.",
    );
    mark(body, store.values.pair);
  };
  show();
  store.listen((values, changed) => {
    if (changed.has("program")) show();
    else if (changed.has("pair")) mark(body, values.pair, true);
  });
}

function header(column, order, sort) {
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

function row(pair, index, store) {
  const select = (time) => {
    const moment = time ?? momentOf(pair);
    store.set({ pair: index, playing: false, ...(moment == null ? {} : { time: moment }) });
  };
  const more =
    pair.contacts.length > 1 &&
    h(
      "div",
      { class: "contacts" },
      pair.contacts.map((contact, i) =>
        h(
          "button",
          {
            type: "button",
            title: `Contact ${i + 1}`,
            "data-contact": i,
            click: (event) => (event.stopPropagation(), select(contact.time)),
          },
          shortSeconds(contact.time),
        ),
      ),
    );
  return h(
    "tr",
    {
      "data-pair": index,
      "data-verdict": pair.verdict,
      tabindex: 0,
      title: pair.sentence,
      click: () => select(),
      keydown: (event) => event.key === "Enter" && event.target === event.currentTarget && select(),
    },
    h("td", { class: "verdict" }, badge(pair.verdict), h("span", { class: "hidden" }, pair.verdict)),
    h("td", { class: "pair" }, name(pair.a, { class: "name" }), name(pair.b, { class: "name" }), more),
    h("td", { class: "least" }, leastText(pair)),
    h("td", { class: "time" }, shortSeconds(momentOf(pair), 4)),
  );
}

function leastText(pair) {
  if (pair.verdict === "COLLIDING") return pair.margin > 0 ? "within margin" : "contact";
  return pair.least || (isSampled(pair) ? "none seen" : "not asked");
}

function mark(body, pair, scroll = false) {
  for (const entry of body.children) {
    const current = Number(entry.dataset.pair) === pair;
    entry.setAttribute("aria-selected", String(current));
    if (current && scroll) entry.scrollIntoView({ block: "nearest" });
  }
}

function compared(x, y) {
  for (let i = 0; i < x.length; i++) {
    if (x[i] < y[i]) return -1;
    if (x[i] > y[i]) return 1;
  }
  return 0;
}
