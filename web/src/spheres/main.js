// Pages of models. Spheres: ranks of a tree by a slider, or a model of a robot whose radii are grown by one. Elements:
// those of `elements/main.js`.
import { gradient } from "../crowd/colours.js";
import { h, ICONS, replace } from "../dom.js";
import { showElements } from "../elements/main.js";
import { counted, length } from "../format.js";
import { buildHeader, buildNotes, buildTable, buildView, listenToKeys } from "../models/frame.js";
import { readPacked } from "../payload.js";
import { Store } from "../store.js";
import { linkColour, SphereView } from "./view.js";

const BALLS = ["M9 6a5 5 0 1 0 0 10a5 5 0 1 0 0-10", "M16 11a4 4 0 1 1-2.5 7.1"];
const LINKS = ["M4 7h7v7H4z", "M13 10h7v7h-7z"];
const STEPS = 200; // of the slider that grows radii

export async function start() {
  const root = document.getElementById("keepclear");
  let payload;
  try {
    payload = await readModel();
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
  replace(root);
  if (payload.page === "elements") showElements(root, payload);
  else showSpheres(root, payload);
  document.body.dataset.ready = "true";
}

function showSpheres(root, payload) {
  const store = new Store({
    rank: payload.first_rank,
    grown: 0,
    showSpheres: true,
    showBody: true,
    byLink: hasLinks(payload),
    row: -1,
  });
  if (hasLinks(payload)) payload.rows.forEach((row, k) => (row.colour = linkColour(k)));
  buildHeader(root, payload);
  const left = h("section", { class: "card motion", "aria-label": "Spheres" });
  const side = h("section", { class: "card side", "aria-label": payload.table_title });
  root.append(h("main", {}, h("div", { class: "left" }, left), side));
  const view = buildView(
    left,
    store,
    "The body and its spheres; drag to turn the view, scroll to zoom",
    [
      ["showSpheres", "Spheres (s)", BALLS],
      ["showBody", "Body (b)", ICONS.xray],
      ...(hasLinks(payload) ? [["byLink", "Colour by link, or by excess (c)", LINKS]] : []),
    ],
    (canvas, onDraw) => new SphereView(canvas, payload, onDraw),
  );
  buildSlider(left, payload, store);
  left.append(buildLegend(payload, store));
  buildTable(side, payload, store, chooser(payload, store, view), (k, { row, rank }) =>
    payload.rows[k].rank != null ? payload.rows[k].rank === rank : k === row,
  );
  const arrows = payload.ranks.length > 1 || payload.inflation ? "arrows move the slider, " : "";
  buildNotes(root, payload.notes, `${arrows}s spheres, b body, ${hasLinks(payload) ? "c colours by link or excess, " : ""}a shows all`);
  listenToKeys(keysOf(store, view, payload));
  tell(store, payload, view);
}

/** Returns whether spheres belong to several links, each with a colour. */
function hasLinks({ ranks, rows }) {
  return rows.length > 1 && ranks.some((rank) => rank.link);
}

function chooser(payload, store, view) {
  return (k) => {
    const row = payload.rows[k];
    if (row.rank != null) store.set({ rank: row.rank, row: k });
    else store.set({ row: store.values.row === k ? -1 : k });
    if (store.values.row === k && row.point) view?.focus(row.point);
  };
}

async function readModel() {
  const { payload, array } = await readPacked();
  if (payload.page === "elements") {
    for (const [key, place] of Object.entries(payload.arrays)) payload.arrays[key] = array(place);
    return payload;
  }
  for (const rank of payload.ranks) {
    for (const key of ["centers", "radii", "excess", "link"]) if (rank[key]) rank[key] = array(rank[key]);
  }
  for (const body of payload.bodies) {
    for (const key of ["positions", "triangles", "outside"]) if (body[key]) body[key] = array(body[key]);
  }
  return payload;
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
  const [ramp, links] = [h("span", {}, "excess of a sphere: 0", bar, most), h("span", {}, "spheres coloured by link")];
  const colour = ({ byLink }) => ([ramp.hidden, links.hidden] = [byLink, !byLink]);
  colour(store.values);
  store.listen(colour);
  return h(
    "p",
    { class: "legend colours" },
    ramp,
    links,
    payload.bodies.some((body) => body.outside) && h("span", {}, h("i", { class: "hit" }), "outside of all spheres"),
    payload.rows.some((row) => row.point) && h("span", {}, h("i", { class: "worst" }), "worst position of the selected link"),
  );
}

function keysOf(store, view, payload) {
  const most = payload.ranks.length - 1;
  const step = (by) => {
    const { rank, grown } = store.values;
    if (most > 0) store.set({ rank: Math.min(Math.max(rank + by, 0), most) });
    else if (payload.inflation)
      store.set({ grown: Math.min(Math.max(grown + (by * payload.inflation) / 20, 0), payload.inflation) });
  };
  return {
    s: () => store.set({ showSpheres: !store.values.showSpheres }),
    b: () => store.set({ showBody: !store.values.showBody }),
    c: () => hasLinks(payload) && store.set({ byLink: !store.values.byLink }),
    a: () => view?.reset(),
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
  };
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
      colour: values.byLink ? "link" : "excess",
    });
  };
  show(store.values);
  store.listen(show);
}
