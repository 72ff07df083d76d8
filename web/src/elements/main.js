// The page of a prepared mesh: its elements in colours, the faces of its hull, and a table of what there is.
import { h, ICONS } from "../dom.js";
import { buildHeader, buildNotes, buildTable, buildView, listenToKeys } from "../models/frame.js";
import { Store } from "../store.js";
import { ElementView } from "./view.js";

const HULL = ["M5 8l7-4 7 4v8l-7 4-7-4z"];
const CONCAVE = ["M5 5h14v14H5z", "M9 9h6v6H9z"];
const STEPS = 100; // of the slider that moves elements apart

export function showElements(root, payload) {
  const store = new Store({ row: -1, apart: 0, showElements: true, showHull: true, onlyConcave: false });
  buildHeader(root, payload);
  const left = h("section", { class: "card motion", "aria-label": "Elements" });
  const side = h("section", { class: "card side", "aria-label": payload.table_title });
  root.append(h("main", {}, h("div", { class: "left" }, left), side));
  const view = buildView(
    left,
    store,
    "The elements of the mesh and its hull; drag to turn the view, scroll to zoom",
    [
      ["showElements", "Elements (e)", ICONS.xray],
      ["showHull", "Hull (h)", HULL],
      ["onlyConcave", "Concave elements only (c)", CONCAVE],
    ],
    (canvas, onDraw) => new ElementView(canvas, payload, onDraw),
  );
  left.append(buildSlider(store), buildLegend(payload));
  const choose = (k) => store.set({ row: store.values.row === k ? -1 : k });
  buildTable(side, payload, store, choose, (k, { row }) => k === row);
  buildNotes(root, payload.notes, "arrows move elements apart, e elements, h hull, c concave elements only, a shows all");
  const step = (by) => store.set({ apart: Math.min(Math.max(store.values.apart + by, 0), 1) });
  listenToKeys({
    e: () => store.set({ showElements: !store.values.showElements }),
    h: () => store.set({ showHull: !store.values.showHull }),
    c: () => store.set({ onlyConcave: !store.values.onlyConcave }),
    a: () => view?.reset(),
    ArrowRight: () => step(0.05),
    ArrowLeft: () => step(-0.05),
  });
  const tell = (values) => {
    view?.show(values);
    const { row, apart, showElements: elements, showHull: hull, onlyConcave: concave } = values;
    Object.assign(document.body.dataset, { row, apart: apart.toFixed(2), elements, hull, concave });
    document.body.dataset.element = payload.rows[row]?.element ?? "";
  };
  tell(store.values);
  store.listen(tell);
}

function buildSlider(store) {
  const input = h("input", {
    class: "slider",
    type: "range",
    min: 0,
    max: STEPS,
    step: 1,
    value: 0,
    "aria-label": "Elements moved apart",
    input: () => store.set({ apart: Number(input.value) / STEPS }),
  });
  store.listen(({ apart }) => {
    input.value = Math.round(apart * STEPS);
    input.style.setProperty("--done", `${100 * apart}%`);
  });
  return h(
    "div",
    { class: "transport" },
    h("span", { class: "what" }, "Move apart"),
    h("div", { class: "track" }, input),
  );
}

function buildLegend({ legend }) {
  return h(
    "p",
    { class: "legend colours" },
    legend.map(([text, colour]) => {
      const mark = h("i", { class: "swatch" });
      mark.style.background = colour;
      return h("span", {}, mark, text);
    }),
  );
}
