// The page of spheres: ranks of a tree by a slider, or a model of a robot whose radii are grown by one.
import "../viewer.css";
import "./spheres.css";
import { gradient } from "../crowd/colours.js";
import { h, icon, ICONS, name, replace } from "../dom.js";
import { counted, length } from "../format.js";
import { readPacked } from "../payload.js";
import { Store } from "../store.js";
import { SphereView } from "./view.js";

const BALLS = ["M9 6a5 5 0 1 0 0 10a5 5 0 1 0 0-10", "M16 11a4 4 0 1 1-2.5 7.1"];
const STEPS = 200; // of the slider that grows radii

async function start() {
  const root = document.getElementById("keepclear");
  let payload;
  try {
    payload = await readSpheres();
  } catch (error) {
    root.append(
      h(
        "p",
        { class: "failure", role: "alert" },
        `The rest of this page cannot be shown: this browser is too old, or the file is damaged (${error.message}).`,
      ),
    );
    return;
  }
  const store = new Store({
    rank: payload.first_rank,
    grown: 0,
    showSpheres: true,
    showBody: true,
    row: -1,
  });
  replace(root);
  buildHeader(root, payload);
  const left = h("section", { class: "card motion", "aria-label": "Spheres" });
  const side = h("section", { class: "card side", "aria-label": payload.table_title });
  root.append(h("main", {}, h("div", { class: "left" }, left), side));
  const view = buildView(left, payload, store);
  buildSlider(left, payload, store);
  left.append(buildLegend(payload, store));
  buildTable(side, payload, store, view);
  buildNotes(root, payload);
  listenToKeys(store, view, payload);
  tell(store, payload, view);
  document.body.dataset.ready = "true";
}

async function readSpheres() {
  const { payload, array } = await readPacked();
  for (const rank of payload.ranks) {
    for (const key of ["centers", "radii", "excess"]) if (rank[key]) rank[key] = array(rank[key]);
  }
  for (const body of payload.bodies) {
    for (const key of ["positions", "triangles", "outside"]) if (body[key]) body[key] = array(body[key]);
  }
  return payload;
}

function buildHeader(root, { title, sentence, facts, verdict }) {
  root.append(
    h(
      "header",
      { class: "verdict spheres", role: "banner", "data-verdict": verdict },
      verdict && h("span", { class: "badge", "data-verdict": verdict }, icon(...ICONS[verdict])),
      h("div", { class: "words" }, h("h1", {}, title), h("p", { class: "sentence" }, sentence)),
      h(
        "dl",
        { class: "facts" },
        facts.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value))),
      ),
    ),
  );
}

function buildView(root, payload, store) {
  const canvas = h("canvas", {
    class: "canvas",
    tabindex: 0,
    "aria-label": "The body and its spheres; drag to turn the view, scroll to zoom",
  });
  const stage = h("div", { class: "stage" }, canvas);
  root.append(stage);
  let view;
  try {
    view = new SphereView(canvas, payload, (triangles) => (document.body.dataset.drawnTriangles = triangles));
  } catch {
    stage.classList.add("missing");
    stage.append(
      h(
        "p",
        { class: "empty", role: "note" },
        "This browser shows no WebGL, so nothing is drawn here. Everything else on this page works.",
      ),
    );
    return null;
  }
  const toggle = (key, label, paths) => {
    const button = h(
      "button",
      {
        type: "button",
        title: label,
        "aria-label": label,
        "aria-pressed": "true",
        "data-toggle": key,
        click: () => store.set({ [key]: !store.values[key] }),
      },
      icon(...paths),
    );
    store.listen((values) => button.setAttribute("aria-pressed", String(values[key])));
    return button;
  };
  stage.append(
    h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "View" },
      h(
        "button",
        { type: "button", title: "Show all (a)", "aria-label": "Show all", click: () => view.reset() },
        icon(...ICONS.home),
      ),
      toggle("showSpheres", "Spheres (s)", BALLS),
      toggle("showBody", "Body (b)", ICONS.xray),
    ),
  );
  return view;
}

