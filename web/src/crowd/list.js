// The events up to now, latest first; a click on one seeks it and marks the two.
import { h, replace } from "../dom.js";
import { WORDS } from "./events.js";

const ROWS = 80;
const PAUSE = 200; // between updates while it plays [ms]

export function buildList(root, payload, events, store) {
  const count = h("span", { class: "count" });
  const filter = h("input", {
    type: "search",
    placeholder: "Number",
    spellcheck: "false",
    "aria-label": "Only events of the member with this number or name",
    input: () => show(),
  });
  const body = h("tbody");
  const empty = h("p", { class: "empty" });
  const table = h(
    "table",
    { class: "pairs events" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["At", "Who", "What"].map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    body,
  );
  root.append(
    h("div", { class: "bar" }, h("h2", {}, "Events"), count, filter),
    h("div", { class: "scroll" }, table, empty),
  );
  const row = (k) =>
    h(
      "tr",
      {
        tabindex: 0,
        "data-event": k,
        "data-kind": events.nameOf(k),
        click: () => choose(k),
        keydown: (event) => event.key === "Enter" && choose(k),
      },
      h("td", { class: "time" }, `${events.time[k].toFixed(4)} s`),
      h("td", { class: "who" }, events.who(k).join(" \u2013 ")),
      h("td", { class: "what" }, what(events, k)),
    );
  const choose = (k) =>
    store.set({ playing: false, time: events.time[k], pair: [events.rowI[k], events.rowJ[k]] });
  let shown = "";
  const show = () => {
    const wanted = filter.value.trim();
    const last = events.countUntil(store.values.time);
    if (shown === `${last} ${wanted}`) return;
    shown = `${last} ${wanted}`;
    const found = [];
    for (let k = last - 1; k >= 0 && found.length < ROWS; k--) {
      if (wanted === "" || events.who(k).includes(wanted)) found.push(k);
    }
    replace(body, found.map(row));
    replace(count, `${last.toLocaleString("en")} of ${events.all.toLocaleString("en")}`);
    replace(empty, found.length > 0 ? "" : nothing(events, wanted, payload));
  };
  let timer = null;
  const later = () => {
    timer ??= setTimeout(() => ((timer = null), show()), PAUSE);
  };
  show();
  store.listen((values, changed) => {
    if (changed.has("time")) (values.playing ? later : show)();
    if (changed.has("playing") && !values.playing) show();
  });
}

function what(events, k) {
  const name = events.nameOf(k);
  if (events.j[k] >= 0) return WORDS[name];
  return { begin: "reaches out of the box", end: "is inside again" }[name] ?? WORDS.wall;
}

function nothing(events, wanted, { names }) {
  if (wanted === "") return events.n > 0 ? "There are no events yet." : "There are no events.";
  return names.includes(wanted) ? "There are no events of this member yet." : "No member has this number or name.";
}