/** A tree has a slider for its ranks, an audit one that grows all radii until everything is covered. */
function buildSlider(root, payload, store) {
  const ranks = payload.ranks.length;
  const most = payload.inflation;
  if (ranks < 2 && !most) return;
  const byRank = ranks > 1;
  const words = h("span", { class: "clock reading" });
  const input = h("input", {
    class: "slider",
    type: "range",
    min: 0,
    max: byRank ? ranks - 1 : STEPS,
    step: 1,
    value: byRank ? store.values.rank : 0,
    "aria-label": byRank ? "Rank" : "Radii grown by",
    input: () => {
      const at = Number(input.value);
      store.set(byRank ? { rank: at } : { grown: (most * at) / STEPS });
    },
  });
  root.append(
    h(
      "div",
      { class: "transport" },
      h("span", { class: "what" }, byRank ? "Rank" : "Radii grown by"),
      h("div", { class: "track" }, input),
      words,
    ),
  );
  const show = ({ rank, grown }) => {
    const at = byRank ? rank : Math.round((grown / most) * STEPS);
    input.value = at;
    input.style.setProperty("--done", `${(100 * at) / input.max}%`);
    const { n, radius } = payload.ranks[rank];
    replace(
      words,
      byRank ? `${rank + 1} of ${ranks}: ${counted(n, "sphere")} of ${length(radius)}` : length(grown, Math.ceil),
    );
  };
  show(store.values);
  store.listen(show);
}

function buildLegend(payload, store) {
  const most = h("span", {});
  const show = ({ rank }) => replace(most, `at most ${length(payload.ranks[rank].top, Math.ceil)}`);
  show(store.values);
  store.listen(show);
  const bar = h("i", { class: "ramp" });
  bar.style.background = gradient();
  return h(
    "p",
    { class: "legend colours" },
    h("span", {}, "excess of a sphere: 0", bar, most),
    payload.bodies.some((body) => body.outside) && h("span", {}, h("i", { class: "hit" }), "outside of all spheres"),
    payload.rows.some((row) => row.point) && h("span", {}, h("i", { class: "worst" }), "worst position of the selected link"),
  );
}

function buildTable(root, payload, store, view) {
  const choose = (k) => {
    const row = payload.rows[k];
    if (row.rank != null) store.set({ rank: row.rank, row: k });
    else store.set({ row: store.values.row === k ? -1 : k });
    if (store.values.row === k && row.point) view?.focus(row.point);
  };
  const rows = payload.rows.map((row, k) =>
    h(
      "tr",
      {
        tabindex: 0,
        "data-row": k,
        "data-state": row.state ?? "",
        click: () => choose(k),
        keydown: (event) => event.key === "Enter" && choose(k),
      },
      row.cells.map((cell, c) => h("td", {}, c === 0 ? name(cell) : cell)),
    ),
  );
  root.append(
    h("div", { class: "bar" }, h("h2", {}, payload.table_title), h("span", { class: "count" }, rows.length)),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "pairs sphere-rows" },
        h("thead", {}, h("tr", {}, payload.columns.map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, rows),
      ),
    ),
  );
  const show = ({ row, rank }) => {
    rows.forEach((element, k) => {
      const isChosen = payload.rows[k].rank != null ? payload.rows[k].rank === rank : k === row;
      element.setAttribute("aria-selected", String(isChosen));
    });
  };
  show(store.values);
  store.listen(show);
}

function buildNotes(root, { notes, ranks, inflation }) {
  const arrows = ranks.length > 1 || inflation ? "arrows move the slider, " : "";
  root.append(
    h(
      "div",
      { class: "details" },
      h(
        "details",
        { open: true },
        h("summary", {}, "What is seen"),
        h(
          "ul",
          {},
          notes.map((text) => h("li", {}, text)),
          h("li", {}, `Keys: ${arrows}s spheres, b body, a shows all.`),
        ),
      ),
    ),
  );
}

function listenToKeys(store, view, payload) {
  const most = payload.ranks.length - 1;
  const step = (by) => {
    const { rank, grown } = store.values;
    if (most > 0) store.set({ rank: Math.min(Math.max(rank + by, 0), most) });
    else if (payload.inflation)
      store.set({ grown: Math.min(Math.max(grown + (by * payload.inflation) / 20, 0), payload.inflation) });
  };
  const actions = {
    s: () => store.set({ showSpheres: !store.values.showSpheres }),
    b: () => store.set({ showBody: !store.values.showBody }),
    a: () => view?.reset(),
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
  };
  document.addEventListener("keydown", (event) => {
    if (event.target.matches?.("input, select, textarea, canvas")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    actions[event.key]?.();
  });
}

/** Keeps the document's data- attributes at what is shown, for tests and for other programs. */
function tell(store, payload, view) {
  const show = (values) => {
    const drawn = view?.show(values) ?? 0;
    let uncovered = 0;
    for (const { outside } of payload.bodies) {
      for (const value of outside ?? []) if (value > values.grown) uncovered++;
    }
    Object.assign(document.body.dataset, {
      rank: values.rank,
      grown: values.grown.toPrecision(6),
      spheres: payload.ranks[values.rank]?.n ?? 0,
      drawnSpheres: drawn,
      uncovered,
      row: values.row,
    });
  };
  show(store.values);
  store.listen(show);
}

start();
